//! Distances from bones to vertices through the inside of the body.
//!
//! [`straight_distances`] measures straight paths, with [`vertex_fans`] for their last piece along the surface.
//! [`fast_marching`] finds paths around corners on the grid of [`voxels`], whose steps lengthen near a surface
//! ([`openness`]); [`arrival_queue`] orders the wave front. [`leaf_lengths`] finds the length of bones without an end.

mod arrival_queue;
pub(crate) mod fast_marching;
pub(crate) mod leaf_lengths;
mod openness;
pub(crate) mod straight_distances;
pub(crate) mod vertex_fans;
pub(crate) mod voxels;
