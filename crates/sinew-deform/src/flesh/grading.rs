//! Where tetrahedra are fine: at joints.

use glam::DVec3;

/// A joint with the radius of its limb.
#[derive(Debug, Clone, Copy)]
pub(super) struct GradedJoint {
    pub center: DVec3,
    pub radius: f64,
    /// How much larger cells are here than at the joints that bend most.
    pub coarseness: f64,
}

/// How much larger cells are at other joints than at those of arms and legs, where tetrahedra are few. MakeHuman's elbow
/// and knee are .029 / .027 limb radii from simulated flesh with 1.6 / 2, a squatting figure has 0 / 4 crossings, one with a
/// hand on its chest 0 / 28, and a fox at gallop 9.5 / 13. With hips and shoulders among the others the figure's hips fold
/// into a pit instead of a crease.
pub(super) const ELSEWHERE: f64 = 1.6;

/// The distance from a joint up to which cells have their least edge, in radii.
const NEAR: f64 = 1.0;

/// The largest edge of a cell at a place, where cells have `edge` radii at the joints that bend most. It grows by as much
/// with every radius.
pub(super) fn largest_edge(joints: &[GradedJoint], edge: f64, place: DVec3) -> f64 {
    let at = |joint: &GradedJoint| {
        edge * joint.coarseness * joint.radius * (1.0 + (place.distance(joint.center) / joint.radius - NEAR).max(0.0))
    };
    joints.iter().map(at).fold(f64::INFINITY, f64::min)
}
