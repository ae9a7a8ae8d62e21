//! `sinew bake`: a clip as a surface that moves.

use crate::files::{self, Work};
use crate::measure::Measures;
use crate::moment::require_finite;
use crate::motion::MotionArguments;
use crate::picture::{Coloring, Picture, Style};
use crate::progress;
use crate::report::{FrameReport, JointTurns, Report};
use crate::say::say;
use crate::stack::StackArguments;
use anyhow::{Result, bail};
use clap::Args;
use sinew::recipe::{MAX_FPS, Recipe, is_frame_rate};
use sinew::rig::{Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::{Asset, Format, WriteAside};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Deform a character through a clip and write the moving surface
///
/// Frame k is at start + k/fps, up to the end inclusive. Points are in world space, in the file's units
/// and order. Several characters or a folder make a batch into an output folder.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew bake hero.glb --clip walk -o walk.glb --report walk.html\n  sinew bake hero.glb --motion jump.bvh --fps 60 --skin centers -o jump.pc2"
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
    if let Some(report) = &arguments.report
        && !matches!(report.extension().and_then(|e| e.to_str()), Some("json" | "html"))
    {
        bail!("{}: a report is written as .json or .html", report.display());
    }
    if let Some(report) = &arguments.report {
        // A folder that cannot be written into is found out before the work, not after it.
        drop(WriteAside::new(report)?);
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
    match &arguments.report {
        None => bake(&asset, &clip, recipe, output, |_, _, _| {}),
        Some(path) => {
            let report = bake_with_report(&asset, &clip, recipe, output)?;
            write_report(path, &report, &asset, &clip, recipe)
        }
    }
}

/// Bakes a clip and measures every frame.
pub fn bake_with_report(asset: &Asset, clip: &Clip, recipe: &Recipe, output: &Path) -> Result<Report> {
    let character = &asset.character;
    let mut measures = Measures::new(character)?;
    let mut turns = JointTurns::new(character);
    let mut report = Report { warnings: asset.warnings.clone(), ..Report::default() };
    for name in measures.open_parts(character) {
        report.warnings.push(format!("mesh \"{name}\" is not closed: its volume is left out"));
    }
    bake(asset, clip, recipe, output, |moment, pose, surface| {
        turns.include(character, pose);
        let volume = measures.volume(surface);
        report.frames.push(FrameReport {
            time: moment.seconds,
            volume_rest: measures.rest_volume(pose),
            volume_base: volume,
            volume,
            max_displacement: 0.0,
            intersections: measures.intersections(surface),
            milliseconds: moment.milliseconds,
        });
    })?;
    report.joints = turns.report(character);
    Ok(report)
}

/// When a frame is, and how long it took.
pub struct Moment {
    seconds: f64,
    milliseconds: f64,
}

/// Bakes a clip, showing every frame to `watch`.
fn bake(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    output: &Path,
    mut watch: impl FnMut(Moment, &Pose, &Surface),
) -> Result<()> {
    let Asset { character, .. } = asset;
    let fps = recipe.bake.fps;
    let times = clip.frame_times(fps)?;
    let mut stack = Stack::new(character, recipe)?;
    let mut writer = sinew_io::bake::bake(output, asset, clip.range().0, fps, times.len())?;
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let bar = progress::bar(times.len(), "baking");
    for (index, seconds) in times.enumerate() {
        let delta = if index == 0 { 0.0 } else { 1.0 / fps };
        clip.sample(seconds, &character.base_pose, &mut pose);
        let begin = Instant::now();
        stack.deform(&pose, seconds, delta, &mut surface);
        let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
        require_finite(character, &surface, seconds)?;
        writer.frame(&surface)?;
        watch(Moment { seconds, milliseconds }, &pose, &surface);
        bar.inc(1);
    }
    bar.finish_and_clear();
    writer.finish()?;
    Ok(())
}

/// Writes a report by its extension; the page has pictures of the clip's quarters.
pub fn write_report(path: &Path, report: &Report, asset: &Asset, clip: &Clip, recipe: &Recipe) -> Result<()> {
    if path.extension().is_some_and(|e| e == "json") {
        return files::write(path, serde_json::to_string_pretty(report)?);
    }
    let (start, end) = clip.range();
    let times = [0.0, 0.25, 0.5, 0.75].map(|t| start + t * (end - start));
    let mut sheet = Picture::new(asset, Style { width: 1600, height: 620, ..Style::default() });
    sheet.add_times(clip, &times, recipe)?;
    let mut colored =
        Picture::new(asset, Style { width: 1600, height: 620, coloring: Coloring::Volume, ..Style::default() });
    colored.add_times(clip, &times, recipe)?;
    let title = format!("{}: {}", asset.character.name, clip.name);
    let pictures = [
        (format!("\"{}\" with {} skinning", clip.name, recipe.skin.method), sheet.to_png()?),
        ("Local volume against rest".into(), colored.to_png()?),
    ];
    files::write(path, report.to_html(&title, &pictures))
}
