//! A character made ready for a recipe, with what there is to say on stderr.

use anyhow::Result;
use sinew::Stack;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip};
use sinew_io::Asset;
use sinew_tasks::kept;
use sinew_tasks::stage::{self, stage_warnings};
use std::path::Path;

/// The character that the stages are built for: finer where the recipe asks for it.
pub fn prepared(asset: Asset, recipe: &Recipe, clip: Option<&Clip>) -> Result<Asset> {
    let (asset, misfits) = stage::prepared(asset, recipe, clip)?;
    misfits.iter().for_each(|misfit| warn(&asset.character, misfit));
    Ok(asset)
}

/// Builds the stages of a recipe for a character; one that comes from a file has its preparation kept beside that.
pub fn build(character: &Character, recipe: &Recipe, file: Option<&Path>) -> Result<Stack> {
    let stack = match file {
        Some(file) => kept::stack(character, recipe, file)?,
        None => Stack::new(character, recipe)?,
    };
    for warning in stage_warnings(&stack) {
        warn(character, warning);
    }
    Ok(stack)
}

/// A warning on stderr.
pub fn warn(character: &Character, warning: &str) {
    eprintln!("warning: {}: {warning}", character.name);
}
