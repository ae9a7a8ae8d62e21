//! Errors.

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A lattice would have more cells than memory should take.
    #[error("a lattice of this fineness has more than {limit} cells; choose a coarser one")]
    TooFine {
        /// The largest number of cells.
        limit: usize,
    },
    /// A size that is no number, or not larger than zero.
    #[error("the cells of a lattice cannot be {size} large in a box of {extent}; both must be finite and above zero")]
    CellSize {
        /// The edge of the cells.
        size: f64,
        /// The largest extent of the box.
        extent: f64,
    },
    /// Nothing holds a part of the flesh.
    #[error("a part of the flesh hangs on nothing: attach it to a bone")]
    NotHeld,
    /// A linear system that cannot be solved.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
}

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
