//! `sinew cage drive`: a motion of markers or joints as a mesh that moves.

use super::build::{build, with_skeleton};
use crate::args::cage::{CageSettings, DriveSettings};
use crate::args::markers::MarkerArguments;
use crate::args::motion::MotionArguments;
use crate::args::setting::help;
use crate::args::skeleton::SkeletonArguments;
use crate::failure::{Context, Failure, Result, refuse};
use crate::paths::{refuse_replacing, refuse_replacing_by_frames};
use crate::report::cage::Moments;
use crate::terminal::{print, progress, warn};
use crate::{files, report as reports};
use clap::Args;
use sinew::recipe::Recipe;
use sinew::recipe::{BakeRecipe, Settings};
use sinew::rig::Clip;
use sinew_io::Format;
use sinew_tasks::cage::{BuildReport, CageFile, Caged, Capture, Drive, Driven, Drives, Placed, drive};
use std::path::{Path, PathBuf};

/// Drive a mesh by the joints of a motion, or by the markers of a capture
///
/// Only positions are followed: of joints in a clip of the file or of another motion, or of markers. Frame k is at
/// start + k/fps. Points are written in world space, in the file's units and order.
///
/// A report has for every frame the volume, the rigidity error, the errors of bone lengths and handles, the number of inverted
/// tetrahedra, the distance from the same motion skinned, and milliseconds. As .html it is a page with plots and pictures.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew cage drive hero.glb --motion jump.bvh -o jump.glb --report jump.html\n  sinew cage drive hero.cage --clip walk --embedding green -o walk.pc2\n  sinew cage drive hero.glb --markers take.c3d --template -o take.glb --skeleton-out take.bvh\n  sinew cage drive hand.glb --clip wave --limit \"Index2:bend=0..90,sideways=0..0\" -o wave.usda"
)]
pub struct Arguments {
    /// A .cage, or a mesh, for which one is built
    file: PathBuf,

    #[arg(long, value_name = "N", allow_negative_numbers = true, help = help(BakeRecipe::key("fps")), value_parser = BakeRecipe::key("fps").parser::<f64>())]
    fps: Option<f64>,

    /// Where to write: .glb, .pc2, .usda or .obj (numbered files)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Measure every frame and write a report: .json or .html
    #[arg(long, value_name = "OUT")]
    report: Option<PathBuf>,

    /// Write the resulting rotations of the joints as a clip: .bvh, .glb or .gltf
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
    recipe.bake.fps = arguments.fps.unwrap_or(recipe.bake.fps);
    let (caged, build, placed, capture) = opened(arguments, &recipe)?;
    let by = match &capture {
        Some(_) if arguments.motion.is_given() => refuse!("give a motion or markers, not both"),
        Some(capture) => Drives::Markers(capture),
        None => Drives::Clip(&arguments.motion.clip(&caged.asset.character, recipe.bake.fps)?),
    };
    let work = Drive { caged: &caged, build: &build, recipe: &recipe.cage, by, fps: recipe.bake.fps };
    let mut moments = Moments::new(&work, arguments.report.is_some());
    let bar = progress::bar(0, "driving");
    let driven = drive(&work, Some(&arguments.output), &progress::clock(), |index, count, surface, _| {
        progress::advance(&bar, count);
        moments.include(index, count, surface);
        Ok::<(), Failure>(())
    });
    bar.finish_and_clear();
    let Driven { report, clip } = driven.at(&arguments.file)?;
    for warning in report.warnings.iter().filter(|warning| !build.warnings.contains(warning)) {
        warn(arguments.file.display(), warning);
    }
    if let Some(path) = &arguments.skeleton_out {
        save_clip(&caged, clip, path)?;
    }
    if let Some(path) = &arguments.report {
        reports::cage::write(path, &report, &caged, &placed, &moments)?;
    }
    match Format::of(&arguments.output)? {
        Format::Obj => print(format_args!("{}: {report}", arguments.output.with_extension("*.obj").display())),
        _ => print(format_args!("{}: {report}", arguments.output.display())),
    }
}

/// Checks before the work that the outputs can be written.
fn check(arguments: &Arguments) -> Result<()> {
    let Arguments { file, output, report, skeleton_out, .. } = arguments;
    refuse_replacing_by_frames(file, output)?;
    if !matches!(Format::of(output)?, Format::Glb | Format::Pc2 | Format::Usda | Format::Obj) {
        refuse!("{}: a bake is written as .glb, .pc2, .usda or .obj", output.display());
    }
    if let Some(path) = skeleton_out
        && !matches!(Format::of(path)?, Format::Bvh | Format::Glb | Format::Gltf)
    {
        refuse!("{}: a clip is written as .bvh, .glb or .gltf", path.display());
    }
    report.as_deref().map_or(Ok(()), |report| reports::check(report, &["json", "html"]))
}

/// The caged character: read, or built now. With its markers, and the capture that they follow.
fn opened(arguments: &Arguments, recipe: &Recipe) -> Result<(Caged, BuildReport, Vec<Placed>, Option<Capture>)> {
    let Arguments { file, markers, skeleton, output, report, skeleton_out, .. } = arguments;
    let capture = markers.capture()?;
    let is_cage = file.extension().is_some_and(|extension| extension == "cage");
    let (caged, build) = if is_cage {
        if skeleton.is_given() {
            refuse!("{}: a cage has its skeleton already; build another one for this", file.display());
        }
        let bytes = sinew_tasks::files::read(file)?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let cage = CageFile::from_json(&bytes).at(file)?;
        for output in [Some(output), report.as_ref(), skeleton_out.as_ref()].into_iter().flatten() {
            refuse_replacing(&cage.mesh(folder), output)?;
        }
        cage.open(folder).at(file)?
    } else {
        let asset = with_skeleton(files::load_mesh(file)?, &skeleton.source()?, file)?;
        if capture.is_some() && !markers.has_places(&recipe.cage) {
            refuse!(
                "the markers have no places on the mesh; use --template, --nearest FRAME, --place LABEL=WHERE or \
                 the recipe's [cage.markers]"
            );
        }
        let placed = match &capture {
            Some(capture) => markers.placed(&asset, &recipe.cage, Some(capture))?,
            None => Vec::new(),
        };
        build(asset, &recipe.cage, &placed).at(file)?
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
            Some(fitted.at(path)?)
        }
        None => None,
    };
    Ok((caged, build, placed, capture))
}

fn save_clip(caged: &Caged, clip: Option<Clip>, path: &Path) -> Result<()> {
    let none = || Failure::Request(format!("{}: there is no skeleton, so there is no clip to write", path.display()));
    let clip = clip.ok_or_else(none)?;
    let mut asset = caged.asset.clone();
    asset.character.clips = vec![clip];
    Ok(sinew_io::save(path, &asset)?)
}
