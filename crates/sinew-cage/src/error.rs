//! What can be wrong with a cage and what drives it. Every sentence names the thing.

/// What can be wrong with a cage and what drives it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// A field that cannot be used.
    #[error(transparent)]
    Field(#[from] sinew_field::Error),
    /// A character that cannot be used.
    #[error(transparent)]
    Rig(#[from] sinew_rig::Error),
    /// A motion that cannot be used.
    #[error(transparent)]
    Motion(#[from] sinew_motion::Error),
    /// A cage that could not be kept outside its mesh.
    #[error("no cage at an offset of {offset} of the mesh's diagonal stays outside the mesh; use a larger offset")]
    NotEnclosed {
        /// The offset asked for.
        offset: f64,
    },
    /// A marker nowhere near the mesh.
    #[error(
        "marker {marker} is {distance:.3} away from a mesh that is {size:.3} across; place it on the mesh, in its units"
    )]
    MarkerFarAway {
        /// Its place in the list.
        marker: usize,
        /// From the cage to it.
        distance: f64,
        /// The diagonal of the mesh's box.
        size: f64,
    },
    /// Markers that cannot be told apart.
    #[error("markers {first} and {second} are in the same place; leave one out or move it")]
    MarkersCoincide {
        /// The place of one in the list.
        first: usize,
        /// The place of the other.
        second: usize,
    },
    /// A control mesh that cannot be driven.
    #[error("the control mesh is broken: {what}; build the cage again")]
    BrokenControlMesh {
        /// What is wrong.
        what: &'static str,
    },
    /// Nothing that could move the mesh.
    #[error("nothing moves the mesh: give markers, or a skeleton whose joints are to be followed")]
    NoHandles,
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
}

/// The result of what can be wrong with a cage and what drives it.
pub type Result<T, E = Error> = std::result::Result<T, E>;
