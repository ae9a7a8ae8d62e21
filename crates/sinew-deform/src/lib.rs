//! Deformers: a pose goes in, a surface comes out.

mod error;
pub mod flesh;
pub mod implicit;
pub mod muscle;
mod parallel;
pub mod skinning;
mod stack;
pub mod volume;
mod welded;

pub use error::{Error, Result};
pub use stack::{Stack, StackOptions};
