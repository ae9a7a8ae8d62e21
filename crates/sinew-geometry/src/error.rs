//! Errors of meshes and linear systems. Every message names the mesh.

/// An error of a mesh or a linear system.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate with NaN or infinity.
    #[error("mesh \"{mesh}\": {what} of vertex {vertex} is not finite")]
    VertexNotFinite {
        /// The mesh.
        mesh: String,
        /// "position", "normal", …
        what: &'static str,
        /// The first such vertex.
        vertex: usize,
    },
    /// An array whose length does not fit the mesh.
    #[error("mesh \"{mesh}\": {what} has {found} entries, but {expected} are needed")]
    LengthMismatch {
        /// The mesh.
        mesh: String,
        /// The array.
        what: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// Triangles that are no surface.
    #[error(
        "the surface's {triangles} triangles cross one another everywhere, so that there is no inside; repair the mesh, or leave \
         the part of it out that is no surface"
    )]
    Soup {
        /// How many there are.
        triangles: usize,
    },
    /// A face corner outside the mesh.
    #[error("mesh \"{mesh}\": face {face} names vertex {vertex}, but the mesh has {count} vertices")]
    FaceOutOfRange {
        /// The mesh.
        mesh: String,
        /// The face.
        face: usize,
        /// The corner's index.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// An entry of a sparse matrix outside it.
    #[error("a linear system of {size} unknowns has an entry for unknown {unknown}")]
    UnknownOutOfRange {
        /// The index.
        unknown: u32,
        /// How many unknowns there are.
        size: usize,
    },
    /// A matrix whose factor does not fit memory or indices of 32 bits.
    #[error("a linear system of {size} unknowns is too large to be factored; use a coarser mesh")]
    SystemTooLarge {
        /// How many unknowns there are.
        size: usize,
    },
    /// A number outside the range in which it makes sense.
    #[error("{what} must be {range}, not {value}")]
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// The number.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
}

impl Error {
    /// Refuses a list whose length does not fit its mesh.
    pub fn check_len(mesh: &str, what: &str, found: usize, expected: usize) -> crate::Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(Self::LengthMismatch { mesh: mesh.into(), what: what.into(), found, expected })
    }
}

/// The result of what can be wrong with a mesh or a linear system.
pub type Result<T, E = Error> = std::result::Result<T, E>;
