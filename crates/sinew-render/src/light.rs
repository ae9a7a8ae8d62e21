//! How much light falls on a point of the surface?
//!
//! The studio is a set of lamps infinitely far away: a dome of many weak ones that stands for the sky,
//! a cool fill, a rim behind the figure and the light the ground throws back, and a cluster of strong
//! ones for the warm key. Each lamp has a depth map of the figure seen from it; a point is lit by the
//! lamps that see it. The sum over the dome is ambient occlusion, the sum over the key's cluster is a
//! soft shadow, and nothing is random:
//!
//! `E(p, n) = sum_l  L_l max(0, n . l) V_l(p)`.
//!
//! What the dome does not reach, other skin does: a point that sees the share `V` of the dome sees the surface in the
//! rest, which throws back the share `r` of as much light as falls on the point itself (Stewart and Langer 1997),
//!
//! `E' = E + r (1 - V) E',   E' = E / (1 - r (1 - V))`.

use crate::raster::{Grid, Setup};
use crate::silhouette::Silhouette;
use glam::{DVec2, DVec3, Vec2, Vec3};
use rayon::prelude::*;

const DOME_LAMPS: usize = 72;
const KEY_LAMPS: usize = 28;
/// Half the angle under which the key lamp is seen.
const KEY_HALF_ANGLE_DEGREES: f32 = 11.0;
/// Most and fewest texels along a side of a depth map.
const MAP_SIZES: [usize; 2] = [384, 96];

/// Sine of the height above the ground from which on a lamp throws a shadow on it.
const LOWEST_SHADOW: f32 = 0.05;

/// A lamp infinitely far away.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lamp {
    /// Unit vector towards it.
    pub direction: Vec3,
    /// Light it throws on a surface facing it.
    pub power: Vec3,
    /// The angle in radians of the patch of sky it stands for.
    pub spread: f32,
    /// Whether highlights show it.
    pub highlight: bool,
}

/// The lamps around a figure, placed relative to the camera: `right`, `up` and `front` are unit
/// vectors, `front` towards the viewer along the ground.
pub(crate) fn studio(right: Vec3, up: Vec3, front: Vec3) -> Vec<Lamp> {
    let place = |x: f32, y: f32, z: f32| (right * x + up * y + front * z).normalize();
    let key = place(-0.68, 1.08, 0.66);
    let fill = place(0.85, 0.10, 0.50);
    let rim = place(0.55, 0.45, -0.80);
    let rim_left = place(-0.85, 0.25, -0.55);
    let lobe = |direction: Vec3, axis: Vec3, sharpness: f32| direction.dot(axis).max(0.0).powf(sharpness);
    let sky = |direction: Vec3| {
        let height = direction.dot(up);
        let base = if height > 0.0 {
            Vec3::new(0.205, 0.222, 0.245) * (0.75 + 0.55 * height)
        } else {
            Vec3::new(0.175, 0.160, 0.148)
        };
        base + Vec3::new(0.24, 0.30, 0.40) * lobe(direction, fill, 3.0)
            + Vec3::new(1.35, 1.42, 1.55) * lobe(direction, rim, 9.0)
            + Vec3::new(0.50, 0.46, 0.42) * lobe(direction, rim_left, 9.0)
    };
    let lamp = |direction: Vec3, power: Vec3, cap: f32, count: usize, highlight: bool| {
        let spread = (std::f32::consts::TAU * cap / count as f32).sqrt();
        Lamp { direction, power: power / count as f32, spread, highlight }
    };
    let dome = spiral(DOME_LAMPS, 2.0).map(|[x, y, z]| {
        let direction = right * x + up * y + front * z;
        lamp(direction, 4.0 * sky(direction), 2.0, DOME_LAMPS, false)
    });
    let (side, above) = key.any_orthonormal_pair();
    let cap = 1.0 - KEY_HALF_ANGLE_DEGREES.to_radians().cos();
    let cluster = spiral(KEY_LAMPS, cap).map(|[x, y, z]| {
        let direction = side * x + key * y + above * z;
        lamp(direction, Vec3::new(1.34, 1.22, 1.05), cap, KEY_LAMPS, true)
    });
    dome.chain(cluster).collect()
}

/// Directions spread evenly, by the golden angle, over the cap of the unit sphere that reaches `cap`
/// down from the top of its second axis.
fn spiral(count: usize, cap: f32) -> impl Iterator<Item = [f32; 3]> {
    let golden_angle = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |k| {
        let y = 1.0 - cap * (k as f32 + 0.5) / count as f32;
        let (sin, cos) = (golden_angle * k as f32).sin_cos();
        let radius = (1.0 - y * y).max(0.0).sqrt();
        [radius * cos, y, radius * sin]
    })
}

/// A point to be lit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub position: Vec3,
    /// Unit normal on the side that is seen.
    pub normal: Vec3,
    /// Unit vector to the viewer.
    pub viewer: Vec3,
}

