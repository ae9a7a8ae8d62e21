//! The `[motion]` table: how a captured motion is changed.

use serde::{Deserialize, Serialize};
use sinew_settings::limits;
use std::collections::BTreeMap;

/// The `[motion]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionRecipe {
    /// The first and the last frame that may change, counted from 0 in the clip's own frames; none for the whole clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[usize; 2]>,
    /// Whether feet that stand stay where they stand.
    pub keep_contacts: bool,
    /// How strongly everything is drawn to the source: larger values keep an edit nearer to its pins.
    #[serde(deserialize_with = "limits::stay")]
    pub stay: f64,
    /// Whether the first frames may change; only where the range begins with the clip.
    pub free_start: bool,
    /// Whether the last frames may change; only where the range ends with the clip.
    pub free_end: bool,
    /// Joints that are to be somewhere in some frame.
    pub pins: Vec<PinRecipe>,
    /// How far joints may turn from their rest, by name.
    pub limits: BTreeMap<String, LimitRecipe>,
}

impl Default for MotionRecipe {
    fn default() -> Self {
        Self {
            range: None,
            keep_contacts: true,
            stay: 0.05,
            free_start: false,
            free_end: false,
            pins: Vec::new(),
            limits: BTreeMap::new(),
        }
    }
}

/// A joint that is to be somewhere in a frame: at a place of the world, or moved from where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinRecipe {
    /// The joint's name.
    pub joint: String,
    /// The frame, counted from 0 in the clip's own frames.
    pub frame: usize,
    /// Where it is to be in the world, in the file's units and axes; this or an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 3]>,
    /// How far from where the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<[f64; 3]>,
    /// How it is turned from what the source has; none for as it comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnRecipe>,
}

/// A rotation in the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecipe {
    /// The axis, of any length above zero.
    pub axis: [f64; 3],
    /// The angle.
    pub degrees: f64,
}

/// The largest angles of a joint, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitRecipe {
    /// How far its bone may swing from its direction at rest.
    #[serde(deserialize_with = "limits::half_turn")]
    pub swing: f64,
    /// How far it may twist about its bone, either way.
    #[serde(deserialize_with = "limits::half_turn")]
    pub twist: f64,
}

impl Default for LimitRecipe {
    fn default() -> Self {
        Self { swing: 180.0, twist: 180.0 }
    }
}
