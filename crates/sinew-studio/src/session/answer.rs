//! Small answers.

use super::Host;
use crate::error::Error;
use crate::protocol::{
    Abilities, Answer, BakeFormat, CheckedRecipe, EngineKind, Failed, Formats, Hello, JointField, Reply, Text,
};
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{ControllerKind, GammaSource, OperatorKind, ProfileKind, Recipe, VolumeMethod};
use sinew_io::Format;

/// The largest request in bytes; a page must not send more.
pub const MAX_UPLOAD: usize = 512 << 20;

/// The first message of a session: the engine and its abilities.
pub fn hello(host: &dyn Host) -> Reply {
    let can_bake = host.downloads().is_some();
    let is_readable = |format: &Format| match format {
        Format::Pc2 | Format::Usda => false,
        Format::Fbx => cfg!(feature = "fbx"),
        _ => true,
    };
    let hello = Hello {
        version: env!("CARGO_PKG_VERSION"),
        engine: if can_bake { EngineKind::Native } else { EngineKind::Browser },
        key: host.first_key(),
        can: Abilities { bake: can_bake, bind: true, fbx: cfg!(feature = "fbx") },
        formats: Formats {
            open: Format::ALL.into_iter().filter(is_readable).map(Format::extension).collect(),
            bake: if can_bake { BakeFormat::ALL.to_vec() } else { Vec::new() },
        },
        skins: SkinMethod::ALL.to_vec(),
        volumes: VolumeMethod::ALL.to_vec(),
        gammas: GammaSource::ALL.to_vec(),
        profiles: ProfileKind::ALL.to_vec(),
        operators: OperatorKind::ALL.to_vec(),
        controllers: ControllerKind::ALL.to_vec(),
        joint_field: joint_field(),
        recipe: Recipe::default(),
        max_upload: MAX_UPLOAD,
    };
    Answer::Hello(Box::new(hello)).into()
}

/// The implicit skin at a joint that a recipe does not name.
fn joint_field() -> JointField {
    let field = Recipe::default().implicit.field_of("");
    JointField { operator: field.operator, controller: ControllerKind::default(), amount: field.amount }
}

/// The reason of a failure, for people: the chain of causes as one sentence.
pub fn failed(error: &Error) -> Reply {
    Answer::Failed(Failed { message: error.sentence(), cancelled: false }).into()
}

pub fn cancelled() -> Reply {
    Answer::Failed(Failed { message: "cancelled".into(), cancelled: true }).into()
}

pub fn recipe_text(recipe: &Recipe) -> Reply {
    Answer::RecipeText(Text { text: recipe.to_toml() }).into()
}

pub fn recipe(recipe: Recipe) -> Reply {
    Answer::Recipe(CheckedRecipe { recipe: Box::new(recipe) }).into()
}
