//! Muscles: what lies between bone and skin?

mod activation;
mod axis;
mod definition;
mod dynamics;
mod fan;
mod keys;
mod muscle_field;
pub mod profile;
mod projection;
mod set;
mod sketch;
mod surface;

pub use activation::AutoActivation;
pub use axis::{Axis, AxisFrame, MAX_POINTS};
pub use definition::{Attachment, Bone, BoneShape, Fat, Muscle};
pub use dynamics::{Dynamics, DynamicsOptions, FatField, Flesh, Residuals};
pub use fan::{Fibre, fan};
pub use keys::{Keyed, ToneKeys};
pub use muscle_field::{MAX_ECCENTRICITY, MuscleField, Shape, Tone};
pub use projection::Projected;
pub use set::{FittedSet, MuscleSet, NamedMuscle, Place, Segment};
pub use sketch::{Fitted, Sketch};
