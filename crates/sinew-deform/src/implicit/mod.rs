//! Joints that neither collapse, bulge nor cross: skin that follows the fields of its limbs.
//!
//! ```text
//! character ─► welded points ─► limbs ─► samples ─► limb_field: HRBF on a grid ─► fields: composed at joints
//!                                 └────► hinge: joints like elbows ─► trial: rejects harmful hinges
//! pose ─► model: limbs in the pose ─► bend: two pipes cut at a mitre ─► track: projection onto iso-values ─► surface
//! ```
//!
//! The method is implicit skinning \[R18 ch. 3\] with three changes. At joints that bend like a hinge, the contact of the
//! two limbs has a closed form, so no point has to find its side by the angle between two gradients. The fields are
//! followed only where they represent the surface well (`confidence`). And each hinge is tried beforehand: where it would
//! make triangles intersect that the plain skin keeps apart, it is rejected.

mod bend;
mod cache;
mod confidence;
mod deformer;
mod fields;
mod fold_intersections;
mod hinge;
mod limb_field;
mod model;
mod options;
mod report;
mod samples;
mod track;
mod trial;

#[cfg(fuzzing)]
pub use cache::fuzz as fuzz_cache;
pub(crate) use cache::split as split_cache;
pub use deformer::{ImplicitDeformer, implicit_skin};
pub use limb_field::Fit;
pub use options::{ControllerKind, ImplicitOptions, JointField, JointFieldOptions, LimbOptions, OperatorKind};
pub use report::LimbReport;
pub use track::Tracking;
