//! The options of a cage, over those of a recipe.

use crate::failure::{Result, refuse};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sinew::cage::EmbeddingMethod;
use sinew::recipe::{CAGE_VERTICES, RangeRecipe, Recipe};
use std::path::PathBuf;

/// How the cage is made.
#[derive(Args)]
#[command(next_help_heading = "Cage")]
pub struct CageSettings {
    /// How many vertices the cage has, about [default: 600, or the recipe's]
    #[arg(long, value_name = "N")]
    vertices: Option<usize>,

    /// How far it is from the mesh, of the diagonal of the mesh's box; smaller keeps fingers apart [default: 0.006, or
    /// the recipe's]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
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
            if !CAGE_VERTICES.contains(&vertices) {
                refuse!("--vertices must be from {} to {}, not {vertices}", CAGE_VERTICES.start(), CAGE_VERTICES.end());
            }
            recipe.cage.vertices = vertices;
        }
        if let Some(offset) = self.offset {
            if !(offset > 0.0 && offset <= 0.5) {
                refuse!("--offset must be above 0 and at most 0.5, not {offset}");
            }
            recipe.cage.offset = offset;
        }
        Ok(recipe)
    }
}

/// How the mesh follows.
#[derive(Args)]
#[command(next_help_heading = "Following")]
pub struct DriveSettings {
    /// How the mesh follows the cage; tetrahedra and barycentric are for comparison [default: continuous, or the
    /// recipe's]
    #[arg(long, value_name = "METHOD", value_parser = embedding())]
    embedding: Option<EmbeddingMethod>,

    /// How far a joint may turn against the bone before it, in degrees: JOINT:bend=0..140,sideways=0..0,twist=-80..80
    #[arg(long = "limit", value_name = "JOINT:RANGES", value_parser = parse_limit, allow_hyphen_values = true)]
    limits: Vec<(String, RangeRecipe)>,

    /// Whether the limits of the recipe and of --limit hold
    #[arg(long = "limits", value_name = "on|off", default_value = "on", value_parser = ["on", "off"])]
    with_limits: String,
}

impl DriveSettings {
    /// Applies the options to a recipe.
    pub fn apply(&self, recipe: &mut Recipe) {
        if let Some(embedding) = self.embedding {
            recipe.cage.embedding = embedding;
        }
        recipe.cage.limits.extend(self.limits.iter().cloned());
        if self.with_limits == "off" {
            recipe.cage.limits.clear();
        }
    }
}

fn embedding() -> impl TypedValueParser<Value = EmbeddingMethod> {
    let method = |name: String| EmbeddingMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(EmbeddingMethod::ALL.map(EmbeddingMethod::name)).map(method)
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
