//! `sinew bake`: a clip as a surface that moves.

use crate::baking::{bake, bake_with_report};
use crate::files::{self, Work};
use crate::motion::MotionArguments;
use crate::reporting::write_report;
use crate::say::say;
use crate::stack::StackArguments;
use crate::stage::{build, prepared};
use anyhow::{Result, bail};
use clap::Args;
use sinew::recipe::{MAX_FPS, Recipe, is_frame_rate};
use sinew_io::Format;
use std::path::{Path, PathBuf};

/// Deform a character through a clip and write the moving surface
///
/// Frame k is at start + k/fps, up to the end inclusive. Points are in world space, in the file's units
/// and order. Several characters or a folder make a batch into an output folder.
///
/// A report measures every frame: the volume at rest, of the skin alone and of the finished surface, the change at
/// each joint, the largest displacement and its second difference over time (flicker), pairs of triangles that
/// intersect before and after, and milliseconds. As .html it is a page with plots and pictures.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew bake hero.glb --clip walk --volume exact -o walk.glb --report walk.html\n  sinew bake hero.glb --motion jump.bvh --fps 60 --skin centers -o jump.pc2"
)]
pub struct Arguments {
    /// The characters
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Frames per second [default: 30, or the recipe's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fps: Option<f64>,

    /// Where to write: .glb, .pc2, .usda, .obj (numbered files), or a folder for a batch
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Format of a batch's results
    #[arg(long, default_value = "glb", value_parser = ["glb", "pc2", "usda", "obj"])]
    format: String,

    /// Measure every frame and write a report: .json or .html
    #[arg(long, value_name = "OUT")]
    report: Option<PathBuf>,

    #[command(flatten)]
    motion: MotionArguments,

    #[command(flatten)]
    stack: StackArguments,
}

const RIGGED: [Format; 3] = [Format::Glb, Format::Gltf, Format::Fbx];

pub fn run(arguments: &Arguments) -> Result<()> {
    let recipe = recipe(arguments)?;
    if let Some(report) = &arguments.report {
        files::check_report(report)?;
    }
    match files::plan(&arguments.files, &arguments.output, &RIGGED, &arguments.format)? {
        Work::One(input, output) => {
            bake_file(arguments, &recipe, &input, &output)?;
            match Format::of(&output)? {
                Format::Obj => say(format_args!("{}, one for each frame", output.with_extension("*.obj").display())),
                _ => say(output.display()),
            }
        }
        Work::Batch(_) if arguments.report.is_some() => bail!("a report is made for one character, not for a batch"),
        Work::Batch(pieces) => files::run_batch(&pieces, |input, output| bake_file(arguments, &recipe, input, output)),
    }
}

fn recipe(arguments: &Arguments) -> Result<Recipe> {
    let mut recipe = arguments.stack.recipe()?;
    if let Some(fps) = arguments.fps {
        if !is_frame_rate(fps) {
            bail!("--fps must be above 0 and at most {MAX_FPS}, not {fps}");
        }
        recipe.bake.fps = fps;
    }
    Ok(recipe)
}

fn bake_file(arguments: &Arguments, recipe: &Recipe, input: &Path, output: &Path) -> Result<()> {
    let asset = files::load_character(input)?;
    let clip = arguments.motion.required_clip(&asset.character, recipe.bake.fps)?;
    let asset = prepared(asset, recipe, Some(&clip))?;
    match &arguments.report {
        None => {
            let mut stack = build(&asset.character, recipe, Some(input))?;
            bake(&asset, &clip, recipe, &mut stack, output, |_| {})
        }
        Some(path) => {
            let (report, highlights) = bake_with_report(&asset, &clip, recipe, Some(input), output)?;
            write_report(path, &report, highlights, &asset, &clip, recipe)
        }
    }
}
