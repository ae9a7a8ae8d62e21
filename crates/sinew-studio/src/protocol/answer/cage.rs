//! A cage.

use crate::protocol::ArrayRange;
use serde::Serialize;
use sinew_tasks::cage::BuildReport;

/// A cage that is built.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Caged {
    /// Its size and quality.
    pub report: CageReport,
    /// Vertices of the control mesh at rest, three f32 each.
    pub places: ArrayRange,
    /// Triangles of the cage, u32.
    pub surface: ArrayRange,
    /// Tetrahedra, u32.
    pub tetrahedra: ArrayRange,
    /// The mesh at rest, three f32 per vertex.
    pub rest: ArrayRange,
    /// The markers.
    pub markers: Vec<CageMarker>,
    /// The bones with a parent, whose rotations can be limited.
    pub bones: Vec<CageBone>,
}

/// A marker.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CageMarker {
    /// Its label.
    pub label: String,
    /// Its vertex of the control mesh.
    pub vertex: u32,
}

/// A bone with a parent, with the frame at rest in which its rotation is limited: x along it, z across the bend.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CageBone {
    /// The index of its joint.
    pub joint: usize,
    /// The index of its parent's joint.
    pub parent: usize,
    /// The frame as `x y z w`.
    pub frame: [f64; 4],
    /// Its length.
    pub length: f64,
}

/// The size and the quality of a cage.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CageReport {
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Vertices of the cage.
    pub cage_vertices: usize,
    /// Triangles of the cage.
    pub cage_triangles: usize,
    /// Vertices of the tetrahedra, with those of the cage.
    pub control_vertices: usize,
    /// Number of tetrahedra.
    pub tetrahedra: usize,
    /// The least quality of a tetrahedron; 1 for a regular one.
    pub least_quality: f64,
    /// The mean quality.
    pub mean_quality: f64,
    /// Tetrahedra with a quality below 0.1.
    pub slivers: usize,
    /// Joints, tips of bones and markers outside the cage, which are only linked to it.
    pub linked: usize,
    /// The volume of the cage, in volumes of the mesh; `null` for open meshes.
    pub volume_share: Option<f64>,
    /// Joints inside.
    pub joints: usize,
    /// The labels of the markers.
    pub markers: Vec<String>,
    /// The times of the cage and of the tetrahedra.
    pub milliseconds: [f64; 2],
    /// Problems.
    pub warnings: Vec<String>,
}

impl From<&BuildReport> for CageReport {
    fn from(report: &BuildReport) -> Self {
        Self {
            vertices: report.vertices,
            cage_vertices: report.cage_vertices,
            cage_triangles: report.cage_triangles,
            control_vertices: report.control_vertices,
            tetrahedra: report.tetrahedra,
            least_quality: report.least_quality,
            mean_quality: report.mean_quality,
            slivers: report.slivers,
            linked: report.linked,
            volume_share: report.volume_share,
            joints: report.joints,
            markers: report.markers.clone(),
            milliseconds: report.milliseconds,
            warnings: report.warnings.clone(),
        }
    }
}

/// How a mesh followed its cage in a frame.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CageOutcome {
    /// Whether the solver converged: the same request again would not move anything.
    pub settled: bool,
    /// The relative change of the volume of all tetrahedra.
    pub volume_error: f64,
    /// The root mean square of the weighted stretch of the edges, relative to their lengths.
    pub rigidity: f64,
    /// The largest relative error of a length along the bones.
    pub bone_error: f64,
    /// The distance of the farthest handle from its target, in the file's units.
    pub handle_error: f64,
    /// Inverted tetrahedra.
    pub inverted: usize,
    /// Iterations of the solver.
    pub iterations: usize,
}
