//! Small answers.

use super::Host;
use crate::message::Outgoing;
use serde_json::{Value, json};
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{ControllerKind, GammaSource, OperatorKind, ProfileKind, Recipe, VolumeMethod};
use sinew_io::Format;

/// The largest request in bytes; a page must not send more.
pub const MAX_UPLOAD: usize = 512 << 20;

/// The first message of a session: what this engine is and can.
pub fn hello(host: &dyn Host) -> Vec<u8> {
    let can_bake = host.downloads().is_some();
    let bakes = [Format::Glb, Format::Usda, Format::Pc2].map(Format::extension);
    let is_readable = |format: &Format| match format {
        Format::Pc2 | Format::Usda => false,
        Format::Fbx => cfg!(feature = "fbx"),
        _ => true,
    };
    let opens: Vec<&str> = Format::ALL.into_iter().filter(is_readable).map(Format::extension).collect();
    Outgoing::new("hello")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("engine", if can_bake { "native" } else { "browser" })
        .with("key", host.first_key())
        .with("can", json!({ "bake": can_bake, "bind": true, "fbx": cfg!(feature = "fbx") }))
        .with("formats", json!({ "open": opens, "bake": if can_bake { &bakes[..] } else { &[] } }))
        .with("skins", SkinMethod::ALL.map(SkinMethod::name))
        .with("volumes", VolumeMethod::ALL.map(VolumeMethod::name))
        .with("gammas", GammaSource::ALL.map(GammaSource::name))
        .with("profiles", ProfileKind::ALL.map(ProfileKind::name))
        .with("operators", OperatorKind::ALL.map(OperatorKind::name))
        .with("controllers", ControllerKind::ALL.map(ControllerKind::name))
        .with("joint_field", joint_field())
        .with("recipe", Recipe::default())
        .with("max_upload", MAX_UPLOAD)
        .into_bytes()
}

/// What happens at a joint of which a recipe says nothing.
fn joint_field() -> Value {
    let field = Recipe::default().implicit.field_of("");
    json!({
        "operator": field.operator.name(),
        "controller": ControllerKind::default().name(),
        "amount": field.amount,
    })
}

/// What went wrong, for people: the chain of causes as one sentence.
pub fn failed(id: u64, error: &anyhow::Error) -> Vec<u8> {
    Outgoing::answer("failed", id).with("message", sinew_tasks::one_sentence(error.as_ref())).into_bytes()
}

pub fn cancelled(id: u64) -> Vec<u8> {
    Outgoing::answer("failed", id).with("message", "cancelled").with("cancelled", true).into_bytes()
}

pub fn recipe_text(id: u64, recipe: &Recipe) -> Vec<u8> {
    Outgoing::answer("recipe_text", id).with("text", recipe.to_toml()).into_bytes()
}

pub fn recipe(id: u64, recipe: &Recipe) -> Vec<u8> {
    Outgoing::answer("recipe", id).with("recipe", recipe).into_bytes()
}
