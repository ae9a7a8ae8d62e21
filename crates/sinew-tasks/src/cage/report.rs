//! What a motion did to a caged character.

use super::enclose::BuildReport;
use serde::Serialize;
use std::fmt;

/// A motion, frame by frame.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The cage.
    pub cage: BuildReport,
    /// How the mesh follows.
    pub embedding: &'static str,
    /// What lengths of the capture were multiplied by; null for joints.
    pub capture_scale: Option<f64>,
    /// One entry per frame.
    pub frames: Vec<FrameReport>,
    /// How long everything took.
    pub milliseconds: Milliseconds,
    /// What there is to know.
    pub warnings: Vec<String>,
}

/// One frame. Lengths are in the file's units.
#[derive(Debug, Clone, Serialize)]
pub struct FrameReport {
    /// Seconds in the motion.
    pub time: f64,
    /// The volume of the closed meshes at rest; null if none is closed.
    pub volume_rest: Option<f64>,
    /// Their volume now.
    pub volume: Option<f64>,
    /// What the tetrahedra gained or lost of their volume, as a share of it.
    pub control_volume_error: f64,
    /// How far edges are from being turned only: the root of their mean weighted squares, relative to their lengths.
    pub rigidity: f64,
    /// The largest relative error of a length along the bones.
    pub segment_error: f64,
    /// How far markers or joints are from their places, the farthest.
    pub handle_error: f64,
    /// Tetrahedra that are turned over.
    pub inverted: usize,
    /// The mean distance to the same character skinned; null without a skin or with markers.
    pub skin_distance: Option<f64>,
    /// Turns of the solver.
    pub iterations: usize,
    /// What the frame took, the solver and the surface.
    pub milliseconds: f64,
    /// The solver.
    pub solve_milliseconds: f64,
    /// The surface.
    pub surface_milliseconds: f64,
}

/// How long the parts of the work took that are done once.
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
    /// The largest of something over all frames.
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
            "{} frames, volume within {:.2} %, lengths of bones within {:.1e}, rigidity {:.3} at worst, \
             {inverted} tetrahedra turned over, {:.1} ms a frame",
            self.frames.len(),
            1e2 * self.volume_error(),
            self.most(|frame| frame.segment_error),
            self.most(|frame| frame.rigidity),
            self.milliseconds.frames / self.frames.len().max(1) as f64
        )
    }
}
