//! How does a knot come undone?
//!
//! A *knot* is a patch of the surface that passes through itself. Its points move towards the mean of those around them,
//! each on its own side of the hinges that hold it, as a rubber skin pulls itself straight; twice as often each time,
//! and after some rounds with one ring of points more if they are near, so that a fine surface needs hardly more rounds
//! than a coarse one. A knot that is still tied at the end is none: something that is pushed into something else, which
//! this would only shrivel. It goes back to where it was. Nothing goes farther than a share of the thickness of its
//! limb, and nothing farther away than that from what crosses moves at all.

use super::bend::Hold;
use crate::welded::WeldedSurface;
use glam::{DVec3, Vec3};
use sinew_geometry::{Face, SelfIntersections, SurfaceTriangle, Topology, UnionFind};

/// How often the surface is searched at most; points move once after the first time, twice after the second, and so on.
const ROUNDS: usize = 9;

/// How far a point moves towards the mean: less than all of the way, or neighbours would change places for ever.
const SMOOTHED: f64 = 0.5;

/// The round from which on knots grow by rings; before, a coarse surface is undone by the corners of what crosses alone.
const WIDENED: usize = 3;

/// The farthest that a point goes, in radii of its limb: with more, hands that are in a hip come out of it as sticks.
const FARTHEST: f64 = 0.5;

/// The search for knots in a part of a surface, and what undoes them.
pub(super) struct Untie {
    search: SelfIntersections,
    /// Points of the part, and where they are.
    points: Vec<u32>,
    corners: Vec<Vec3>,
    /// How far points may go: not at all at the rim of the part.
    reach: Vec<f64>,
    knots: Knots,
    smoothed: Vec<DVec3>,
}

impl Untie {
    /// Prepares some faces of a body, whose limbs are so thick at its points.
    pub fn new(body: &WeldedSurface, faces: &[Face], thickness: impl Fn(usize) -> f64) -> Self {
        let corners: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let [around, around_here] = [&body.faces, faces].map(|faces| {
            let mut around = vec![0; body.len()];
            faces.iter().flat_map(Face::corners).for_each(|&point| around[point as usize] += 1);
            around
        });
        let is_inner = |point: usize| around[point] == around_here[point];
        let reach = |point: usize| if is_inner(point) { FARTHEST * thickness(point) } else { 0.0 };
        Self {
            search: SelfIntersections::new(&Topology::new(&corners, faces), &corners).pass_over_smooth(),
            points: (0..body.len() as u32).filter(|&point| around_here[point as usize] > 0).collect(),
            corners,
            reach: (0..body.len()).map(reach).collect(),
            knots: Knots::new(body.len()),
            smoothed: Vec::with_capacity(body.len()),
        }
    }

    /// The triangles of the part.
    pub fn triangles(&self) -> &[SurfaceTriangle] {
        self.search.triangles()
    }

    /// Pairs of triangles that cross.
    pub fn count(&mut self, places: &[DVec3]) -> usize {
        self.take(places);
        self.search.mask_triangles(|_| true);
        self.search.count(&self.corners)
    }

    /// Moves points of some triangles, so that less of the pairs that are wanted cross; `hold` is how hinges hold a point.
    pub fn untie(
        &mut self,
        body: &WeldedSurface,
        places: &mut [DVec3],
        is_among: impl Fn(u32) -> bool,
        is_wanted: impl Fn(u32, u32) -> bool,
        hold: impl Fn(u32) -> Hold,
    ) {
        self.take(places);
        self.search.mask_triangles(is_among);
        self.search.masked_pairs(&self.corners);
        for round in 0..ROUNDS {
            let known = self.knots.loose.len();
            let loosened = |point: u32| Loose {
                point,
                is_tied: true,
                hold: hold(point),
                first: places[point as usize],
                away: 0.0,
            };
            let Self { search, knots, .. } = self;
            if !knots.find(crossing(search, &is_wanted), loosened) || round + 1 == ROUNDS {
                break;
            }
            if round == 0 {
                self.search.clear_mask();
            }
            if round >= WIDENED {
                self.knots.widen(body, places, &self.reach, loosened);
            }
            for _ in 0..1 << round {
                self.smooth(body, places);
            }
            let Self { search, knots, corners, .. } = self;
            knots.loose[known..].iter().for_each(|loose| search.add_to_mask(loose.point));
            knots.loose.iter().for_each(|loose| corners[loose.point as usize] = places[loose.point as usize].as_vec3());
            search.masked_pairs(corners);
        }
        self.knots.tied().for_each(|loose| places[loose.point as usize] = loose.first);
        self.knots.clear();
    }

