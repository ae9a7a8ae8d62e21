//! Search for similar motions.
//!
//! A motion is seen as the distances between parts of the body over time (L13 ch. 4), which know neither where the
//! body is nor where it looks. Two kinds of comparison are here:
//!
//! - [`baseline`]: one vector for a motion, as L13 has it, from distances, positions or rotations.
//! - [`Motion`] and [`Query`]: distances of [`landmarks`] that all humanoid skeletons share, as shares of the body's
//!   own lengths, in short windows, together with the directions along which they vary. So motions of different
//!   skeletons compare, parts of long ones are found, and left-handed ones as well.
//!
//! [`Rates`] tells how often a comparison is right on motions whose classes are known.

pub mod baseline;
mod directions;
mod distances;
pub mod landmarks;
mod matching;
mod motion;
mod pose_features;
mod ranking;
mod rates;

pub use directions::{Directions, principal_directions};
pub use distances::squared_distances;
pub use matching::{Match, Query};
pub use motion::{HEIGHTS, HOP_SECONDS, Motion, MotionPart, WINDOW, WINDOW_SECONDS};
pub use rates::Rates;
