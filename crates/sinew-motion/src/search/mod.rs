//! Search for similar motions.
//!
//! A motion is described by the distances between parts of the body over time (L13 ch. 4), which do not depend on the
//! position and the heading of the body. There are two kinds of comparison:
//!
//! - [`baseline`]: one vector per motion, as in L13, from distances, positions or rotations.
//! - [`Motion`] and [`Query`]: distances of [`landmarks`] that all humanoid skeletons share, as shares of the body's
//!   own lengths, in short windows, together with their principal directions. This compares motions of different
//!   skeletons and finds parts of long motions and mirrored motions.
//!
//! [`Rates`] has the recognition rates of a comparison on motions of known classes.

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
