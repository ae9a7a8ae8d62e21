//! Surfaces: what they are made of, how they hang together, what they enclose.

mod box_tree;
mod closed;
mod edges;
mod intersect;
mod mesh;
mod polar;
pub mod refine;
mod shares;
pub mod subdivide;
mod topology;
mod triangle_pair;
pub mod volume;
mod winding;

pub use closed::ClosedSurface;
pub use intersect::{SelfIntersections, SurfaceTriangle};
pub use mesh::{Attribute, Face, Mesh, MorphTarget, Primitive};
pub use polar::polar;
pub use shares::ShareTable;
pub use topology::Topology;
pub use winding::Winding;
