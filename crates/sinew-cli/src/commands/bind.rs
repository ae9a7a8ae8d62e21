//! `sinew bind`: a mesh and a skeleton become a rig.

use crate::args::setting::{choice, plain_help};
use crate::args::skeleton::{SkeletonArguments, suggest_options, with_joints};
use crate::batch::{self, Inputs};
use crate::failure::{Context, Result, refuse};
use crate::terminal::{print, progress, warn};
use crate::{files, report};
use clap::Args;
use sinew::bind::{BindMethod, BindOptions};
use sinew::recipe::{BindMethodKind, BindSettings, Settings};
use sinew_io::Format;
use sinew_tasks::bind::{PHASES, Report, Source, bound, phase_name, usual_influences};
use std::path::{Path, PathBuf};

/// Give a mesh weights on a skeleton, without painting
///
/// The skeleton is the file's own (which is bound again), another file's, a template placed inside the mesh, or that
/// of a rigged character whose weights are transferred. Mesh and skeleton must be in the same place and units; where
/// units and axes of both files are known, they are converted. Clips, materials, textures and morph targets stay. Open,
/// overlapping and separate pieces are fine, and repairs are reported. Several meshes or a folder make a batch into
/// an output folder.
///
/// A skeleton as .toml has a `[[joint]]` for each joint: name, parent (none for a root), head = `[x, y, z]` and
/// tail = `[x, y, z]`. sinew convert writes one from any rig or motion.
///
/// A report has the weights of each joint, the repairs, and the time of each phase. As .html it is a page with
/// pictures coloured by weight.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew bind hero.glb -o again.glb --report again.html\n  sinew bind body.obj --skeleton joints.toml -o hero.glb\n  sinew bind scan.ply --fit humanoid -o hero.glb\n  sinew bind coat.obj --from hero.glb -o coat.glb\n  sinew bind low.obj lower.obj --from hero.glb -o levels/"
)]
pub struct Arguments {
    /// The meshes, or a folder of them
    #[arg(required = true, value_name = "MESH")]
    files: Vec<PathBuf>,

    #[arg(long, value_name = "METHOD", help = plain_help(BindSettings::key("method")), value_parser = choice::<BindMethodKind>(BindSettings::key("method")))]
    method: Option<BindMethodKind>,

    #[arg(long, value_name = "K", help = format!("{}, or as many as the file had that is bound again", plain_help(BindSettings::key("influences"))), value_parser = BindSettings::key("influences").parser::<usize>())]
    influences: Option<usize>,

    #[arg(long, value_name = "A", allow_negative_numbers = true, help = plain_help(BindSettings::key("alpha")), value_parser = BindSettings::key("alpha").parser::<f64>())]
    alpha: Option<f64>,

    /// Where to write: .glb, .gltf, or a folder for a batch
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Format of a batch's results
    #[arg(long, default_value = "glb", value_parser = ["glb", "gltf"])]
    format: String,

    /// Write a report: .json or .html
    #[arg(long, value_name = "OUT")]
    report: Option<PathBuf>,

    /// Take skeleton, clips and weights from a rigged character that stands where the mesh is
    #[arg(long, value_name = "RIGGED", help_heading = "Skeleton", conflicts_with_all = ["method", "alpha", "skeleton", "fit"])]
    from: Option<PathBuf>,

    #[command(flatten)]
    skeleton: SkeletonArguments,
}

const MESHES: [Format; 5] = [Format::Glb, Format::Gltf, Format::Fbx, Format::Obj, Format::Ply];

pub fn run(arguments: &Arguments) -> Result<()> {
    let settings = settings(arguments)?;
    if let Some(path) = &arguments.report {
        report::check(path, &["json", "html"])?;
    }
    let bind_one = |source: &Source, input: &Path, output: &Path| -> Result<()> {
        let report = bind_file(arguments, &settings, source, input, output)?;
        print(format_args!("{}: {report}", output.display()))
    };
    let others = [arguments.from.as_ref(), arguments.skeleton.skeleton.as_ref()];
    match batch::plan(&arguments.files, &arguments.output, &MESHES, &arguments.format, &others)? {
        Inputs::One(input, output) => {
            if !matches!(Format::of(&output), Ok(Format::Glb | Format::Gltf)) {
                refuse!("{}: a bound character is written as .glb or .gltf", output.display());
            }
            bind_one(&source(arguments)?, &input, &output)
        }
        Inputs::Batch(_) if arguments.report.is_some() => refuse!("a report is made for one mesh, not for a batch"),
        Inputs::Batch(pieces) => {
            let source = source(arguments)?;
            batch::run(&pieces, |input, output| bind_one(&source, input, output))
        }
    }
}

fn source(arguments: &Arguments) -> Result<Source> {
    let Some(path) = &arguments.from else { return arguments.skeleton.source() };
    let wanted = "a rigged character (.glb, .gltf or .fbx)";
    Ok(Source::From(with_joints(files::load_character(path)?, path, wanted)?))
}

/// The settings, without those that were not given.
fn settings(arguments: &Arguments) -> Result<BindSettings> {
    let method = arguments.method.unwrap_or_default();
    if arguments.alpha.is_some() && method != BindMethodKind::Distance {
        refuse!("--alpha belongs to --method distance");
    }
    let defaults = BindSettings::default();
    Ok(BindSettings { method, alpha: arguments.alpha.unwrap_or(defaults.alpha), ..defaults })
}

fn bind_file(
    arguments: &Arguments,
    settings: &BindSettings,
    source: &Source,
    input: &Path,
    output: &Path,
) -> Result<Report> {
    let mesh = files::load_mesh(input)?;
    let influences = arguments.influences.unwrap_or_else(|| usual_influences(source, &mesh));
    let options = &BindOptions::from(&BindSettings { influences, ..settings.clone() });
    let bar = progress::bar(PHASES, "binding");
    let bound = bound(mesh, source, options, &progress::clock(), &mut |phase| {
        bar.set_message(phase_name(phase));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let (asset, report) = bound.at(input)?;
    for repair in &report.binding.repairs {
        warn(input.display(), repair);
    }
    suggest_options(input.display(), report.misplacement.as_ref());
    sinew_io::save(output, &asset)?;
    if let Some(path) = &arguments.report {
        report::bind::write(path, &report, &asset, &method_name(source, options))?;
    }
    Ok(report)
}

fn method_name(source: &Source, options: &BindOptions) -> String {
    let method = match (source, options.method) {
        (Source::From(rigged), _) => format!("transfer from {}", rigged.character.name),
        (_, BindMethod::Geodesic) => "geodesic distance and heat diffusion".into(),
        (_, BindMethod::Distance { alpha }) => format!("distance to the power of -{alpha}"),
        (_, other) => format!("{other:?}"),
    };
    format!("{method}, with {} influences at most", options.influences)
}
