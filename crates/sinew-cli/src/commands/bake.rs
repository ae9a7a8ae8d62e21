//! `sinew bake`: a clip as a surface that moves.

use crate::args::motion::MotionArguments;
use crate::args::setting::help;
use crate::args::stack::StackArguments;
use crate::batch::{self, Inputs};
use crate::failure::{Failure, Result, refuse};
use crate::prepare::{build_stack, prepare_character};
use crate::terminal::{print, progress, warn};
use crate::{files, report};
use clap::Args;
use sinew::Stack;
use sinew::recipe::Recipe;
use sinew::recipe::{BakeRecipe, Settings};
use sinew::rig::Clip;
use sinew_io::{Asset, Format};
use sinew_tasks::bake::{
    FleshCheck, Highlights, JumpReport, Report, bake, bake_with_report, dynamics_warning, measure_jumps, without_shake,
};
use std::path::{Path, PathBuf};

/// Deform a character through a clip and write the moving surface
///
/// Frame k is at start + k/fps, up to the end inclusive. Points are in world space, in the file's units
/// and order. Several characters or a folder make a batch into an output folder. Where neither a stage nor a recipe is
/// named, dual quaternions with the implicit skin are used (docs/methods.md).
///
/// A report measures every frame: the volume at rest, of the skin alone and of the finished surface, the change at
/// each joint, the largest displacement and its second difference over time (flicker), pairs of triangles that
/// intersect before and after, and milliseconds. As .html it is a page with plots and pictures.
///
/// --jumps also deforms the clip at 240 frames per second and counts the intervals at 30 per second in which the correction
/// (finished surface less linear skin) of a vertex jumps: one of the eight steps is more than half of all and more than
/// 0.1 % of the height. Muscles are at rest in every moment and after-shake is off. It takes eight times as long as a bake
/// at 30.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew bake hero.glb --clip walk --volume exact -o walk.glb --report walk.html\n  sinew bake hero.glb --motion jump.bvh --fps 60 --skin centers -o jump.pc2\n  sinew bake hero.glb --clip walk --implicit --jumps -o walk.glb --report walk.json"
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

    /// Measure how smoothly the correction follows the pose: print the jumps, and add them to the report
    #[arg(long)]
    jumps: bool,

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
            let jumps = bake_file(arguments, &recipe, &input, &output)?;
            match Format::of(&output)? {
                Format::Obj => {
                    print(format_args!("{}, one for each frame", output.with_extension("*.obj").display()))?;
                }
                _ => print(output.display())?,
            }
            jumps.map_or(Ok(()), |jumps| print(report::jumps::sentence(&jumps)))
        }
        Inputs::Batch(_) if arguments.report.is_some() => {
            refuse!("a report is made for one character, not for a batch")
        }
        Inputs::Batch(_) if arguments.jumps => refuse!("jumps are measured for one character, not for a batch"),
        Inputs::Batch(pieces) => {
            batch::run(&pieces, |input, output| bake_file(arguments, &recipe, input, output).map(|_| ()))
        }
    }
}

/// Bakes a file, and measures its jumps where they are wanted.
fn bake_file(arguments: &Arguments, recipe: &Recipe, input: &Path, output: &Path) -> Result<Option<JumpReport>> {
    let asset = files::load_character(input)?;
    let clip = arguments.motion.clip(&asset.character, recipe.bake.fps)?;
    let asset = prepare_character(asset, recipe, Some(&clip), input)?;
    let mut stack = build_stack(&asset.character, recipe, &arguments.stack.cache(), input.display())?;
    let jumps = || arguments.jumps.then(|| jumps(arguments, &asset, &clip, recipe, input)).transpose();
    let Some(path) = &arguments.report else {
        let bar = progress::bar(0, "baking");
        let mut flesh = FleshCheck::default();
        bake(&asset, &clip, recipe.bake.fps, &mut stack, output, &progress::clock(), |baked| {
            flesh.include(baked.stack, baked.seconds);
            progress::advance(&bar, baked.count);
            Ok::<(), Failure>(())
        })?;
        bar.finish_and_clear();
        warn_of_flesh(&flesh, input);
        return jumps();
    };
    let (mut measured, highlights) = measured_bake(&asset, &clip, recipe, &mut stack, input, output)?;
    measured.jumps = jumps()?;
    if arguments.jumps {
        measured.warnings.extend(dynamics_warning(recipe).map(String::from));
    }
    report::bake::write(path, &measured, highlights, &asset, &clip, recipe)?;
    Ok(measured.jumps)
}

/// Measures the jumps of a clip, with a progress bar.
fn jumps(arguments: &Arguments, asset: &Asset, clip: &Clip, recipe: &Recipe, input: &Path) -> Result<JumpReport> {
    if let Some(warning) = dynamics_warning(recipe) {
        warn(input.display(), warning);
    }
    let mut stack = arguments.stack.cache().build_stack(&asset.character, &without_shake(recipe))?;
    let bar = progress::bar(0, "measuring jumps");
    let report = measure_jumps(asset, clip, recipe, &mut stack, |count| {
        progress::advance(&bar, count);
        Ok::<(), Failure>(())
    })?;
    bar.finish_and_clear();
    Ok(report)
}

/// Bakes a clip and measures every frame, with a progress bar.
pub fn measured_bake(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    input: &Path,
    output: &Path,
) -> Result<(Report, Highlights)> {
    let bar = progress::bar(0, "baking");
    let mut flesh = FleshCheck::default();
    let result = bake_with_report(asset, clip, recipe, stack, output, &progress::clock(), |baked| {
        flesh.include(baked.stack, baked.seconds);
        progress::advance(&bar, baked.count);
        Ok::<(), Failure>(())
    })?;
    bar.finish_and_clear();
    warn_of_flesh(&flesh, input);
    Ok(result)
}

fn warn_of_flesh(flesh: &FleshCheck, input: &Path) {
    flesh.warnings().iter().for_each(|warning| warn(input.display(), warning));
}
