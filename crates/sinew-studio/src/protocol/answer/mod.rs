//! The answers of the engine, by topic.

mod cage;
mod character;
mod fields;
mod frame;
mod hello;
mod job;
mod motion;
mod muscles;
mod text;

pub use cage::*;
pub use character::*;
pub use fields::*;
pub use frame::*;
pub use hello::*;
pub use job::*;
pub use motion::*;
pub use muscles::*;
pub use text::*;

use serde::Serialize;

/// A message of the engine. [`Hello`], [`Topology`] and [`Musculature`] come unasked; all others answer a request.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The first message of a session.
    Hello(Box<Hello>),
    /// A character is open.
    Opened(Box<Opened>),
    /// The triangles that frames refer to.
    Topology(Topology),
    /// The muscles that frames refer to.
    Musculature(Musculature),
    /// The surface at a moment.
    Frame(Box<Frame>),
    /// The weight of a joint at every vertex.
    Weights(Weights),
    /// The volume profile of a joint.
    Profile(Box<ResolvedProfile>),
    /// The fields of the limbs.
    Fields(Fields),
    /// The effect of a motion edit.
    Motion(Motion),
    /// A motion as a file.
    MotionFile(MotionFile),
    /// The volume over a clip.
    Plotted(Plotted),
    /// New weights.
    Bound(Bound),
    /// A cage is built.
    Caged(Box<Caged>),
    /// A clip as a file.
    Baked(Baked),
    /// The profile of a muscle fitted to a drawing.
    Sketch(FittedSketch),
    /// A recipe as text.
    RecipeText(Text),
    /// A recipe.
    Recipe(CheckedRecipe),
    /// A pose as text.
    PoseText(Text),
    /// A pose.
    Turns(PoseTurns),
    /// The progress of a job.
    Progress(Progress),
    /// A request that cannot be answered.
    Failed(Failed),
}
