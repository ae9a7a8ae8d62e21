//! Muscles: the solids between bone and skin, and their dynamics.
//!
//! A muscle is a solid swept along an axis, of a volume that does not change \[R18 ch. 4\]: it swells where it
//! shortens, and its [`profile`] changes when it is tensed. [`MuscleField`] is its field, of both conventions of
//! [`sinew_field`]; its axis is a chain of particles that is attached to the skeleton, slides over bones and shakes
//! \[R18 ch. 5\] ([`Dynamics`]). A [`MuscleSet`] has muscles by their anatomical names, and fits them to a body.
//!
//! ```text
//! MuscleSet ─ fit(skeleton, skin) ─► Musculature ─► Dynamics ─ advance(pose, Δt, controls) ─► fields ─► skin
//!                            MuscleControlKeys, AutoActivation ─► controls ───────┘
//! ```
//!
//! Building checks everything; the code per frame cannot fail and allocates nothing.
//!
//! ```
//! use sinew_field::DistanceField;
//! use sinew_deform::muscle::{Dynamics, DynamicsOptions, MuscleSet};
//!
//! let figure = sinew_demo::character();
//! let fitted = MuscleSet::humanoid().fit(&figure.skeleton, None)?;
//! let rest = figure.skeleton.rest_world();
//! let mut muscles = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default())?;
//! muscles.advance(&rest, 1.0 / 30.0, &[]);
//! let biceps = fitted.musculature.muscles.iter().position(|muscle| muscle.name == "left biceps brachii, long head");
//! let field = muscles.muscles().nth(biceps.expect("it is in the set")).expect("each has a field");
//! assert!(field.distance(field.axis().at(0.5).position).value < 0.0, "the axis is inside");
//! # Ok::<(), sinew_deform::Error>(())
//! ```

mod activation;
mod axis;
mod definition;
mod deformer;
mod dynamics;
mod fan;
mod keys;
mod muscle_field;
mod options;
pub mod profile;
mod projection;
mod room;
mod set;
mod sketch;
mod skin;
mod surface;

pub use activation::AutoActivation;
pub use axis::{Axis, AxisFrame, MAX_POINTS};
pub use definition::{Attachment, Bone, BoneShape, Fat, Muscle, Musculature};
pub use deformer::MuscleDeformer;
pub use dynamics::{Dynamics, DynamicsOptions, FatField, Residuals};
pub use fan::{Fibre, fan};
pub use keys::{Keyed, MuscleControlKeys};
pub use muscle_field::{MAX_ECCENTRICITY, MuscleControl, MuscleField, Shape};
pub use options::{MuscleLines, MuscleOptions};
pub use projection::Projected;
pub use set::{
    FittedSet, Keys, MuscleChange, MuscleSet, NamedFat, NamedMuscle, Place, Segment, SegmentFrame, Sketched,
};
pub use sketch::{Fitted, FittedProfile, Sketch};
