//! A character, prepared for a recipe and deformed at a time of a clip.

use crate::{Error, Result};
use sinew::Time;
use sinew::deform::volume::VolumeDeformer;
use sinew::recipe::{Fineness, MuscleOptions, Recipe, VolumeMethod};
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;

/// The character that the stages are built for: refined where the recipe asks for it.
pub fn prepared(mut asset: Asset, recipe: &Recipe, clip: Option<&Clip>) -> Result<Asset> {
    if recipe.volume.method != VolumeMethod::Off {
        asset.character = sinew::deform::volume::refine(&asset.character, recipe.skin.method, &recipe.volume, clip)?;
    }
    Ok(asset)
}

/// The recipe without the stages after the skin.
pub fn skin_alone(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.implicit.on = false;
    recipe.flesh.fineness = Fineness::Off;
    recipe.muscles.set = MuscleOptions::OFF.into();
    recipe.volume.method = VolumeMethod::Off;
    recipe
}

/// The joints that changed the skin's volume in the last frame, each with the change that was corrected.
pub fn joint_changes(stack: &Stack) -> Vec<(usize, f64)> {
    stack.get::<VolumeDeformer>().map_or_else(Vec::new, |volume| volume.joint_changes().collect())
}

/// Seconds of a clip that are played before a single frame, so that muscles have their dynamics.
const PREROLL_SECONDS: f64 = 1.0;

/// Deforms a character at a time of a clip. With muscles, which have dynamics, the clip is played up to there from
/// one second before; without them a frame does not depend on earlier ones.
pub fn deform_at(
    stack: &mut Stack,
    recipe: &Recipe,
    character: &Character,
    clip: &Clip,
    seconds: f64,
    surface: &mut Surface,
) {
    let mut pose = Pose::default();
    let step = 1.0 / recipe.bake.fps;
    let before = if recipe.muscles.is_on() { PREROLL_SECONDS.min((seconds - clip.range().0).max(0.0)) } else { 0.0 };
    let steps = (before / step + 1e-6).floor() as usize;
    for k in (0..=steps).rev() {
        let time = seconds - k as f64 * step;
        clip.sample(time, &character.base_pose, &mut pose);
        stack.deform(&pose, Time { seconds: time, delta: if k == steps { 0.0 } else { step } }, surface);
    }
}

/// Checks that a surface can be written. It cannot where a joint's transform is too large for f32.
pub fn require_finite(character: &Character, surface: &Surface, seconds: f64) -> Result<()> {
    let Some(vertex) = surface.positions.iter().position(|p| !p.is_finite()) else { return Ok(()) };
    let part = character.parts.iter().zip(character.vertex_ranges()).find(|(_, range)| range.contains(&vertex));
    let mesh = part.map_or_else(String::new, |(part, _)| part.mesh.name.clone());
    Err(Error::SurfaceNotFinite { mesh, seconds })
}
