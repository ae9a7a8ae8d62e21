//! Errors of fields.

/// An error of a field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// Saved operator tables that are not ours, or not whole.
    #[error("the saved tables of the field operators {why}; delete them, and they are built again")]
    FieldTables {
        /// The problem.
        why: &'static str,
    },
    /// A grid that would not fit into memory.
    #[error("a grid of cells of {cell} over a box of {size:?} is too large; use larger cells")]
    GridTooLarge {
        /// The side of a cell.
        cell: f64,
        /// The sides of the box.
        size: [f64; 3],
    },
    /// A surface without a triangle, where one is needed.
    #[error("there is no surface to measure distances to; give a mesh with at least one triangle")]
    NoSurface,
}

/// The result of what can be wrong with a field.
pub type Result<T, E = Error> = std::result::Result<T, E>;