    fn take(&mut self, places: &[DVec3]) {
        self.points.iter().for_each(|&point| self.corners[point as usize] = places[point as usize].as_vec3());
    }

    /// Moves the points of tied knots towards the mean of those around them.
    fn smooth(&mut self, body: &WeldedSurface, places: &mut [DVec3]) {
        let Self { knots, reach, smoothed, .. } = self;
        let tied = knots.tied();
        smoothed.clear();
        smoothed.extend(tied.clone().map(|Loose { point, hold, first, .. }| {
            let around = body.neighbours.row(*point).iter();
            let mean: DVec3 = around.map(|&(j, share)| share * places[j as usize]).sum();
            let moved = places[*point as usize].lerp(mean, SMOOTHED) - first;
            hold.clamp(first + moved.clamp_length_max(reach[*point as usize]))
        }));
        for (loose, &place) in tied.zip(&*smoothed) {
            places[loose.point as usize] = place;
        }
    }
}

/// The corners of the pairs that are wanted of those that cross.
fn crossing(
    search: &SelfIntersections,
    is_wanted: &impl Fn(u32, u32) -> bool,
) -> impl Iterator<Item = [[u32; 3]; 2]> + Clone {
    let corners = |triangle: u32| search.triangles()[triangle as usize].vertices;
    search.found().iter().filter(|&&(a, b)| is_wanted(a, b)).map(move |&(a, b)| [corners(a), corners(b)])
}

/// A point of a knot.
struct Loose {
    point: u32,
    /// Whether its knot is still tied.
    is_tied: bool,
    hold: Hold,
    /// Where it was at first.
    first: DVec3,
    /// How far along edges it is from what crosses.
    away: f64,
}

/// Points that belong together because triangles that they are corners of cross.
struct Knots {
    loose: Vec<Loose>,
    is_loose: Vec<bool>,
    together: UnionFind,
    /// Whether the knot that a point is the lowest of is still tied.
    is_tied: Vec<bool>,
}

impl Knots {
    fn new(points: usize) -> Self {
        Self {
            loose: Vec::with_capacity(points),
            is_loose: vec![false; points],
            together: UnionFind::new(points),
            is_tied: vec![false; points],
        }
    }

    /// Adds the corners of triangles that cross. The knots of these are tied, and no others; whether any is.
    fn find(&mut self, crossing: impl Iterator<Item = [[u32; 3]; 2]> + Clone, loosened: impl Fn(u32) -> Loose) -> bool {
        for pair in crossing.clone() {
            pair.as_flattened().iter().for_each(|&point| self.add(point, pair[0][0], &loosened));
        }
        let Self { loose, together, is_tied, .. } = self;
        loose.iter().for_each(|loose| is_tied[loose.point as usize] = false);
        crossing.for_each(|pair| is_tied[together.root(pair[0][0]) as usize] = true);
        loose.iter_mut().for_each(|loose| loose.is_tied = is_tied[together.root(loose.point) as usize]);
        self.tied().next().is_some()
    }

    /// The points of knots that are tied.
    fn tied(&self) -> impl Iterator<Item = &Loose> + Clone {
        self.loose.iter().filter(|loose| loose.is_tied)
    }

    /// Adds the points around those of tied knots that are within reach of what crosses.
    fn widen(&mut self, body: &WeldedSurface, places: &[DVec3], reach: &[f64], loosened: impl Fn(u32) -> Loose) {
        for k in 0..self.loose.len() {
            let Loose { point, is_tied, first, away, .. } = self.loose[k];
            if !is_tied {
                continue;
            }
            for &(other, _) in body.neighbours.row(point) {
                let away = away + places[other as usize].distance(first);
                if self.is_loose[other as usize] || away <= reach[other as usize] {
                    self.add(other, point, &|other| Loose { away, ..loosened(other) });
                }
            }
        }
    }

    /// Adds a point to the knot of another.
    fn add(&mut self, point: u32, other: u32, loosened: &impl Fn(u32) -> Loose) {
        if !std::mem::replace(&mut self.is_loose[point as usize], true) {
            self.loose.push(loosened(point));
        }
        self.together.join(point, other);
    }

