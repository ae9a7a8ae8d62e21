//! `sinew motion`: what can be done with motions; one file per verb.

mod evaluate;
mod index;
mod info;
mod labels;
mod own_frames;
mod search;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Look at motions, find those that are alike, and tell how well that works
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion search cartwheel.bvh --in motions/\n  sinew motion index motions/ -o motions.npz\n  sinew motion search cartwheel.bvh --in motions.npz --top 5"
)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Info(info::Arguments),
    Index(index::Arguments),
    Search(search::Arguments),
    Evaluate(evaluate::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.verb {
        Verb::Info(arguments) => info::run(arguments),
        Verb::Index(arguments) => index::run(arguments),
        Verb::Search(arguments) => search::run(arguments),
        Verb::Evaluate(arguments) => evaluate::run(arguments),
    }
}
