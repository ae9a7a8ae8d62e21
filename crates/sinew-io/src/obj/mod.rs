//! Wavefront OBJ: a shape without a rig, and a numbered row of shapes as a bake.

mod bake;
mod read;
mod write;

pub use bake::bake;
pub use read::read;
pub use write::{write, write_surface};

/// `usemtl` holds until the next, and this name, which Blender writes too, ends it.
const NO_MATERIAL: &str = "None";
