//! A character and its stages, prepared for a recipe, with warnings on stderr.

use crate::cache::Cache;
use crate::failure::{Result, refuse};
use crate::terminal::warn;
use sinew::Stack;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip};
use sinew_io::Asset;
use sinew_tasks::deform;
use sinew_tasks::unresolved_names;
use std::fmt::Display;
use std::path::Path;

/// The character of a file that the stages are built for: refined where the recipe asks for it.
pub fn prepare_character(asset: Asset, recipe: &Recipe, clip: Option<&Clip>, file: &Path) -> Result<Asset> {
    if !recipe.is_skin_alone() {
        check_names(recipe, &asset.character, file)?;
    }
    Ok(deform::prepared(asset, recipe, clip)?)
}

/// Refuses a recipe with names that the character of a file does not have.
pub fn check_names(recipe: &Recipe, character: &Character, file: &Path) -> Result<()> {
    let file = file.display();
    match &unresolved_names(recipe, character)[..] {
        [] => Ok(()),
        [name] => refuse!("{file}: the recipe does not fit: {name}"),
        many => refuse!("{file}: the recipe does not fit:\n  {}", many.join("\n  ")),
    }
}

/// Builds the stages of a recipe for a character, with their slow preparation from a cache.
pub fn build_stack(character: &Character, recipe: &Recipe, cache: &Cache, about: impl Display) -> Result<Stack> {
    let stack = cache.build_stack(character, recipe)?;
    for warning in stack.warnings() {
        warn(&about, warning);
    }
    Ok(stack)
}
