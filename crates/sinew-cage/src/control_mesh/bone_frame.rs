//! The rest frame of a bone, in which its joint limits are measured [L13 §9.4.4].
//!
//! `x'` points along the bone, `z'` is normal to the plane of the bone and its parent, `y' = z' × x'`. (The source's
//! `y' = x' × z'` is left-handed, and its z' is not of unit length.) Where bone and parent are in line there is no such
//! plane, and an axis of the joint replaces its normal.

use glam::{DMat3, DVec3};

/// The sine of the angle below which two bones are in line, 0.06°. Directions of bones from positions in f32 are good
/// to about 1e-5. Not tuned.
const MIN_BEND_SINE: f64 = 1e-3;

/// The rest frame of a bone, given the direction of its parent and the axes of its joint.
pub(super) fn bone_frame(bone: DVec3, parent: Option<DVec3>, joint_axes: DMat3) -> DMat3 {
    let x = bone.normalize_or(DVec3::X);
    let plane = parent.map_or(DVec3::ZERO, |parent| x.cross(parent.normalize_or_zero()));
    let perpendicular = |axis: DVec3| axis.reject_from_normalized(x);
    let z = match plane.length() > MIN_BEND_SINE {
        true => plane.normalize(),
        // The first of the joint's axes at more than 30° to the bone.
        false => [joint_axes.z_axis, joint_axes.x_axis, joint_axes.y_axis]
            .map(|axis| perpendicular(axis.normalize_or_zero()))
            .into_iter()
            .find(|axis| axis.length() > 0.5)
            .unwrap_or_else(|| x.any_orthonormal_vector())
            .normalize(),
    };
    DMat3::from_cols(x, z.cross(x), z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_right_handed_and_lie_along_the_bone() {
        let bone = DVec3::new(0.3, -0.8, 0.1);
        for parent in [None, Some(DVec3::Y), Some(-bone), Some(bone * 2.0)] {
            let frame = bone_frame(bone, parent, DMat3::IDENTITY);
            assert!((frame.determinant() - 1.0).abs() < 1e-12);
            assert!((frame.x_axis - bone.normalize()).length() < 1e-12);
            assert!((frame.transpose() * frame).abs_diff_eq(DMat3::IDENTITY, 1e-12));
        }
    }
}
