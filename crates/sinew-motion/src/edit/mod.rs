//! Edits of a captured motion: a joint reaches a place in a frame, and the rest of the motion changes little.
//!
//! [`MotionEdit`] is prepared for a range of a clip; pins are added and dragged. Each solve gives the poses of
//! the range, the clip that has them, and a report of what was met.

mod body_contacts;
mod contacts;
mod ground;
mod limits;
mod merge;
mod motion_edit;
mod options;
mod position_constraints;
mod recipe;
mod report;
mod rotations;
mod skeleton_points;
mod source;
mod spacetime;

pub use body_contacts::{BodyContact, body_contacts};
pub use ground::{Ground, HeightField};
pub use limits::JointLimit;
pub use motion_edit::MotionEdit;
pub use options::{MotionEditOptions, Pin};
pub use recipe::{LimitRecipe, MotionRecipe, PinRecipe, TurnRecipe};
pub use report::{Contact, EditReport, PinReport};
pub use source::LEAST_FRAMES;
