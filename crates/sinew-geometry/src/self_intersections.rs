//! Self-intersections of a surface.
//!
//! An *intersection* is a pair of triangles of the welded surface that have no vertex in common and
//! whose interiors meet. Pairs that are near each other come from a tree of boxes, whose shape is made
//! once from the rest surface and whose bounds follow each pose; each of them is then tested in f64.
//! The result does not depend on the number of threads.

use super::bounds::Bounds;
use super::box_tree::{BoxTree, NodePair};
use super::posed_triangle::PosedTriangle;
use super::smooth::SmoothPatches;
use super::{Face, Rows, Topology};
use crate::parallel::*;
use crate::{Error, Result};
use glam::Vec3;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Intersections for each triangle from which on a surface is a soup. Characters in layers of clothes and armour have
/// 0.6 at most; triangles at random have some tens.
const MAX_CROSSINGS: usize = 4;

/// A triangle of a welded surface: a face, or half of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurfaceTriangle {
    /// Index of the face in [`Topology::faces`].
    pub face: u32,
    /// Its corners as vertices of the file: the representatives of the welded vertices.
    pub vertices: [u32; 3],
}

/// Finds the intersections of one surface in any number of poses.
///
/// Triangles without area, and those with corners that are not finite, intersect nothing.
///
/// ```
/// use glam::Vec3;
/// use sinew_geometry::{Face, SelfIntersections, Topology};
///
/// let rest = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [1., 1., 1.], [1., 1., 2.], [2., 1., 2.]].map(Vec3::from);
/// let topology = Topology::new(&rest, &[Face::triangle(0, 1, 2), Face::triangle(3, 4, 5)]);
/// let mut intersections = SelfIntersections::new(&topology, &rest);
/// assert_eq!(intersections.count(&rest), 0);
///
/// let mut pushed_down = rest;
/// pushed_down[3].z = -1.0;
/// assert_eq!(intersections.pairs(&pushed_down), [(0, 1)]);
/// ```
#[derive(Debug, Clone)]
pub struct SelfIntersections {
    triangles: Vec<SurfaceTriangle>,
    tree: BoxTree,
    /// The triangle in each slot of the tree, its vertices, and their positions in the present pose; and the slots
    /// around each vertex of the file.
    order: Vec<u32>,
    slots: Vec<PosedTriangle>,
    slots_at: Rows<u32>,
    smooth: Option<SmoothPatches>,
    found: Vec<Vec<(u32, u32)>>,
    pairs: Vec<(u32, u32)>,
}

impl SelfIntersections {
    /// Prepares the search for a surface with the given rest positions, one for each vertex of the
    /// file.
    pub fn new(topology: &Topology, rest: &[Vec3]) -> Self {
        let representatives = topology.representatives();
        let halves = |(face, corners): (usize, &Face)| {
            corners.triangles().map(move |welded| SurfaceTriangle {
                face: face as u32,
                vertices: welded.map(|v| representatives[v as usize]),
            })
        };
        let triangles: Vec<SurfaceTriangle> = topology.faces().iter().enumerate().flat_map(halves).collect();
        let slot =
            |t: &SurfaceTriangle| PosedTriangle { vertices: t.vertices, corners: t.vertices.map(|v| rest[v as usize]) };
        let boxes: Vec<Bounds> = triangles.iter().map(|t| slot(t).bounds()).collect();
        let (tree, order) = BoxTree::new(&boxes);
        let slots: Vec<PosedTriangle> = order.iter().map(|&t| slot(&triangles[t as usize])).collect();
        let slots_at = slots_at(&slots, rest.len());
        Self { triangles, tree, order, slots, slots_at, smooth: None, found: Vec::new(), pairs: Vec::new() }
    }

    /// The same search, several times as fast, without what hardly ever crosses: triangles next to each other where the
    /// surface is smooth.
    #[must_use]
    pub fn pass_over_smooth(mut self) -> Self {
        self.smooth = Some(SmoothPatches::new(&self.tree, &self.slots));
        self
    }

    /// All triangles of the surface, in the order of its faces; pairs are indices in this list.
    pub fn triangles(&self) -> &[SurfaceTriangle] {
        &self.triangles
    }

    /// Sets the query mask: later queries find only pairs of which one triangle has a corner in the mask. Corners are
    /// vertices of the file. A new search has all vertices in its mask.
    pub fn mask_vertices(&mut self, is_in_mask: impl Fn(u32) -> bool) {
        let Self { tree, slots, .. } = self;
        tree.set_mask(false, |slot| slots[slot].vertices.iter().any(|&vertex| is_in_mask(vertex)));
    }

    /// Sets the query mask: later queries find only pairs of which both triangles are in the mask.
    pub fn mask_triangles(&mut self, is_in_mask: impl Fn(u32) -> bool) {
        let Self { tree, order, .. } = self;
        tree.set_mask(true, |slot| is_in_mask(order[slot]));
    }

    /// Empties the query mask: later queries find nothing.
    pub fn clear_mask(&mut self) {
        self.tree.clear_mask();
    }

