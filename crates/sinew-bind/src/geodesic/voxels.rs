//! Which points of a grid are inside the body, and which neighbours can reach each other?
//!
//! The lines of the grid are cut by the triangles they pass through. The winding number of a point is the
//! mean, over all directions, of how often a ray from it leaves the surface more than it enters; along the
//! six directions of the lines that is known from the cuts. Where they agree, as they do on a closed
//! surface, that is the number; where they do not, the surface itself is asked ([`Winding::number`]). A
//! point is inside from ½ on, and wholly so a little above ([`WHOLLY`]).
//!
//! One neighbour reaches another if the line to it does not leave a surface on the way. A gap between
//! fingers stays closed to paths however thin it is, since paths follow lines of the grid. Points and ways do
//! not come and go at once as the surface moves: a step is as long as it is divided by how open the way is
//! ([`super::openness`]) and how far inside its ends are.

use super::openness::Obstacles;
use glam::{DVec3, IVec3, UVec3};
use rayon::prelude::*;
use sinew_geometry::{Face, Winding};

/// The most points of a grid, inside and outside: so many for each vertex of the surface, within limits.
const POINTS_PER_VERTEX: f64 = 10.0;
const MOST_POINTS: (f64, f64) = (150_000.0, 600_000.0);

/// Distances between points, of the surface's diagonal, that are never exceeded or gone below.
const COARSEST: f64 = 1.0 / 64.0;
const FINEST: f64 = 1.0 / 400.0;

/// Points across the thinnest limb.
const ACROSS: f64 = 2.5;

/// The winding number from which a point is wholly inside.
const WHOLLY: f64 = 0.6;

/// Where the grid's lines lie between round numbers, so that they do not run through vertices.
const OFFSET: DVec3 = DVec3::new(0.381966, 0.472136, 0.437694);

/// A grid over the body.
pub(crate) struct Voxels {
    /// The point with number 0 in all directions.
    pub low: DVec3,
    pub spacing: f64,
    size: UVec3,
    /// For each point its number among those inside.
    node: Vec<u32>,
    /// The points inside.
    inside: Vec<Inside>,
    /// How long the steps into each of them are from its six neighbours, in distances between points.
    steps: Vec<[f32; 6]>,
    /// How open each of them is, 0 on a surface.
    openness: Vec<f32>,
}

/// A point inside the body.
#[derive(Debug, Clone, Copy)]
struct Inside {
    /// Its number among all.
    point: u32,
    /// Which of its six neighbours are inside and reached without leaving a surface: bits −x, +x, −y, +y, −z, +z.
    open: u8,
    /// Whether all six reach it by a step that is as long as it is.
    is_plain: bool,
}

const OUTSIDE: u32 = u32::MAX;

/// A crossing of a line of the grid: the line's number, where along it, and +1 where it enters.
type Crossing = (u32, f64, i8);

/// The distance between points that resolves limbs of this thickness, for a body of this extent with this
/// many vertices.
pub(crate) fn spacing(thinnest: f64, extent: DVec3, vertices: usize) -> f64 {
    let volume = extent.max(DVec3::splat(COARSEST)).element_product();
    let most = (POINTS_PER_VERTEX * vertices as f64).clamp(MOST_POINTS.0, MOST_POINTS.1);
    (thinnest / ACROSS).clamp(FINEST, COARSEST).max((volume / most).cbrt())
}

impl Voxels {
    /// Fills a surface that is given by welded vertices and faces which agree about its outside.
    pub fn new(positions: &[DVec3], faces: &[Face], winding: &Winding, spacing: f64) -> Self {
        let (first, last) =
            positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let low = first - spacing * (DVec3::ONE + OFFSET);
        let size = ((last - low) / spacing).ceil().as_uvec3() + UVec3::splat(2);
        let mut grid =
            Self { low, spacing, size, node: Vec::new(), inside: Vec::new(), steps: Vec::new(), openness: Vec::new() };
        let corners: Vec<DVec3> = positions.par_iter().map(|&p| (p - low) / spacing).collect();
        let obstacles = Obstacles { size, corners: &corners, faces, outward: winding.orientation() };
        let (crossings, (closed_ways, closed_points)): (Vec<Vec<Crossing>>, (Vec<_>, _)) = rayon::join(
            || (0..3).into_par_iter().map(|axis| grid.crossings(&corners, faces, winding, axis)).collect(),
            || {
                let closed_ways = || (0..3).into_par_iter().map(|axis| obstacles.closed_ways(axis)).collect();
                rayon::join(closed_ways, || obstacles.closed_points())
            },
        );
        let insides = grid.insides(&crossings, winding);
        grid.collect_inside(&insides, &closed_points);
        grid.measure_steps(&insides, &closed_ways);
        grid
    }

