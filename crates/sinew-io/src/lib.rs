//! Characters and motions from and to files.
//!
//! [`load`] reads any supported file, [`save`] writes a rigged character, a motion or a skeleton, and
//! [`bake`] writes a moving surface. One module per format; the engine depends on none of them.
//!
//! Readers work on bytes in memory, check every size before they allocate, and never panic on bad
//! input. Writers write a temporary file and rename it, so a file is whole or absent.

mod asset;
mod atomic_file;
pub mod bake;
mod bake_writer;
mod bind_pose;
mod corners;
mod error;
mod folder;
mod format;
mod frame_count;
mod load;
mod rest;
mod save;
mod scan;
mod shape;
mod unfinished;
mod winding;

pub mod asf;
pub mod bvh;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
pub mod markers;
pub mod npz;
pub mod obj;
pub mod pc2;
pub mod ply;
pub mod skeleton_toml;
pub mod sketch;
pub mod usda;

pub use asset::{Appearance, Asset, Image, UpAxis};
pub use atomic_file::AtomicFile;
pub use bake_writer::BakeWriter;
pub use error::{Error, Problem};
pub use format::Format;
pub use load::{SiblingFiles, load, read, side_files};
pub use rest::rest_surface;
pub use save::save;
pub use unfinished::{TemporaryFolder, remove_unfinished_files};
pub use winding::world_faces;

/// A vertex that follows more joints than this is no part of a character but a trap.
const MAX_INFLUENCES: usize = 256;
