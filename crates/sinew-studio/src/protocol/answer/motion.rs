//! Motion edits.

use crate::protocol::ArrayRange;
use serde::Serialize;
use sinew_tasks::motion;

/// The effect of a recipe's pins on a clip. Without pins it has the trajectory of the joint alone.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Motion {
    /// The character.
    pub key: String,
    /// The first and the last frame that may change.
    pub range: [usize; 2],
    /// The trajectory of the joint, if the request names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trail: Option<Trajectory>,
    /// The position of the joint in the frame of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub place: Option<[f64; 3]>,
    /// The positions of the feet of `report.contacts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub stands: Option<Vec<[f64; 3]>>,
    /// The result of the edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub report: Option<MotionReport>,
}

/// The positions of a joint in the frames of the range, three f32 each.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trajectory {
    /// The name of the joint.
    pub joint: String,
    /// In the clip.
    pub source: ArrayRange,
    /// In the edited clip, where there is an edit.
    pub edited: Option<ArrayRange>,
}

/// The result of a motion edit. Lengths are in the file's units.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MotionReport {
    /// The pins.
    pub pins: Vec<PinReport>,
    /// The feet on the ground.
    pub contacts: Vec<ContactReport>,
    /// The mean relative error of the segments' lengths over all frames.
    pub relative_distance_error: f64,
    /// The largest of these errors.
    pub largest_distance_error: f64,
    /// How often a joint was at its limit.
    pub limited: usize,
    /// Local–global iterations.
    pub iterations: usize,
    /// Problems.
    pub warnings: Vec<String>,
}

/// A pin.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PinReport {
    /// The name of the joint.
    pub joint: String,
    /// The frame.
    pub frame: usize,
    /// The target.
    pub position: [f64; 3],
    /// The distance from the target.
    pub residual: f64,
}

/// A foot on the ground.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContactReport {
    /// The name of the joint.
    pub joint: String,
    /// Whether the tip of its bone is on the ground.
    pub tip: bool,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// The distance that it slides.
    pub slide: f64,
}

impl From<motion::EditReport> for MotionReport {
    fn from(summary: motion::EditReport) -> Self {
        let pin =
            |motion::PinReport { joint, frame, position, residual }| PinReport { joint, frame, position, residual };
        let contact =
            |motion::ContactReport { joint, tip, first, last, slide }| ContactReport { joint, tip, first, last, slide };
        Self {
            pins: summary.pins.into_iter().map(pin).collect(),
            contacts: summary.contacts.into_iter().map(contact).collect(),
            relative_distance_error: summary.relative_distance_error,
            largest_distance_error: summary.largest_distance_error,
            limited: summary.limited,
            iterations: summary.iterations,
            warnings: summary.warnings,
        }
    }
}

/// A motion as a file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MotionFile {
    /// The name of the file.
    pub name: String,
    /// Its bytes.
    pub content: ArrayRange,
}
