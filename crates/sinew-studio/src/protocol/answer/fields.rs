//! The fields of an implicit skin.

use crate::protocol::ArrayRange;
use serde::Serialize;

/// The fields of the limbs at a moment.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fields {
    /// The limbs.
    pub limbs: Vec<LimbInfo>,
    /// Intersecting pairs of triangles.
    pub crossings: Crossings,
    /// The surface of the fields, if the request has `surface`.
    pub surface: Option<FieldSurface>,
    /// Contour lines, if the request names a joint for them.
    pub cut: Option<FieldCut>,
    /// The samples of a limb; `null` if the joint carries none.
    pub samples: Option<FieldSamples>,
}

/// A limb.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LimbInfo {
    /// The index of its joint.
    pub joint: usize,
    /// Number of points.
    pub points: usize,
    /// Number of samples; `null` if it has no field.
    pub samples: Option<usize>,
    /// The mean distance of its points from the field's surface, in radii of the limb.
    pub fit: f64,
    /// The largest of these distances.
    pub worst: f64,
    /// Whether the joint above it keeps its two limbs apart.
    pub has_joint: bool,
}

/// Intersecting pairs of triangles.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Crossings {
    /// Of the skin alone.
    pub base: usize,
    /// Of the finished surface.
    #[serde(rename = "final")]
    pub last: usize,
}

/// The surface on which the density is ½.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldSurface {
    /// Three f32 per vertex.
    pub positions: ArrayRange,
    /// Three f32 per vertex.
    pub normals: ArrayRange,
    /// Triangles, u32.
    pub indices: ArrayRange,
}

/// Contour lines of the density on a plane through a joint.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldCut {
    /// The name of the joint.
    pub joint: String,
    /// The corners of the plane.
    pub corners: [[f64; 3]; 4],
    /// The lines.
    pub lines: Vec<ContourLine>,
}

/// A contour line.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContourLine {
    /// The density on it.
    pub level: f64,
    /// Six f32 per segment.
    pub segments: ArrayRange,
}

/// The samples of a limb.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldSamples {
    /// The name of the joint that carries the limb.
    pub joint: String,
    /// Six f32 per sample, at rest: position and normal.
    pub rows: ArrayRange,
    /// The matrix from rest to the pose, column-major.
    pub motion: [f64; 16],
}
