//! Patches of a surface that are too smooth to intersect themselves.
//!
//! A connected patch whose normals are all within a right angle of one direction passes any line along that direction
//! only once, unless its rim winds around itself: it cannot cross itself \[P. Volino and N. Magnenat-Thalmann,
//! *Efficient self-collision detection on smoothly discretized surface animations using geometrical shape regularity*,
//! 1994\]. Most of a skin is that smooth, and most boxes that overlap are of triangles next to each other; so leaves of
//! the tree of boxes that share a vertex, and are smooth together, are passed over. Rims are not looked at.

use super::box_tree::{BoxTree, Branch};
use super::posed_triangle::PosedTriangle;
use crate::Rows;
use crate::parallel::*;
use glam::Vec3A;

/// The cosine of the angle from one direction within which normals are alike: 75°, so that a patch that is nearly
/// folded is searched. Volino and Magnenat-Thalmann 1994 allow up to 90°.
const ALIKE: f32 = 0.26;

/// Nodes that one thread takes at a time. A granularity, without effect on results.
const NODES_PER_TASK: usize = 256;

/// The normals of the triangles in a leaf.
#[derive(Debug, Clone, Copy, Default)]
struct Cone {
    axis: Vec3A,
    /// The cosine of the largest angle from the axis.
    cosine: f32,
}

/// The leaves of a tree over the triangles of a surface that are passed over.
#[derive(Debug, Clone)]
pub(super) struct SmoothPatches {
    /// For each node that is a leaf, the leaves that share a vertex with it, and its normals.
    beside: Rows<u32>,
    cones: Vec<Cone>,
}

impl SmoothPatches {
    pub fn new(tree: &BoxTree, slots: &[PosedTriangle]) -> Self {
        let vertices = slots.iter().flat_map(|slot| slot.vertices).max().map_or(0, |last| last as usize + 1);
        let mut leaves_at = vec![Vec::new(); vertices];
        let corners = |node: usize| match tree.branch(node) {
            Branch::Leaf(leaf) => slots[leaf].iter().flat_map(|slot| slot.vertices).collect(),
            Branch::Fork(_) => Vec::new(),
        };
        for node in 0..tree.len() {
            corners(node).into_iter().for_each(|vertex| leaves_at[vertex as usize].push(node as u32));
        }
        let beside = |node: usize| {
            let mut beside: Vec<u32> =
                corners(node).iter().flat_map(|&vertex| &leaves_at[vertex as usize]).copied().collect();
            beside.sort_unstable();
            beside.dedup();
            beside
        };
        Self { beside: Rows::new((0..tree.len()).map(beside)), cones: vec![Cone::default(); tree.len()] }
    }

    /// Moves to a pose; with `is_masked`, only the leaves with a slot in the query mask.
    pub fn follow(&mut self, tree: &BoxTree, slots: &[PosedTriangle], is_masked: bool) {
        self.cones.par_iter_mut().enumerate().with_min_len(NODES_PER_TASK).for_each(|(node, cone)| {
            if let Branch::Leaf(leaf) = tree.branch(node)
                && (!is_masked || tree.is_in_mask(node))
            {
                *cone = Cone::around(&slots[leaf]);
            }
        });
    }

    /// Whether two leaves, or one with itself, need not be searched.
    #[inline]
    pub fn contain(&self, a: usize, b: usize) -> bool {
        let [cone, other] = [a, b].map(|leaf| self.cones[leaf]);
        let cosine = cone.cosine.min(other.cosine);
        if cosine <= ALIKE {
            return false;
        }
        // The direction between both axes is half of their angle from each, and the cones go on from there.
        let between = cone.axis.dot(other.axis).min(1.0);
        let [half_cosine, half_sine] = [1.0 + between, 1.0 - between].map(|square| (0.5 * square).sqrt());
        let farthest = half_cosine * cosine - half_sine * (1.0 - cosine * cosine).max(0.0).sqrt();
        farthest > ALIKE && (a == b || self.beside.row(a as u32).contains(&(b as u32)))
    }
}

impl Cone {
    fn around(slots: &[PosedTriangle]) -> Self {
        let normal = |slot: &PosedTriangle| {
            let [a, b, c] = slot.corners.map(Vec3A::from);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let axis = slots.iter().map(normal).sum::<Vec3A>().normalize_or_zero();
        let cosine = slots.iter().map(|slot| normal(slot).dot(axis)).fold(1.0, f32::min);
        Self { axis, cosine }
    }
}
