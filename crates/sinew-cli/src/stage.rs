//! A character made ready for a recipe, and what the stage after the skin has to say.

use crate::fit::misfits;
use anyhow::Result;
use sinew::Stack;
use sinew::recipe::{Recipe, VolumeMethod};
use sinew::rig::{Character, Clip};
use sinew_io::Asset;

/// The character that the stages are built for: finer where the recipe asks for it. What the recipe names and
/// the file does not have is said on stderr and added to the file's warnings.
pub fn prepared(mut asset: Asset, recipe: &Recipe, clip: Option<&Clip>) -> Result<Asset> {
    if recipe.volume.method == VolumeMethod::Off {
        return Ok(asset);
    }
    for misfit in misfits(recipe, &asset.character) {
        warn(&asset.character, &misfit);
        asset.warnings.push(misfit);
    }
    asset.character = sinew::volume::refine(&asset.character, recipe, clip)?;
    Ok(asset)
}

/// Builds the stages of a recipe and says on stderr what they have to say.
pub fn build(character: &Character, recipe: &Recipe) -> Result<Stack> {
    let stack = Stack::new(character, recipe)?;
    for warning in stage_warnings(&stack) {
        warn(character, warning);
    }
    Ok(stack)
}

/// A warning on stderr.
pub fn warn(character: &Character, warning: &str) {
    eprintln!("warning: {}: {warning}", character.name);
}

/// The joints that changed the skin's volume in the frame deformed last, each with the change that was undone.
pub fn joint_changes(stack: &Stack) -> Vec<(usize, f64)> {
    stack.volume().map_or_else(Vec::new, |volume| volume.joint_changes().collect())
}

/// What the stage capped, turned over or left out.
pub fn stage_warnings(stack: &Stack) -> &[String] {
    stack.volume().map_or(&[], |volume| volume.warnings())
}
