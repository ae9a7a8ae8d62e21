//! The options of a cage, over those of a recipe.

use super::setting::{choice, help, switch};
use crate::failure::Result;
use clap::Args;
use sinew::cage::EmbeddingMethod;
use sinew::recipe::{CageRecipe, RangeRecipe, Recipe, Settings};
use std::path::PathBuf;

/// How the cage is made.
#[derive(Args)]
#[command(next_help_heading = "Cage")]
pub struct CageSettings {
    #[arg(long, value_name = "N", help = help(CageRecipe::key("vertices")), value_parser = CageRecipe::key("vertices").parser::<usize>())]
    vertices: Option<usize>,

    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help = help(CageRecipe::key("offset")), value_parser = CageRecipe::key("offset").parser::<f64>())]
    offset: Option<f64>,

    /// A recipe file with a table "cage"; options on the command line win over it
    #[arg(long, value_name = "FILE.sinew.toml")]
    recipe: Option<PathBuf>,
}

impl CageSettings {
    /// The recipe, with the options applied.
    pub fn recipe(&self) -> Result<Recipe> {
        let mut recipe = self.recipe.as_deref().map_or_else(|| Ok(Recipe::default()), sinew_tasks::recipe::load)?;
        if let Some(vertices) = self.vertices {
            recipe.cage.vertices = vertices;
        }
        if let Some(offset) = self.offset {
            recipe.cage.offset = offset;
        }
        Ok(recipe)
    }
}

/// How the mesh follows.
#[derive(Args)]
#[command(next_help_heading = "Following")]
pub struct DriveSettings {
    #[arg(long, value_name = "METHOD", help = help(CageRecipe::key("embedding")), value_parser = choice::<EmbeddingMethod>(CageRecipe::key("embedding")))]
    embedding: Option<EmbeddingMethod>,

    /// How far a joint may turn against the bone before it, in degrees: JOINT:bend=0..140,sideways=0..0,twist=-80..80
    #[arg(long = "limit", value_name = "JOINT:RANGES", value_parser = parse_limit, allow_hyphen_values = true)]
    limits: Vec<(String, RangeRecipe)>,

    /// Whether the limits of the recipe and of --limit hold
    #[arg(long = "limits", value_name = "on|off", default_value = "on", action = clap::ArgAction::Set, value_parser = switch())]
    with_limits: bool,
}

impl DriveSettings {
    /// Applies the options to a recipe.
    pub fn apply(&self, recipe: &mut Recipe) {
        if let Some(embedding) = self.embedding {
            recipe.cage.embedding = embedding;
        }
        recipe.cage.limits.extend(self.limits.iter().cloned());
        if !self.with_limits {
            recipe.cage.limits.clear();
        }
    }
}

fn parse_limit(text: &str) -> Result<(String, RangeRecipe), String> {
    const HOW: &str = "use a joint and ranges in degrees that hold 0, such as LeftForeArm:bend=0..140,twist=-80..80";
    let (joint, ranges) = text.rsplit_once(':').ok_or(HOW)?;
    let mut limit = RangeRecipe::default();
    for part in ranges.split(',') {
        let (key, range) = part.split_once('=').ok_or(HOW)?;
        let (low, high) = range.split_once("..").ok_or(HOW)?;
        let numbers = (low.trim().parse::<f64>(), high.trim().parse::<f64>());
        let (Ok(low @ -180.0..=0.0), Ok(high @ 0.0..=180.0)) = numbers else { return Err(HOW.into()) };
        match key.trim() {
            "bend" => limit.bend = [low, high],
            "sideways" => limit.sideways = [low, high],
            "twist" => limit.twist = [low, high],
            _ => return Err(HOW.into()),
        }
    }
    Ok((joint.into(), limit))
}
