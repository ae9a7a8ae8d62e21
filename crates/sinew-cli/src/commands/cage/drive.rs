//! `sinew cage drive`: a motion of markers or joints as a mesh that moves.

use super::build::{built, with_skeleton};
use super::page::{Pictures, to_html};
use super::placing::MarkerArguments;
use super::settings::{CageSettings, DriveSettings};
use crate::files;
use crate::motion::MotionArguments;
use crate::progress;
use crate::say::say;
use crate::skeleton_source::SkeletonArguments;
use anyhow::{Context, Result, bail};
use clap::Args;
use sinew::recipe::{MAX_FPS, Recipe, is_frame_rate};
use sinew::rig::Clip;
use sinew_io::Format;
use sinew_tasks::cage::{BuildReport, CageFile, Caged, Capture, Drive, Driven, Drives, Placed, drive};
use std::path::{Path, PathBuf};

/// Let a motion's joints, or the markers of a capture, move a mesh
///
/// Only positions are followed: of joints in a clip of the file or of another motion, or of markers. Frame k is at
/// start + k/fps. Points are written in world space, in the file's units and order.
///
/// A report tells for every frame volume, rigidity, lengths of bones, how far handles are missed, tetrahedra that are turned
/// over, the distance from the same motion skinned, and milliseconds. As .html it is a page with plots and pictures.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew cage drive hero.glb --motion jump.bvh -o jump.glb --report jump.html\n  sinew cage drive hero.cage --clip walk --embedding green -o walk.pc2\n  sinew cage drive hero.glb --markers take.c3d --template -o take.glb --skeleton-out take.bvh\n  sinew cage drive hand.glb --clip wave --limit \"Index2:bend=0..90,sideways=0..0\" -o wave.usda"
)]
pub struct Arguments {
    /// A .cage, or a mesh that gets one now
    file: PathBuf,

    /// Frames per second [default: 30, or the recipe's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fps: Option<f64>,

    /// Where to write: .glb, .pc2, .usda or .obj (numbered files)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Measure every frame and write a report: .json or .html
    #[arg(long, value_name = "OUT")]
    report: Option<PathBuf>,

    /// Write the rotations of the joints that the mesh has taken, as a clip: .bvh, .glb or .gltf
    #[arg(long, value_name = "OUT")]
    skeleton_out: Option<PathBuf>,

    #[command(flatten)]
    motion: MotionArguments,

    #[command(flatten)]
    markers: MarkerArguments,

    #[command(flatten)]
    following: DriveSettings,

    #[command(flatten)]
    cage: CageSettings,

    #[command(flatten)]
    skeleton: SkeletonArguments,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    check(arguments)?;
    let mut recipe = arguments.cage.recipe()?;
    arguments.following.apply(&mut recipe);
    if let Some(fps) = arguments.fps {
        if !is_frame_rate(fps) {
            bail!("--fps must be above 0 and at most {MAX_FPS}, not {fps}");
        }
        recipe.bake.fps = fps;
    }
    let (caged, build, placed, capture) = opened(arguments, &recipe)?;
    let by = match &capture {
        Some(_) if arguments.motion.is_given() => bail!("give a motion or markers, not both"),
        Some(capture) => Drives::Markers(capture),
        None => Drives::Clip(&arguments.motion.required_clip(&caged.asset.character, recipe.bake.fps)?),
    };
    let work = Drive { caged: &caged, build: &build, recipe: &recipe.cage, by, fps: recipe.bake.fps };
    let mut pictures = Pictures::new(&work, arguments.report.is_some());
    let bar = progress::bar(0, "driving");
    let driven = drive(&work, Some(&arguments.output), &progress::clock(), |index, count, surface, _| {
        bar.set_length(count as u64);
        bar.inc(1);
        pictures.include(index, count, surface);
        Ok(())
    });
    bar.finish_and_clear();
    let Driven { report, clip } = driven.with_context(|| arguments.file.display().to_string())?;
    for warning in report.warnings.iter().filter(|warning| !build.warnings.contains(warning)) {
        eprintln!("warning: {}: {warning}", arguments.file.display());
    }
    if let Some(path) = &arguments.skeleton_out {
        save_clip(&caged, clip, path)?;
    }
    if let Some(path) = &arguments.report {
        let text = match path.extension().is_some_and(|extension| extension == "json") {
            true => serde_json::to_string_pretty(&report)?,
            false => to_html(&report, &caged, &placed, &pictures)?,
        };
        files::write(path, text)?;
    }
    match Format::of(&arguments.output)? {
        Format::Obj => say(format_args!("{}: {report}", arguments.output.with_extension("*.obj").display())),
        _ => say(format_args!("{}: {report}", arguments.output.display())),
    }
}

