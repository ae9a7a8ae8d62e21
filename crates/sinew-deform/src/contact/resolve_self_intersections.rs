//! Resolves self-intersections of a part of a surface by smoothing.
//!
//! An *intersection cluster* is a connected patch of vertices whose triangles pass through each other. Its vertices move
//! towards the mean of their neighbours, each within its half-spaces, twice as often in each round. From round
//! [`WIDENING_ROUND`] on a cluster grows by a ring of vertices that are near, so that a fine surface needs hardly more
//! rounds than a coarse one. A cluster that still intersects in the last round is a part that penetrates another, which
//! smoothing would only shrink: it returns to where it was. No vertex moves farther than a share of its limb's
//! thickness, and no vertex moves that is farther than this from an intersection.

use super::clusters::{ClusterVertex, Clusters};
use super::half_spaces::HalfSpaces;
use crate::welded::WeldedSurface;
use glam::{DVec3, Vec3};
use sinew_geometry::{Face, SelfIntersections, SurfaceTriangle, Topology};

/// The most searches; vertices move once after the first, twice after the second, four times after the third.
const MAX_SEARCHES: usize = 9;

/// How far a vertex moves towards the mean: less than all of the way, or neighbours would swap places forever.
const SMOOTHING: f64 = 0.5;

/// The round from which on clusters grow by rings; before, the corners of intersecting triangles resolve a coarse
/// surface alone.
const WIDENING_ROUND: usize = 3;

/// The farthest that a vertex moves, in radii of its limb: with more, hands that penetrate a hip come out as sticks.
const MAX_DISPLACEMENT: f64 = 0.5;

/// Finds and resolves the self-intersections of a part of a surface.
pub(crate) struct SelfIntersectionResolver {
    search: SelfIntersections,
    /// Points of the part, and the present positions of all points.
    points: Vec<u32>,
    corners: Vec<Vec3>,
    /// The farthest that each point may move: nowhere on the boundary of the part.
    reach: Vec<f64>,
    clusters: Clusters,
    smoothed: Vec<DVec3>,
}

impl SelfIntersectionResolver {
    /// Prepares some faces of a surface. `thickness` is the radius of the limb at each point.
    pub fn new(body: &WeldedSurface, faces: &[Face], thickness: impl Fn(usize) -> f64) -> Self {
        let corners: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let [around, around_here] = [&body.faces, faces].map(|faces| {
            let mut around = vec![0; body.len()];
            faces.iter().flat_map(Face::corners).for_each(|&point| around[point as usize] += 1);
            around
        });
        let is_inner = |point: usize| around[point] == around_here[point];
        let reach = |point: usize| if is_inner(point) { MAX_DISPLACEMENT * thickness(point) } else { 0.0 };
        Self {
            search: SelfIntersections::new(&Topology::new(&corners, faces), &corners).pass_over_smooth(),
            points: (0..body.len() as u32).filter(|&point| around_here[point as usize] > 0).collect(),
            corners,
            reach: (0..body.len()).map(reach).collect(),
            clusters: Clusters::new(body.len()),
            smoothed: Vec::with_capacity(body.len()),
        }
    }

    /// The triangles of the part.
    pub fn triangles(&self) -> &[SurfaceTriangle] {
        self.search.triangles()
    }

    /// The number of pairs of triangles that intersect.
    pub fn count(&mut self, places: &[DVec3]) -> usize {
        self.set_positions(places);
        self.search.mask_triangles(|_| true);
        self.search.count(&self.corners)
    }

