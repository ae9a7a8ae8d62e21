//! Sinew's engine: a rigged character and a pose go in, a deformed surface comes out.
//!
//! ```text
//! Character ──► Pose(t) ──► Stack (skin ─► …) ──► Surface
//! ```
//!
//! Data goes one way. A stage is *built* once for a character, where everything that can be wrong is
//! checked; it is then *run* per frame into the caller's buffers, allocates nothing and cannot fail.
//! The engine knows no file format, no network and no clock, and builds for `wasm32`.
//!
//! Conventions: right-handed, column vectors, `p' = M p`; positions in f32 as files and GPUs hold
//! them, transforms, sums and volumes in f64.

pub mod bind;
pub mod cage;
mod checksum;
mod curve;
pub mod demo;
pub mod distance;
pub mod field;
pub mod fit;
pub mod geometry;
pub mod graph_edit;
pub mod implicit;
pub mod markers;
pub mod motion;
pub mod motion_edit;
pub mod muscle;
pub mod recipe;
pub mod rig;
mod rows;
pub mod search;
pub mod skin;
pub mod solve;
mod stack;
pub mod transfer;
pub mod volume;

mod error;
pub use error::Error;
pub use stack::{Deformer, Frame, FramePhase, Stack, Surface};

/// The result of everything that can go wrong while a character is built.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
