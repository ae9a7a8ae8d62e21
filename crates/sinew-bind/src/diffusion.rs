//! Diffusion of bone weights over a surface.
//!
//! The nearest bones of every vertex heat it, and the surface conducts the heat. In equilibrium
//!
//! ```text
//! (L + A H) w_b = A H χ_b
//! ```
//!
//! with the cotangent Laplacian L and the vertex areas A, for every bone b [R09 §4.1; I. Baran, J. Popović, *Automatic
//! rigging and animation of 3D characters*, 2007]. The matrix is the same for all bones and is factored once. With the
//! distance D of the nearest bone ([`straight_distances`]), a bone at `D_b` has the falloff
//!
//! ```text
//! s_b = max(0, 1 − (D_b/D − 1)/FALLOFF_WIDTH)²,     χ_b = s_b / Σ s,     H = CONDUCTANCE κ Σ s / D²
//! ```
//!
//! so that its contribution is continuous where it becomes the nearest; κ is the clearance of its path. Since `Σ_b χ_b = 1`
//! wherever H is not zero, `Σ_b w_b = 1` on every connected component that is heated somewhere. A component without heat, an
//! island, has zero weights.

use crate::geodesic::straight_distances::{self, BoneDistance, BoneDistances};
use crate::{Error, Result};
use sinew_geometry::SurfaceLaplacian;
use sinew_geometry::parallel::*;
use sinew_geometry::solve::SparseCholesky;
use sinew_rig::Influence;

/// The heat of bones relative to conduction: 4 matches Blender's bone heat, in units of the operator `L/A`.
const CONDUCTANCE: f64 = 4.0;

/// Weights up to the first become zero; from the second on they are unchanged, and linear between. Both are the limits
/// of Blender's bone heat.
const NEGLIGIBLE: f64 = 0.025;
const SIGNIFICANT: f64 = 0.05;

/// The heat loss of a vertex relative to its conduction: enough to keep the matrix of an unheated component regular, too
/// little to affect f32 weights.
const HEAT_LOSS: f64 = 1e-11;

/// Right-hand sides per block of the solver. Not tuned; a block has no effect on results beyond rounding.
const SOLVER_BLOCK: usize = 4;

/// The largest number of right-hand side entries in memory at a time: 192 MB of f64.
const MAX_ENTRIES: usize = 24_000_000;

/// The heat source of a vertex.
#[derive(Debug, Clone, Default)]
pub(super) struct HeatSource {
    /// `A H`.
    pub strength: f64,
    /// χ of the bones that heat it.
    pub weights: Vec<(u32, f64)>,
}

impl HeatSource {
    /// The heat source of a vertex of this area from its nearest bones.
    pub fn new(area: f64, BoneDistances { bones, clearance, .. }: &BoneDistances) -> Self {
        let nearest = bones.iter().fold(f64::INFINITY, |nearest, bone| nearest.min(bone.distance));
        if !nearest.is_finite() {
            return Self::default();
        }
        let falloff = |bone: &BoneDistance| straight_distances::bone_falloff(bone.distance, nearest);
        let total: f64 = bones.iter().map(falloff).sum();
        let weights = bones.iter().map(|bone| (bone.bone, falloff(bone) / total));
        Self {
            strength: clearance * area * CONDUCTANCE * total / (nearest * nearest),
            weights: weights.filter(|&(_, weight)| weight > 0.0).collect(),
        }
    }

    /// The heat source of a vertex of this area that follows a body at a distance.
    pub fn from_body(area: f64, distance: f64, weights: Vec<(u32, f64)>) -> Self {
        Self { strength: area * CONDUCTANCE / (distance * distance), weights }
    }
}

/// The diffusion equation of a surface before its heat is known: the symbolic factorisation.
pub(super) struct SymbolicDiffusion {
    cholesky: SparseCholesky,
}

impl SymbolicDiffusion {
    /// Computes the symbolic factorisation.
    pub fn new(laplacian: &SurfaceLaplacian) -> Result<Self> {
        Ok(Self { cholesky: SparseCholesky::new(laplacian.areas().len(), laplacian.edges(), SOLVER_BLOCK)? })
    }

    /// Factors the equation of the same surface with the heat source of each vertex. Components without heat, isolated
    /// vertices included, get zero weights.
    pub fn factor(mut self, laplacian: &SurfaceLaplacian, sources: Vec<HeatSource>) -> Result<DiffusionEquation> {
        let mut diagonal = laplacian.diagonal();
        for (entry, source) in diagonal.iter_mut().zip(&sources) {
            *entry = *entry * (1.0 + HEAT_LOSS) + source.strength;
            if *entry <= 0.0 {
                *entry = 1.0;
            }
        }
        let edges: Vec<f64> = laplacian.weights().iter().map(|weight| -weight).collect();
        self.cholesky.factor(&diagonal, &edges).map_err(|_| Error::NoEquilibrium)?;
        Ok(DiffusionEquation { cholesky: self.cholesky, sources })
    }
}

/// The factored diffusion equation of a surface.
pub(super) struct DiffusionEquation {
    cholesky: SparseCholesky,
    sources: Vec<HeatSource>,
}

impl DiffusionEquation {
    /// The weights of all bones at every vertex, without negligible ones.
    pub fn solve(&mut self, bones: usize) -> Vec<Vec<Influence>> {
        let size = self.sources.len();
        let mut bone_heat: Vec<Vec<(u32, f64)>> = vec![Vec::new(); bones];
        for (vertex, source) in (0..).zip(&self.sources) {
            source
                .weights
                .iter()
                .for_each(|&(bone, weight)| bone_heat[bone as usize].push((vertex, source.strength * weight)));
        }
        let heating_bones: Vec<usize> = (0..bones).filter(|&bone| !bone_heat[bone].is_empty()).collect();
        let mut rows: Vec<Vec<Influence>> = vec![Vec::new(); size];
        let Some(factor) = self.cholesky.last_factor() else { return rows };
        for group in heating_bones.chunks((MAX_ENTRIES / size.max(1)).max(SOLVER_BLOCK)) {
            let mut columns = vec![0.0; size * group.len()];
            for (column, &bone) in columns.chunks_mut(size).zip(group) {
                bone_heat[bone].iter().for_each(|&(vertex, heat)| column[vertex as usize] = heat);
            }
            factor.solve_in_parallel(&mut columns);
            rows.par_iter_mut().enumerate().for_each(|(vertex, row)| {
                let weight = |slot: usize| without_negligible(columns[slot * size + vertex]) as f32;
                let weights =
                    (0..).zip(group).map(|(slot, &bone)| Influence { joint: bone as u32, weight: weight(slot) });
                row.extend(weights.filter(|influence| influence.weight > 0.0));
            });
        }
        rows
    }
}

/// A weight with negligible values removed, continuously.
fn without_negligible(weight: f64) -> f64 {
    if weight >= SIGNIFICANT {
        weight
    } else {
        (weight - NEGLIGIBLE).max(0.0) * SIGNIFICANT / (SIGNIFICANT - NEGLIGIBLE)
    }
}
