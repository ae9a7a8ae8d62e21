//! `sinew cage build`: a cage around a mesh.

use crate::args::cage::CageSettings;
use crate::args::markers::MarkerArguments;
use crate::args::skeleton::{SkeletonArguments, suggest_options};
use crate::failure::{Context, Result, refuse};
use crate::terminal::{note, print, progress, warn};
use crate::{files, report as reports};
use clap::Args;
use sinew::recipe::CageRecipe;
use sinew_io::Asset;
use sinew_tasks::bind::Source;
use sinew_tasks::cage::{BuildPhase, BuildReport, CageFile, Caged, Placed, enclosed};
use std::path::{Path, PathBuf};

/// Put a cage around a mesh and fill it with tetrahedra
///
/// Open and crossing meshes are fine. A .cage holds everything that "sinew cage drive" needs and names the mesh, which
/// must stay where it is; as .glb, .gltf, .obj or .ply the surface of the cage is written, to be looked at.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew cage build hero.glb -o hero.cage --report hero.json\n  sinew cage build hand.obj --skeleton hand.toml --vertices 400 --offset 0.002 -o hand.cage\n  sinew cage build hero.glb -o cage.obj"
)]
pub struct Arguments {
    /// The mesh, rigged or not
    mesh: PathBuf,

    /// Where to write: .cage, or the surface as .glb, .gltf, .obj or .ply
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Write how good the tetrahedra are: .json
    #[arg(long, value_name = "OUT.json")]
    report: Option<PathBuf>,

    #[command(flatten)]
    cage: CageSettings,

    #[command(flatten)]
    markers: MarkerArguments,

    #[command(flatten)]
    skeleton: SkeletonArguments,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { mesh, output, report, cage, markers, skeleton } = arguments;
    let is_saved = output.extension().is_some_and(|extension| extension == "cage");
    if !is_saved && !matches!(output.extension().and_then(|e| e.to_str()), Some("glb" | "gltf" | "obj" | "ply")) {
        refuse!("{}: a cage is written as .cage, and its surface as .glb, .gltf, .obj or .ply", output.display());
    }
    if let Some(report) = report {
        reports::check(report, &["json"])?;
    }
    let recipe = cage.recipe()?.cage;
    let asset = with_skeleton(files::load_mesh(mesh)?, &skeleton.source()?, mesh)?;
    let capture = markers.capture()?;
    let placed = markers.placed(&asset, &recipe, capture.as_ref())?;
    let (caged, built) = build(asset, &recipe, &placed).at(mesh)?;
    match is_saved {
        true => {
            let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let (mesh, skeleton) = (files::relative(mesh, folder)?, skeleton.relative_to(folder)?);
            files::write(output, CageFile::new(&caged, mesh, skeleton, built.milliseconds).to_json()?)?;
        }
        false => sinew_io::save(output, &caged.cage_asset()?)?,
    }
    if let Some(path) = report {
        reports::write_json(path, &built)?;
    }
    print(format_args!("{}: {built}", output.display()))
}

/// The mesh on the skeleton inside its cage; a mesh without a skeleton stays without.
pub fn with_skeleton(mut mesh: Asset, source: &Source, path: &Path) -> Result<Asset> {
    if !matches!(source, Source::Own) {
        let rigged = source.rigged(&mesh).at(path)?;
        rigged.notes.iter().for_each(|line| note(format_args!("note: {}: {line}", path.display())));
        suggest_options(path.display(), rigged.misplacement.as_ref());
        mesh.character = rigged.character;
    }
    Ok(mesh)
}

/// Builds a cage, with a progress bar.
pub fn build(asset: Asset, recipe: &CageRecipe, markers: &[Placed]) -> Result<(Caged, BuildReport)> {
    let bar = progress::bar(200, "cage");
    let result = enclosed(asset, recipe, markers, &progress::clock(), &mut |phase, share| {
        bar.set_message(phase.name());
        let done = if phase == BuildPhase::Cage { 0.0 } else { 100.0 };
        bar.set_position((done + 100.0 * share) as u64);
    });
    bar.finish_and_clear();
    let (caged, report) = result?;
    report.warnings.iter().for_each(|warning| warn(&caged.asset.character.name, warning));
    Ok((caged, report))
}
