//! The options that say how a surface is deformed.

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use sinew::recipe::Recipe;
use sinew::skin::SkinMethod;
use std::path::{Path, PathBuf};

/// How the surface is deformed.
#[derive(Args)]
#[command(next_help_heading = "Deformation")]
pub struct StackArguments {
    /// How the skin follows the joints [default: dual-quaternion, or the recipe's]
    #[arg(long, value_name = "METHOD", value_parser = skin_method())]
    pub skin: Option<SkinMethod>,

    /// Volume correction after the skin
    #[arg(long, value_name = "METHOD", default_value = "off", value_parser = ["off"])]
    volume: String,

    /// A recipe file; options on the command line win over it
    #[arg(long, value_name = "FILE.sinew.toml")]
    pub recipe: Option<PathBuf>,
}

impl StackArguments {
    /// The recipe file, or the defaults, with the options over it.
    pub fn recipe(&self) -> Result<Recipe> {
        let mut recipe = match &self.recipe {
            Some(path) => load_recipe(path)?,
            None => Recipe::default(),
        };
        if let Some(method) = self.skin {
            recipe.skin.method = method;
        }
        Ok(recipe)
    }
}

/// Reads a recipe; mistakes come with their line.
pub fn load_recipe(path: &Path) -> Result<Recipe> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Recipe::from_toml(&text).with_context(|| format!("{} is not a valid recipe", path.display()))
}

/// Parses a skinning method by name.
pub fn skin_method() -> impl TypedValueParser<Value = SkinMethod> {
    let method = |name: String| SkinMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(SkinMethod::ALL.map(SkinMethod::name)).map(method)
}
