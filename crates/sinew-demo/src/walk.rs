//! A walk on the spot, as on a treadmill: two steps that loop.
//!
//! The feet have given paths: heel strike, roll over the sole, push-off from the ball, swing. The legs follow by
//! inverse kinematics. Pelvis, trunk and arms move by the usual sinusoids.

use super::gestures::{close_fingers, elbow_axis};
use super::landmarks::{ANKLE, TOE_BASE};
use super::poser::{Poser, Side};
use glam::{DQuat, DVec3};
use sinew_geometry::curve::smoothstep;
use std::f64::consts::TAU;

/// Frames of the cycle, at 30 per second.
pub(super) const FRAMES: usize = 32;

/// Part of the cycle that a foot is on the ground.
const STANCE: f64 = 0.62;

/// The positions of a foot's strike and push-off, relative to rest, in metres.
const STRIKE: f64 = 0.315;
const LEAVE: f64 = -0.44;

/// The height of the swinging foot, in metres.
const CLEARANCE: f64 = 0.05;

/// The axis of the left foot's pitch, toes up.
const HEEL: DVec3 = DVec3::new(0.107, 0.0, -0.070);

/// The foot's pitch over the cycle from its strike, in degrees, toes up.
const PITCH: [(f64, f64); 9] = [
    (0.0, 18.0),
    (0.09, 0.0),
    (0.34, 0.0),
    (0.50, -20.0),
    (0.62, -52.0),
    (0.70, -46.0),
    (0.86, 4.0),
    (0.96, 18.0),
    (1.0, 18.0),
];

/// The pose after a part of the cycle; the left foot strikes at 0, the right one at ½.
pub(super) fn pose(phase: f64, poser: &mut Poser<'_>) {
    let wave = |turns: f64, shift: f64| (TAU * (turns * phase - shift)).cos();
    // The pelvis is lowest when both feet are down, and is over the supporting foot.
    poser.move_hips(DVec3::new(0.018 * wave(1.0, 0.31), -0.024 + 0.016 * wave(2.0, 0.62), 0.0));
    let yaw = -7.0 * wave(1.0, 0.0);
    let roll = 3.0 * wave(1.0, 0.31);
    poser.turn("Hips", DVec3::Y, yaw);
    poser.turn("Hips", DVec3::Z, roll);
    poser.turn("LowerBack", DVec3::Z, -0.7 * roll);
    poser.turn("LowerBack", DVec3::X, 2.0);
    for joint in ["LowerBack", "Spine", "Spine1"] {
        poser.turn(joint, DVec3::Y, -0.65 * yaw);
    }
    poser.turn("Neck", DVec3::Y, 0.5 * yaw);
    poser.turn("Head", DVec3::Y, 0.45 * yaw);
    poser.turn("Head", DVec3::X, -2.0 + 1.0 * wave(2.0, 0.1));
    for side in Side::BOTH {
        let own_phase = if side == Side::Left { phase } else { (phase + 0.5).fract() };
        swing_arm(poser, side, own_phase);
        step(poser, side, own_phase);
    }
}

/// The arm hangs and swings against the leg of its side.
fn swing_arm(poser: &mut Poser<'_>, side: Side, phase: f64) {
    let forwards = -(TAU * (phase - 0.02)).cos();
    poser.turn_side(side, "LeftShoulder", DVec3::Z, -4.0);
    poser.turn_side(side, "LeftShoulder", DVec3::Y, -3.0 * forwards);
    poser.turn_side(side, "LeftForeArm", elbow_axis(), 5.0 + 9.0 * forwards);
    poser.turn_side(side, "LeftArm", DVec3::Z, -29.0);
    poser.turn_side(side, "LeftArm", DVec3::X, -(2.0 + 22.0 * forwards));
    close_fingers(poser, side, 12.0);
}

/// One leg.
fn step(poser: &mut Poser<'_>, side: Side, phase: f64) {
    let pitch = piecewise(&PITCH, phase);
    let shift = DVec3::Z * travel(phase);
    let lift = DVec3::Y * CLEARANCE * swing_part(phase).map_or(0.0, |t| (0.5 * TAU * t).sin().powi(2));
    let foot = DQuat::from_rotation_x(-pitch.to_radians());
    let pivot = side.point(if pitch > 0.0 { HEEL } else { TOE_BASE.as_dvec3() });
    let ankle = pivot + foot * (side.point(ANKLE.as_dvec3()) - pivot) + shift + lift;
    poser.place_foot(side, ankle, foot);
    // The toes stay on the ground while the heel rises, and relax in the air.
    let grip = swing_part(phase).map_or(1.0, |t| 1.0 - smoothstep(1.3 * t));
    poser.turn_side(side, "LeftToeBase", DVec3::X, grip * pitch.min(0.0));
}

/// The elapsed share of the swing, if the foot is in the air.
fn swing_part(phase: f64) -> Option<f64> {
    (phase > STANCE).then_some((phase - STANCE) / (1.0 - STANCE))
}

/// The forward position of the foot: backwards at constant speed with the ground while it stands, then forwards along
/// the cubic with that speed at both ends.
fn travel(phase: f64) -> f64 {
    let Some(t) = swing_part(phase) else { return STRIKE + (LEAVE - STRIKE) * phase / STANCE };
    let slope = (LEAVE - STRIKE) / STANCE * (1.0 - STANCE);
    let rise = smoothstep(t);
    LEAVE + (STRIKE - LEAVE) * rise + slope * (t * (1.0 - t) * (1.0 - t) - t * t * (1.0 - t))
}

/// Smooth steps between keys at increasing places.
fn piecewise(keys: &[(f64, f64)], at: f64) -> f64 {
    let next = keys.partition_point(|(place, _)| *place <= at).clamp(1, keys.len() - 1);
    let ((from, before), (to, after)) = (keys[next - 1], keys[next]);
    before + (after - before) * smoothstep((at - from) / (to - from))
}
