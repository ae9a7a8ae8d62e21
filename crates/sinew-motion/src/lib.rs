//! Motion: retargeted, edited, searched, and repaired where markers were lost.

pub mod distance_geometry;
pub mod edit;
mod error;
pub mod laplacian_editing;
pub mod markers;
pub mod retarget;
pub mod search;

pub use error::{Error, Result};
