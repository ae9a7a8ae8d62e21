//! The goals and options of an edit.

use crate::Result;
use glam::{DQuat, DVec3};

/// How a motion is edited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionEditOptions {
    /// The direction away from the ground.
    pub up: DVec3,
    /// α of L13 eq. 7.3: how much stiffer points that move little are in time.
    pub alpha: f64,
    /// β of L13 eq. 7.3: how quickly that falls with their speed.
    pub beta: f64,
    /// The weight that pulls points to the source: larger values keep an edit nearer to its pins.
    pub stay: f64,
    /// Whether foot contacts are kept.
    pub keep_contacts: bool,
    /// Whether the first frames may change; only where the range begins with the clip.
    pub free_start: bool,
    /// Whether the last frames may change; only where the range ends with the clip.
    pub free_end: bool,
    /// Local–global iterations.
    pub iterations: usize,
}

impl Default for MotionEditOptions {
    fn default() -> Self {
        Self {
            up: DVec3::Y,
            alpha: 10.0,
            beta: 5.0,
            stay: 0.05,
            keep_contacts: true,
            free_start: false,
            free_end: false,
            iterations: 40,
        }
    }
}

impl MotionEditOptions {
    /// The direction up as a unit vector, if all numbers make sense.
    pub(super) fn checked_up(&self) -> Result<DVec3> {
        let numbers = [("alpha", self.alpha), ("beta", self.beta), ("stay", self.stay)];
        if let Some(&(what, value)) = numbers.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            return Err(sinew_geometry::Error::OutOfRange { what, value, range: "zero or more" }.into());
        }
        self.up.try_normalize().ok_or(sinew_rig::Error::NoUp.into())
    }
}

/// A joint that is to be somewhere in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pin {
    /// The joint.
    pub joint: usize,
    /// The frame of the clip.
    pub frame: usize,
    /// Where the joint is to be, in the world.
    pub position: DVec3,
    /// Its orientation in the world, as far as the directions of its bones determine it.
    pub orientation: Option<DQuat>,
}
