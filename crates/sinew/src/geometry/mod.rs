//! Surfaces: what they are made of, how they hang together, what they enclose.

mod bounds;
mod box_tree;
mod closed;
mod closest;
mod crossings;
mod edges;
mod face_sides;
mod groups;
mod intersect;
mod mesh;
mod polar;
pub mod refine;
mod shares;
mod smooth;
pub mod subdivide;
mod surface_laplacian;
mod swing_twist;
mod topology;
mod triangle_pair;
mod union_find;
pub mod volume;
mod winding;

pub use closed::ClosedSurface;
pub use closest::{ClosestSurface, Hit, NormalCones};
pub use crossings::Crossing;
pub use intersect::{SelfIntersections, SurfaceTriangle};
pub use mesh::{Attribute, Face, Mesh, MorphTarget, Primitive};
pub use polar::polar;
pub use shares::ShareTable;
pub use surface_laplacian::SurfaceLaplacian;
pub use topology::Topology;
pub use winding::Winding;

pub(crate) use closest::closest;
pub(crate) use face_sides::{FaceSides, Side};
pub(crate) use groups::grouped;
pub(crate) use swing_twist::swing_twist;
pub(crate) use triangle_pair::intersect;
pub(crate) use union_find::UnionFind;
pub(crate) use winding::solid_angle;
