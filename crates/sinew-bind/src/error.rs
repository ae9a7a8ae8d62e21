//! What can be wrong with a mesh or a skeleton that are to be bound. Every sentence names the thing.

/// What can be wrong with a mesh or a skeleton that are to be bound.
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
    #[error("there is no mesh to bind; give a file with a mesh (.glb, .gltf, .fbx, .obj or .ply)")]
    NothingToBind,
    /// A skeleton without a joint that could take weight.
    #[error("there is no joint to bind to; give a skeleton or let one be fitted")]
    NoJoints,
    /// A surface over which heat has no equilibrium in f64.
    #[error("weights cannot be spread over the surface: some of its faces are too large or too thin to compute with")]
    NoEquilibrium,
    /// A skeleton nowhere near the mesh.
    #[error(
        "the skeleton is {distance:.3} away from the mesh, which is {size:.3} across; \
         both must be in the same place and units"
    )]
    SkeletonFarAway {
        /// From the box around the mesh to the nearest bone.
        distance: f64,
        /// The diagonal of that box.
        size: f64,
    },
    /// A source of weights without a weighted face.
    #[error("there are no weights to transfer: the source has no face that hangs on a joint; give a rigged character")]
    NothingToTransfer,
    /// A surface without an inside to put joints into.
    #[error(
        "the surface encloses nothing that a skeleton could be fitted to; give flat parts thickness, close large \
         holes, or bring a skeleton of your own"
    )]
    NothingEnclosed,
    /// A body whose limbs cannot be told apart.
    #[error(
        "no {part} found to fit the skeleton to; check the template and the direction up, stand the character in an \
         A or T pose with its legs apart, or bring a skeleton of your own"
    )]
    NotFound {
        /// What was looked for, with "was" or "were".
        part: &'static str,
    },
}

/// The result of what can be wrong with a mesh or a skeleton that are to be bound.
pub type Result<T, E = Error> = std::result::Result<T, E>;
