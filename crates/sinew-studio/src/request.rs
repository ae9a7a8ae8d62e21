//! What a page can ask for.

use crate::message::{Malformed, split};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A request; `id` comes back with everything that answers it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Request {
    /// Open files that a person chose: the first that can be read, with the others beside it. A motion is played on
    /// the character `onto`.
    Open { id: u64, files: Vec<FileSlice>, onto: Option<String> },
    /// Open a character that Sinew makes itself.
    Demo { id: u64, name: String },
    /// Open again what the engine still has.
    Reopen { id: u64, key: String },
    /// The surface at a moment.
    Frame(Box<FrameRequest>),
    /// The weight of a joint at every vertex.
    Weights { id: u64, key: String, recipe: Value, clip: Option<usize>, joint: String },
    /// The shape of the correction at a joint, with nothing left open.
    Profile { id: u64, recipe: Value, joint: String },
    /// The fields of the limbs at a moment.
    Fields(Box<FieldsRequest>),
    /// What the pins of a recipe do to a clip.
    Motion(Box<MotionRequest>),
    /// A clip with its edit as a motion file.
    SaveMotion(Box<SaveMotionRequest>),
    /// The volume over a clip.
    Plot(Box<Moving>),
    /// New weights.
    Bind(Box<BindRequest>),
    /// A cage around a character, as its recipe says.
    Cage { id: u64, key: String, recipe: Value },
    /// A clip as a file.
    Bake(Box<BakeRequest>),
    /// The profile of a muscle for a drawing.
    Sketch { id: u64, drawn: Drawn },
    /// Stop a job.
    Cancel { id: u64 },
    /// A recipe as text for people.
    WriteRecipe { id: u64, recipe: Value },
    /// A recipe from text.
    ReadRecipe { id: u64, text: String },
    /// A pose as text for the command line.
    WritePose { id: u64, key: String, recipe: Value, clip: Option<usize>, time: f64, turns: Turns },
    /// A pose from text.
    ReadPose { id: u64, key: String, text: String },
}

/// Where the bytes of a file lie in the payload.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSlice {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub at: usize,
    /// How many there are.
    pub count: usize,
}

/// What the profile of a muscle is fitted to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// The corners of an outline, with y downwards.
    Outline(Vec<[f64; 2]>),
    /// The file of a drawing.
    File(FileSlice),
}

/// Rotations by joint, each after the clip's own, as `x y z w`.
pub type Turns = BTreeMap<String, [f64; 4]>;

/// A moment to be seen: the clip at that time, or the bind pose, then the turns.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameRequest {
    /// Comes back with the frame.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// Its clip; none for the bind pose.
    pub clip: Option<usize>,
    /// Seconds in the clip.
    pub time: f64,
    /// What a person added.
    #[serde(default)]
    pub turns: Turns,
    /// How it is deformed: a [`sinew::recipe::Recipe`], whose mistakes are answered.
    pub recipe: Value,
    /// What is measured at every vertex.
    #[serde(default)]
    pub color: Color,
    /// The recipe of what is seen beside it.
    pub compare: Option<Value>,
    /// Whether the muscles are drawn.
    #[serde(default)]
    pub muscles: bool,
    /// Whether the clip is played, so that this frame follows the one before even if some time lies between.
    #[serde(default)]
    pub playing: bool,
    /// What moves the mesh by way of its cage; none where it follows its skin.
    pub cage: Option<CageDrive>,
}

/// What moves a mesh by way of its cage. Places are in the world.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CageDrive {
    /// The pose or handles.
    pub by: DrivenBy,
    /// Where joints are held, by name.
    pub joints: BTreeMap<String, [f64; 3]>,
    /// Where markers were dragged to, by label; the others stay where they are at rest.
    pub markers: BTreeMap<String, [f64; 3]>,
    /// Whether joints stay within their limits.
    pub limits: bool,
}

/// What a cage is driven by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrivenBy {
    /// The positions of the joints in the pose.
    Pose,
    /// Markers, and joints that are held.
    Handles,
}

