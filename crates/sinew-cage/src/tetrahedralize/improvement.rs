//! Removal of slivers by local operations.
//!
//! For each sliver, the worst first, the operations are tried in turn until one reaches the target quality: first those
//! that keep the vertices, then those inside, last those that change the surface. If none does, the best of all is applied
//! if it improves the quality; the next pass may find more.

use super::cavity::{Apex, Replaced, Star, TetrahedralMesh, VertexRoles, tetrahedron_edges};
use super::quality::SLIVER;
use glam::DVec3;

/// The target quality, with a margin above the threshold of a sliver.
const TARGET_QUALITY: f64 = 1.2 * SLIVER;

/// The largest number of passes over all tetrahedra below the target. A bound on time; not tuned.
const MAX_PASSES: usize = 8;

/// The least factor by which an operation below the target must improve the quality. Not tuned.
const MIN_GAIN: f64 = 1.05;

/// The first smoothing step, relative to the sliver's longest edge, and the number of step lengths, each half the last.
/// The last is 1/160 of the edge. Not tuned.
const SMOOTHING_STEP: f64 = 0.2;
const SMOOTHING_LEVELS: usize = 6;

/// The largest displacement of a surface vertex, relative to the sliver's longest edge. Not tuned.
const MAX_SURFACE_MOVE: f64 = 0.25;

/// The initial heights of new vertices above the sliver's plane, relative to its longest edge. Smoothing moves the
/// vertex from there. Not tuned.
const INSERTION_HEIGHTS: [f64; 5] = [0.0, 0.2, -0.2, 0.4, -0.4];

/// An operation that may remove a sliver.
#[derive(Debug, Clone, Copy)]
enum Operation {
    /// Reconnects the same vertices.
    Flip,
    /// Moves an interior vertex.
    Move,
    /// Inserts an interior vertex.
    Insert,
    /// Removes a boundary tetrahedron without mesh points.
    Peel,
    /// Contracts a surface edge.
    Contract,
    /// Moves a surface vertex.
    MoveSurface,
    /// Splits a surface edge.
    Split,
}

const OPERATIONS: [Operation; 7] = [
    Operation::Flip,
    Operation::Move,
    Operation::Insert,
    Operation::Peel,
    Operation::Contract,
    Operation::MoveSurface,
    Operation::Split,
];

/// Improves tetrahedra below the target quality while any operation helps.
pub(crate) fn improve(tetrahedra: &mut TetrahedralMesh<'_>) {
    for _ in 0..MAX_PASSES {
        let of = |t: u32| (tetrahedra.quality(t), tetrahedra.corners(t), t);
        let mut poor: Vec<(f64, [u32; 4], u32)> =
            tetrahedra.live().map(of).filter(|poor| poor.0 < TARGET_QUALITY).collect();
        poor.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut is_changed = false;
        for (_, corners, t) in poor {
            // An earlier operation may have replaced or improved it.
            let is_there =
                tetrahedra.is_live(t) && tetrahedra.corners(t) == corners && tetrahedra.quality(t) < TARGET_QUALITY;
            is_changed |= is_there && replace_sliver(tetrahedra, t);
        }
        if !is_changed {
            break;
        }
    }
}

/// Replaces a sliver by better tetrahedra. Returns whether it could.
fn replace_sliver(tetrahedra: &mut TetrahedralMesh<'_>, sliver: u32) -> bool {
    let mut fallbacks: Vec<Star> = Vec::new();
    for operation in OPERATIONS {
        let mut stars = stars(tetrahedra, sliver, operation);
        stars.sort_by(|a, b| b.least.total_cmp(&a.least));
        for star in stars {
            if star.apex.replaced != Replaced::Nothing && tetrahedra.crosses(&star) {
                continue;
            }
            if star.least < TARGET_QUALITY {
                fallbacks.push(star);
            } else if tetrahedra.fill(&star) {
                return true;
            }
        }
    }
    let worst = |star: &Star| star.cavity.iter().map(|&t| tetrahedra.quality(t)).fold(f64::INFINITY, f64::min);
    fallbacks.retain(|star| star.least > MIN_GAIN * worst(star).max(0.0));
    fallbacks.sort_by(|a, b| b.least.total_cmp(&a.least));
    fallbacks.iter().any(|star| tetrahedra.fill(star))
}

/// The search for operations on one sliver.
struct Search<'a, 'b> {
    tetrahedra: &'a TetrahedralMesh<'b>,
    sliver: u32,
    /// The length of its longest edge.
    size: f64,
}

