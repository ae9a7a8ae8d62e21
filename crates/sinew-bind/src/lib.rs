//! Automatic skin weights: a mesh and a skeleton become a rig.
//!
//! [`bind`] weights every vertex by the joints whose bones are near *through the inside* of the body; a [`Binder`] does so
//! several times on one mesh. [`adopt`] puts a
//! mesh on another skeleton first, and [`weighted_joints`] lists the joints that take part when a file is bound again.
//! The [`BindReport`] lists repairs and guesses. [`skeleton_fit`] places a skeleton into a mesh, and
//! [`weight_transfer`] copies weights from a rigged mesh.

mod adopt;
mod bones;
mod diffusion;
mod error;
mod face_orientation;
mod geodesic;
mod geodesic_weights;
mod inverse_distance;
mod islands;
mod report;
mod rest_surface;
mod settings;
pub mod skeleton_fit;
pub mod weight_transfer;

pub use adopt::adopt;
pub use error::{Error, Result};
pub use report::{BindReport, JointReport};
pub use settings::{BindMethodKind, BindSettings, MAX_INFLUENCES};

use bones::Bones;
use geodesic_weights::{GeodesicReport, GeodesicSurface};
use rest_surface::RestSurface;
use sinew_rig::{Character, Weights};

/// The method that computes weights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum BindMethod {
    /// Geodesic distances through the inside of the body, then diffusion over its surface.
    #[default]
    Geodesic,
    /// `1/d^α` of the Euclidean distance d to each bone.
    Distance {
        /// α; the larger, the more local.
        alpha: f64,
    },
}

/// The options of a binding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BindOptions {
    /// The method that computes weights.
    pub method: BindMethod,
    /// The largest number of joints that move a vertex.
    pub influences: usize,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self::from(&BindSettings::default())
    }
}

/// The phases of a binding, in this order; some methods skip some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Orientation of faces, the surface Laplacian, bone lengths, and the voxel grid.
    Voxels,
    /// Straight distances from bones, paths around corners where those are blocked, and the symbolic factorisation.
    Distances,
    /// The numeric factorisation of the diffusion equation.
    Factorisation,
    /// The solution of that equation for every bone.
    Solves,
    /// Reduction to the requested number of influences.
    Pruning,
}

/// A callback that receives the phase that begins.
pub type Progress<'a> = &'a mut dyn FnMut(Phase);

/// A bound character.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The character with new weights, otherwise unchanged.
    pub character: Character,
    /// Counts, repairs and guesses.
    pub report: BindReport,
}

/// Binds the meshes of a character to `joints` of its skeleton: the skinned meshes, or all if none is skinned.
/// Meshes that follow a node rigidly beside skinned ones are unchanged. `progress` receives each phase as it begins.
/// To try several sets of joints or options, prepare a [`Binder`].
pub fn bind(character: &Character, joints: &[usize], options: &BindOptions, progress: Progress<'_>) -> Result<Bound> {
    Binder::new(character)?.bind(joints, options, progress)
}

/// Binds one character again and again: its surface is prepared once, when the first geodesic binding needs it.
pub struct Binder<'a> {
    character: &'a Character,
    surface: RestSurface,
    geodesic: Option<GeodesicSurface>,
}

impl std::fmt::Debug for Binder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Binder").field("vertices", &self.surface.positions().len()).finish_non_exhaustive()
    }
}

impl<'a> Binder<'a> {
    /// Merges the coincident vertices of a character's meshes.
    pub fn new(character: &'a Character) -> Result<Self> {
        Ok(Self { character, surface: RestSurface::new(character)?, geodesic: None })
    }

    /// As [`bind`]; [`Phase::Voxels`] comes in the first geodesic binding alone.
    pub fn bind(&mut self, joints: &[usize], options: &BindOptions, progress: Progress<'_>) -> Result<Bound> {
        let Self { character, surface, geodesic } = self;
        let mut bones = Bones::new(character, joints, surface)?;
        let (rows, geodesic_report) = match options.method {
            BindMethod::Distance { alpha } => {
                progress(Phase::Distances);
                let rows = inverse_distance::weights(surface, &bones.segments, alpha, options.influences);
                (rows, GeodesicReport::default())
            }
            BindMethod::Geodesic => {
                let prepared = geodesic.get_or_insert_with(|| {
                    progress(Phase::Voxels);
                    GeodesicSurface::new(surface)
                });
                geodesic_weights::weights(surface, prepared, &mut bones, progress)?
            }
        };
        progress(Phase::Pruning);
        let mut weights = Weights::with_capacity(rows.len(), 4 * rows.len());
        rows.into_iter().for_each(|row| weights.push(row));
        let (weights, pruning_error) = weights.pruned(options.influences.max(1));
        let mut bound = character.clone();
        surface.write(&mut bound, joints, &weights);
        let mut report = BindReport::new(&bound, joints, surface, &weights, pruning_error.into());
        report.islands = geodesic_report.islands;
        let merged = (surface.merged() > 0).then(|| format!("{} coincident vertices were merged", surface.merged()));
        report.repairs =
            merged.into_iter().chain(bones.notes).chain(geodesic_report.repairs).chain(report.unused()).collect();
        bound.check()?;
        Ok(Bound { character: bound, report })
    }
}

/// The joints that carry weight in a file, which take part when it is bound again; all joints if nothing is skinned.
#[must_use]
pub fn weighted_joints(character: &Character) -> Vec<usize> {
    let mut has_weight = vec![false; character.skeleton.len()];
    for part in character.parts.iter().filter(|part| part.skinned) {
        for influence in part.binding.weights.rows().flatten().filter(|i| i.weight > MIN_WEIGHT) {
            has_weight[part.binding.joints[influence.joint as usize]] = true;
        }
    }
    let weighted: Vec<usize> = (0..has_weight.len()).filter(|&joint| has_weight[joint]).collect();
    if weighted.is_empty() { character.joints().collect() } else { weighted }
}

/// A joint whose weight is nowhere above this carries none; 1/1000 is below what eight-bit weights can express.
const MIN_WEIGHT: f32 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binder_gives_the_weights_of_bind_every_time() {
        let character = sinew_demo::tube();
        let joints: Vec<usize> = character.joints().collect();
        let mut binder = Binder::new(&character).unwrap();
        for influences in [4, 1, 4] {
            let options = BindOptions { influences, ..BindOptions::default() };
            let again = binder.bind(&joints, &options, &mut |_| {}).unwrap();
            let once = bind(&character, &joints, &options, &mut |_| {}).unwrap();
            assert_eq!(again.character, once.character);
        }
    }
}
