//! What a person can set, as types with limits.
//!
//! One file (`*.sinew.toml`) holds it all: the command line runs it, the studio edits it, the library
//! loads it. Unknown keys and values out of range are errors that name the line.

mod cage;
mod motion;
mod write;
mod write_cage;

use crate::{Error, Result};
pub use cage::{CageRecipe, MarkerPlace, RangeRecipe, ReleaseKind};
pub use motion::{LimitRecipe, MotionRecipe, PinRecipe, TurnRecipe};
use serde::{Deserialize, Serialize};
use sinew_deform::StackOptions;
pub use sinew_deform::implicit::{
    ControllerKind, ImplicitOptions, JointField, JointFieldOptions, LimbOptions, OperatorKind,
};
pub use sinew_deform::muscle::{MuscleLines, MuscleOptions};
pub use sinew_deform::skinning::SkinOptions;
pub use sinew_deform::volume::{
    DEFAULT_SIZE, GammaSource, Profile, ProfileKind, ProfileOptions, RefineOptions, ShakeOptions, Target, VolumeMethod,
    VolumeOptions,
};
use sinew_settings::limits;
pub use sinew_settings::limits::{CAGE_VERTICES, MAX_FPS, is_frame_rate};

/// Everything a person can set. Every key may be left out; what is missing has its default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// How the skin follows the joints.
    pub skin: SkinOptions,
    /// Where it follows the fields of its limbs.
    pub implicit: ImplicitOptions,
    /// What is under it.
    pub muscles: MuscleOptions,
    /// How it keeps its volume.
    pub volume: VolumeOptions,
    /// How a clip is sampled.
    pub bake: BakeRecipe,
    /// How a captured motion is changed.
    pub motion: MotionRecipe,
    /// How markers or joints move a mesh by way of a cage.
    pub cage: CageRecipe,
}

/// The `[bake]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeRecipe {
    /// Frames per second of a bake.
    #[serde(deserialize_with = "limits::frame_rate")]
    pub fps: f64,
}

impl Default for BakeRecipe {
    fn default() -> Self {
        Self { fps: 30.0 }
    }
}

impl From<&Recipe> for StackOptions {
    fn from(recipe: &Recipe) -> Self {
        let Recipe { skin, implicit, muscles, volume, .. } = recipe.clone();
        Self { skin, implicit, muscles, volume }
    }
}

impl Recipe {
    /// Whether nothing comes after the skin.
    pub fn is_skin_alone(&self) -> bool {
        !self.implicit.on && !self.muscles.is_on() && self.volume.method == VolumeMethod::Off
    }

    /// Reads a recipe; the error shows the line.
    pub fn from_toml(text: &str) -> Result<Self> {
        let mut recipe: Self = toml::from_str(text).map_err(|error| Error::Recipe(error.to_string()))?;
        recipe.muscles.lines = MuscleLines::of(text);
        recipe.muscles.check().map_err(|error| Error::from(recipe.muscles.at_line(error)))?;
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests;
