//! Eigenvectors of a small symmetric matrix.

use faer::{Mat, Side};

/// The largest eigenvalues of a symmetric matrix and their unit eigenvectors, largest first, at most `count`. The lower
/// triangle is read. A matrix that is not finite has none.
pub fn symmetric_eigen(size: usize, entry: impl Fn(usize, usize) -> f64, count: usize) -> Vec<(f64, Vec<f64>)> {
    largest_pairs(size, &entry, count)
}

/// Not generic, so that the solver's code is built once and not in every crate that calls it.
fn largest_pairs(size: usize, entry: &dyn Fn(usize, usize) -> f64, count: usize) -> Vec<(f64, Vec<f64>)> {
    let matrix = Mat::from_fn(size, size, |i, j| entry(i.max(j), i.min(j)));
    let Ok(eigen) = matrix.self_adjoint_eigen(Side::Lower) else { return Vec::new() };
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let pair = |k: usize| (values[k], (0..size).map(|i| vectors[(i, k)]).collect());
    (0..size).rev().take(count).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_stretched_by_their_values() {
        let entry = |i: usize, j: usize| 1.0 / (1.0 + i as f64 + j as f64);
        let found = symmetric_eigen(6, entry, 3);
        assert_eq!(found.len(), 3);
        assert!(found.windows(2).all(|w| w[0].0 > w[1].0));
        for (value, vector) in &found {
            assert!((vector.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
            for i in 0..6 {
                let product: f64 = (0..6).map(|j| entry(i, j) * vector[j]).sum();
                assert!((product - value * vector[i]).abs() < 1e-12);
            }
        }
    }
}
