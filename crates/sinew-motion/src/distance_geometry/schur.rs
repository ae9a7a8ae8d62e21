//! The Schur complement: Lagrange multipliers of the hard constraints.
//!
//! `(J₀ H⁻¹ J₀ᵀ + ε) λ = b`. Where H is a block per point, only constraints that share a point meet in the
//! matrix, and it is as sparse as the graph of the constraints.

use super::constraint::Row;
use super::metric::{Metric, NONE};
use crate::Result;
use sinew_geometry::solve::{NotPositiveDefinite, SparseCholesky};

/// Of the largest entry of the diagonal: what is added so that repeated constraints do no harm. Some hundred roundings
/// of f64, so that pivots stay positive.
const REGULARIZATION: f64 = 1e-13;

#[derive(Debug)]
pub(super) struct Schur {
    cholesky: SparseCholesky,
    /// Pairs of rows, the point they share, and whether the gradients have opposite signs there. For a coupled metric, all
    /// pairs, and no point.
    pairs: Vec<Pair>,
    diagonal: Vec<f64>,
    values: Vec<f64>,
    /// `H⁻¹ J₀ᵀ` for a coupled metric.
    columns: Vec<f64>,
    /// ε at the smallest damping.
    regularization: f64,
}

#[derive(Debug)]
struct Pair {
    rows: (u32, u32),
    point: u32,
    opposite: bool,
}

impl Schur {
    pub fn new(points: usize, ends: &[[u32; 2]], coupled: bool) -> Result<Self> {
        let rows = ends.len();
        let pairs: Vec<Pair> = if coupled {
            let all = (0..rows as u32).flat_map(|e| (0..e).map(move |f| (e, f)));
            all.map(|rows| Pair { rows, point: NONE, opposite: false }).collect()
        } else {
            let mut rows_at = vec![Vec::new(); points];
            for (row, ends) in ends.iter().enumerate() {
                for (side, &end) in ends.iter().enumerate().filter(|(_, end)| **end != NONE) {
                    rows_at[end as usize].push((row as u32, side));
                }
            }
            let at = rows_at.iter().enumerate();
            at.flat_map(|(point, rows)| {
                let pair = move |k: usize, l: usize| {
                    let ((e, side), (f, other)) = (rows[k], rows[l]);
                    Pair { rows: (e, f), point: point as u32, opposite: side != other }
                };
                (0..rows.len()).flat_map(move |k| (0..k).map(move |l| pair(k, l)))
            })
            .collect()
        };
        let edges: Vec<(u32, u32)> = pairs.iter().map(|pair| pair.rows).collect();
        Ok(Self {
            cholesky: SparseCholesky::new(rows, &edges, 1)?,
            diagonal: vec![0.0; rows],
            values: vec![0.0; pairs.len()],
            columns: vec![0.0; if coupled { 3 * points * rows } else { 0 }],
            regularization: 0.0,
            pairs,
        })
    }

    /// Takes up new hard rows. The first of several metrics for the same rows is the least damped.
    pub fn set(
        &mut self,
        rows: &[Row],
        ends: &[[u32; 2]],
        metric: &mut Metric,
        is_first: bool,
    ) -> Result<(), NotPositiveDefinite> {
        if metric.is_coupled() {
            self.set_coupled(rows, ends, metric);
        } else {
            for ((diagonal, row), ends) in self.diagonal.iter_mut().zip(rows).zip(ends) {
                let free = ends.iter().filter(|&&end| end != NONE);
                *diagonal = free.map(|&end| metric.between(end, row.gradient, row.gradient)).sum();
            }
            for (value, pair) in self.values.iter_mut().zip(&self.pairs) {
                let [e, f] = [pair.rows.0, pair.rows.1].map(|row| rows[row as usize].gradient);
                let between = metric.between(pair.point, e, f);
                *value = if pair.opposite { -between } else { between };
            }
        }
        if is_first {
            self.regularization = REGULARIZATION * self.diagonal.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        }
        self.diagonal.iter_mut().for_each(|value| *value += self.regularization);
        self.cholesky.factor(&self.diagonal, &self.values).map(drop)
    }

    fn set_coupled(&mut self, rows: &[Row], ends: &[[u32; 2]], metric: &mut Metric) {
        let size = self.columns.len() / rows.len().max(1);
        self.columns.fill(0.0);
        for ((column, row), ends) in self.columns.chunks_exact_mut(size.max(1)).zip(rows).zip(ends) {
            for (&end, sign) in ends.iter().zip([1.0, -1.0]).filter(|(end, _)| **end != NONE) {
                let at = 3 * end as usize;
                column[at..at + 3].iter_mut().zip((row.gradient * sign).to_array()).for_each(|(c, g)| *c += g);
            }
        }
        metric.solve_columns(&mut self.columns);
        let product = |e: usize, f: usize| {
            let column = &self.columns[size * f..size * (f + 1)];
            let ends = ends[e].iter().zip([1.0, -1.0]).filter(|(end, _)| **end != NONE);
            let along = ends.map(|(&end, sign)| {
                let at = 3 * end as usize;
                sign * (0..3).map(|k| rows[e].gradient[k] * column[at + k]).sum::<f64>()
            });
            along.sum::<f64>()
        };
        for (row, value) in self.diagonal.iter_mut().enumerate() {
            *value = product(row, row);
        }
        for (pair, value) in self.pairs.iter().zip(&mut self.values) {
            *value = product(pair.rows.0 as usize, pair.rows.1 as usize);
        }
    }

    /// Replaces b by λ.
    pub fn solve(&mut self, forces: &mut [f64]) {
        if let Some(mut factor) = self.cholesky.last_factor() {
            factor.solve(forces);
        }
    }
}