/// The stars by which an operation could replace a sliver.
fn stars(tetrahedra: &TetrahedralMesh<'_>, sliver: u32, operation: Operation) -> Vec<Star> {
    let edges = tetrahedron_edges(tetrahedra.corners(sliver)).map(|(a, b)| tetrahedra.positions_of([a, b]));
    let size = edges.iter().map(|[a, b]| a.distance(*b)).fold(0.0, f64::max);
    let search = Search { tetrahedra, sliver, size };
    match operation {
        Operation::Flip => search.flipped(),
        Operation::Move => search.moved(),
        Operation::Insert => search.inserted(),
        Operation::Peel => search.peeled().into_iter().collect(),
        Operation::Contract => search.contracted(),
        Operation::MoveSurface => search.moved_on_surface(),
        Operation::Split => search.split(),
    }
}

impl Search<'_, '_> {
    /// The best star of a fixed apex, over cavities grown for different qualities.
    fn star(&self, apex: Apex, start: &[u32]) -> Option<Star> {
        let more = MIN_GAIN * self.tetrahedra.quality(self.sliver).max(f64::MIN_POSITIVE);
        self.stars(apex, start, more).max_by(|a, b| a.least.total_cmp(&b.least))
    }

    /// The best star after smoothing its apex. Before it, tetrahedra may be poor or inverted.
    fn smoothed(&self, apex: Apex, start: &[u32]) -> Option<Star> {
        let reach = if apex.replaced == Replaced::Nothing { f64::INFINITY } else { MAX_SURFACE_MOVE * self.size };
        let smoothed = |mut star: Star| {
            self.tetrahedra.smooth(&mut star, SMOOTHING_STEP * self.size, SMOOTHING_LEVELS, reach);
            star
        };
        self.stars(apex, start, f64::NEG_INFINITY).map(smoothed).max_by(|a, b| a.least.total_cmp(&b.least))
    }

    fn stars(&self, apex: Apex, start: &[u32], lowest: f64) -> impl Iterator<Item = Star> {
        let targets = [2.0 * TARGET_QUALITY, TARGET_QUALITY, 0.1 * TARGET_QUALITY, lowest];
        targets.into_iter().filter_map(move |least| self.tetrahedra.star(apex, start, least))
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.tetrahedra.positions[vertex as usize]
    }

    fn interior_apex(&self, vertex: u32) -> Apex {
        Apex { vertex, position: self.at(vertex), replaced: Replaced::Nothing }
    }

    /// The index of a new vertex.
    fn next_vertex(&self) -> u32 {
        self.tetrahedra.positions.len() as u32
    }

    /// Corners that are neither free nor fixed.
    fn on_surface(&self) -> impl Iterator<Item = u32> {
        let VertexRoles { is_free, is_fixed, .. } = &self.tetrahedra.roles;
        self.tetrahedra.corners(self.sliver).into_iter().filter(|&v| !is_free[v as usize] && !is_fixed[v as usize])
    }

    /// The distinct corners of the sliver and of its neighbours.
    fn near_vertices(&self) -> Vec<u32> {
        let faces = self.tetrahedra.faces(self.sliver).into_iter();
        let across = faces.filter_map(|face| self.tetrahedra.across(self.sliver, face));
        unique(across.chain([self.sliver]).flat_map(|t| self.tetrahedra.corners(t)))
    }

    fn near_free_vertices(&self) -> impl Iterator<Item = u32> {
        self.near_vertices().into_iter().filter(|&v| self.tetrahedra.roles.is_free[v as usize])
    }

    /// The tetrahedra around a vertex, and the sliver.
    fn around(&self, vertex: u32) -> Vec<u32> {
        let others = self.tetrahedra.around(vertex).iter().copied().filter(|&t| t != self.sliver);
        others.chain([self.sliver]).collect()
    }

    fn flipped(&self) -> Vec<Star> {
        self.near_vertices().into_iter().filter_map(|v| self.star(self.interior_apex(v), &[self.sliver])).collect()
    }

    fn moved(&self) -> Vec<Star> {
        self.near_free_vertices().filter_map(|v| self.smoothed(self.interior_apex(v), &self.around(v))).collect()
    }

    fn inserted(&self) -> Vec<Star> {
        let corners = self.tetrahedra.corners(self.sliver);
        let normals = self.tetrahedra.faces(self.sliver).map(|face| {
            let [a, b, c] = self.tetrahedra.positions_of(face);
            (b - a).cross(c - a)
        });
        let larger = |a: DVec3, b: DVec3| if b.length_squared() > a.length_squared() { b } else { a };
        let normal = normals.into_iter().fold(DVec3::ZERO, larger).normalize_or_zero();
        let middles = tetrahedron_edges(corners).map(|(a, b)| self.at(a).midpoint(self.at(b)));
        let center = self.tetrahedra.positions_of(corners).iter().sum::<DVec3>() / 4.0;
        let seeds = middles.into_iter().chain([center]);
        let positions_of = seeds.flat_map(|seed| INSERTION_HEIGHTS.map(|height| seed + normal * (height * self.size)));
        let apex = |position: DVec3| Apex { vertex: self.next_vertex(), position, replaced: Replaced::Nothing };
        positions_of.filter_map(|position| self.smoothed(apex(position), &[self.sliver])).collect()
    }

