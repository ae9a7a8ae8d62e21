//! Points from their distances.
//!
//! [`classical_scaling`] needs all distances. [`build_up`] starts from four placed points and needs distances of each
//! further point to four others. [`Kinematics`] solves for few, inexact, too many or weighted distances. [`Distances`]
//! converts points to distances.

mod build_up;
mod constraint;
mod contradiction;
mod kinematics;
mod level;
mod metric;
mod scaling;
mod schur;

pub use build_up::build_up;
pub use constraint::Constraint;
pub use kinematics::{Kinematics, KinematicsOutcome};
pub use scaling::{Distances, Scaling, classical_scaling};
