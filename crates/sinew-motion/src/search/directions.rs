//! The principal directions of a motion.
//!
//! With the features x of its samples, `C = Σ (x - x̄)(x - x̄)ᵀ = Σ σₖ² vₖ vₖᵀ`. L13 (eq. 4.1, 4.2) compares two
//! motions by `v₁ · w₁`; here the first six directions count, by their standard deviations:
//!
//! `⟨√C, √D⟩ / (‖√C‖ ‖√D‖) = Σₖₗ σₖ τₗ (vₖ · wₗ)² / (‖σ‖ ‖τ‖)`,
//!
//! the alignment of the two matrices' roots. It is 1 for equal directions and 0 for perpendicular ones, and does not
//! depend on the arbitrary signs of principal vectors. L13 §4.6 names alignment as future work.
//!
//! Windows suffice to compute it: within a window the samples lie about its mean m along its trend t, and u has a mean
//! square of 1/3, so a window adds `(m - m̄)(m - m̄)ᵀ + 3 t tᵀ`.

use super::landmarks::{LANDMARKS, PAIRS};
use super::motion::{HEIGHTS, MotionPart, WINDOW};
use super::pose_features::FEATURES;
use sinew_geometry::solve::symmetric_eigen;

/// The number of directions. L13 has one; six are not tuned.
const DIRECTIONS: usize = 6;
/// A body stands still if its features deviate by less than this, as a share of its lengths: the rest is noise. It is 1
/// mm per metre. Not tuned.
const STILL: f64 = 1e-3;

/// Unit vectors with their standard deviations, scaled so that the sum of their squares is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Directions {
    shares: Vec<f64>,
    vectors: Vec<Vec<f64>>,
}

impl Directions {
    /// The directions of a part of a motion; none if it stands still.
    pub fn of(part: MotionPart<'_>) -> Self {
        let mut rows = Vec::with_capacity(2 * part.len());
        for (window, heights) in part.windows.chunks_exact(WINDOW).zip(part.heights.chunks_exact(HEIGHTS)) {
            rows.push(row(&window[..PAIRS], &heights[..LANDMARKS], 1.0));
            rows.push(row(&window[2 * PAIRS..], &heights[LANDMARKS..], 3f64.sqrt()));
        }
        let count = part.len() as f64;
        let mut mean = [0.0; FEATURES];
        for row in rows.iter().step_by(2) {
            mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count);
        }
        for row in rows.iter_mut().step_by(2) {
            row.iter_mut().zip(mean).for_each(|(x, mean)| *x -= mean);
        }
        let found = principal_directions(&rows, DIRECTIONS);
        let total: f64 = found.iter().map(|(variance, _)| variance).sum();
        if total <= count * FEATURES as f64 * STILL * STILL {
            return Self { shares: Vec::new(), vectors: Vec::new() };
        }
        let (shares, vectors) = found.into_iter().map(|(variance, v)| ((variance / total).sqrt(), v)).unzip();
        Self { shares, vectors }
    }

    /// The alignment of two motions, from 0 to 1; 1 for two that stand still.
    pub fn alignment(&self, other: &Self) -> f64 {
        if self.shares.is_empty() && other.shares.is_empty() {
            return 1.0;
        }
        let mut sum = 0.0;
        for (share, vector) in self.shares.iter().zip(&self.vectors) {
            for (other_share, other_vector) in other.shares.iter().zip(&other.vectors) {
                sum += share * other_share * dot(vector, other_vector).powi(2);
            }
        }
        sum.clamp(0.0, 1.0)
    }
}

fn row(distances: &[f32], heights: &[f32], factor: f64) -> [f64; FEATURES] {
    let mut row = [0.0; FEATURES];
    let values = distances.iter().chain(heights);
    row.iter_mut().zip(values).for_each(|(x, &value)| *x = factor * f64::from(value));
    row
}

/// The directions along which rows vary most about zero, at most `count`, with their variances. Directions that are
/// rounding errors are left out.
pub fn principal_directions<R: AsRef<[f64]>>(rows: &[R], count: usize) -> Vec<(f64, Vec<f64>)> {
    let width = rows.first().map_or(0, |row| row.as_ref().len());
    // AᵀA and AAᵀ have the same positive eigenvalues: the smaller one is decomposed.
    let by_rows = rows.len() < width;
    let size = if by_rows { rows.len() } else { width };
    let mut matrix = vec![0.0; size * size];
    if by_rows {
        for i in 0..size {
            for j in 0..=i {
                matrix[i * size + j] = dot(rows[i].as_ref(), rows[j].as_ref());
            }
        }
    } else {
        for row in rows {
            let row = row.as_ref();
            for i in 0..size {
                for j in 0..=i {
                    matrix[i * size + j] += row[i] * row[j];
                }
            }
        }
    }
    let mut found = symmetric_eigen(size, |i, j| matrix[i * size + j], count);
    let least = found.first().map_or(0.0, |(largest, _)| largest * 1e-9);
    found.retain(|(value, _)| *value > least && *value > 0.0);
    if by_rows {
        found.iter_mut().for_each(|(value, vector)| *vector = combined(rows, vector, value.sqrt()));
    }
    found
}

/// `Aᵀ u / σ`.
fn combined<R: AsRef<[f64]>>(rows: &[R], factors: &[f64], deviation: f64) -> Vec<f64> {
    let mut sum = vec![0.0; rows[0].as_ref().len()];
    for (row, factor) in rows.iter().zip(factors) {
        sum.iter_mut().zip(row.as_ref()).for_each(|(sum, x)| *sum += factor / deviation * x);
    }
    sum
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_tall_tables_have_the_same_directions() {
        let value = |i: usize, j: usize| ((i * 7 + j * 3) % 11) as f64 + (i * j) as f64 * 0.1;
        let tall: Vec<Vec<f64>> = (0..9).map(|i| (0..4).map(|j| value(i, j)).collect()).collect();
        let mut padded = tall.clone();
        // Zeros make the table wide and change no direction.
        padded.iter_mut().for_each(|row| row.extend([0.0; 8]));
        for ((v, a), (w, b)) in principal_directions(&tall, 3).iter().zip(principal_directions(&padded, 3)) {
            assert!((v - w).abs() < 1e-9 * v, "{v} {w}");
            assert!((dot(a, &b[..4]).abs() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn rows_of_zeros_have_no_direction() {
        assert!(principal_directions(&[[0.0; 3]; 5], 2).is_empty());
        assert!(principal_directions::<Vec<f64>>(&[], 2).is_empty());
    }
}