    /// Removes a sliver at the surface, if the surface stays a manifold.
    fn peeled(&self) -> Option<Star> {
        let Self { tetrahedra, sliver, .. } = *self;
        let corners = tetrahedra.corners(sliver);
        let boundary: Vec<[u32; 3]> = tetrahedra.boundary_faces(sliver).collect();
        let (common, others): (Vec<u32>, Vec<u32>) =
            corners.into_iter().partition(|v| boundary.iter().all(|face| face.contains(v)));
        let is_valid = match (&common[..], &others[..]) {
            // One boundary face: the opposite corner comes to the surface.
            ([_, _, _], &[interior_apex]) => tetrahedra.surface_neighbors(interior_apex).is_empty(),
            // Two: the opposite edge replaces their common edge.
            ([_, _], &[c, d]) => !tetrahedra.surface_neighbors(c).contains(&d),
            // Three: their common corner disappears.
            (&[tip], _) => !tetrahedra.roles.is_fixed[tip as usize],
            _ => false,
        };
        let apex = self.interior_apex(corners[0]);
        is_valid.then(|| Star { apex, cavity: vec![sliver], walls: Vec::new(), least: 1.0 })
    }

    fn contracted(&self) -> Vec<Star> {
        let on_surface = |v: u32| {
            let around = self.tetrahedra.surface_neighbors(v);
            let onto = move |&w: &u32| {
                // With more than two common neighbours the surface would touch itself.
                let of_other = self.tetrahedra.surface_neighbors(w);
                let common = around.iter().filter(|n| of_other.contains(n)).count();
                let apex = Apex { replaced: Replaced::Vertex(v), ..self.interior_apex(w) };
                (common == 2).then(|| self.star(apex, &self.around(v))).flatten()
            };
            self.tetrahedra.surface_neighbors(v).iter().filter_map(onto).collect::<Vec<_>>()
        };
        let inside = |v: u32| {
            let corners = self.tetrahedra.around(v).iter().flat_map(|&t| self.tetrahedra.corners(t));
            let others = unique(corners).into_iter().filter(move |&w| w != v);
            others.filter_map(|w| self.star(self.interior_apex(w), &self.around(v))).collect::<Vec<_>>()
        };
        self.on_surface().flat_map(on_surface).chain(self.near_free_vertices().flat_map(inside)).collect()
    }

    fn moved_on_surface(&self) -> Vec<Star> {
        let moved = |v: u32| {
            let apex = Apex { replaced: Replaced::Vertex(v), ..self.interior_apex(v) };
            self.smoothed(apex, self.tetrahedra.around(v))
        };
        self.on_surface().filter_map(moved).collect()
    }

    fn split(&self) -> Vec<Star> {
        let edges = self.tetrahedra.boundary_faces(self.sliver).flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
        let split = |(a, b): (u32, u32)| {
            let position = self.at(a).midpoint(self.at(b));
            let apex = Apex { vertex: self.next_vertex(), position, replaced: Replaced::Edge(a, b) };
            self.smoothed(apex, &self.tetrahedra.around_edge((a, b)))
        };
        edges.filter_map(split).collect()
    }
}

fn unique(vertices: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = vertices.collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::super::barycentric::barycentric;
    use super::super::cavity::tests::{delaunay, least_quality, points};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Nothing inverts, the lowest quality does not fall, points stay in tetrahedra, and the result is deterministic.
        #[test]
        fn tetrahedra_become_better(positions in points()) {
            let (corners, roles) = delaunay(&positions);
            let center = |t: &[u32; 4]| t.iter().map(|&v| positions[v as usize]).sum::<DVec3>() / 4.0;
            let mesh: Vec<DVec3> = corners.iter().map(center).collect();
            let tetrahedron_of: Vec<u32> = (0..corners.len() as u32).collect();
            let run = || {
                let roles = roles.clone();
                let mut tetrahedra =
                    TetrahedralMesh::new(positions.clone(), roles, corners.clone(), &mesh, &tetrahedron_of);
                let before = least_quality(&tetrahedra);
                improve(&mut tetrahedra);
                (before, least_quality(&tetrahedra), tetrahedra.finish())
            };
            let (before, after, finished) = run();
            prop_assert!(after > 0.0 && after >= before.min(TARGET_QUALITY), "{before} became {after}");
            for (point, &t) in mesh.iter().zip(&finished.tetrahedron_of) {
                let corners = finished.tetrahedra[t as usize].map(|v| finished.positions[v as usize]);
                prop_assert!(barycentric(corners, *point).iter().all(|&share| share > -1e-9));
            }
            let again = run().2;
            prop_assert_eq!(finished.positions, again.positions);
            prop_assert_eq!(finished.tetrahedra, again.tetrahedra);
        }
    }
}
