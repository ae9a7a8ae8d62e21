//! The program `sinew`: one file per verb in `commands`, what they share beside it.

mod baking;
mod bind_page;
mod bind_pictures;
mod commands;
mod correction;
mod files;
mod highlights;
mod html;
mod joint_colors;
mod moment;
mod motion;
mod muscle_report;
mod page;
mod picture;
mod plots;
mod progress;
mod report;
mod reporting;
mod say;
mod skeleton_source;
mod stack;
mod stage;

use clap::{Parser, Subcommand};
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
}

fn main() -> ExitCode {
    // A second output is called -o2, which is no short option as those go.
    let written_out = |argument: OsString| if argument == "-o2" { "--output2".into() } else { argument };
    let result = match Program::parse_from(std::env::args_os().map(written_out)).command {
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
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", sinew_tasks::one_sentence(&error));
            ExitCode::FAILURE
        }
    }
}
