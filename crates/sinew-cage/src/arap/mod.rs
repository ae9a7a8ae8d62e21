//! As-rigid-as-possible deformation of a control mesh.

mod bone_goals;
mod cells;
mod driver;
mod initial_rotations;
mod joint_limits;
mod momentum;
mod nearest_rotation;
mod options;
mod release;
mod volume_restoration;

pub use driver::{Driver, DriverOutcome};
pub use joint_limits::JointRange;
pub use nearest_rotation::nearest_rotation;
pub use options::DriverOptions;
pub use release::Release;