    /// Where a point is.
    pub fn place(&self, cell: UVec3) -> DVec3 {
        self.low + self.spacing * cell.as_dvec3()
    }

    /// The number of a point inside the body, if it is inside.
    pub fn node(&self, cell: IVec3) -> Option<usize> {
        let is_in = cell.cmpge(IVec3::ZERO).all() && cell.as_uvec3().cmplt(self.size).all();
        let node = is_in.then(|| self.node[self.index(cell.as_uvec3())])?;
        (node != OUTSIDE).then_some(node as usize)
    }

    /// The lowest of the eight points around a place.
    pub fn cell_of(&self, place: DVec3) -> IVec3 {
        ((place - self.low) / self.spacing).floor().clamp(DVec3::splat(-10.0), DVec3::splat(1e6)).as_ivec3()
    }

    /// How many points are inside the body.
    pub fn inside_count(&self) -> usize {
        self.inside.len()
    }

    /// The neighbour of a point inside, in one of six directions, if it is reached from there.
    pub fn neighbor(&self, node: usize, direction: usize) -> Option<usize> {
        let Inside { point, open, .. } = self.inside[node];
        (open >> direction & 1 == 1).then(|| self.node[self.next(point as usize, direction)] as usize)
    }

    /// The neighbour of a point inside, in one of six directions, and how long the step from there is, in distances
    /// between points; infinite if it does not reach the point.
    pub fn step_from(&self, node: usize, direction: usize) -> (usize, f32) {
        let neighbor = self.node[self.next(self.inside[node].point as usize, direction)];
        (neighbor as usize, if neighbor == OUTSIDE { f32::INFINITY } else { self.steps[node][direction] })
    }

    /// Whether all six neighbours of a point reach it by a step that is as long as it is.
    pub fn is_plain(&self, node: usize) -> bool {
        self.inside[node].is_plain
    }

    /// How open a point inside is to ways that start or end there: nothing on a surface, wholly a little away.
    pub fn openness(&self, node: usize) -> f64 {
        self.openness[node].into()
    }

    /// The next point in a direction, which all but the outermost have.
    fn next(&self, point: usize, direction: usize) -> usize {
        let stride = self.stride(direction / 2);
        if direction % 2 == 1 { point + stride } else { point - stride }
    }

    fn index(&self, cell: UVec3) -> usize {
        (cell.z as usize * self.size.y as usize + cell.y as usize) * self.size.x as usize + cell.x as usize
    }

    fn stride(&self, axis: usize) -> usize {
        [1, self.size.x as usize, self.size.x as usize * self.size.y as usize][axis]
    }

