//! Swing–twist decomposition of a rotation about an axis.

use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// A rotation as `swing · twist`: the twist is about the unit axis by an angle within ±π, the swing about a line across
/// it and has a scalar part that is not negative.
pub fn swing_twist(rotation: DQuat, axis: DVec3) -> (DQuat, f64) {
    let along = DVec3::new(rotation.x, rotation.y, rotation.z).dot(axis);
    let angle = 2.0 * along.atan2(rotation.w);
    // Whole turns either way are the same twist.
    let angle = angle - TAU * (angle / TAU).round();
    let swing = (rotation * DQuat::from_axis_angle(axis, angle).inverse()).normalize();
    (if swing.w < 0.0 { -swing } else { swing }, angle)
}
