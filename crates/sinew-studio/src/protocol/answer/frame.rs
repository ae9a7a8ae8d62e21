//! The surface at a moment.

use super::CageOutcome;
use crate::protocol::ArrayRange;
use serde::Serialize;

/// A frame.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// The character.
    pub key: String,
    /// Seconds in the clip.
    pub seconds: f64,
    /// The time that the deformation took.
    pub milliseconds: f64,
    /// World matrices, sixteen f32 for each joint of the character.
    pub joints: ArrayRange,
    /// The same without the edit of the motion, where there is one.
    pub source: Option<ArrayRange>,
    /// Volumes; `null` if no mesh is closed.
    pub volume: Option<Volumes>,
    /// The volume that each joint loses without the volume stage.
    pub changes: Vec<JointChange>,
    /// What the implicit skin did; `null` without it.
    pub implicit: Option<ImplicitFrame>,
    /// What the flesh did; `null` in a frame without flesh.
    pub flesh: Option<FleshFrame>,
    /// The muscles; `null` if the recipe has none.
    pub muscles: Option<MusclesFrame>,
    /// The cage; `null` if the mesh does not follow one.
    pub cage: Option<CageFrame>,
    /// Problems of the recipe on this character.
    pub warnings: Vec<String>,
    /// The surface of the recipe, then that of the comparison.
    pub surfaces: Vec<SurfaceFrame>,
    /// The range of the values that the colors span.
    pub range: Option<[f32; 2]>,
}

/// A deformed surface.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SurfaceFrame {
    /// The number of its topology.
    pub topology: u32,
    /// Three f32 per vertex.
    pub positions: ArrayRange,
    /// Three f32 per vertex.
    pub normals: ArrayRange,
    /// The measured quantity, one f32 per vertex.
    pub values: Option<ArrayRange>,
}

/// Volumes in the file's units.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Volumes {
    /// At rest.
    pub rest: f64,
    /// Of the skin alone.
    pub base: f64,
    /// Of the finished surface.
    #[serde(rename = "final")]
    pub last: f64,
}

/// The change of volume at a joint.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JointChange {
    /// The index of the joint.
    pub joint: usize,
    /// The change, in the file's units.
    pub change: f64,
}

/// The implicit skin in a frame.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImplicitFrame {
    /// Number of points that it moved.
    pub moved: usize,
    /// Number of those that touch another limb.
    pub touching: usize,
}

/// The flesh in a frame.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleshFrame {
    /// Whether it is coarse and goes on from the frame before, as the document changes.
    pub live: bool,
    /// Iterations of the solver.
    pub iterations: usize,
    /// The largest distance that a node still moved in the last of them, in edges of its tetrahedra.
    pub residual: f64,
    /// The largest distance between a bone and the flesh that it holds, in limb radii.
    #[serde(rename = "yield")]
    pub yielded: f64,
    /// Contacts between points of the skin and other parts.
    pub contacts: usize,
    /// The smallest share of its volume that a tetrahedron has; zero or less where one is turned over.
    pub smallest_volume: f64,
    /// The volume of the flesh, as a share of that at rest.
    pub volume: f64,
    /// The joint whose flesh has the volume farthest from that at rest.
    pub worst_region: Option<FleshRegion>,
    /// Limbs without a bone in their flesh.
    pub warnings: Vec<String>,
}

/// The flesh of a joint: the tetrahedra that it carries most of.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleshRegion {
    /// The index of the joint.
    pub joint: usize,
    /// The volume of its flesh, as a share of that at rest.
    pub volume: f64,
}

/// The muscles in a frame.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MusclesFrame {
    /// The number of the muscles.
    pub musculature: u32,
    /// The activation of each mesh, f32.
    pub activations: ArrayRange,
    /// The meshes, if the request has `muscles`.
    pub shape: Option<MuscleShape>,
}

/// The vertices of all muscle meshes.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MuscleShape {
    /// Three f32 per vertex.
    pub positions: ArrayRange,
    /// Three f32 per vertex.
    pub normals: ArrayRange,
}

/// The cage in a frame.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CageFrame {
    /// Vertices of the control mesh, three f32 each.
    pub places: ArrayRange,
    /// The result of the solver; `null` if no handle is held.
    pub outcome: Option<CageOutcome>,
}

/// The weight of a joint.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Weights {
    /// The number of the topology.
    pub topology: u32,
    /// One f32 per vertex.
    pub values: ArrayRange,
}