/// The light at a point.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Light {
    /// Light that falls on a matt surface.
    diffuse: Vec3,
    /// Light that a satin surface throws towards the viewer.
    pub gloss: Vec3,
    /// The share of the dome that is open, by the cosines to its lamps.
    open: f32,
}

impl Light {
    /// What a matt surface of a colour throws back, with the light between surfaces that face each other.
    pub fn spread(&self, color: Vec3) -> Vec3 {
        color * self.diffuse / (1.0 - color * (1.0 - self.open))
    }
}

/// The lamps with their view of a figure.
pub(crate) struct Lights {
    views: Vec<View>,
    up: Vec3,
}

struct View {
    lamp: Lamp,
    /// Of what is lit.
    map: DepthMap,
    /// Of the whole figure, where less of it is lit.
    whole: Option<DepthMap>,
    /// For lamps that throw shadows on the ground.
    outline: Option<Silhouette>,
}

impl Lights {
    /// Looks at the triangles from every lamp, as finely as a picture of so many pixels shows; the lamps
    /// above a ground with the normal `up` also learn the figure's outline. Only points of `lit` are lit, if there are
    /// any: a close-up needs the maps to be as close.
    pub fn new(
        lamps: &[Lamp],
        (positions, triangles): (&[Vec3], &[[u32; 3]]),
        lit: &[[u32; 3]],
        pixels: usize,
        up: Vec3,
    ) -> Self {
        let size = (pixels * 3 / 5).next_multiple_of(32).clamp(MAP_SIZES[1], MAP_SIZES[0]);
        let is_close_up = !lit.is_empty() && lit.len() < triangles.len();
        let lit = if is_close_up { lit } else { triangles };
        let view = |&lamp: &Lamp| {
            let map = DepthMap::new(lamp.direction, (positions, triangles), lit, size);
            let above = lamp.direction.dot(up) > LOWEST_SHADOW;
            let of_whole = || DepthMap::new(lamp.direction, (positions, triangles), triangles, size);
            let whole = (above && is_close_up).then(of_whole);
            let outline = above.then(|| Silhouette::new(size, &whole.as_ref().unwrap_or(&map).height));
            View { lamp, map, whole, outline }
        };
        Self { views: lamps.par_iter().map(view).collect(), up }
    }

    /// Lights a batch of points, lamp by lamp so that one depth map at a time is in use.
    pub fn shine(&self, points: &[Point]) -> Vec<Light> {
        let mut lights = vec![Light::default(); points.len()];
        let mut sky = vec![0.0; points.len()];
        for View { lamp, map, .. } in &self.views {
            let half = |viewer: Vec3| (viewer + lamp.direction).normalize_or_zero();
            for ((point, light), sky) in points.iter().zip(&mut lights).zip(&mut sky) {
                let cosine = point.normal.dot(lamp.direction);
                if cosine <= 0.0 {
                    continue;
                }
                let open = cosine * map.visibility(point);
                light.diffuse += lamp.power * open;
                if lamp.highlight {
                    light.gloss += lamp.power * (open * point.normal.dot(half(point.viewer)).max(0.0).powi(24));
                } else {
                    light.open += open;
                    *sky += cosine;
                }
            }
        }
        lights.iter_mut().zip(sky).for_each(|(light, sky)| light.open /= f32::max(sky, 1e-6));
        lights
    }

    /// The share of light that points of a ground below the whole figure keep: 1 where nothing of the
    /// sky is hidden.
    pub fn ground_light(&self, points: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; points.len()];
        let mut open = Vec3::ZERO;
        for View { lamp, map, whole, outline } in &self.views {
            let Some(outline) = outline else { continue };
            let map = whole.as_ref().unwrap_or(map);
            let power = lamp.power * lamp.direction.dot(self.up);
            open += power;
            let blur = lamp.spread / map.texel;
            for (&point, sum) in points.iter().zip(&mut sums) {
                *sum += power * outline.openness(map.texel_of(point), point.dot(lamp.direction), blur);
            }
        }
        sums.into_iter().map(|sum| sum / open.max(Vec3::splat(1e-6))).collect()
    }
}

/// How far the figure reaches towards a lamp, on a grid across the lamp's direction.
struct DepthMap {
    /// Texels along a side.
    size: usize,
    direction: Vec3,
    /// The grid's axes, in texels for each unit of length.
    right: Vec3,
    up: Vec3,
    /// Position of the grid's corner along the axes, in texels.
    origin: Vec2,
    /// Length of a texel's side.
    texel: f32,
    height: Vec<f32>,
}

