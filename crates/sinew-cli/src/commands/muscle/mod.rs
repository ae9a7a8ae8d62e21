//! `sinew muscle`: profiles of muscles; one file per verb.

mod overlay;
mod sketch;

use crate::failure::Result;
use clap::{Args, Subcommand};

/// Fit the profile of a muscle to a drawing
#[derive(Args)]
#[command(after_help = "Example:\n  sinew muscle sketch biceps.svg -o fitted.svg")]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Sketch(sketch::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.verb {
        Verb::Sketch(arguments) => sketch::run(arguments),
    }
}
