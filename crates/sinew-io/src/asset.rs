//! The content of a file: the character, its materials, and the file's units and axes.

use crate::Format;
use glam::{DQuat, DVec3};
use sinew::rig::Character;
use std::sync::Arc;

/// The axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// x up.
    X,
    /// y up, as glTF has it.
    #[default]
    Y,
    /// z up, as Blender and 3ds Max have it.
    Z,
}

impl UpAxis {
    /// The unit vector that points up.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }

    /// The rotation from this axis to y.
    pub fn to_y_up(self) -> DQuat {
        let quarter = std::f64::consts::FRAC_PI_2;
        match self {
            Self::X => DQuat::from_axis_angle(DVec3::Z, quarter),
            Self::Y => DQuat::IDENTITY,
            Self::Z => DQuat::from_axis_angle(DVec3::X, -quarter),
        }
    }
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Its name, possibly empty.
    pub name: String,
    /// `image/png` or `image/jpeg`.
    pub mime_type: String,
    /// The encoded file, which several pictures of a document may share.
    pub bytes: Arc<[u8]>,
}

/// Materials and textures in glTF's own terms, carried from file to file untouched. Materials refer
/// to textures, textures to samplers and images, by index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Appearance {
    /// glTF `materials`.
    pub materials: Vec<serde_json::Value>,
    /// glTF `textures`.
    pub textures: Vec<serde_json::Value>,
    /// glTF `samplers`.
    pub samplers: Vec<serde_json::Value>,
    /// The pictures themselves.
    pub images: Vec<Image>,
    /// Names of the glTF extensions that the above use.
    pub extensions: Vec<String>,
}

/// The content of a file. A motion or a skeleton is a character without parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset {
    /// Skeleton, meshes and clips, in the file's own units and axes.
    pub character: Character,
    /// How it looks.
    pub appearance: Appearance,
    /// Where it came from.
    pub format: Format,
    /// The length of the file's unit in metres; none if unknown.
    pub meters_per_unit: Option<f64>,
    /// The file's up axis.
    pub up: UpAxis,
    /// The skinning method of the file, if it names one.
    pub authored_method: Option<sinew::deform::skinning::SkinMethod>,
    /// Everything that was repaired or left out, a sentence each.
    pub warnings: Vec<String>,
}

impl Asset {
    /// A character in a format's usual axes, without materials.
    pub fn new(character: Character, format: Format) -> Self {
        let meters_per_unit = matches!(format, Format::Gltf | Format::Glb).then_some(1.0);
        Self {
            character,
            appearance: Appearance::default(),
            format,
            meters_per_unit,
            up: UpAxis::Y,
            authored_method: None,
            warnings: vec![],
        }
    }
}