    /// Forgets all knots.
    fn clear(&mut self) {
        for loose in self.loose.drain(..) {
            self.is_loose[loose.point as usize] = false;
            self.together.separate(loose.point);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::Mesh;
    use sinew_rig::{Binding, Character, Joint, Part, Skeleton, Weights};

    /// A body of a mesh that hangs on one joint.
    fn body(positions: &[DVec3], faces: Vec<Face>) -> WeldedSurface {
        let (skeleton, _) = Skeleton::new(vec![Joint::default()]).unwrap();
        let binding = Binding {
            joints: vec![0],
            inverse_bind: vec![glam::DAffine3::IDENTITY],
            weights: Weights::rigid(positions.len(), 0),
            dual_quaternion_share: None,
        };
        let mesh = Mesh::new("mesh", positions.iter().map(|p| p.as_vec3()).collect(), faces);
        let parts = vec![Part { node: 0, skinned: true, binding, mesh }];
        WeldedSurface::new(&Character { base_pose: skeleton.rest_pose(), parts, skeleton, ..Character::default() }, &[])
    }

    /// A flat sheet of n × n squares, one unit wide.
    fn sheet(n: u32) -> (Vec<DVec3>, Vec<Face>) {
        let place = |k: u32| DVec3::new(f64::from(k % (n + 1)), f64::from(k / (n + 1)), 0.0) / f64::from(n);
        let square = |k: u32| {
            let first = k / n * (n + 1) + k % n;
            Face::quad(first, first + 1, first + n + 2, first + n + 1)
        };
        ((0..(n + 1) * (n + 1)).map(place).collect(), (0..n * n).map(square).collect())
    }

    /// The sheet with a fold across its middle that passes through itself: a trochoid, x − a sin 6πx.
    fn folded(flat: DVec3) -> DVec3 {
        let hill = (1.0 - (3.0 * (2.0 * flat.x - 1.0)).powi(2)).max(0.0) * (1.0 - (2.0 * flat.y - 1.0).powi(2));
        let turn = 6.0 * std::f64::consts::PI * (flat.x - 0.5);
        flat + 0.08 * hill * DVec3::new(-turn.sin(), 0.0, turn.cos())
    }

    fn untied(body: &WeldedSurface, posed: &[DVec3], thickness: f64) -> ([usize; 2], Vec<DVec3>) {
        let mut untie = Untie::new(body, &body.faces, |_| thickness);
        let mut places = posed.to_vec();
        let before = untie.count(&places);
        untie.untie(body, &mut places, |_| true, |_, _| true, |_| Hold::default());
        ([before, untie.count(&places)], places)
    }

    #[test]
    fn fine_folds_come_undone_like_coarse_ones() {
        for n in [24, 48, 96] {
            let (flat, faces) = sheet(n);
            let body = body(&flat, faces);
            let posed: Vec<DVec3> = body.rest.iter().map(|&flat| folded(flat)).collect();
            let ([before, after], places) = untied(&body, &posed, 1.0);
            assert!(before > 4 && after == 0, "{n}: {before} to {after}");
            let moved = places.iter().zip(&posed).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(moved > 0.0 && moved < 0.12, "{n}: {moved}");
        }
    }

    #[test]
    fn what_would_have_to_shrivel_stays() {
        let (mut places, mut faces) = sheet(12);
        // A needle through the middle.
        let first = places.len() as u32;
        places.extend([[0.48, 0.48, -0.4], [0.52, 0.48, -0.4], [0.5, 0.53, -0.4], [0.5, 0.5, 0.4]].map(DVec3::from));
        let side = |[a, b, c]: [u32; 3]| Face::triangle(first + a, first + b, first + c);
        faces.extend([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(side));
        let body = body(&places, faces);
        let ([before, after], kept) = untied(&body, &body.rest, 0.02);
        assert!(before > 0 && after == before, "{before} to {after}");
        assert_eq!(kept, body.rest);
    }

    #[test]
    fn nothing_goes_farther_than_it_may() {
        let (flat, faces) = sheet(48);
        let body = body(&flat, faces);
        let posed: Vec<DVec3> = body.rest.iter().map(|&flat| folded(flat)).collect();
        let ([before, after], places) = untied(&body, &posed, 0.01);
        assert!(before > 4 && after == before, "half a hundredth is not enough to undo it");
        assert_eq!(places, posed);
    }
}
