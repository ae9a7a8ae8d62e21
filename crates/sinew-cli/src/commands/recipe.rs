//! `sinew recipe`: start and check recipe files.

use crate::cache::Cache;
use crate::failure::{Context, Result, refuse};
use crate::files;
use crate::prepare::{build_stack, check_names};
use crate::terminal::print;
use clap::{Args, Subcommand};
use sinew::recipe::Recipe;
use sinew_tasks::recipe;
use std::path::PathBuf;

/// Write a recipe to start from, or check one
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew recipe init hero.glb -o hero.sinew.toml\n  sinew recipe check hero.sinew.toml hero.glb"
)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Write every key with a comment: its default, and the stages that are recommended
    Init {
        /// The character the recipe is for
        file: PathBuf,
        /// Where to write it
        #[arg(short, long, value_name = "OUT.sinew.toml")]
        output: PathBuf,
    },
    /// Check a recipe and, if a character is given, the names in it
    Check {
        /// The recipe
        recipe: PathBuf,
        /// The character
        file: Option<PathBuf>,
    },
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.action {
        Action::Init { file, output } => {
            if output.extension().is_none_or(|e| e != "toml") {
                refuse!("{}: a recipe is written as .sinew.toml", output.display());
            }
            if output.exists() {
                refuse!("{} is there already; give another name, or delete it to start again", output.display());
            }
            let asset = files::load_character(file)?;
            let mut recipe = Recipe::recommended();
            if let Some(method) = asset.authored_method {
                recipe.skin.method = method;
            }
            files::write(output, recipe.to_toml())?;
            print(output.display())
        }
        Action::Check { recipe: path, file } => {
            let recipe = recipe::load(path)?;
            if let Some(file) = file {
                let character = files::load_character(file)?.character;
                check_names(&recipe, &character, file).at(path)?;
                build_stack(&character, &recipe, &Cache::Off, file.display())?;
            }
            print(format_args!("{} is fine", path.display()))
        }
    }
}