    /// Adds the triangles around a vertex of the file to the query mask.
    pub fn add_to_mask(&mut self, vertex: u32) {
        let Self { tree, slots_at, .. } = self;
        slots_at.row(vertex).iter().for_each(|&slot| tree.add_to_mask(slot as usize));
    }

    /// Number of intersections in a pose, given as a position for each vertex of the file.
    pub fn count(&mut self, positions: &[Vec3]) -> usize {
        self.follow(positions);
        self.tree.divide();
        let count = |&piece: &NodePair| {
            let mut count = 0;
            self.intersections(piece, |_| count += 1);
            count
        };
        self.tree.pieces().par_iter().map(count).sum()
    }

    /// Refuses a soup of triangles, which cross one another everywhere, so that there is no inside: more than
    /// four times as many intersections as triangles. Ends soon after that is known.
    pub fn check_surface(&mut self, positions: &[Vec3]) -> Result<()> {
        self.follow(positions);
        self.tree.divide();
        let most = MAX_CROSSINGS * self.triangles.len();
        let count = AtomicUsize::new(0);
        let is_soup = || count.load(Ordering::Relaxed) > most;
        self.tree.pieces().par_iter().filter(|_| !is_soup()).for_each(|&piece| {
            self.tree.overlaps(
                piece,
                |_, _| is_soup(),
                |i, j| {
                    if self.slots[i].intersects(&self.slots[j]) {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                },
            );
        });
        if is_soup() { Err(Error::Soup { triangles: self.triangles.len() }) } else { Ok(()) }
    }

    /// The intersections in a pose as pairs of triangles, the smaller index first, in ascending order.
    pub fn pairs(&mut self, positions: &[Vec3]) -> &[(u32, u32)] {
        self.follow(positions);
        self.find()
    }

    /// The same, sooner: triangles outside the query mask are taken to be where they were before.
    pub fn masked_pairs(&mut self, positions: &[Vec3]) -> &[(u32, u32)] {
        self.tree.refit_masked(&mut self.slots, |slot| slot.follow(positions));
        if let Some(smooth) = &mut self.smooth {
            smooth.follow(&self.tree, &self.slots, true);
        }
        self.find()
    }

    fn find(&mut self) -> &[(u32, u32)] {
        self.tree.divide();
        let mut found = std::mem::take(&mut self.found);
        found.resize_with(found.len().max(self.tree.pieces().len()), Vec::new);
        found.par_iter_mut().zip(self.tree.pieces()).for_each(|(found, &piece)| {
            self.intersections(piece, |pair| found.push(pair));
        });
        self.pairs.clear();
        for found in &mut found {
            self.pairs.append(found);
        }
        self.found = found;
        self.pairs.sort_unstable();
        &self.pairs
    }

    /// The last result of [`SelfIntersections::pairs`].
    pub fn found(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Whether two triangles intersect in a pose.
    pub fn intersects(&self, (a, b): (u32, u32), positions: &[Vec3]) -> bool {
        let [a, b] = [a, b].map(|triangle| {
            let vertices = self.triangles[triangle as usize].vertices;
            PosedTriangle { vertices, corners: vertices.map(|v| positions[v as usize]) }
        });
        a.bounds().overlaps(&b.bounds()) && a.intersects(&b)
    }

    /// Moves the triangles and their boxes to a pose.
    fn follow(&mut self, positions: &[Vec3]) {
        self.tree.refit(&mut self.slots, |slot| slot.follow(positions));
        if let Some(smooth) = &mut self.smooth {
            smooth.follow(&self.tree, &self.slots, false);
        }
    }

    /// Calls `found` with every intersection in a piece of the tree.
    fn intersections(&self, piece: NodePair, mut found: impl FnMut((u32, u32))) {
        let is_smooth = |a: usize, b: usize| self.smooth.as_ref().is_some_and(|smooth| smooth.contain(a, b));
        self.tree.overlaps(piece, is_smooth, |i, j| {
            let (i, j) = if self.order[i] < self.order[j] { (i, j) } else { (j, i) };
            if self.slots[i].intersects(&self.slots[j]) {
                found((self.order[i], self.order[j]));
            }
        });
    }
}

fn slots_at(slots: &[PosedTriangle], vertices: usize) -> Rows<u32> {
    let corners = Rows::grouped(vertices, slots.iter().flat_map(|slot| slot.vertices));
    Rows::new(corners.iter().map(|around| around.iter().map(|corner| corner / 3).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangle_pair::{intersect, is_proper};
    use glam::DVec3;
    use proptest::prelude::*;

    fn surface(positions: &[Vec3], faces: &[Face]) -> SelfIntersections {
        SelfIntersections::new(&Topology::new(positions, faces), positions)
    }

    #[test]
    fn only_pairs_of_the_query_mask_are_found() {
        let mut positions = Vec::new();
        let mut faces = Vec::new();
        // Ten pairs of crossing triangles in a row.
        for k in 0..10 {
            let x = 10.0 * k as f32;
            let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [1., 1., -1.], [1., 1., 2.], [2., 1., 2.]];
            let first = positions.len() as u32;
            positions.extend(corners.map(|[a, b, c]| Vec3::new(x + a, b, c)));
            faces
                .extend([Face::triangle(first, first + 1, first + 2), Face::triangle(first + 3, first + 4, first + 5)]);
        }
        let mut intersections = surface(&positions, &faces);
        assert_eq!(intersections.count(&positions), 10);
        intersections.mask_vertices(|vertex| vertex == 13 || vertex == 35);
        assert_eq!(intersections.pairs(&positions), [(4, 5), (10, 11)]);
        intersections.mask_vertices(|_| true);
        assert_eq!(intersections.count(&positions), 10);
    }

    /// Every triangle against every other. Boxes that are apart settle it: at 1e38 the rounding of f64 in the test of
    /// two triangles is larger than anything between them.
    fn brute_force(triangles: &[SurfaceTriangle], positions: &[Vec3]) -> Vec<(u32, u32)> {
        let corners = |t: &SurfaceTriangle| t.vertices.map(|v| positions[v as usize].as_dvec3());
        let mut pairs = Vec::new();
        for (i, t) in triangles.iter().enumerate() {
            for (j, u) in triangles.iter().enumerate().skip(i + 1) {
                let (a, b) = (corners(t), corners(u));
                let is_adjacent = t.vertices.iter().any(|v| u.vertices.contains(v));
                let low = |t: [DVec3; 3]| t[0].min(t[1]).min(t[2]);
                let high = |t: [DVec3; 3]| t[0].max(t[1]).max(t[2]);
                let near = low(a).cmple(high(b)).all() && low(b).cmple(high(a)).all();
                if !is_adjacent && is_proper(a) && is_proper(b) && near && intersect(a, b) {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    /// Ordinary numbers, small integers that make exact contacts, and now and then what is no number.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            20 => -2.0..2.0f32,
            20 => (-2..=2i8).prop_map(f32::from),
            1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::MAX), Just(-1e-30f32)],
        ]
    }

    fn points(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec(prop::array::uniform3(coordinate()).prop_map(Vec3::from), count)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_tree_finds_what_brute_force_finds(
            rest in points(60), posed in points(60),
            corners in prop::collection::vec(prop::array::uniform4(0..60u32), 0..120),
        ) {
            let face = |[a, b, c, d]: [u32; 4]| {
                if (a + b) % 2 == 0 { Face::triangle(a, b, c) } else { Face::quad(a, b, c, d) }
            };
            let faces: Vec<Face> = corners.into_iter().map(face).collect();
            let mut intersections = surface(&rest, &faces);
            for positions in [&posed, &rest] {
                let expected = brute_force(intersections.triangles(), positions);
                prop_assert_eq!(intersections.pairs(positions), &expected);
                prop_assert_eq!(intersections.count(positions), expected.len());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn what_moved_alone_is_found_as_by_a_whole_search(
            rest in points(60), posed in points(60), has_moved in prop::collection::vec(prop::bool::weighted(0.2), 60),
            corners in prop::collection::vec(prop::array::uniform3(0..60u32), 0..120),
        ) {
            let faces: Vec<Face> = corners.into_iter().map(|[a, b, c]| Face::triangle(a, b, c)).collect();
            let mut partly = surface(&rest, &faces);
            let mut whole = partly.clone();
            let is_moved = |vertex: u32| has_moved[vertex as usize];
            let positions: Vec<Vec3> =
                (0..60).map(|v| if is_moved(v) { posed[v as usize] } else { rest[v as usize] }).collect();
            partly.pairs(&rest);
            partly.clear_mask();
            prop_assert!(partly.masked_pairs(&rest).is_empty());
            (0..60).filter(|&vertex| is_moved(vertex)).for_each(|vertex| partly.add_to_mask(vertex));
            whole.mask_vertices(is_moved);
            prop_assert_eq!(partly.masked_pairs(&positions), whole.pairs(&positions));
        }
    }

    #[test]
    fn neighbours_do_not_count_even_when_folded_flat_onto_each_other() {
        let rest = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.]].map(Vec3::from);
        let folded = [rest[0], rest[1], rest[2], rest[0] + 0.1 * (rest[1] + rest[2])];
        let mut pair = surface(&rest, &[Face::triangle(0, 1, 2), Face::triangle(1, 3, 2)]);
        assert_eq!(pair.count(&folded), 0);
        let mut quad = surface(&rest, &[Face::quad(0, 1, 3, 2)]);
        assert_eq!((quad.triangles().len(), quad.count(&folded)), (2, 0));
        let mut seam = rest.to_vec();
        seam.extend(rest);
        let mut welded = surface(&seam, &[Face::triangle(0, 1, 2), Face::triangle(5, 7, 6)]);
        seam[3] = folded[3];
        seam[7] = folded[3];
        assert_eq!(welded.count(&seam), 0);
    }

    #[test]
    fn an_empty_surface_has_none() {
        let mut empty = surface(&[], &[]);
        assert_eq!(empty.count(&[]), 0);
        assert!(empty.pairs(&[]).is_empty());
    }
}
