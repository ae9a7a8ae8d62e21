//! A mesh and a skeleton become a rig, without painting.
//!
//! [`bind`] gives every vertex shares of the joints whose bones are near *through the inside* of the body;
//! [`adopt`] puts a mesh on another skeleton first, and [`weighted_joints`] says which joints of a file take
//! part when it is bound again. What was mended, and what could not be, is in the [`BindReport`].

mod adopt;
mod bones;
mod distance;
mod error;
mod fans;
mod front;
mod geodesic;
mod heat;
mod islands;
mod march;
mod openness;
mod orient;
mod reach;
mod report;
mod rest;
mod settings;
pub mod skeleton_fit;
mod territory;
mod voxels;
pub mod weight_transfer;

pub use adopt::adopt;
pub use error::{Error, Result};
pub use report::{BindReport, JointReport};
pub use settings::{BindMethodKind, BindSettings, MAX_INFLUENCES};

use bones::Bones;
use geodesic::Findings;
use rest::RestSurface;
use sinew_rig::{Character, Weights};

/// How weights are found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum BindMethod {
    /// Distances through the inside of the body, then heat diffusion over its surface.
    #[default]
    Geodesic,
    /// `1/d^α` of the distance to each bone, whatever lies between.
    Distance {
        /// The larger, the more local.
        alpha: f64,
    },
}

/// What a person can choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BindOptions {
    /// How weights are found.
    pub method: BindMethod,
    /// The most joints that move a vertex.
    pub influences: usize,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self::from(&BindSettings::default())
    }
}

/// What a binding is busy with, in this order; what a binding does not need it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Which way is out, how the surface conducts heat, how long bones are, and a grid of points inside.
    Voxels,
    /// From bones on straight ways, and around corners where those are blocked; beside them, where the factor of the
    /// heat equation has entries.
    Distances,
    /// Of the surface's heat equation, in numbers.
    Factorisation,
    /// Of that equation, for every bone.
    Solves,
    /// To as many influences as were asked for.
    Pruning,
}

/// Who is told what comes next.
pub type Progress<'a> = &'a mut dyn FnMut(Phase);

/// A bound character.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The character with new weights; all else is as it was.
    pub character: Character,
    /// What was done.
    pub report: BindReport,
}

/// Binds the meshes of a character to `joints` of its skeleton: the skinned ones, or all if none is.
/// Meshes that follow a node rigidly beside skinned ones stay as they are. `progress` is told what comes
/// next.
pub fn bind(character: &Character, joints: &[usize], options: &BindOptions, progress: Progress<'_>) -> Result<Bound> {
    let surface = RestSurface::new(character)?;
    let mut bones = Bones::new(character, joints, &surface)?;
    let (rows, findings) = match options.method {
        BindMethod::Distance { alpha } => {
            progress(Phase::Distances);
            (distance::weights(&surface, &bones.segments, alpha, options.influences), Findings::default())
        }
        BindMethod::Geodesic => geodesic::weights(&surface, &mut bones, progress)?,
    };
    progress(Phase::Pruning);
    let mut shares = Weights::with_capacity(rows.len(), 4 * rows.len());
    rows.into_iter().for_each(|row| shares.push(row));
    let (shares, pruning_error) = shares.pruned(options.influences.max(1));
    let mut bound = character.clone();
    surface.write(&mut bound, joints, &shares);
    let mut report = BindReport::new(&bound, joints, &surface, &shares, pruning_error.into());
    report.islands = findings.islands;
    let snapped = (surface.snapped() > 0)
        .then(|| format!("{} vertices that are next to others were taken for the same", surface.snapped()));
    report.repairs = snapped.into_iter().chain(bones.notes).chain(findings.repairs).chain(report.unused()).collect();
    bound.check()?;
    Ok(Bound { character: bound, report })
}

/// The joints that carry weight in a file, which are those that take part when it is bound again; all
/// real joints if nothing is skinned.
pub fn weighted_joints(character: &Character) -> Vec<usize> {
    let mut carries = vec![false; character.skeleton.len()];
    for part in character.parts.iter().filter(|part| part.skinned) {
        for influence in part.binding.weights.rows().flatten().filter(|i| i.weight > LEAST_WEIGHT) {
            carries[part.binding.joints[influence.joint as usize]] = true;
        }
    }
    let weighted: Vec<usize> = (0..carries.len()).filter(|&joint| carries[joint]).collect();
    if weighted.is_empty() { character.joints().collect() } else { weighted }
}

/// A joint whose share is nowhere above this carries no weight.
const LEAST_WEIGHT: f32 = 1e-3;
