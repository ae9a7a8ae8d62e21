//! The requests of the page.

use super::message::{Envelope, Malformed, split};
use serde::Deserialize;
use serde_json::Value;
use sinew::recipe::{BindMethodKind, Recipe};
use std::collections::BTreeMap;

/// A request of the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Request {
    /// Open files that a person chose: the first that can be read, with the others as its siblings. A motion is
    /// retargeted to the character `onto`.
    Open { files: Vec<FileSlice>, onto: Option<String> },
    /// Open a character that Sinew makes itself.
    Demo {
        #[cfg_attr(test, ts(type = "\"mannequin\" | \"tube\""))]
        name: String,
    },
    /// Describe a character again that the engine still has.
    Reopen { key: String },
    /// The surface at a moment, with coarse flesh once a request for flesh has prepared it.
    Frame(Box<FrameRequest>),
    /// The surface at a moment with the flesh of the recipe, which takes longer.
    Flesh(Box<FrameRequest>),
    /// The weight of a joint at every vertex.
    Weights { key: String, recipe: UncheckedRecipe, clip: Option<usize>, joint: String },
    /// The volume profile of a joint with all defaults filled in.
    Profile { recipe: UncheckedRecipe, joint: String },
    /// The fields of the limbs at a moment.
    Fields(Box<FieldsRequest>),
    /// The effect of a recipe's pins on a clip.
    Motion(Box<MotionRequest>),
    /// A clip with its edit as a motion file.
    SaveMotion(Box<SaveMotionRequest>),
    /// The volume over a clip.
    Plot(Box<ClipRequest>),
    /// New weights.
    Bind(Box<BindRequest>),
    /// A cage around a character, as its recipe says.
    Cage { key: String, recipe: UncheckedRecipe },
    /// A clip as a file.
    Bake(Box<BakeRequest>),
    /// The profile of a muscle fitted to a drawing.
    Sketch { drawn: Drawn },
    /// Stop the job with the `id` of this request.
    Cancel,
    /// A recipe as text for people.
    WriteRecipe { recipe: UncheckedRecipe },
    /// A recipe from text.
    ReadRecipe { text: String },
    /// A pose as text for the command line.
    WritePose { key: String, recipe: UncheckedRecipe, clip: Option<usize>, time: f64, turns: Turns },
    /// A pose from text.
    ReadPose { key: String, text: String },
}

impl Request {
    /// Reads a message: the request with its number, and the payload.
    pub fn read(message: &[u8]) -> Result<(Envelope<Self>, &[u8]), Malformed> {
        let (header, payload) = split(message)?;
        let request =
            serde_json::from_slice(header).map_err(|error| Malformed(format!("a request cannot be read: {error}")))?;
        Ok((request, payload))
    }
}

/// A recipe as the page sends it. It is checked when it is used, so that the page gets a sentence about a mistake.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "Recipe"))]
#[serde(transparent)]
pub struct UncheckedRecipe(Value);

impl UncheckedRecipe {
    /// The recipe, or what is wrong with it.
    pub fn check(&self) -> Result<Recipe, serde_json::Error> {
        Recipe::deserialize(&self.0)
    }
}

/// The bytes of a file in the payload.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FileSlice {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub at: usize,
    /// Number of bytes.
    pub count: usize,
}

/// The drawing that the profile of a muscle is fitted to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// The corners of an outline, with y downwards.
    Outline(Vec<[f64; 2]>),
    /// The file of a drawing.
    File(FileSlice),
}

/// Rotations by joint name, as `x y z w`: `R_local = R_clip · turn`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "Record<string, [number, number, number, number]>"))]
#[serde(transparent)]
pub struct Turns(pub BTreeMap<String, [f64; 4]>);

/// A frame: the clip at a time, or the bind pose, then the turns.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FrameRequest {
    /// The character.
    pub key: String,
    /// Its clip; `null` for the bind pose.
    pub clip: Option<usize>,
    /// Seconds in the clip.
    pub time: f64,
    /// Rotations on top of the clip.
    #[serde(default)]
    pub turns: Turns,
    /// The deformation.
    pub recipe: UncheckedRecipe,
    /// The quantity measured at every vertex.
    #[serde(default)]
    pub color: Color,
    /// The recipe of the second surface, for a comparison.
    pub compare: Option<UncheckedRecipe>,
    /// Whether the frame has the meshes of the muscles.
    #[serde(default)]
    pub muscles: bool,
    /// Whether the clip is played: this frame then follows the one before, however slow the engine is.
    #[serde(default)]
    pub playing: bool,
    /// The handles that move the mesh by its cage; `null` where the mesh follows its skeleton.
    pub cage: Option<CageDrive>,
}