/// What is asked of the fields that an implicit skin follows, at a moment as in [`FrameRequest`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldsRequest {
    /// Comes back with the answer.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// Its clip; none for the bind pose.
    pub clip: Option<usize>,
    /// Seconds in the clip.
    pub time: f64,
    /// What a person added.
    #[serde(default)]
    pub turns: Turns,
    /// How it is deformed: a [`sinew::recipe::Recipe`] whose implicit skin is on.
    pub recipe: Value,
    /// Whether the surface of the fields is told.
    pub surface: bool,
    /// The joint through which a plane with contour lines goes.
    pub cut: Option<String>,
    /// The joint of whose limb the samples are told.
    pub samples: Option<String>,
}

/// What is asked of an edited motion.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionRequest {
    /// Comes back with the answer.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// Whose pins: a [`sinew::recipe::Recipe`].
    pub recipe: Value,
    /// Its clip.
    pub clip: usize,
    /// The joint whose way is told.
    pub joint: Option<String>,
    /// The frame of the clip in which the joint's place is told.
    pub frame: Option<usize>,
}

/// A motion to be written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveMotionRequest {
    /// Comes back with the file.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// Whose pins.
    pub recipe: Value,
    /// Its clip.
    pub clip: usize,
    /// What it is written as.
    pub format: MotionFormat,
}

/// What a motion is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionFormat {
    /// The skeleton and the clip alone.
    Bvh,
    /// The whole character with all its clips.
    Glb,
}

/// A character through a clip.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Moving {
    /// Comes back with everything that is said of it.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// How it is deformed.
    pub recipe: Value,
    /// Its clip.
    pub clip: usize,
    /// What a person added.
    #[serde(default)]
    pub turns: Turns,
}

/// A clip to be written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BakeRequest {
    /// What is written.
    #[serde(flatten)]
    pub moving: Moving,
    /// The extension of the file.
    pub format: String,
    /// Frames per second.
    pub fps: f64,
}

/// What is measured at every vertex of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Nothing.
    #[default]
    None,
    /// The distance from the skin alone, in the file's units.
    Displacement,
    /// The relative change of the volume around the vertex.
    Volume,
}

/// A binding to be made.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BindRequest {
    /// Comes back with everything that is said of it.
    pub id: u64,
    /// Which character.
    pub key: String,
    /// Where the skeleton comes from.
    pub skeleton: SkeletonSource,
    /// How weights are found.
    pub method: BindMethodName,
    /// The most joints that move a vertex.
    pub influences: Option<usize>,
    /// The files of another skeleton.
    #[serde(default)]
    pub files: Vec<FileSlice>,
}

/// Where the skeleton of a binding comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkeletonSource {
    /// The character's own.
    Own,
    /// A body of two arms and two legs, placed inside the mesh.
    Humanoid,
    /// A body on four legs, placed inside the mesh.
    Quadruped,
    /// Another file, which stands in the mesh.
    File,
    /// Another character, with its weights.
    From,
}

/// How weights are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindMethodName {
    /// Through the inside of the body.
    Geodesic,
    /// By straight distance.
    Distance,
}

impl Request {
    /// What comes back with the answers.
    pub fn id(&self) -> u64 {
        match self {
            Self::Open { id, .. }
            | Self::Demo { id, .. }
            | Self::Reopen { id, .. }
            | Self::Weights { id, .. }
            | Self::Profile { id, .. }
            | Self::Cage { id, .. }
            | Self::Sketch { id, .. }
            | Self::Cancel { id }
            | Self::WriteRecipe { id, .. }
            | Self::ReadRecipe { id, .. }
            | Self::WritePose { id, .. }
            | Self::ReadPose { id, .. } => *id,
            Self::Frame(request) => request.id,
            Self::Fields(request) => request.id,
            Self::Motion(request) => request.id,
            Self::SaveMotion(request) => request.id,
            Self::Plot(request) => request.id,
            Self::Bind(request) => request.id,
            Self::Bake(request) => request.moving.id,
        }
    }

    /// Reads a message: the request, and the payload that it speaks of.
    pub fn read(message: &[u8]) -> Result<(Self, &[u8]), Malformed> {
        let (header, payload) = split(message)?;
        let request =
            serde_json::from_slice(header).map_err(|error| Malformed(format!("a request cannot be read: {error}")))?;
        Ok((request, payload))
    }
}
