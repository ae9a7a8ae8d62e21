//! `sinew cage`: markers or joints move a mesh, by way of a cage; one file per verb.

mod build;
mod drive;
mod page;
mod placing;
mod settings;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Let markers or joints move a mesh, without weights
///
/// A cage is put around the mesh and filled with tetrahedra that have joints, points along the bones and markers among
/// their vertices. They follow as rigidly as they can, with the lengths of bones kept, and the mesh follows them.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew cage build hero.glb -o hero.cage --report hero.json\n  sinew cage drive hero.cage --motion walk.bvh -o walk.glb --report walk.html\n  sinew cage drive scan.ply --fit humanoid --markers take.c3d --template -o take.usda"
)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Build(Box<build::Arguments>),
    Drive(Box<drive::Arguments>),
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.verb {
        Verb::Build(arguments) => build::run(arguments),
        Verb::Drive(arguments) => drive::run(arguments),
    }
}
