//! The positions of the figure's joints, and the mirror images of its left side.

use glam::Vec3;
use sinew_rig::Skeleton;

/// Centre of the left hip joint.
pub(super) const HIP: Vec3 = Vec3::new(0.090, 0.915, -0.008);
/// Centre of the left knee.
pub(super) const KNEE: Vec3 = Vec3::new(0.100, 0.490, 0.004);
/// Centre of the left ankle.
pub(super) const ANKLE: Vec3 = Vec3::new(0.108, 0.085, -0.030);
/// Centre of the joint between the left foot and its toes.
pub(super) const TOE_BASE: Vec3 = Vec3::new(0.120, 0.022, 0.095);
/// Centre of the left shoulder joint.
pub(super) const SHOULDER: Vec3 = Vec3::new(0.180, 1.405, -0.028);
/// Centre of the left elbow.
pub(super) const ELBOW: Vec3 = Vec3::new(0.382, 1.203, -0.036);
/// Centre of the left wrist.
pub(super) const WRIST: Vec3 = Vec3::new(0.556, 1.026, 0.006);

/// The name of a joint's mirror image; a joint in the middle is its own.
pub(super) fn mirrored_name(name: &str) -> String {
    for (side, other) in [
        ("Left", "Right"),
        ("Right", "Left"),
        ("LHip", "RHip"),
        ("RHip", "LHip"),
        ("LThumb", "RThumb"),
        ("RThumb", "LThumb"),
    ] {
        if let Some(rest) = name.strip_prefix(side) {
            return format!("{other}{rest}");
        }
    }
    name.into()
}

/// For each joint its mirror image.
pub(super) fn mirrored_joints(skeleton: &Skeleton) -> Vec<usize> {
    let other = |name: &str| skeleton.find(&mirrored_name(name)).expect("the table has both sides");
    skeleton.joints().iter().map(|j| other(&j.name)).collect()
}

/// The mirror image of a point in the plane x = 0.
pub(super) fn mirrored(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}
