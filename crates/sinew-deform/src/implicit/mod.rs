//! Joints that neither collapse, bulge nor cross: skin that follows the fields of its limbs.
//!
//! ```text
//! character ─► body: welded points ─► limbs ─► samples ─► limb_field: HRBF on a grid ─► fields: joined at joints
//!                                       └────► hinge: joints like elbows ─► trial: do they help?
//! pose ─► anatomy: where limbs are ─► bend: two pipes cut at a mitre ─► track: back to iso-values ─► surface
//! ```
//!
//! The method is implicit skinning \[R18 ch. 3\] with three changes. At joints that bend like a hinge, the contact of the
//! two limbs has a closed form, so no point has to find its side by the angle between two gradients. The fields are
//! followed only where they tell more than the skin does (`trust`). And what is done at a joint is tried beforehand:
//! where it would make triangles cross that the plain skin keeps apart, it is not done.

mod anatomy;
mod bend;
mod deformer;
mod fields;
mod hinge;
mod kept;
mod knots;
mod limb_field;
mod options;
mod samples;
mod track;
mod trial;
mod trust;
mod untie;

pub use deformer::{ImplicitDeformer, LimbReport};
pub(crate) use kept::split as split_cache;
pub use limb_field::Fit;
pub use options::{ControllerKind, ImplicitOptions, JointField, JointFieldOptions, LimbOptions, OperatorKind};
pub use track::Tracking;