/// What cannot be written is found out before the work.
fn check(arguments: &Arguments) -> Result<()> {
    let Arguments { file, output, report, skeleton_out, markers, .. } = arguments;
    if !matches!(Format::of(output)?, Format::Glb | Format::Pc2 | Format::Usda | Format::Obj) {
        bail!("{}: a bake cannot be written so; use .glb, .pc2, .usda or .obj", output.display());
    }
    for output in [Some(output), report.as_ref(), skeleton_out.as_ref()].into_iter().flatten() {
        files::refuse_replacing(file, output)?;
        markers.refuse_replacing(output)?;
    }
    if let Some(path) = skeleton_out
        && !matches!(Format::of(path)?, Format::Bvh | Format::Glb | Format::Gltf)
    {
        bail!("{}: a clip is written as .bvh, .glb or .gltf", path.display());
    }
    report.as_deref().map_or(Ok(()), files::check_report)
}

/// The caged character: read, or built now. With its markers, and the capture that they follow.
fn opened(arguments: &Arguments, recipe: &Recipe) -> Result<(Caged, BuildReport, Vec<Placed>, Option<Capture>)> {
    let Arguments { file, markers, skeleton, .. } = arguments;
    let capture = markers.capture()?;
    let is_cage = file.extension().is_some_and(|extension| extension == "cage");
    let (caged, build) = if is_cage {
        if skeleton.is_given() {
            bail!("{}: a cage has its skeleton already; build another one for this", file.display());
        }
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        CageFile::from_json(&bytes).and_then(|cage| cage.open(folder)).with_context(|| file.display().to_string())?
    } else {
        let asset = with_skeleton(files::load_mesh(file)?, &skeleton.source(&arguments.output)?, file)?;
        if capture.is_some() && !markers.says_where(&recipe.cage) {
            bail!(
                "nothing says where the markers are on the mesh; use --template, --nearest FRAME, --place LABEL=WHERE or \
                 the recipe's [cage.markers]"
            );
        }
        let placed = match &capture {
            Some(capture) => markers.placed(&asset, &recipe.cage, Some(capture))?,
            None => Vec::new(),
        };
        built(asset, &recipe.cage, &placed).with_context(|| file.display().to_string())?
    };
    let at = |(label, &vertex): (&String, &u32)| Placed {
        label: label.clone(),
        position: caged.control.positions[vertex as usize],
    };
    let placed: Vec<Placed> = caged.markers.iter().zip(&caged.control.markers).map(at).collect();
    let capture = match &capture {
        Some(capture) => {
            let up = caged.asset.up.direction();
            let fitted = Capture::new(&capture.markers, &placed, up, markers.marker_scale, &progress::clock());
            let path = markers.markers.as_deref().unwrap_or(file);
            Some(fitted.with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    Ok((caged, build, placed, capture))
}

fn save_clip(caged: &Caged, clip: Option<Clip>, path: &Path) -> Result<()> {
    let clip = clip.with_context(|| format!("{}: there is no skeleton whose clip could be written", path.display()))?;
    let mut asset = caged.asset.clone();
    asset.character.clips = vec![clip];
    Ok(sinew_io::save(path, &asset)?)
}
