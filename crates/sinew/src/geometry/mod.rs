//! Surfaces: what they are made of, how they hang together, what they enclose.

mod box_tree;
mod intersect;
mod mesh;
mod polar;
pub mod subdivide;
mod topology;
mod triangle_pair;
pub mod volume;

pub use intersect::{SelfIntersections, SurfaceTriangle};
pub use mesh::{Attribute, Face, Mesh, MorphTarget, Primitive};
pub use polar::polar;
pub use topology::Topology;
