//! The errors of building and driving a cage.

/// An error of building or driving a cage.
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
    /// No cage at this offset stays outside the mesh.
    #[error("no cage at an offset of {offset} of the mesh's diagonal stays outside the mesh; use a larger offset")]
    NotEnclosed {
        /// The requested offset.
        offset: f64,
    },
    /// A surface at this offset that would take too long to simplify.
    #[error(
        "the surface at an offset of {offset} of the mesh's diagonal has {triangles} triangles, too many for a cage; \
         use a larger offset"
    )]
    TooIntricate {
        /// The requested offset.
        offset: f64,
        /// How many triangles there are.
        triangles: usize,
    },
    /// A marker far away from the mesh.
    #[error(
        "marker {marker} is {distance:.3} away from a mesh that is {size:.3} across; place it on the mesh, in its units"
    )]
    MarkerFarAway {
        /// Its index.
        marker: usize,
        /// Its distance from the cage.
        distance: f64,
        /// The diagonal of the mesh's box.
        size: f64,
    },
    /// Two markers at the same position.
    #[error("markers {first} and {second} are in the same place; leave one out or move it")]
    MarkersCoincide {
        /// The index of one of them.
        first: usize,
        /// The index of the other.
        second: usize,
    },
    /// An invalid control mesh, from a damaged file for example.
    #[error("the control mesh is broken: {what}; build the cage again")]
    BrokenControlMesh {
        /// The problem.
        what: &'static str,
    },
    /// A driver without handles.
    #[error("nothing moves the mesh: give markers, or a skeleton whose joints are to be followed")]
    NoHandles,
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
}

/// The result of building or driving a cage.
pub type Result<T, E = Error> = std::result::Result<T, E>;
