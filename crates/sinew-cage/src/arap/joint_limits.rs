//! Which directions may a bone take, and how far may it twist?
//!
//! L13 section 9.4.4: each bone has a frame at rest, `x'` along itself, `z'` across the plane that it makes with the
//! bone before it, `y' = z' × x'`. (The source's `y' = x' × z'` is left-handed, and its z' is not of length one.)
//! Where the two are in line there is no such plane and the joint's own axes take its place. The turn of a bone
//! against the one before it, seen in this frame, is a swing about an axis across `x'` after a twist about `x'`.
//! The swing's rotation vector has a `y'` and a `z'` part; these and the twist are cut off at their intervals.

use glam::{DQuat, DVec3};
use sinew_geometry::swing_twist;

/// How far the bones of a joint may turn against the bone before them, from rest. Bones without one before them
/// are free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRange {
    /// The joint.
    pub joint: usize,
    /// About the bone, least and most.
    pub twist_rad: [f64; 2],
    /// About the axis that lies in the plane of the two bones.
    pub swing_y_rad: [f64; 2],
    /// About the axis across that plane: the bend of a hinge.
    pub swing_z_rad: [f64; 2],
}

impl JointRange {
    /// Whether every interval has its ends in order, zero within it, and is finite.
    pub(super) fn is_proper(&self) -> bool {
        [self.twist_rad, self.swing_y_rad, self.swing_z_rad]
            .iter()
            .all(|[low, high]| low.is_finite() && high.is_finite() && *low <= 0.0 && *high >= 0.0)
    }

    /// The nearest turn within the range, for a turn in the bone's frame.
    pub(super) fn clamp(&self, turn: DQuat) -> DQuat {
        let (swing, twist) = swing_twist(turn, DVec3::X);
        let swing = swing.to_scaled_axis();
        let within = |value: f64, [low, high]: [f64; 2]| value.clamp(low, high);
        let limited = DVec3::new(0.0, within(swing.y, self.swing_y_rad), within(swing.z, self.swing_z_rad));
        let limited_twist = within(twist, self.twist_rad);
        if limited.y == swing.y && limited.z == swing.z && limited_twist == twist {
            return turn;
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
    fn each_part_is_cut_off_at_its_interval() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.0, 0.5, -0.7)) * DQuat::from_rotation_x(0.9);
        let (swing, twist) = swing_twist(RANGE.clamp(turn), DVec3::X);
        let swing = swing.to_scaled_axis();
        assert!(
            (twist - 0.3).abs() < 1e-12 && (swing.y - 0.1).abs() < 1e-12 && swing.z.abs() < 1e-12,
            "{swing} {twist}"
        );
        let within = DQuat::from_scaled_axis(DVec3::new(0.0, 0.05, 1.2)) * DQuat::from_rotation_x(-0.1);
        assert_eq!(RANGE.clamp(within), within);
    }
}
