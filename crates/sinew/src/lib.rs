//! Sinew: a rigged character and a pose go in, a deformed surface comes out.
//!
//! ```text
//! Character ──► Pose(t) ──► Stack (skin ─► …) ──► Surface
//! ```
//!
//! Data goes one way. A deformer is *built* once for a character, where everything that can be wrong is
//! checked; it is then *run* per frame into the caller's buffers, allocates nothing and cannot fail.
//! The engine knows no file format, no network and no clock, and builds for `wasm32`.
//!
//! Conventions: right-handed, column vectors, `p' = M p`; positions in f32 as files and GPUs hold
//! them, transforms, sums and volumes in f64.

pub mod recipe;

mod error;

pub use error::{Error, Result};
pub use sinew_bind as bind;
pub use sinew_cage as cage;
pub use sinew_deform as deform;
pub use sinew_deform::{Stack, StackOptions};
pub use sinew_demo as demo;
pub use sinew_field as field;
pub use sinew_geometry as geometry;
pub use sinew_motion as motion;
pub use sinew_rig as rig;
pub use sinew_rig::{Contacts, Deformer, Frame, Surface, Time};

/// Runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
