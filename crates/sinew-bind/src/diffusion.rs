//! How do bones share a surface smoothly?
//!
//! Every vertex is heated by its nearest bones and passes heat on along the surface; at rest
//!
//! ```text
//! (L + A H) w_b = A H χ_b
//! ```
//!
//! with the cotangent Laplacian L and the areas A of the surface, for every bone b [R09 §4.1; I. Baran, J.
//! Popović, *Automatic rigging and animation of 3D characters*, 2007]. The matrix is the same for all bones
//! and is factored once. With D, the distance of the nearest bone ([`bone_distances`]), a bone at `D_b`
//! has the say
//!
//! ```text
//! s_b = max(0, 1 − (D_b/D − 1)/SHARED)²,     χ_b = s_b / Σ s,     H = CONDUCTANCE κ Σ s / D²
//! ```
//!
//! so that it comes in gradually where it becomes the nearest; κ is how clear the way to it is. Since `Σ_b χ_b = 1` wherever H is not zero,
//! `Σ_b w_b = 1` on every connected piece that is heated somewhere. What is not, an island, gets nothing.

use crate::geodesic::bone_distances::{self, Reached, Source};
use crate::{Error, Result};
use rayon::prelude::*;
use sinew_geometry::SurfaceLaplacian;
use sinew_geometry::solve::SparseCholesky;
use sinew_rig::Influence;

/// How strongly bones heat: 4 is where Blender's bone heat is, in the units of the operator `L/A`.
const CONDUCTANCE: f64 = 4.0;

/// Shares up to the first are taken for nothing; from the second on they are left as they are.
const NOTHING: f64 = 0.025;
const SOMETHING: f64 = 0.05;

/// What a vertex loses to the air, relative to what its neighbours take: enough to keep the equation of a
/// piece without heat regular, too little to show in shares.
const LOSS: f64 = 1e-11;

/// Right-hand sides that are solved together.
const BLOCK: usize = 4;

/// Right-hand sides that are in memory at a time, at most this many numbers.
const NUMBERS: usize = 24_000_000;

/// What heats a vertex.
#[derive(Debug, Clone, Default)]
pub(super) struct Heat {
    /// `A H`.
    pub strength: f64,
    /// χ of the bones that do.
    pub shares: Vec<(u32, f64)>,
}

impl Heat {
    /// The heat of a vertex with this area by its nearest bones.
    pub fn new(area: f64, Reached { sources, clearness, .. }: &Reached) -> Self {
        let nearest = sources.iter().fold(f64::INFINITY, |nearest, source| nearest.min(source.distance));
        if !nearest.is_finite() {
            return Self::default();
        }
        let say = |source: &Source| bone_distances::say(source.distance, nearest);
        let total: f64 = sources.iter().map(say).sum();
        let shares = sources.iter().map(|source| (source.bone, say(source) / total));
        Self {
            strength: clearness * area * CONDUCTANCE * total / (nearest * nearest),
            shares: shares.filter(|&(_, share)| share > 0.0).collect(),
        }
    }
}

impl Heat {
    /// The heat of a vertex with this area that follows a body at a distance.
    pub fn by_body(area: f64, distance: f64, shares: Vec<(u32, f64)>) -> Self {
        Self { strength: area * CONDUCTANCE / (distance * distance), shares }
    }
}

/// The heat equation of a surface before anything heats it: where its factor has entries.
pub(super) struct ColdEquation {
    cholesky: SparseCholesky,
}

impl ColdEquation {
    /// Prepares the factorisation.
    pub fn new(laplacian: &SurfaceLaplacian) -> Result<Self> {
        Ok(Self { cholesky: SparseCholesky::new(laplacian.areas().len(), laplacian.edges(), BLOCK)? })
    }

    /// Factors the equation of the same surface with what heats each vertex. A vertex that neither is heated nor has a
    /// neighbour stays cold, and so does a piece of surface without heat.
    pub fn heated(mut self, laplacian: &SurfaceLaplacian, heats: Vec<Heat>) -> Result<HeatEquation> {
        let mut diagonal = laplacian.diagonal();
        for (entry, heat) in diagonal.iter_mut().zip(&heats) {
            *entry = *entry * (1.0 + LOSS) + heat.strength;
            if *entry <= 0.0 {
                *entry = 1.0;
            }
        }
        let edges: Vec<f64> = laplacian.weights().iter().map(|weight| -weight).collect();
        self.cholesky.factor(&diagonal, &edges).map_err(|_| Error::NoEquilibrium)?;
        Ok(HeatEquation { cholesky: self.cholesky, heats })
    }
}

/// The factored heat equation of a surface.
pub(super) struct HeatEquation {
    cholesky: SparseCholesky,
    heats: Vec<Heat>,
}

impl HeatEquation {
    /// The shares of `bones` bones in every vertex, without those that are next to nothing.
    pub fn solve(&mut self, bones: usize) -> Vec<Vec<Influence>> {
        let size = self.heats.len();
        let mut heated: Vec<Vec<(u32, f64)>> = vec![Vec::new(); bones];
        for (vertex, heat) in (0..).zip(&self.heats) {
            heat.shares.iter().for_each(|&(bone, share)| heated[bone as usize].push((vertex, heat.strength * share)));
        }
        let hot: Vec<usize> = (0..bones).filter(|&bone| !heated[bone].is_empty()).collect();
        let mut rows: Vec<Vec<Influence>> = vec![Vec::new(); size];
        let Some(factor) = self.cholesky.last_factor() else { return rows };
        for group in hot.chunks((NUMBERS / size.max(1)).max(BLOCK)) {
            let mut columns = vec![0.0; size * group.len()];
            for (column, &bone) in columns.chunks_mut(size).zip(group) {
                heated[bone].iter().for_each(|&(vertex, heat)| column[vertex as usize] = heat);
            }
            factor.solve_in_parallel(&mut columns);
            rows.par_iter_mut().enumerate().for_each(|(vertex, row)| {
                let share = |slot: usize| above_nothing(columns[slot * size + vertex]) as f32;
                let shares =
                    (0..).zip(group).map(|(slot, &bone)| Influence { joint: bone as u32, weight: share(slot) });
                row.extend(shares.filter(|influence| influence.weight > 0.0));
            });
        }
        rows
    }
}

/// A share with what is next to nothing taken away, continuously.
fn above_nothing(share: f64) -> f64 {
    if share >= SOMETHING { share } else { (share - NOTHING).max(0.0) * SOMETHING / (SOMETHING - NOTHING) }
}
