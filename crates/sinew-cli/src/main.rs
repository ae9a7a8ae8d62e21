//! The program `sinew`: a file per command in `commands`, their shared options in `args`.

mod alignment;
mod args;
mod batch;
mod cache;
mod commands;
mod failure;
mod files;
#[cfg(unix)]
mod interrupt;
mod paths;
mod picture;
mod prepare;
mod report;
mod terminal;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Result;
use paths::Paths;
use std::ffi::OsString;
use std::process::ExitCode;

/// Bind, deform, bake, convert and look at rigged characters.
///
/// Files are read by extension: glTF (.glb, .gltf), FBX, OBJ, PLY, BVH, ASF/AMC, skeletons as .toml. Lengths are in
/// the file's own units and axes, times in seconds, angles in degrees.
#[derive(Parser)]
#[command(name = "sinew", version, arg_required_else_help = true)]
#[command(after_help = "Example:\n  sinew demo\n  sinew bake sinew-demo/mannequin.glb --clip walk -o walk.glb")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Inspect(commands::inspect::Arguments),
    Pose(commands::pose::Arguments),
    Bake(commands::bake::Arguments),
    Bind(commands::bind::Arguments),
    Convert(commands::convert::Arguments),
    Render(commands::render::Arguments),
    Motion(commands::motion::Arguments),
    Markers(commands::markers::Arguments),
    Cage(commands::cage::Arguments),
    Muscle(commands::muscle::Arguments),
    Recipe(commands::recipe::Arguments),
    Studio(commands::studio::Arguments),
    Demo(commands::demo::Arguments),
    Cache(commands::cache::Arguments),
}

fn main() -> ExitCode {
    #[cfg(unix)]
    interrupt::clean_up();
    // A short option has one letter, so clap does not know -o2.
    let written_out = |argument: OsString| if argument == "-o2" { "--output2".into() } else { argument };
    // Wrong arguments end the program here, with exit code 2.
    let matches = Program::command().get_matches_from(std::env::args_os().map(written_out));
    let paths = Paths::of(&Program::command(), &matches);
    match paths.check().and_then(|()| run(&matches)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::note(format_args!("error: {}", paths.named(failure.message())));
            ExitCode::FAILURE
        }
    }
}

fn run(matches: &ArgMatches) -> Result<()> {
    match Program::from_arg_matches(matches).unwrap_or_else(|error| error.exit()).command {
        Command::Inspect(arguments) => commands::inspect::run(&arguments),
        Command::Pose(arguments) => commands::pose::run(&arguments),
        Command::Bake(arguments) => commands::bake::run(&arguments),
        Command::Bind(arguments) => commands::bind::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Render(arguments) => commands::render::run(&arguments),
        Command::Motion(arguments) => commands::motion::run(&arguments),
        Command::Markers(arguments) => commands::markers::run(&arguments),
        Command::Cage(arguments) => commands::cage::run(&arguments),
        Command::Muscle(arguments) => commands::muscle::run(&arguments),
        Command::Recipe(arguments) => commands::recipe::run(&arguments),
        Command::Studio(arguments) => commands::studio::run(&arguments),
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Cache(arguments) => commands::cache::run(&arguments),
    }
}