impl DepthMap {
    /// The map of `lit` triangles, and of all that may hide them.
    fn new(direction: Vec3, (positions, triangles): (&[Vec3], &[[u32; 3]]), lit: &[[u32; 3]], size: usize) -> Self {
        let (right, up) = direction.any_orthonormal_pair();
        let across = |p: Vec3| Vec2::new(p.dot(right), p.dot(up));
        let corners = lit.iter().flatten().map(|&v| across(positions[v as usize]));
        let (low, high) = corners.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let extent = (high - low).max_element();
        // Two empty texels all around, so that a lookup never leaves the map.
        let texel = if extent > 0.0 { extent / (size - 4) as f32 } else { 1.0 };
        let (right, up) = (right / texel, up / texel);
        let origin = if low.is_finite() { low / texel - 2.0 } else { Vec2::ZERO };
        let place = |p: &Vec3| Vec3::new(p.dot(right) - origin.x, p.dot(up) - origin.y, p.dot(direction));
        let seen: Vec<DVec3> = positions.iter().map(|p| place(p).as_dvec3()).collect();
        let grid = Grid { origin: DVec2::ZERO, step: 1.0, columns: size, rows: size };
        let mut height = vec![f32::NEG_INFINITY; size * size];
        for triangle in triangles {
            if let Some(setup) = Setup::parallel(triangle.map(|v| seen[v as usize])) {
                grid.scan(&setup, |index, near| height[index] = height[index].max(near));
            }
        }
        Self { size, direction, right, up, origin, texel, height }
    }

    /// Where a point lies on the grid, in texels.
    fn texel_of(&self, p: Vec3) -> Vec2 {
        Vec2::new(p.dot(self.right), p.dot(self.up)) - self.origin
    }

    /// The share of the four texels around a point, by distance, that do not hide it from the lamp.
    fn visibility(&self, point: &Point) -> f32 {
        let p = point.position + point.normal * (1.7 * self.texel);
        let [x, y] = (self.texel_of(p) - 0.5).to_array();
        let last = (self.size - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return 1.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let level = p.dot(self.direction) + 0.7 * self.texel;
        let at = row * self.size + column;
        let open = |index: usize| f32::from(u8::from(self.height[index] <= level));
        let above = open(at) * (1.0 - fx) + open(at + 1) * fx;
        let below = open(at + self.size) * (1.0 - fx) + open(at + self.size + 1) * fx;
        above * (1.0 - fy) + below * fy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOF: [[f32; 3]; 4] = [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]];
    const LAMP: Lamp = Lamp { direction: Vec3::Y, power: Vec3::ONE, spread: 0.0, highlight: false };

    fn point(position: Vec3) -> Point {
        Point { position, normal: Vec3::Y, viewer: Vec3::Z }
    }

    #[test]
    fn a_roof_hides_the_lamp_above_it() {
        let roof = ROOF.map(Vec3::from);
        let lights = Lights::new(&[LAMP], (&roof, &[[0, 1, 2], [0, 2, 3]]), &[], 400, Vec3::Y);
        let positions = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)];
        assert_eq!(lights.ground_light(&positions), [Vec3::ZERO, Vec3::ONE]);
        let lit = lights.shine(&[point(positions[0]), point(positions[1]), point(Vec3::Y)]);
        assert_eq!(lit.iter().map(|light| light.diffuse).collect::<Vec<_>>(), [Vec3::ZERO, Vec3::ONE, Vec3::ONE]);
    }

    /// What is hidden is as large as ever in a close-up of a small triangle, but its border is sharper.
    #[test]
    fn a_close_up_has_close_maps() {
        let small = [[0.98, 0.0, 0.0], [1.02, 0.0, 0.0], [1.0, 0.0, 0.02]].map(Vec3::from);
        let positions: Vec<Vec3> = ROOF.map(Vec3::from).into_iter().chain(small).collect();
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6]];
        let light = |lit: &[[u32; 3]], x: f32| {
            let lights = Lights::new(&[LAMP], (&positions, &triangles), lit, 400, Vec3::Y);
            lights.shine(&[point(Vec3::new(x, 0.0, 0.005))])[0].diffuse.x
        };
        assert_eq!([0.99, 1.01].map(|x| light(&triangles[2..], x)), [0.0, 1.0]);
        let at_border = || (0..10).map(|k| 0.99 + 0.002 * k as f32);
        let [far, near] =
            [&[], &triangles[2..]].map(|lit| at_border().filter(|&x| light(lit, x).fract() > 0.0).count());
        assert!(far >= 3 && near <= 1, "{far} and {near} points are half lit");
    }

    /// Between surfaces that see nothing else but each other, light adds up as a geometric series.
    #[test]
    fn surfaces_light_each_other() {
        let light = |open: f32| Light { diffuse: Vec3::splat(0.5), gloss: Vec3::ZERO, open };
        assert_eq!(light(1.0).spread(Vec3::splat(0.8)), Vec3::splat(0.4));
        assert!((light(0.25).spread(Vec3::splat(0.8)).x - 0.4 / (1.0 - 0.6)).abs() < 1e-6);
    }

    #[test]
    fn lamps_are_spread_evenly() {
        let mean: Vec3 = spiral(DOME_LAMPS, 2.0).map(Vec3::from).sum::<Vec3>() / DOME_LAMPS as f32;
        assert!(mean.length() < 0.02, "{mean}");
    }
}
