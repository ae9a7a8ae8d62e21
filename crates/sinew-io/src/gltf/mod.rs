//! glTF 2.0, binary and JSON: characters in and out, bakes out.
//!
//! The JSON is read into our own small types rather than those of a glTF crate: a character needs a
//! fraction of the format, and real files break the rest of it in ways that need not stop us. What
//! matters is decoded and checked here, with the accessor, node or mesh in every message; materials
//! and textures are preserved.
//!
//! | question | file |
//! |---|---|
//! | what the file is made of | `container`, `views`, `uri`, `schema`, `budget` |
//! | typed arrays out of bytes | `accessor`, `component` |
//! | compressed views and primitives | `meshopt`, `draco` |
//! | meshes and weights | `geometry` |
//! | nodes, and the rest pose from inverse bind matrices | `skeleton` |
//! | clips | `animation` |
//! | the whole | `read`, `write` |
//! | arrays into a file | `output`, `write_mesh`, `write_clip` |
//! | moving surfaces | `bake` |

/// The attribute that carries the share of dual-quaternion against linear skinning, for which glTF has
/// no place of its own.
const DUAL_QUATERNION_SHARE: &str = "_DUAL_QUATERNION_SHARE";

mod accessor;
mod animation;
mod bake;
mod budget;
mod component;
mod container;
mod draco;
mod geometry;
mod meshopt;
mod output;
mod read;
mod schema;
mod skeleton;
mod uri;
mod views;
mod write;
mod write_clip;
mod write_mesh;

pub use bake::bake;
pub(crate) use container::side_files;
pub use read::read;
pub use write::{write, write_embedded};
