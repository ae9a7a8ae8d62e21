//! What a person can set, as types with limits.
//!
//! One file (`*.sinew.toml`) holds it all: the command line runs it, the studio edits it, the library
//! loads it. Each deformer declares its own table; [`Recipe`] puts them together. Unknown keys and values out of range
//! are errors that name the line.

mod write;

use crate::{Error, Result};
pub use sinew_bind::{BindMethodKind, BindSettings};
pub use sinew_cage::{CageRecipe, MarkerPlace, RangeRecipe, ReleaseKind};
use sinew_deform::StackOptions;
pub use sinew_deform::flesh::{BonePreset, Fineness, FleshOptions, FleshShakeOptions, JointFleshOptions};
pub use sinew_deform::implicit::{
    ControllerKind, ImplicitOptions, JointField, JointFieldOptions, LimbOptions, OperatorKind,
};
pub use sinew_deform::muscle::{MuscleLines, MuscleOptions};
pub use sinew_deform::skinning::SkinOptions;
pub use sinew_deform::volume::{
    DEFAULT_SIZE, GammaSource, Profile, ProfileKind, ProfileOptions, RefineOptions, ShakeOptions, Target, VolumeMethod,
    VolumeOptions,
};
pub use sinew_motion::edit::{LimitRecipe, MotionRecipe, PinRecipe, TurnRecipe};
pub use sinew_settings::{Choice, Key, Kind, Settings, Table, Value};
use sinew_settings::{settings, typescript};

settings! {
    /// Everything a person can set. Every key may be left out; what is missing has its default.
    pub struct Recipe {
        /// The skin itself, before the other deformers.
        skin: SkinOptions = SkinOptions::default();
        /// Where the skin follows the fields of its limbs. The guide, with pictures, is docs/implicit.md in Sinew's
        /// source.
        implicit: ImplicitOptions = ImplicitOptions::default();
        /// Elastic flesh under the skin. The guide, with pictures, is docs/flesh.md in Sinew's source.
        flesh: FleshOptions = FleshOptions::default();
        /// Muscles under the skin. The guide, with pictures, is docs/muscles.md in Sinew's source.
        muscles: MuscleOptions = MuscleOptions::default();
        /// How the skin keeps its volume. The guide, with pictures and ready-made recipes, is docs/volume.md in Sinew's
        /// source.
        volume: VolumeOptions = VolumeOptions::default();
        /// How a clip is sampled.
        bake: BakeRecipe = BakeRecipe::default();
        /// How "sinew motion edit" changes a clip. The guide is docs/motion-editing.md in Sinew's source.
        motion: MotionRecipe = MotionRecipe::default();
        /// How "sinew cage" lets markers or joints move a mesh. The guide is docs/cage.md in Sinew's source.
        cage: CageRecipe = CageRecipe::default();
    }
}

settings! {
    /// The `[bake]` table.
    pub struct BakeRecipe {
        /// Frames per second.
        fps: f64 = 30.0, above(0.0, 1000.0);
    }
}

/// The tables that the page edits.
const PAGE: [&Table; 2] = [&Recipe::TABLE, &BindSettings::TABLE];

/// The first line of what is written for the page.
const GENERATED: &str =
    "// Generated from the settings' declarations in Rust: SINEW_BLESS=1 cargo test -p sinew --lib recipe";

/// The types of recipes for TypeScript, as `types/recipe.d.ts` of the page.
pub fn page_types() -> String {
    let parts = "\n/** A point at rest and a direction outwards. */\n\
        export type Sample = LimbRecipe[\"samples\"][number];\n\
        /** A segment of the body, and shares along it, to its front and outwards. */\n\
        export type MusclePlace = NonNullable<MuscleChange[\"from\"]>[number];\n";
    format!("{GENERATED}\n\n{}{parts}", typescript::types(&PAGE))
}

/// The limits, units, defaults and sentences of recipes, as `state/schema.js` of the page.
pub fn page_schema() -> String {
    format!("{GENERATED}\n\n{}", typescript::schema(&PAGE))
}

impl From<&Recipe> for StackOptions {
    fn from(recipe: &Recipe) -> Self {
        let Recipe { skin, implicit, flesh, muscles, volume, .. } = recipe.clone();
        Self { skin, implicit, flesh, muscles, volume }
    }
}

impl Recipe {
    /// What is best where nobody asks for anything: dual quaternions with the implicit skin, the nearest to simulated flesh of
    /// what takes milliseconds (`docs/methods.md`).
    pub fn recommended() -> Self {
        let mut recipe = Self::default();
        recipe.implicit.on = true;
        recipe
    }

    /// Whether nothing comes after the skin.
    pub fn is_skin_alone(&self) -> bool {
        !self.implicit.on
            && self.flesh.fineness == Fineness::Off
            && !self.muscles.is_on()
            && self.volume.method == VolumeMethod::Off
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
