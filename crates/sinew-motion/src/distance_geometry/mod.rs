//! Points told by their distances.
//!
//! From distances to points: [`classical_scaling`] when all are known, [`build_up`] from four placed points when each
//! further one is known from four others, and [`Kinematics`] when they are few, inexact or too many, or when some matter
//! more than others. [`Distances`] is the way there.

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
