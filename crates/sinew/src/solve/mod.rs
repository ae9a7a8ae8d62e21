//! Linear systems: the only door to the linear-algebra crate.

mod cholesky;
#[cfg(test)]
pub(crate) mod dense;

pub use cholesky::{Factor, NotPositiveDefinite, SparseCholesky};
