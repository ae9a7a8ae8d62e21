//! The metric of a step: the soft constraints' Hessian with damping.
//!
//! `H = J₁ᵀ W J₁ + μ`, from the soft constraints and a damping. Soft constraints against known places
//! alone couple no points, and H is a 3 × 3 block per point (L13 eq. 3.8); others make it a sparse matrix.

use super::constraint::Row;
use crate::Result;
use glam::{DMat3, DVec3};
use sinew_geometry::solve::{NotPositiveDefinite, SparseCholesky};

/// Marks an end of a row that does not move.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) enum Metric {
    Blocks { blocks: Vec<DMat3> },
    Coupled(Box<Coupled>),
}

#[derive(Debug)]
pub(super) struct Coupled {
    cholesky: SparseCholesky,
    diagonal: Vec<f64>,
    values: Vec<f64>,
    columns: Vec<f64>,
}

/// The places of the off-diagonal entries of a symmetric 3 × 3 block.
const WITHIN: [(u32, u32); 3] = [(0, 1), (0, 2), (1, 2)];

impl Metric {
    /// For soft rows with these ends; `columns` are solved for together.
    pub fn new(points: usize, ends: &[[u32; 2]], columns: usize) -> Result<Self> {
        let couples: Vec<_> = ends.iter().filter(|ends| !ends.contains(&NONE)).collect();
        if couples.is_empty() {
            return Ok(Self::Blocks { blocks: vec![DMat3::ZERO; points] });
        }
        let mut edges: Vec<(u32, u32)> =
            (0..points as u32).flat_map(|p| WITHIN.map(|(i, j)| (3 * p + i, 3 * p + j))).collect();
        for &&[a, b] in &couples {
            edges.extend((0..9).map(|k| (3 * a + k / 3, 3 * b + k % 3)));
        }
        Ok(Self::Coupled(Box::new(Coupled {
            cholesky: SparseCholesky::new(3 * points, &edges, columns.max(1))?,
            diagonal: vec![0.0; 3 * points],
            values: vec![0.0; edges.len()],
            columns: vec![0.0; 3 * points],
        })))
    }

    pub fn is_coupled(&self) -> bool {
        matches!(self, Self::Coupled { .. })
    }

    /// Takes up new soft rows with their weights, and a damping.
    pub fn set(
        &mut self,
        rows: &[Row],
        ends: &[[u32; 2]],
        weights: &[f64],
        damping: f64,
    ) -> Result<(), NotPositiveDefinite> {
        let outer = rows.iter().zip(weights).map(|(row, &weight)| {
            let g = row.gradient;
            DMat3::from_cols(g * (g.x * weight), g * (g.y * weight), g * (g.z * weight))
        });
        match self {
            Self::Blocks { blocks } => {
                blocks.fill(DMat3::from_diagonal(DVec3::splat(damping)));
                for (outer, ends) in outer.zip(ends) {
                    ends.iter().filter(|&&end| end != NONE).for_each(|&end| blocks[end as usize] += outer);
                }
                blocks.iter_mut().for_each(|block| *block = block.inverse());
                if blocks.iter().all(|block| block.is_finite()) { Ok(()) } else { Err(NotPositiveDefinite) }
            }
            Self::Coupled(coupled) => {
                let Coupled { cholesky, diagonal, values, .. } = coupled.as_mut();
                diagonal.fill(damping);
                values.fill(0.0);
                let mut next = diagonal.len();
                for (outer, ends) in outer.zip(ends) {
                    for &end in ends.iter().filter(|&&end| end != NONE) {
                        let first = 3 * end as usize;
                        (0..3).for_each(|k| diagonal[first + k] += outer.col(k)[k]);
                        for (k, (i, j)) in WITHIN.into_iter().enumerate() {
                            values[first + k] += outer.col(j as usize)[i as usize];
                        }
                    }
                    if !ends.contains(&NONE) {
                        (0..9).for_each(|k| values[next + k] -= outer.col(k % 3)[k / 3]);
                        next += 9;
                    }
                }
                cholesky.factor(diagonal, values).map(drop)
            }
        }
    }

    /// `H⁻¹` of one column, in place.
    pub fn solve(&mut self, column: &mut [DVec3]) {
        match self {
            Self::Blocks { blocks } => {
                column.iter_mut().zip(blocks.iter()).for_each(|(value, block)| *value = *block * *value);
            }
            Self::Coupled(coupled) => {
                for (three, value) in coupled.columns.chunks_exact_mut(3).zip(column.iter()) {
                    three.copy_from_slice(&value.to_array());
                }
                if let Some(mut factor) = coupled.cholesky.last_factor() {
                    factor.solve(&mut coupled.columns);
                }
                for (three, value) in coupled.columns.chunks_exact(3).zip(column.iter_mut()) {
                    *value = DVec3::from_slice(three);
                }
            }
        }
    }

    /// `H⁻¹` of flat columns of a coupled metric, in place.
    pub fn solve_columns(&mut self, columns: &mut [f64]) {
        if let Self::Coupled(coupled) = self
            && let Some(mut factor) = coupled.cholesky.last_factor()
        {
            factor.solve(columns);
        }
    }

    /// `gᵀ H⁻¹ h` for two gradients at one point, of a metric of blocks.
    pub fn between(&self, point: u32, g: DVec3, h: DVec3) -> f64 {
        match self {
            Self::Blocks { blocks } => g.dot(blocks[point as usize] * h),
            Self::Coupled(_) => 0.0,
        }
    }
}
