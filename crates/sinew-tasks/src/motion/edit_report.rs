//! The report of an edited or retargeted motion as data.

use serde::Serialize;
use sinew::motion::edit;
use sinew::rig::Character;
use std::fmt;

/// The result of an edit, for other programs.
#[derive(Debug, Serialize)]
pub struct EditReport {
    /// The pins.
    pub pins: Vec<PinReport>,
    /// The contacts of feet with the ground.
    pub contacts: Vec<ContactReport>,
    /// `mean |‖v_i − v_j‖ / d_ij − 1|` over all segments of all frames.
    pub relative_distance_error: f64,
    /// The largest of these.
    pub largest_distance_error: f64,
    /// How often a limit stopped a joint.
    pub limited: usize,
    /// Local–global iterations.
    pub iterations: usize,
    /// The warnings.
    pub warnings: Vec<String>,
}

/// A pin, in the file's units.
#[derive(Debug, Serialize)]
pub struct PinReport {
    /// The joint.
    pub joint: String,
    /// The frame.
    pub frame: usize,
    /// The goal.
    pub position: [f64; 3],
    /// The distance of the joint from the goal.
    pub residual: f64,
}

/// A contact of a foot with the ground.
#[derive(Debug, Serialize)]
pub struct ContactReport {
    /// The joint.
    pub joint: String,
    /// Whether the tip of the joint's bone is in contact, instead of the joint.
    pub tip: bool,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// The distance that it slides, in the file's units.
    pub slide: f64,
}

impl EditReport {
    /// The report of an edit of a character's motion, with joints by name.
    pub fn new(character: &Character, report: &edit::EditReport, warnings: Vec<String>) -> Self {
        let name = |joint: usize| character.skeleton.joints()[joint].name.clone();
        let pin = |edit::PinReport { pin, residual }: &edit::PinReport| PinReport {
            joint: name(pin.joint),
            frame: pin.frame,
            position: pin.position.to_array(),
            residual: *residual,
        };
        let contact = |contact: &edit::Contact| ContactReport {
            joint: name(contact.joint),
            tip: contact.is_tip,
            first: *contact.frames.start(),
            last: *contact.frames.end(),
            slide: contact.slide,
        };
        Self {
            pins: report.pins.iter().map(pin).collect(),
            contacts: report.contacts.iter().map(contact).collect(),
            relative_distance_error: report.relative_distance_error,
            largest_distance_error: report.largest_distance_error,
            limited: report.limited,
            iterations: report.iterations,
            warnings,
        }
    }
}

impl fmt::Display for EditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let residual = self.pins.iter().map(|pin| pin.residual).fold(0.0, f64::max);
        let slide = self.contacts.iter().map(|contact| contact.slide).fold(0.0, f64::max);
        match self.pins.len() {
            0 => {}
            1 => write!(f, "the pin is missed by {residual:.2e}, ")?,
            count => write!(f, "{count} pins are missed by {residual:.2e} at most, ")?,
        }
        match self.contacts.len() {
            0 => f.write_str("no foot contact")?,
            1 => write!(f, "1 foot contact slides by {slide:.2e}")?,
            count => write!(f, "{count} foot contacts slide by {slide:.2e} at most")?,
        }
        write!(f, ", bone lengths within {:.1e}", self.largest_distance_error)
    }
}
