//! The muscles.

use crate::protocol::ArrayRange;
use serde::Serialize;
use sinew::deform::muscle::{Keys, Place};
use std::collections::BTreeMap;

/// The muscles of a recipe on a character. Frames refer to them by their number.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Musculature {
    /// Their number.
    pub musculature: u32,
    /// Vertices of each mesh.
    pub vertices: usize,
    /// Triangles of each mesh, u32.
    pub indices: ArrayRange,
    /// The colors of a mesh.
    pub colors: MuscleColors,
    /// The segments of the left and of the right side, by name.
    pub segments: [BTreeMap<&'static str, SegmentInfo>; 2],
    /// Every muscle of both sides, with those that are off.
    pub muscles: Vec<MuscleInfo>,
}

/// Linear RGB by activation.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MuscleColors {
    /// At activation 0.
    pub relaxed: [f32; 3],
    /// At activation 1.
    pub active: [f32; 3],
}

/// A segment of the body.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SegmentInfo {
    /// The index of its joint.
    pub joint: usize,
    /// The matrix from shares of the segment to the bind pose, column-major.
    pub from_shares: [f32; 16],
}

/// A muscle of one side. Positions are in the bind pose.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MuscleInfo {
    /// Its name, with its side.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Whether the recipe leaves it out.
    pub off: bool,
    /// Its fibres among the meshes of a frame; empty if the body has no place for it.
    pub meshes: Vec<usize>,
    /// Its origin.
    #[cfg_attr(test, ts(type = "MusclePlace[]"))]
    pub from: Vec<Place>,
    /// Its insertion.
    #[cfg_attr(test, ts(type = "MusclePlace[]"))]
    pub to: Vec<Place>,
    /// The positions of both.
    pub ends: MuscleEnds,
    /// The radius of the belly, as a share of the length.
    pub radius: f64,
    /// α and β of the profile at rest, then when active.
    pub shape: [u8; 4],
    /// The profile as a sum of sines; `null` if `shape` is the profile.
    pub series: Option<Vec<f64>>,
    /// `null` if the motion itself activates it.
    #[cfg_attr(test, ts(type = "Keys | null"))]
    pub activation: Option<Keys>,
    /// The width.
    #[cfg_attr(test, ts(type = "Keys"))]
    pub width: Keys,
    /// The eccentricity.
    #[cfg_attr(test, ts(type = "Keys"))]
    pub eccentricity: Keys,
    /// The stiffness.
    #[cfg_attr(test, ts(type = "Keys"))]
    pub stiffness: Keys,
}

/// A side of the body.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

/// The positions of a muscle's ends.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MuscleEnds {
    /// The origin.
    pub from: Vec<MusclePoint>,
    /// The insertion.
    pub to: Vec<MusclePoint>,
}

/// A point that moves with a joint.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MusclePoint {
    /// The index of the joint.
    pub joint: usize,
    /// Its position.
    pub position: [f64; 3],
}

/// A muscle's profile fitted to a drawing: α and β, or a series.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FittedSketch {
    /// The corners of the drawing, with y downwards.
    pub outline: Vec<[f64; 2]>,
    /// The corners of the profile over it.
    pub profile: Vec<[f64; 2]>,
    /// α and β at rest, then when active.
    pub shape: Option<[u8; 4]>,
    /// The coefficients of a sum of sines.
    pub series: Option<Vec<f64>>,
    /// The radius of the belly, as a share of the length.
    pub radius: f64,
    /// The error of the radii, relative to them.
    pub error: f64,
    /// The family and the error in words.
    pub about: String,
}
