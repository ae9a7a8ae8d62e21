//! The engine introduces itself.

use serde::Serialize;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{ControllerKind, GammaSource, OperatorKind, ProfileKind, Recipe, VolumeMethod};

/// The engine and its abilities.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hello {
    /// The engine's version.
    pub version: &'static str,
    /// The program or the page.
    pub engine: EngineKind,
    /// The character of the command line.
    pub key: Option<String>,
    /// What works in this engine.
    pub can: Abilities,
    /// The formats of files, by extension.
    pub formats: Formats,
    /// Every skinning method.
    #[cfg_attr(test, ts(type = "SkinMethod[]"))]
    pub skins: Vec<SkinMethod>,
    /// Every volume method.
    #[cfg_attr(test, ts(type = "VolumeMethod[]"))]
    pub volumes: Vec<VolumeMethod>,
    /// Every source of γ.
    #[cfg_attr(test, ts(type = "GammaSource[]"))]
    pub gammas: Vec<GammaSource>,
    /// Every kind of volume profile.
    #[cfg_attr(test, ts(type = "ProfileKind[]"))]
    pub profiles: Vec<ProfileKind>,
    /// Every operator of the implicit skin.
    #[cfg_attr(test, ts(type = "OperatorKind[]"))]
    pub operators: Vec<OperatorKind>,
    /// Every controller of the implicit skin.
    #[cfg_attr(test, ts(type = "ControllerKind[]"))]
    pub controllers: Vec<ControllerKind>,
    /// The default of a joint in the implicit skin.
    pub joint_field: JointField,
    /// The default recipe.
    #[cfg_attr(test, ts(type = "Recipe"))]
    pub recipe: Recipe,
    /// The largest request, in bytes.
    pub max_upload: usize,
}

/// Where the engine runs.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// The program on this machine.
    Native,
    /// A worker of the page.
    Browser,
}

/// What works in this engine.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Abilities {
    /// Clips can be baked into files.
    pub bake: bool,
    /// Characters can be bound.
    pub bind: bool,
    /// FBX files can be read.
    pub fbx: bool,
}

/// The formats of files, by extension.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Formats {
    /// Those that can be opened.
    pub open: Vec<&'static str>,
    /// Those that a clip can be baked into.
    pub bake: Vec<BakeFormat>,
}

/// The format of a baked clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BakeFormat {
    /// glTF with morph targets.
    Glb,
    /// USD with time samples.
    Usda,
    /// A point cache.
    Pc2,
}

impl BakeFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Glb, Self::Usda, Self::Pc2];

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Usda => "usda",
            Self::Pc2 => "pc2",
        }
    }
}

/// How two limbs meet at a joint.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JointField {
    /// The operator.
    #[cfg_attr(test, ts(type = "OperatorKind"))]
    pub operator: OperatorKind,
    /// The controller.
    #[cfg_attr(test, ts(type = "ControllerKind"))]
    pub controller: ControllerKind,
    /// The amount.
    pub amount: f64,
}
