//! Gestures of arms and hands that several clips share.

use super::hand;
use super::landmarks::{ELBOW, SHOULDER, WRIST};
use super::poser::{Poser, Side};
use glam::DVec3;

/// The axis about which the left elbow bends: across the arm's own slight bend at rest.
pub(super) fn elbow_axis() -> DVec3 {
    (ELBOW - SHOULDER).cross(WRIST - ELBOW).as_dvec3().normalize()
}

/// Closes the hand, by degrees at every knuckle.
pub(super) fn close_fingers(poser: &mut Poser<'_>, side: Side, degrees: f64) {
    let [_, thumbwards, _] = hand::axes();
    for digit in &hand::digits()[..4] {
        for joint in digit.joints {
            poser.turn_side(side, joint, -thumbwards.as_dvec3(), degrees);
        }
    }
}
