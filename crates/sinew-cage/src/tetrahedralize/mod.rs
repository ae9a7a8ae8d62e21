//! Tetrahedra that fill a cage.
//!
//! [`interior_points`] chooses the vertices inside, [`delaunay`] connects them, [`filling`] keeps the tetrahedra inside
//! the cage, and [`improvement`] replaces slivers by filling a [`cavity`] again. [`quality`] measures a tetrahedron.

mod barycentric;
mod cavity;
mod delaunay;
mod filling;
mod improvement;
mod interior_points;
mod quality;

pub use interior_points::{Anchor, ControlBone};
pub use quality::{SLIVER, TetrahedraQuality};

pub(crate) use barycentric::barycentric;
pub(crate) use cavity::{ImprovedMesh, TetrahedralMesh, VertexRoles};
pub(crate) use filling::{DelaunayComplex, InteriorTetrahedra, PointSet};
pub(crate) use improvement::improve;
pub(crate) use interior_points::InteriorPoints;
pub(crate) use quality::volume;
