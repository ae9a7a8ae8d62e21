//! A character and its stages, prepared for a recipe, with warnings on stderr.

use crate::failure::Result;
use crate::terminal::warn;
use sinew::Stack;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip};
use sinew_io::Asset;
use sinew_tasks::cache;
use sinew_tasks::deform::{self, stage_warnings};
use std::path::Path;

/// The character that the stages are built for: refined where the recipe asks for it.
pub fn prepare_character(asset: Asset, recipe: &Recipe, clip: Option<&Clip>) -> Result<Asset> {
    let (asset, unresolved) = deform::prepared(asset, recipe, clip)?;
    unresolved.iter().for_each(|name| warn(&asset.character.name, name));
    Ok(asset)
}

/// Builds the stages of a recipe for a character; those of a file are cached next to it.
pub fn build_stack(character: &Character, recipe: &Recipe, file: Option<&Path>) -> Result<Stack> {
    let stack = match file {
        Some(file) => cache::build_stack(character, recipe, file)?,
        None => Stack::new(character, recipe)?,
    };
    for warning in stage_warnings(&stack) {
        warn(&character.name, warning);
    }
    Ok(stack)
}
