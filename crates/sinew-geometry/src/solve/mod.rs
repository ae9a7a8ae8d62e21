//! Linear systems: the only door to the linear-algebra crate.

mod cholesky;
#[cfg(test)]
mod dense;
mod eigen;
mod lu;
mod points;
mod spd;

pub use cholesky::{Factor, NotPositiveDefinite, SparseCholesky};
pub use eigen::symmetric_eigen;
pub use lu::DenseLu;
pub use spd::DenseCholesky;
