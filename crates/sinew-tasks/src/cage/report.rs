//! The report of a driven mesh as data.

use super::enclose::BuildReport;
use serde::Serialize;
use std::fmt;

/// The measurements of a driven mesh.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The cage.
    pub cage: BuildReport,
    /// The embedding of the mesh in the cage.
    pub embedding: &'static str,
    /// The factor of the capture's lengths; absent for joints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_scale: Option<f64>,
    /// One entry per frame.
    pub frames: Vec<FrameReport>,
    /// The times of the work.
    pub milliseconds: Milliseconds,
    /// The warnings.
    pub warnings: Vec<String>,
}

/// One frame. Lengths are in the file's units.
#[derive(Debug, Clone, Serialize)]
pub struct FrameReport {
    /// Seconds in the motion.
    pub time: f64,
    /// The volume of the closed meshes at rest; absent if none is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_rest: Option<f64>,
    /// Their volume now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The change of the volume of the tetrahedra, as a share of it.
    pub control_volume_error: f64,
    /// The deviation of edges from a rotation: the root of the weighted mean square, relative to their lengths.
    pub rigidity: f64,
    /// The largest relative error of a length along the bones.
    pub segment_error: f64,
    /// The largest distance of a marker or joint from its goal.
    pub handle_error: f64,
    /// Inverted tetrahedra.
    pub inverted: usize,
    /// The mean distance to the same character skinned; absent without a skin or with markers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin_distance: Option<f64>,
    /// Local–global iterations.
    pub iterations: usize,
    /// The time of the solver and the surface together.
    pub milliseconds: f64,
    /// The time of the solver.
    pub solve_milliseconds: f64,
    /// The time of the surface.
    pub surface_milliseconds: f64,
}

/// Times by step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Milliseconds {
    /// The cage.
    pub cage: f64,
    /// The tetrahedra.
    pub tetrahedra: f64,
    /// The system and the coordinates of the mesh.
    pub factor: f64,
    /// All frames.
    pub frames: f64,
}

impl Report {
    /// The largest value of a measurement over all frames.
    pub fn most(&self, pick: impl Fn(&FrameReport) -> f64) -> f64 {
        self.frames.iter().map(pick).fold(0.0, f64::max)
    }

    /// The largest change of the mesh's volume, as a share of it; that of the tetrahedra if no mesh is closed.
    pub fn volume_error(&self) -> f64 {
        self.most(|frame| frame.volume_error().abs())
    }
}

impl FrameReport {
    /// The change of the mesh's volume, as a share of it; that of the tetrahedra if no mesh is closed.
    pub fn volume_error(&self) -> f64 {
        self.volume.zip(self.volume_rest).map_or(self.control_volume_error, |(now, rest)| now / rest - 1.0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inverted: usize = self.frames.iter().map(|frame| frame.inverted).sum();
        write!(
            f,
            "{} frames, volume within {:.2} %, bone lengths within {:.1e}, rigidity error {:.3} at most, \
             {inverted} inverted tetrahedra, {:.1} ms a frame",
            self.frames.len(),
            1e2 * self.volume_error(),
            self.most(|frame| frame.segment_error),
            self.most(|frame| frame.rigidity),
            self.milliseconds.frames / self.frames.len().max(1) as f64
        )
    }
}
