//! The tasks that people do with characters, on the command line or in the studio: prepare a character for a recipe,
//! pose it, retarget and edit motions, bind, bake, drive a cage, and report on the result.
//!
//! Tasks return all results and warnings; nothing prints. There is no clock: a caller passes a [`Clock`] for times.

pub mod bake;
pub mod bind;
pub mod cage;
pub mod deform;
mod error;
pub mod files;
pub mod find;
pub mod markers;
pub mod measure;
mod misplacement;
pub mod motion;
pub mod muscle_meshes;
pub mod pose_file;
pub mod recipe;
pub mod sketch;
mod suggest;
mod unresolved_names;

pub use error::{Context, Error, Result, one_sentence};
pub use suggest::similar;
pub use unresolved_names::unresolved_names;

/// Milliseconds since some fixed moment.
pub type Clock<'a> = &'a dyn Fn() -> f64;
