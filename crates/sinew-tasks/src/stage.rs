//! A character made ready for a recipe, and what the stages after the skin have to say.

use crate::misfits;
use anyhow::{Result, bail};
use sinew::recipe::{MuscleRecipe, Recipe, VolumeMethod};
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;

/// The character that the stages are built for: finer where the recipe asks for it. What the recipe names and
/// the file does not have is returned, a sentence each, and added to the file's warnings.
pub fn prepared(mut asset: Asset, recipe: &Recipe, clip: Option<&Clip>) -> Result<(Asset, Vec<String>)> {
    if recipe.is_skin_alone() {
        return Ok((asset, Vec::new()));
    }
    let misfits = misfits(recipe, &asset.character);
    asset.warnings.extend_from_slice(&misfits);
    if recipe.volume.method != VolumeMethod::Off {
        asset.character = sinew::volume::refine(&asset.character, recipe, clip)?;
    }
    Ok((asset, misfits))
}

/// The recipe without what comes after the skin.
pub fn skin_alone(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.implicit.on = false;
    recipe.muscles.set = MuscleRecipe::OFF.into();
    recipe.volume.method = VolumeMethod::Off;
    recipe
}

/// The joints that changed the skin's volume in the frame deformed last, each with the change that was undone.
pub fn joint_changes(stack: &Stack) -> Vec<(usize, f64)> {
    stack.volume().map_or_else(Vec::new, |volume| volume.joint_changes().collect())
}

/// What the stages after the skin capped, turned over or left out.
pub fn stage_warnings(stack: &Stack) -> impl Iterator<Item = &String> {
    let implicit = stack.implicit().map_or(&[][..], |implicit| implicit.warnings());
    let muscles = stack.muscles().map_or(&[][..], |muscles| muscles.warnings());
    implicit.iter().chain(muscles).chain(stack.volume().map_or(&[][..], |volume| volume.warnings()))
}

/// Seconds of a clip that are played before a moment of it is shown, where it matters what came before.
const LEAD_IN: f64 = 1.0;

/// Deforms a character at a moment of a clip. With muscles the clip is played up to there, from a second before, so
/// that what shakes is seen to shake; without them a frame does not depend on those before.
pub fn arrive(
    stack: &mut Stack,
    recipe: &Recipe,
    character: &Character,
    clip: &Clip,
    seconds: f64,
    surface: &mut Surface,
) {
    let mut pose = Pose::default();
    let step = 1.0 / recipe.bake.fps;
    let before = if recipe.muscles.is_on() { LEAD_IN.min((seconds - clip.range().0).max(0.0)) } else { 0.0 };
    let steps = (before / step + 1e-6).floor() as usize;
    for k in (0..=steps).rev() {
        let time = seconds - k as f64 * step;
        clip.sample(time, &character.base_pose, &mut pose);
        stack.deform(&pose, time, if k == steps { 0.0 } else { step }, surface);
    }
}

/// A surface that can be written: where a joint's transform is too large for the file's numbers, the
/// message names the mesh.
pub fn require_finite(character: &Character, surface: &Surface, seconds: f64) -> Result<()> {
    let Some(vertex) = surface.positions.iter().position(|p| !p.is_finite()) else { return Ok(()) };
    let part = character.parts.iter().zip(character.vertex_ranges()).find(|(_, range)| range.contains(&vertex));
    let name = part.map_or("", |(part, _)| &part.mesh.name);
    bail!("mesh \"{name}\" goes beyond all numbers at {seconds:.3} s; a joint of the motion is scaled or moved too far")
}
