//! Jobs: their progress and their results.

use serde::Serialize;
use sinew::bind::JointReport;
use sinew_tasks::bind::Report;

/// The progress of a job.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    /// 0 to 1.
    pub done: f64,
    /// The current step.
    pub text: String,
}

/// A request that cannot be answered.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Failed {
    /// The reason, for people.
    pub message: String,
    /// Whether the page cancelled the job.
    pub cancelled: bool,
}

/// Volumes over a clip, in the file's units; `null` if no mesh is closed.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Plotted {
    /// Seconds.
    pub times: Vec<f64>,
    /// At rest.
    pub rest: Vec<Option<f64>>,
    /// Of the skin alone.
    pub base: Vec<Option<f64>>,
    /// Of the finished surface.
    #[serde(rename = "final")]
    pub last: Vec<Option<f64>>,
}

/// A character with new weights.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bound {
    /// Requests name the character by it.
    pub key: String,
    /// The result.
    pub report: BindReport,
}

/// The result of a binding.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BindReport {
    /// Vertices of the meshes.
    pub vertices: usize,
    /// Vertices whose weights sum to one.
    pub weighted: usize,
    /// Connected components without a bone in reach.
    pub islands: usize,
    /// Repairs and guesses, a sentence each.
    pub repairs: Vec<String>,
    /// The joints.
    pub joints: Vec<BoundJoint>,
    /// The largest share that pruning took from a vertex.
    pub pruning_error: f64,
    /// Times by phase.
    pub milliseconds: BindTimes,
}

/// The weights of a joint.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoundJoint {
    /// Its name.
    pub name: String,
    /// Vertices that it moves.
    pub vertices: usize,
    /// Its mean weight over all vertices.
    pub mean_weight: f64,
}

/// Milliseconds by phase. Phases that a method does not have are zero.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BindTimes {
    /// The voxel grid.
    pub voxels: f64,
    /// Distances through it.
    pub distances: f64,
    /// The factorisation of the heat equation.
    pub factorisation: f64,
    /// Its solution for every bone.
    pub solves: f64,
    /// Pruning to the number of influences.
    pub pruning: f64,
    /// Everything.
    pub total: f64,
}

impl From<Report> for BindReport {
    fn from(Report { binding, milliseconds, .. }: Report) -> Self {
        let joint = |JointReport { name, vertices, mean_weight }| BoundJoint { name, vertices, mean_weight };
        Self {
            vertices: binding.vertices,
            weighted: binding.weighted,
            islands: binding.islands,
            repairs: binding.repairs,
            joints: binding.joints.into_iter().map(joint).collect(),
            pruning_error: binding.pruning_error,
            milliseconds: BindTimes {
                voxels: milliseconds.voxels,
                distances: milliseconds.distances,
                factorisation: milliseconds.factorisation,
                solves: milliseconds.solves,
                pruning: milliseconds.pruning,
                total: milliseconds.total,
            },
        }
    }
}

/// A clip as a file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Baked {
    /// The name of the file.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its address, which can be fetched once.
    pub url: String,
}