    /// Moves vertices of the triangles that `is_searched` names, so that fewer of the pairs that `is_wanted` names
    /// intersect. `half_spaces` gives those that a vertex keeps to.
    pub fn resolve(
        &mut self,
        body: &WeldedSurface,
        places: &mut [DVec3],
        is_searched: impl Fn(u32) -> bool,
        is_wanted: impl Fn(u32, u32) -> bool,
        half_spaces: impl Fn(u32) -> HalfSpaces,
    ) {
        self.set_positions(places);
        self.search.mask_triangles(is_searched);
        self.search.masked_pairs(&self.corners);
        for round in 0..MAX_SEARCHES {
            let known = self.clusters.vertices.len();
            let cluster_vertex = |point: u32| ClusterVertex {
                point,
                is_unresolved: true,
                half_spaces: half_spaces(point),
                start: places[point as usize],
                distance: 0.0,
            };
            let Self { search, clusters, .. } = self;
            if !clusters.find(intersecting(search, &is_wanted), cluster_vertex) || round + 1 == MAX_SEARCHES {
                break;
            }
            if round == 0 {
                self.search.clear_mask();
            }
            if round >= WIDENING_ROUND {
                self.clusters.widen(body, places, &self.reach, cluster_vertex);
            }
            for _ in 0..1 << round {
                self.smooth(body, places);
            }
            let Self { search, clusters, corners, .. } = self;
            clusters.vertices[known..].iter().for_each(|vertex| search.add_to_mask(vertex.point));
            clusters
                .vertices
                .iter()
                .for_each(|vertex| corners[vertex.point as usize] = places[vertex.point as usize].as_vec3());
            search.masked_pairs(corners);
        }
        self.clusters.unresolved().for_each(|vertex| places[vertex.point as usize] = vertex.start);
        self.clusters.clear();
    }

    fn set_positions(&mut self, places: &[DVec3]) {
        self.points.iter().for_each(|&point| self.corners[point as usize] = places[point as usize].as_vec3());
    }

    /// Moves the vertices of unresolved clusters towards the means of their neighbours.
    fn smooth(&mut self, body: &WeldedSurface, places: &mut [DVec3]) {
        let Self { clusters, reach, smoothed, .. } = self;
        let unresolved = clusters.unresolved();
        smoothed.clear();
        smoothed.extend(unresolved.clone().map(|ClusterVertex { point, half_spaces, start, .. }| {
            let mean = body.neighbour_mean(*point, |j| places[j]);
            let moved = places[*point as usize].lerp(mean, SMOOTHING) - start;
            half_spaces.clamp(start + moved.clamp_length_max(reach[*point as usize]))
        }));
        for (vertex, &place) in unresolved.zip(&*smoothed) {
            places[vertex.point as usize] = place;
        }
    }
}

/// The corners of the wanted pairs of intersecting triangles.
fn intersecting(
    search: &SelfIntersections,
    is_wanted: &impl Fn(u32, u32) -> bool,
) -> impl Iterator<Item = [[u32; 3]; 2]> + Clone {
    let corners = |triangle: u32| search.triangles()[triangle as usize].vertices;
    search.found().iter().filter(|&&(a, b)| is_wanted(a, b)).map(move |&(a, b)| [corners(a), corners(b)])
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

    fn resolved(body: &WeldedSurface, posed: &[DVec3], thickness: f64) -> ([usize; 2], Vec<DVec3>) {
        let mut resolver = SelfIntersectionResolver::new(body, &body.faces, |_| thickness);
        let mut places = posed.to_vec();
        let before = resolver.count(&places);
        resolver.resolve(body, &mut places, |_| true, |_, _| true, |_| HalfSpaces::default());
        ([before, resolver.count(&places)], places)
    }

    #[test]
    fn fine_folds_come_undone_like_coarse_ones() {
        for n in [24, 48, 96] {
            let (flat, faces) = sheet(n);
            let body = body(&flat, faces);
            let posed: Vec<DVec3> = body.rest.iter().map(|&flat| folded(flat)).collect();
            let ([before, after], places) = resolved(&body, &posed, 1.0);
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
        let ([before, after], kept) = resolved(&body, &body.rest, 0.02);
        assert!(before > 0 && after == before, "{before} to {after}");
        assert_eq!(kept, body.rest);
    }

    #[test]
    fn nothing_goes_farther_than_it_may() {
        let (flat, faces) = sheet(48);
        let body = body(&flat, faces);
        let posed: Vec<DVec3> = body.rest.iter().map(|&flat| folded(flat)).collect();
        let ([before, after], places) = resolved(&body, &posed, 0.01);
        assert!(before > 4 && after == before, "half a hundredth is not enough to undo it");
        assert_eq!(places, posed);
    }
}
