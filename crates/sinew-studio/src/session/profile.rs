//! The shape of the correction at a joint, with nothing left open.

use crate::message::Outgoing;
use sinew::deform::volume::profile_samples;
use sinew::recipe::Recipe;

pub fn profile(id: u64, recipe: &Recipe, joint: &str) -> Vec<u8> {
    let profile = recipe.volume.profile_of(joint);
    Outgoing::answer("profile", id)
        .with("kind", profile.kind)
        .with("shares", profile.shares)
        .with("sizes", profile.sizes)
        .with("center", profile.center)
        .with("frequency", profile.frequency)
        .with("largest_bend", profile.largest_bend)
        .with("amount", profile.amount)
        .with("samples", profile_samples(&profile))
        .with("curves", profile.curves)
        .into_bytes()
}
