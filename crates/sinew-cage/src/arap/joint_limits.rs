//! Limits of joint rotations.
//!
//! L13 section 9.4.4: the rotation of a bone relative to its parent, in the bone's rest frame
//! ([`crate::ControlMesh::bone_frame`]), is a twist about `x'` followed by a swing about an axis perpendicular to it. The
//! `y'` and `z'` components of the swing's rotation vector and the twist angle are clamped to their intervals.

use glam::{DQuat, DVec3};
use sinew_geometry::swing_twist;

/// The range of rotation of a joint's bones relative to the parent bone, from rest. Bones without a parent are free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRange {
    /// The joint.
    pub joint: usize,
    /// The least and largest rotation about the bone.
    pub twist_rad: [f64; 2],
    /// The range about the axis in the plane of the two bones.
    pub swing_y_rad: [f64; 2],
    /// The range about the normal of that plane: the flexion of a hinge.
    pub swing_z_rad: [f64; 2],
}

impl JointRange {
    /// Whether every interval is finite and contains zero.
    pub(super) fn is_valid(&self) -> bool {
        [self.twist_rad, self.swing_y_rad, self.swing_z_rad]
            .iter()
            .all(|[low, high]| low.is_finite() && high.is_finite() && *low <= 0.0 && *high >= 0.0)
    }

    /// The rotation clamped to the range, in the bone's frame.
    pub(super) fn clamp(&self, rotation: DQuat) -> DQuat {
        let (swing, twist) = swing_twist(rotation, DVec3::X);
        let swing = swing.to_scaled_axis();
        let within = |value: f64, [low, high]: [f64; 2]| value.clamp(low, high);
        let limited = DVec3::new(0.0, within(swing.y, self.swing_y_rad), within(swing.z, self.swing_z_rad));
        let limited_twist = within(twist, self.twist_rad);
        if limited.y == swing.y && limited.z == swing.z && limited_twist == twist {
            return rotation;
        }
        DQuat::from_scaled_axis(limited) * DQuat::from_rotation_x(limited_twist)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: JointRange =
        JointRange { joint: 0, twist_rad: [-0.2, 0.3], swing_y_rad: [-0.1, 0.1], swing_z_rad: [0.0, 2.0] };

    #[test]
    fn swing_and_twist_are_clamped() {
        let rotation = DQuat::from_scaled_axis(DVec3::new(0.0, 0.5, -0.7)) * DQuat::from_rotation_x(0.9);
        let (swing, twist) = swing_twist(RANGE.clamp(rotation), DVec3::X);
        let swing = swing.to_scaled_axis();
        assert!(
            (twist - 0.3).abs() < 1e-12 && (swing.y - 0.1).abs() < 1e-12 && swing.z.abs() < 1e-12,
            "{swing} {twist}"
        );
        let within = DQuat::from_scaled_axis(DVec3::new(0.0, 0.05, 1.2)) * DQuat::from_rotation_x(-0.1);
        assert_eq!(RANGE.clamp(within), within);
    }
}
