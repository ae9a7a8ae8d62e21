//! Linear systems: the only door to the linear-algebra crate.

mod dense_cholesky;
mod dense_lu;
mod eigen;
#[cfg(test)]
mod elimination;
mod points;
mod sparse_cholesky;

pub use dense_cholesky::DenseCholesky;
pub use dense_lu::DenseLu;
pub use eigen::symmetric_eigen;
pub use sparse_cholesky::{Factor, NotPositiveDefinite, SparseCholesky, SymmetricEntries};
