//! Flesh: the skin lies where elastic tissue on bones comes to rest.
//!
//! Tetrahedra fill the skin ([`sinew_flesh::Body`]), finer at joints (`grading`). Rigid bones in them (`bones`) follow the
//! joints, and the tissue settles around them, limbs kept apart by contacts. Everything happens in the frame of the
//! root, so that a character that is moved as a whole costs nothing.

mod bones;
mod deformer;
mod grading;
mod hinges;
mod limb_radius;
mod node_skin;
mod options;
mod presets;
mod rest_skin;

pub use deformer::{FleshDeformer, FleshReport};
pub use options::{BonePreset, Fineness, FleshOptions, JointFleshOptions};
