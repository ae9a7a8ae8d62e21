//! Flesh: the skin lies where elastic tissue on bones comes to rest.
//!
//! Tetrahedra fill the skin ([`sinew_flesh::Body`]), finer at joints (`grading`). Rigid bones in them (`bones`) follow the
//! joints, and the tissue settles around them, limbs kept apart by contacts. Everything happens in the frame of the
//! root, so that a character that is moved as a whole costs nothing.

mod bone_mesh;
mod bones;
mod core;
mod deformer;
mod flesh_bones;
mod grading;
mod hinges;
mod inertia;
mod interior;
mod limb_radius;
mod loose_parts;
mod muscles;
mod named_bones;
mod node_skin;
mod options;
mod presets;
mod regions;
mod rest_skin;
mod shells;

pub use deformer::{FleshDeformer, FleshReport};
pub use flesh_bones::FleshBones;
pub use options::{BonePreset, Fineness, FleshOptions, FleshShakeOptions, JointFleshOptions};
pub use regions::RegionVolume;
