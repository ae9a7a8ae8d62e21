//! A character's surface with its seams welded, and the limbs that it consists of.

mod limbs;
mod refine;
mod surface;

pub(crate) use limbs::{FEWEST, Limb, Limbs};
pub(crate) use surface::{NormalRotations, WeldedSurface, faces_at};
