//! `sinew bake`: a clip as a surface that moves.

use crate::args::motion::MotionArguments;
use crate::args::setting::help;
use crate::args::stack::StackArguments;
use crate::batch::{self, Inputs};
use crate::failure::{Failure, Result, refuse};
use crate::prepare::{build_stack, prepare_character};
use crate::terminal::{print, progress};
use crate::{files, report};
use clap::Args;
use sinew::Stack;
use sinew::recipe::Recipe;
use sinew::recipe::{BakeRecipe, Settings};
use sinew::rig::Clip;
use sinew_io::{Asset, Format};
use sinew_tasks::bake::{Highlights, Report, bake, bake_with_report};
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

    #[arg(long, value_name = "N", allow_negative_numbers = true, help = help(BakeRecipe::key("fps")), value_parser = BakeRecipe::key("fps").parser::<f64>())]
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
    let mut recipe = arguments.stack.recipe()?;
    recipe.bake.fps = arguments.fps.unwrap_or(recipe.bake.fps);
    if let Some(path) = &arguments.report {
        report::check(path, &["json", "html"])?;
    }
    let others = [arguments.motion.motion.as_ref(), arguments.motion.map.as_ref(), arguments.stack.recipe.as_ref()];
    match batch::plan(&arguments.files, &arguments.output, &RIGGED, &arguments.format, &others)? {
        Inputs::One(input, output) => {
            bake_file(arguments, &recipe, &input, &output)?;
            match Format::of(&output)? {
                Format::Obj => print(format_args!("{}, one for each frame", output.with_extension("*.obj").display())),
                _ => print(output.display()),
            }
        }
        Inputs::Batch(_) if arguments.report.is_some() => {
            refuse!("a report is made for one character, not for a batch")
        }
        Inputs::Batch(pieces) => batch::run(&pieces, |input, output| bake_file(arguments, &recipe, input, output)),
    }
}

fn bake_file(arguments: &Arguments, recipe: &Recipe, input: &Path, output: &Path) -> Result<()> {
    let asset = files::load_character(input)?;
    let clip = arguments.motion.clip(&asset.character, recipe.bake.fps)?;
    let asset = prepare_character(asset, recipe, Some(&clip), input)?;
    let mut stack = build_stack(&asset.character, recipe, &arguments.stack.cache(), input.display())?;
    match &arguments.report {
        None => {
            let bar = progress::bar(0, "baking");
            bake(&asset, &clip, recipe.bake.fps, &mut stack, output, &progress::clock(), |baked| {
                progress::advance(&bar, baked.count);
                Ok::<(), Failure>(())
            })?;
            bar.finish_and_clear();
            Ok(())
        }
        Some(path) => {
            let (measured, highlights) = measured_bake(&asset, &clip, recipe, &mut stack, output)?;
            report::bake::write(path, &measured, highlights, &asset, &clip, recipe)
        }
    }
}

/// Bakes a clip and measures every frame, with a progress bar.
pub fn measured_bake(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    output: &Path,
) -> Result<(Report, Highlights)> {
    let bar = progress::bar(0, "baking");
    let result = bake_with_report(asset, clip, recipe, stack, output, &progress::clock(), |baked| {
        progress::advance(&bar, baked.count);
        Ok::<(), Failure>(())
    })?;
    bar.finish_and_clear();
    Ok(result)
}
