//! How much volume does one joint's motion take from the skin? A sum over the faces it bends, and a closed form
//! for the rest.
//!
//! The motion of a frame is split into one joint after another, down the hierarchy: in `pose_b` the joints up to
//! b have their target, the others stand as they were bound, and `ΔV(b) = V(pose_b) − V(pose_{b−1})` [R09 §3.2].
//! The frame's scales, morph targets and plain nodes are in all these poses, so what the animator meant to grow
//! or shrink is not a loss. The sum of all `ΔV(b)` telescopes to the change of the whole frame.
//!
//! **Local.** From one pose to the next the joints below b follow one affine map G, since each of them is still
//! as bound relative to b. By the influences of its corners a face is
//! - *outer*: none in b's subtree. It does not move.
//! - *inner*: all in the subtree. It follows G, because blending commutes with a map that all joints share: any
//!   affine one for linear blending, a rigid one for the others.
//! - *mixed*: the rest.
//!
//! About a point c, with `q = p − c`, `G q = M q + τ`, an inner patch of vector area A changes by
//! `(det M − 1) V + ⅓ τ·cof(M) A`. G is `W T' T⁻¹ W⁻¹` with the parent's world W and two rigid locals, so
//! `det M = 1`; and c, the joint's own centre, is fixed by a pure rotation, so `τ = 0` unless the joint is also
//! carried away. The vector area of a patch is `½ ∮ p × dp` over its boundary, which is made of edges of mixed
//! faces with both ends inside. So `ΔV(b)` needs mixed faces alone, and none of the mesh elsewhere.

use super::correction::volume_of;
use super::surface::PartSurface;
use crate::skinning::Motions;
use glam::{DAffine3, DMat3, DVec3};
use sinew_geometry::Face;
use sinew_rig::{JointKind, Pose, Skeleton, Transform};

/// The poses between rest and a frame.
pub(super) struct Steps<'a> {
    pub skeleton: &'a Skeleton,
    pub pose: &'a Pose,
    /// World transforms of the frame.
    pub world: &'a [DAffine3],
}

impl Steps<'_> {
    /// Whether a joint is a step at all: some joint of a skin that leaves its bind pose.
    pub fn moves(&self, joint: usize) -> bool {
        let (rest, now) = (&self.skeleton.joints()[joint], &self.pose.joints[joint]);
        let turned = rest.rest.rotation.dot(now.rotation).abs() < 1.0 - 1e-15;
        let carried = rest.rest.translation.distance(now.translation) > 1e-9 * rest.rest.translation.length();
        rest.kind == JointKind::Joint && (turned || carried)
    }

    /// Whether the step of a joint moves its subtree rigidly: its ancestors scale all directions alike.
    pub fn is_rigid(&self, joint: usize) -> bool {
        let Some(parent) = self.skeleton.joints()[joint].parent else { return true };
        let m = self.world[parent].matrix3;
        let gram = m.transpose() * m;
        let size = gram.x_axis.x;
        gram.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(size)), 1e-7 * size)
    }

    /// The world transform of a joint when the first `count` joints are at their target.
    pub fn world(&self, joint: usize, count: usize) -> DAffine3 {
        if joint < count {
            return self.world[joint];
        }
        let mut matrix = self.bound(joint).matrix();
        let mut above = self.skeleton.joints()[joint].parent;
        while let Some(joint) = above {
            if joint < count {
                return self.world[joint] * matrix;
            }
            matrix = self.bound(joint).matrix() * matrix;
            above = self.skeleton.joints()[joint].parent;
        }
        matrix
    }

    /// A joint's local transform before its step.
    fn bound(&self, joint: usize) -> Transform {
        let (rest, now) = (&self.skeleton.joints()[joint], self.pose.joints[joint]);
        match rest.kind {
            JointKind::Node => now,
            JointKind::Joint => Transform { scale: now.scale, ..rest.rest },
        }
    }
}

/// The faces of a shell that a joint bends.
pub(super) struct Change {
    joint: usize,
    /// Welded vertices of the mixed faces and of the rims of their caps.
    vertices: Vec<u32>,
    /// Mixed faces over `vertices` and, after them, `caps`.
    faces: Vec<Face>,
    caps: Vec<Vec<u32>>,
    /// Edges of mixed faces with both ends inside.
    inner_edges: Vec<(u32, u32)>,
    /// Slots of the binding that move these vertices, and those of them that are in the subtree.
    slots: Vec<u32>,
    inner_slots: Vec<u32>,
    before: Stand,
    after: Stand,
}

/// The skin of the mixed faces in one pose.
struct Stand {
    motions: Motions,
    points: Vec<DVec3>,
}

