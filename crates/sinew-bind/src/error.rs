//! The errors of binding a mesh to a skeleton.

/// An error of binding a mesh to a skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// A character that cannot be used.
    #[error(transparent)]
    Rig(#[from] sinew_rig::Error),
    /// A character without a vertex.
    #[error("there is no mesh to bind; give a character with at least one vertex")]
    NothingToBind,
    /// A skeleton without joints.
    #[error("there is no joint to bind to; give a skeleton, or fit one to the mesh")]
    NoJoints,
    /// A diffusion equation without a solution in f64.
    #[error("weights cannot be spread over the surface: some of its faces are too large or too thin to compute with")]
    NoEquilibrium,
    /// A skeleton far away from the mesh.
    #[error(
        "the skeleton is {distance:.3} away from the mesh, which is {size:.3} across; \
         both must be in the same place and units"
    )]
    SkeletonFarAway {
        /// The distance from the mesh's bounding box to the nearest bone.
        distance: f64,
        /// The diagonal of that box.
        size: f64,
    },
    /// A source of weights without a weighted face.
    #[error("there are no weights to transfer: the source has no face with weights; give a rigged character")]
    NothingToTransfer,
    /// A surface without an inside for joints.
    #[error(
        "the surface encloses nothing that a skeleton could be fitted to; give flat parts thickness, close large \
         holes, or bring a skeleton of your own"
    )]
    NothingEnclosed,
    /// A body part that the fit did not find.
    #[error(
        "no {part} found to fit the skeleton to; check the template and the direction up, stand the character in an \
         A or T pose with its legs apart, or bring a skeleton of your own"
    )]
    NotFound {
        /// The missing part, with "was" or "were".
        part: &'static str,
    },
}

/// The result of binding a mesh to a skeleton.
pub type Result<T, E = Error> = std::result::Result<T, E>;
