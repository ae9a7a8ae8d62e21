//! Cholesky factorisation of a small dense matrix.

use super::NotPositiveDefinite;
use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

/// A dense Cholesky factor.
pub struct DenseCholesky(Llt<f64>);

impl std::fmt::Debug for DenseCholesky {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("DenseCholesky").finish()
    }
}

impl DenseCholesky {
    /// Factors a matrix of which the lower triangle is read.
    pub fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Result<Self, NotPositiveDefinite> {
        Self::factor(size, &entry)
    }

    /// Not generic, so that the solver's code is built once and not in every crate that calls it.
    fn factor(size: usize, entry: &dyn Fn(usize, usize) -> f64) -> Result<Self, NotPositiveDefinite> {
        let matrix = Mat::from_fn(size, size, |i, j| if j <= i { entry(i, j) } else { 0.0 });
        matrix.llt(Side::Lower).map(Self).map_err(|_| NotPositiveDefinite)
    }

    /// Solves for several right-hand sides, each as long as the matrix, one after another.
    pub fn solve(&self, size: usize, columns: &mut [f64]) {
        let count = columns.len() / size.max(1);
        let right = Mat::from_fn(size, count, |i, j| columns[j * size + i]);
        let solved = self.0.solve(&right);
        for (j, column) in columns.chunks_exact_mut(size).enumerate() {
            column.iter_mut().enumerate().for_each(|(i, value)| *value = solved[(i, j)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_gives_the_right_hand_side_back() {
        let entry = |i: usize, j: usize| 1.0 / (1.0 + i.abs_diff(j) as f64) + if i == j { 1.0 } else { 0.0 };
        let right: Vec<f64> = (0..10).map(|i| f64::from(i) - 3.0).collect();
        let mut solved = right.clone();
        DenseCholesky::new(5, entry).unwrap().solve(5, &mut solved);
        for (solution, wanted) in solved.chunks(5).zip(right.chunks(5)) {
            for (i, &wanted) in wanted.iter().enumerate() {
                let product: f64 = (0..5).map(|j| entry(i, j) * solution[j]).sum();
                assert!((product - wanted).abs() < 1e-12);
            }
        }
        assert!(DenseCholesky::new(2, |_, _| -1.0).is_err());
    }
}