impl Change {
    /// `faces` are the mixed faces of `surface`; `in_subtree` is whether each joint moves with `joint`.
    pub fn new(surface: &PartSurface, joint: usize, faces: &[u32], in_subtree: &[bool]) -> Self {
        let closed = &surface.closed;
        let face = |f: u32| closed.faces()[f as usize];
        let mut corners: Vec<u32> = faces.iter().flat_map(|&f| face(f).corners().to_vec()).collect();
        corners.sort_unstable();
        corners.dedup();
        let centers: Vec<u32> = corners.iter().copied().filter(|&p| closed.rim_of(p).is_some()).collect();
        let rims = centers.iter().flat_map(|&c| closed.rim_of(c).unwrap_or_default().to_vec());
        let mut vertices: Vec<u32> =
            corners.iter().copied().filter(|&p| closed.rim_of(p).is_none()).chain(rims).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let number = |p: u32| match centers.binary_search(&p) {
            Ok(cap) => (vertices.len() + cap) as u32,
            Err(_) => vertices.binary_search(&p).unwrap_or(0) as u32,
        };
        let is_inside = |p: u32| {
            let vertex =
                |v: u32| surface.influences(v).iter().all(|&(slot, _)| in_subtree[surface.joints[slot as usize]]);
            closed.rim_of(p).map_or_else(|| vertex(p), |rim| rim.iter().all(|&v| vertex(v)))
        };
        let edges = faces.iter().flat_map(|&f| face(f).edges().collect::<Vec<_>>());
        let inner_edges = edges.filter(|&(a, b)| is_inside(a) && is_inside(b)).map(|(a, b)| (number(a), number(b)));
        let mut slots: Vec<u32> = vertices.iter().flat_map(|&v| surface.influences(v)).map(|i| i.0).collect();
        slots.sort_unstable();
        slots.dedup();
        let inner_slots = slots.iter().copied().filter(|&slot| in_subtree[surface.joints[slot as usize]]).collect();
        let stand = || Stand {
            motions: Motions::new(surface.joints.len()),
            points: vec![DVec3::ZERO; vertices.len() + centers.len()],
        };
        Self {
            joint,
            faces: faces.iter().map(|&f| face(f).map(number)).collect(),
            caps: centers
                .iter()
                .map(|&c| closed.rim_of(c).unwrap_or_default().iter().map(|&v| number(v)).collect())
                .collect(),
            inner_edges: inner_edges.collect(),
            before: stand(),
            after: stand(),
            slots,
            inner_slots,
            vertices,
        }
    }

    /// Welded vertices of the mixed faces.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// `ΔV(b)`.
    pub fn measure(&mut self, surface: &PartSurface, steps: &Steps<'_>) -> f64 {
        let Self { joint, before, after, .. } = self;
        before.motions.begin();
        surface.set_motions(&self.slots, &mut before.motions, |j| steps.world(j, *joint));
        after.motions.copy_from(&before.motions);
        surface.set_motions(&self.inner_slots, &mut after.motions, |j| steps.world(j, *joint + 1));
        let center = steps.world(*joint, *joint).translation;
        for stand in [&mut *before, &mut *after] {
            for (point, &vertex) in stand.points.iter_mut().zip(&self.vertices) {
                *point = surface.place(vertex, &steps.pose.morphs, &stand.motions) - center;
            }
            for (cap, rim) in self.caps.iter().enumerate() {
                let sum: DVec3 = rim.iter().map(|&v| stand.points[v as usize]).sum();
                stand.points[self.vertices.len() + cap] = sum / rim.len() as f64;
            }
        }
        let [was, is] = [&self.before, &self.after].map(|stand| volume_of(&self.faces, &stand.points, DVec3::ZERO));
        is - was + self.inner_change(steps)
    }

    /// `⅓ τ·cof(M) A`, for a joint that is carried away from where it was.
    fn inner_change(&self, steps: &Steps<'_>) -> f64 {
        let [was, is] = [self.joint, self.joint + 1].map(|count| steps.world(self.joint, count));
        let carried = is.translation - was.translation;
        if carried == DVec3::ZERO {
            return 0.0;
        }
        let area: DVec3 = self
            .inner_edges
            .iter()
            .map(|&(a, b)| self.before.points[a as usize].cross(self.before.points[b as usize]))
            .sum::<DVec3>()
            * -0.5;
        let linear = is.matrix3 * was.matrix3.inverse();
        let change = carried.dot(cofactor(linear) * area) / 3.0;
        if change.is_finite() { change } else { 0.0 }
    }
}

/// `cof(M) = det(M) M⁻ᵀ`, by cross products of the columns.
fn cofactor(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}
