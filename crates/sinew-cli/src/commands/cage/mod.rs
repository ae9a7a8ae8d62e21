//! `sinew cage`: markers or joints drive a mesh through a cage; one file per verb.

mod build;
mod drive;

use crate::failure::Result;
use clap::{Args, Subcommand};

/// Drive a mesh by markers or joints, without weights
///
/// A cage around the mesh is filled with tetrahedra that have joints, points along the bones and markers among their
/// vertices. The tetrahedra deform as rigidly as possible, with constant bone lengths, and the mesh follows them.
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
