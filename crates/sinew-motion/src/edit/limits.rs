//! Joint limits: the largest rotation of a joint from its rest.
//!
//! The rotation since rest, `q = R̄⁻¹ R`, is a swing of the bone after a twist about it, `q = s t`. Each is
//! cut off at its limit. Joints that an edit does not turn stay as captured, whatever their limits.

use glam::{DQuat, DVec3};
use sinew_geometry::swing_twist;

/// The largest angles of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLimit {
    /// The joint.
    pub joint: usize,
    /// How far its bone may swing from its direction at rest.
    pub swing_rad: f64,
    /// How far it may twist about its bone, either way.
    pub twist_rad: f64,
}

impl JointLimit {
    /// The rotation since rest that is within the limits, for a joint whose bone has a direction in the joint's frame.
    pub(super) fn applied(&self, rotation: DQuat, bone: DVec3) -> DQuat {
        let Some(axis) = bone.try_normalize() else { return rotation };
        let (swing, twist_angle) = swing_twist(rotation, axis);
        let (swing_axis, swing_angle) = swing.to_axis_angle();
        let limited_twist = twist_angle.clamp(-self.twist_rad, self.twist_rad);
        if swing_angle <= self.swing_rad && limited_twist == twist_angle {
            return rotation;
        }
        let swing = DQuat::from_axis_angle(swing_axis, swing_angle.min(self.swing_rad));
        (swing * DQuat::from_axis_angle(axis, limited_twist)).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swing_and_twist_are_cut_off_apart() {
        let limit = JointLimit { joint: 0, swing_rad: 0.5, twist_rad: 0.25 };
        let [swing, twist] = [DQuat::from_rotation_z(0.8), DQuat::from_rotation_y(-0.9)];
        let cut = limit.applied(swing * twist, DVec3::Y * 3.0);
        let expected = DQuat::from_rotation_z(0.5) * DQuat::from_rotation_y(-0.25);
        assert!(cut.dot(expected).abs() > 1.0 - 1e-12, "{cut} is not {expected}");
        let within = DQuat::from_rotation_x(0.4) * DQuat::from_rotation_y(0.2);
        assert_eq!(limit.applied(within, DVec3::Y), within);
        assert_eq!(limit.applied(swing, DVec3::ZERO), swing);
    }
}
