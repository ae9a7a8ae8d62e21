//! LU factorisation of a small dense matrix.

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

/// A dense matrix as `P A = L U`, with the largest pivot of every column.
pub struct DenseLu(PartialPivLu<f64>);

impl std::fmt::Debug for DenseLu {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("DenseLu").finish()
    }
}

impl DenseLu {
    /// Factors a square matrix.
    pub fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        Self::factor(size, &entry)
    }

    /// Not generic, so that the solver's code is built once and not in every crate that calls it.
    fn factor(size: usize, entry: &dyn Fn(usize, usize) -> f64) -> Self {
        Self(Mat::from_fn(size, size, entry).partial_piv_lu())
    }

    /// Solves for one right-hand side. Where the matrix is singular the solution is not finite.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let solved = self.0.solve(Mat::from_fn(right.len(), 1, |i, _| right[i]));
        (0..right.len()).map(|i| solved[(i, 0)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::elimination::eliminate;
    use super::*;

    #[test]
    fn solutions_are_those_of_plain_elimination() {
        let entry = |i: usize, j: usize| ((5 * i * j + i) as f64).sin() + if i == (3 * j + 1) % 17 { 2.0 } else { 0.0 };
        let right: Vec<f64> = (0..17).map(|i| (i as f64).cos()).collect();
        let solved = DenseLu::new(17, entry).solve(&right);
        let rows = (0..17).map(|i| (0..17).map(|j| entry(i, j)).collect()).collect();
        for (one, other) in solved.iter().zip(eliminate(rows, &right)) {
            assert!((one - other).abs() < 1e-8 * other.abs().max(1.0), "{one} {other}");
        }
    }

    #[test]
    fn a_singular_matrix_has_no_finite_solution() {
        let solved = DenseLu::new(3, |_, j| j as f64).solve(&[1.0, 2.0, 3.0]);
        assert!(solved.iter().any(|x| !x.is_finite()));
    }
}