/// The handles that move a mesh by its cage. Positions are in world space.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CageDrive {
    /// The pose or handles.
    pub by: DrivenBy,
    /// Targets of the joints that are held, by name.
    pub joints: BTreeMap<String, [f64; 3]>,
    /// Targets of the markers that were dragged, by label; the others stay at rest.
    pub markers: BTreeMap<String, [f64; 3]>,
    /// Whether joints stay within their limits.
    pub limits: bool,
}

/// The source of a cage's handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DrivenBy {
    /// The positions of the joints in the pose.
    Pose,
    /// Markers, and joints that are held.
    Handles,
}

/// The fields of an implicit skin, at a moment as in [`FrameRequest`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FieldsRequest {
    /// The character.
    pub key: String,
    /// Its clip; `null` for the bind pose.
    pub clip: Option<usize>,
    /// Seconds in the clip.
    pub time: f64,
    /// Rotations on top of the clip.
    #[serde(default)]
    pub turns: Turns,
    /// The deformation; its implicit skin is on.
    pub recipe: UncheckedRecipe,
    /// Whether the answer has the surface of the fields.
    pub surface: bool,
    /// The joint through which a plane with contour lines goes.
    pub cut: Option<String>,
    /// The joint whose limb's samples are in the answer.
    pub samples: Option<String>,
}

/// The effect of a motion edit.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MotionRequest {
    /// The character.
    pub key: String,
    /// The recipe with the pins.
    pub recipe: UncheckedRecipe,
    /// The clip.
    pub clip: usize,
    /// The joint whose trajectory is in the answer.
    pub joint: Option<String>,
    /// The frame of the clip for which the joint's position is in the answer.
    pub frame: Option<usize>,
}

/// A motion as a file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SaveMotionRequest {
    /// The character.
    pub key: String,
    /// The recipe with the pins.
    pub recipe: UncheckedRecipe,
    /// The clip.
    pub clip: usize,
    /// The format of the file.
    pub format: MotionFormat,
}

/// The format of a motion file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MotionFormat {
    /// The skeleton and the clip alone.
    Bvh,
    /// The whole character with all its clips.
    Glb,
}

/// A character through a clip.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClipRequest {
    /// The character.
    pub key: String,
    /// The deformation.
    pub recipe: UncheckedRecipe,
    /// The clip.
    pub clip: usize,
    /// Rotations on top of the clip.
    #[serde(default)]
    pub turns: Turns,
}

/// A clip as a file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BakeRequest {
    /// The clip.
    #[serde(flatten)]
    pub motion: ClipRequest,
    /// The extension of the file.
    #[cfg_attr(test, ts(as = "super::BakeFormat"))]
    pub format: String,
    /// Frames per second.
    pub fps: f64,
}

/// The quantity measured at every vertex of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// New weights for a character.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BindRequest {
    /// The character.
    pub key: String,
    /// The source of the skeleton.
    pub skeleton: SkeletonSource,
    /// The source of the weights.
    #[cfg_attr(test, ts(type = "BindMethodKind"))]
    pub method: BindMethodKind,
    /// The largest number of joints per vertex; `null` for the engine's default.
    pub influences: Option<usize>,
    /// The files of another skeleton.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<FileSlice>>", optional))]
    pub files: Vec<FileSlice>,
}

/// The source of a binding's skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(header: &Value) -> Result<Envelope<Request>, Malformed> {
        let text = header.to_string().into_bytes();
        let message = [&(text.len() as u32).to_le_bytes()[..], &text].concat();
        Request::read(&message).map(|(request, _)| request)
    }

    #[test]
    fn requests_of_every_shape_have_an_id() {
        let turns = json!({ "b": [0, 0, 0, 1] });
        let frame = json!({ "type": "frame", "id": 3, "key": "a", "time": 0.5, "recipe": {}, "turns": turns });
        let Envelope { id, body: Request::Frame(frame) } = read(&frame).unwrap() else { panic!("no frame") };
        assert_eq!((id, frame.time, frame.turns.0["b"]), (3, 0.5, [0.0, 0.0, 0.0, 1.0]));
        let bake = json!({ "type": "bake", "id": 4, "key": "a", "recipe": {}, "clip": 1, "format": "glb", "fps": 30 });
        let Envelope { id, body: Request::Bake(bake) } = read(&bake).unwrap() else { panic!("no bake") };
        assert_eq!((id, bake.motion.clip, bake.fps), (4, 1, 30.0));
        assert_eq!(read(&json!({ "type": "cancel", "id": 5 })), Ok(Envelope { id: 5, body: Request::Cancel }));
        assert_eq!(read(&json!({ "type": "demo", "id": 6, "name": "tube" })).unwrap().id, 6);
    }

    #[test]
    fn unknown_requests_and_fields_are_refused() {
        assert!(read(&json!({ "type": "frame", "id": 1, "key": "a", "time": 0, "recipe": {}, "other": 1 })).is_err());
        assert!(read(&json!({ "type": "demo", "name": "tube" })).is_err());
        assert!(read(&json!({ "type": "other", "id": 1 })).is_err());
    }
}
