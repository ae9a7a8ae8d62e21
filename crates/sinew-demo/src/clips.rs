//! Motions from formulas: bends and twists that show the volume change of a skinning method, and a walk.

use super::gestures::{close_fingers, elbow_axis};
use super::landmarks::{ANKLE, ELBOW, WRIST};
use super::poser::{Poser, Side, clip};
use super::walk;
use glam::{DQuat, DVec3};
use sinew_rig::{Clip, Skeleton};
use std::f64::consts::TAU;

/// All clips of the figure.
pub(super) fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    vec![
        clip(skeleton, "elbow curl", 90, |t, poser| elbow_curl(poser, there_and_back(t))),
        clip(skeleton, "knee bend", 90, |t, poser| knee_bend(poser, there_and_back(t))),
        clip(skeleton, "twist", 90, |t, poser| twist(poser, there_and_back(t))),
        clip(skeleton, "walk", walk::FRAMES, walk::pose),
    ]
}

/// The tube's: its upper half bends towards +y by 120° and back.
pub(super) fn tube_clips(skeleton: &Skeleton) -> Vec<Clip> {
    vec![clip(skeleton, "bend", 90, |t, poser| poser.turn("bend", DVec3::NEG_X, 120.0 * there_and_back(t)))]
}

/// From 0 to 1 and back, at rest at both ends and at the top.
fn there_and_back(t: f64) -> f64 {
    0.5 - 0.5 * (TAU * t).cos()
}

/// Both elbows to 140°, with loose fists.
fn elbow_curl(poser: &mut Poser<'_>, amount: f64) {
    for side in Side::BOTH {
        poser.turn_side(side, "LeftForeArm", elbow_axis(), 140.0 * amount);
        close_fingers(poser, side, 40.0 * amount);
    }
}

/// A squat on flat feet, arms forwards for balance.
fn knee_bend(poser: &mut Poser<'_>, amount: f64) {
    poser.move_hips(DVec3::new(0.0, -0.40 * amount, -0.13 * amount));
    poser.turn("Hips", DVec3::X, 28.0 * amount);
    poser.turn("LowerBack", DVec3::X, 6.0 * amount);
    poser.turn("Spine", DVec3::X, 6.0 * amount);
    poser.turn("Neck", DVec3::X, -14.0 * amount);
    poser.turn("Head", DVec3::X, -12.0 * amount);
    for side in Side::BOTH {
        poser.turn_side(side, "LeftArm", DVec3::Y, -48.0 * amount);
        poser.turn_side(side, "LeftArm", DVec3::X, -88.0 * amount);
        poser.place_foot(side, side.point(ANKLE.as_dvec3()), DQuat::IDENTITY);
    }
}

/// Both forearms by 150° about themselves, the trunk by 60° over its joints.
fn twist(poser: &mut Poser<'_>, amount: f64) {
    for (joint, degrees) in [("LowerBack", 15.0), ("Spine", 20.0), ("Spine1", 25.0), ("Neck", 10.0), ("Head", 10.0)] {
        poser.turn(joint, DVec3::Y, degrees * amount);
    }
    for side in Side::BOTH {
        poser.turn_side(side, "LeftForeArm", (WRIST - ELBOW).as_dvec3(), -150.0 * amount);
    }
}
