//! Stanford PLY: a shape without a rig, as text or in either byte order.

mod header;
mod read;
mod values;
mod write;

pub use read::read;
pub use write::{write, write_surface};
