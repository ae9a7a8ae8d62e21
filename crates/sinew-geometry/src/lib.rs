//! Surfaces: what they are made of, how they hang together, what they enclose.

mod bounds;
mod box_tree;
pub mod checksum;
mod closed;
mod closest;
pub mod curve;
mod edges;
mod error;
mod face;
mod face_sides;
mod interpolation;
mod mesh;
mod nearest_rotation;
pub mod parallel;
mod polar;
mod posed_triangle;
pub mod refine;
mod rotation_of_directions;
mod rows;
mod segment_intersections;
mod self_intersections;

mod smooth;
pub mod solve;
pub mod subdivide;
mod surface_laplacian;
mod swing_twist;
mod tetrahedron_tree;
mod topology;
mod triangle_pair;
mod union_find;
pub mod volume;
mod winding;

pub use closed::ClosedSurface;
pub use closest::{ClosestSurface, Hit, NormalCones, SurfaceParts};
pub use error::{Error, Result};
pub use face::Face;
pub use interpolation::InterpolationMatrix;
pub use mesh::{Attribute, Mesh, MorphTarget, Primitive};
pub use nearest_rotation::nearest_rotation;
pub use polar::polar;
pub use rotation_of_directions::rotation_of_directions;
pub use rows::{NewRow, Rows};
pub use segment_intersections::SegmentIntersection;
pub use self_intersections::{SelfIntersections, SurfaceTriangle};
pub use surface_laplacian::SurfaceLaplacian;
pub use tetrahedron_tree::TetrahedronTree;
pub use topology::Topology;
pub use winding::Winding;

pub use closest::closest;
pub use face_sides::{FaceSides, Side};
pub use swing_twist::swing_twist;
pub use triangle_pair::intersect;
pub use union_find::UnionFind;
pub use winding::solid_angle;
