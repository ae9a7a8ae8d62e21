//! `sinew motion`: edit, retarget and search motions; one file per verb.

mod edit;
mod evaluate;
mod index;
mod info;
mod output;
mod retarget;
mod search;

use crate::failure::Result;
use clap::{Args, Subcommand};

/// Edit motions, retarget them, and find similar ones
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion edit walk.bvh --range 30:90 --pin LeftFoot@60+=0,12,0 -o step.bvh\n  sinew motion retarget walk.bvh --to child.glb -o walk.glb\n  sinew motion search cartwheel.bvh --in motions/\n  sinew motion index motions/ -o motions.npz\n  sinew motion search cartwheel.bvh --in motions.npz --top 5"
)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Info(info::Arguments),
    Edit(edit::Arguments),
    Retarget(retarget::Arguments),
    Index(index::Arguments),
    Search(search::Arguments),
    Evaluate(evaluate::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.verb {
        Verb::Info(arguments) => info::run(arguments),
        Verb::Edit(arguments) => edit::run(arguments),
        Verb::Retarget(arguments) => retarget::run(arguments),
        Verb::Index(arguments) => index::run(arguments),
        Verb::Search(arguments) => search::run(arguments),
        Verb::Evaluate(arguments) => evaluate::run(arguments),
    }
}
