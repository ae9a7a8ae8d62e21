//! Joints that neither collapse, bulge nor cross: skin that follows the fields of its limbs.
//!
//! ```text
//! character ─► welded points ─► limbs ─► samples ─► limb_field: HRBF on a grid ─► fields: composed at joints
//!                                 └────► joint: the plane between two limbs ─► region: points around joints
//! pose ─► strain ─► own limb and its field ─► press, sides ─► membrane ─► pressure ─► sides ─► apart ─► surface
//! ```
//!
//! This is implicit skinning \[R18 ch. 3\] in the form of a few steps that are continuous in the pose. Its algorithms 3.1
//! to 3.3 move every point along the gradient until its density is that at rest or the gradient turns sharply; which of
//! the two stops it differs from frame to frame, and the point jumps. Here the contact of two limbs is a plane, the one on which two
//! equal fields are equal, and a point's distance from its own limb has a gradient everywhere. Relaxation is the membrane,
//! and what a bend squeezes out swells beside the contact, as a bulge does.

mod apart;
mod cache;
mod deformer;
mod fields;
mod joint;
mod limb_field;
mod meeting;
mod membrane;
mod options;
mod pressure;
mod region;
mod report;
mod samples;
mod sides;
mod skin_distance;
mod strain;
mod yielding_bones;

#[cfg(fuzzing)]
pub use cache::fuzz as fuzz_cache;
pub(crate) use cache::split as split_cache;
pub use deformer::{ImplicitDeformer, implicit_skin};
pub use limb_field::Fit;
pub use options::{ControllerKind, ImplicitOptions, JointField, JointFieldOptions, LimbOptions, OperatorKind};
pub use report::{ImplicitFrame, LimbReport};