    /// The two other axes, and the number of lines along the first of them.
    fn across(&self, axis: usize) -> (usize, usize, u32) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (u, v, self.size[u])
    }

    /// Where lines along an axis pass through the surface, sorted by line and along it.
    fn crossings(&self, corners: &[DVec3], faces: &[Face], winding: &Winding, axis: usize) -> Vec<Crossing> {
        let (u, v, lines) = self.across(axis);
        let outward = winding.orientation();
        let mut crossings: Vec<Crossing> = Vec::new();
        for triangle in faces.iter().flat_map(Face::triangles) {
            let corners = triangle.map(|k| corners[k as usize]);
            let [a, b, c] = corners.map(|p| (p[u], p[v]));
            let (low, high) = (a.0.min(b.0).min(c.0).ceil(), a.0.max(b.0).max(c.0));
            let (low_v, high_v) = (a.1.min(b.1).min(c.1).ceil(), a.1.max(b.1).max(c.1));
            let area = cross(a, b, c);
            if area == 0.0 || low > high || low_v > high_v {
                continue;
            }
            let sign = if (area < 0.0) == (outward > 0.0) { 1 } else { -1 };
            let mut y = low_v;
            while y <= high_v {
                let mut x = low;
                while x <= high {
                    let shares = [cross(b, c, (x, y)), cross(c, a, (x, y)), cross(a, b, (x, y))].map(|s| s / area);
                    if shares.iter().all(|&share| share >= 0.0) {
                        let along = (0..3).map(|k| shares[k] * corners[k][axis]).sum();
                        crossings.push((y as u32 * lines + x as u32, along, sign));
                    }
                    x += 1.0;
                }
                y += 1.0;
            }
        }
        crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        crossings
    }

    /// How far inside each point is, 0 to 1, by the crossings of the lines along each axis.
    fn insides(&self, crossings: &[Vec<Crossing>], winding: &Winding) -> Vec<f32> {
        let count = self.size.element_product() as usize;
        // Of the six rays from each point, the sum of the numbers they tell and of those that tell ≥ 1.
        let mut sums = vec![0i16; count];
        let mut votes = vec![0u8; count];
        for (axis, crossings) in crossings.iter().enumerate() {
            let (u, v, lines) = self.across(axis);
            let stride = self.stride(axis);
            for line in crossings.chunk_by(|a, b| a.0 == b.0) {
                let mut cell = UVec3::ZERO;
                (cell[u], cell[v]) = (line[0].0 % lines, line[0].0 / lines);
                let row = self.index(cell);
                let total: i16 = line.iter().map(|&(_, _, sign)| i16::from(sign)).sum();
                let mut before = 0i16;
                for k in 0..=line.len() {
                    let (from, to) = match k {
                        0 => (0.0, line[0].1),
                        _ => (line[k - 1].1, line.get(k).map_or(f64::from(self.size[axis]), |next| next.1)),
                    };
                    before += k.checked_sub(1).map_or(0, |crossed| i16::from(line[crossed].2));
                    for at in (from.max(0.0).ceil() as u32)..(to.ceil() as u32).min(self.size[axis]) {
                        let index = row + at as usize * stride;
                        sums[index] += before + (before - total);
                        votes[index] += u8::from(before >= 1) + u8::from(before - total >= 1);
                    }
                }
            }
        }
        let decide = |index: usize| match (sums[index], votes[index]) {
            (0, 0) => 0.0,
            (_, 6) => 1.0,
            _ => ((winding.number(self.place(self.cell_at(index))) - 0.5) / (WHOLLY - 0.5)).clamp(0.0, 1.0) as f32,
        };
        (0..count).into_par_iter().map(decide).collect()
    }

    fn cell_at(&self, index: usize) -> UVec3 {
        let (row, plane) = (self.stride(1), self.stride(2));
        UVec3::new((index % row) as u32, (index % plane / row) as u32, (index / plane) as u32)
    }

    fn collect_inside(&mut self, insides: &[f32], closed: &[f32]) {
        self.node = vec![OUTSIDE; insides.len()];
        for (index, &inside) in insides.iter().enumerate() {
            let openness = inside * (1.0 - closed[index]);
            if openness <= 0.0 {
                continue;
            }
            let cell = self.cell_at(index);
            if cell.cmpgt(UVec3::ZERO).all() && (cell + UVec3::ONE).cmplt(self.size).all() {
                self.node[index] = self.inside.len() as u32;
                self.inside.push(Inside { point: index as u32, open: 0, is_plain: true });
                self.openness.push(openness);
            }
        }
    }

    /// How long steps between neighbours inside are.
    fn measure_steps(&mut self, insides: &[f32], closed: &[Vec<[f32; 2]>]) {
        self.steps = vec![[f32::INFINITY; 6]; self.inside.len()];
        for node in 0..self.inside.len() {
            let point = self.inside[node].point as usize;
            for direction in 0..6 {
                let from = self.next(point, direction);
                let openness = match direction % 2 {
                    0 => 1.0 - closed[direction / 2][from][0],
                    _ => 1.0 - closed[direction / 2][point][1],
                };
                let openness = openness * insides[from] * insides[point];
                let is_open = self.node[from] != OUTSIDE && openness > 0.0;
                if is_open {
                    self.steps[node][direction] = openness.recip();
                    self.inside[self.node[from] as usize].open |= 1 << (direction ^ 1);
                }
                self.inside[node].is_plain &= is_open && openness == 1.0;
            }
        }
    }
}

/// Twice the signed area of a triangle in a plane.
fn cross(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}
