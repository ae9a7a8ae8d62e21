//! `sinew convert`: from format to format.

use crate::batch::{self, Inputs};
use crate::failure::{Result, refuse};
use crate::files;
use crate::terminal::print;
use clap::Args;
use sinew_io::Format;
use std::path::{Path, PathBuf};

/// Convert a character, mesh or motion to another format
///
/// The format follows from the output's extension: .glb, .gltf, .obj, .ply, .bvh, or .toml for the skeleton alone, to
/// be edited by hand. Several inputs or a folder make a batch into an output folder.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew convert horse.fbx horse.glb\n  sinew convert horse.glb skeleton.toml\n  sinew convert walk.bvh run.bvh motions/ --format glb"
)]
pub struct Arguments {
    /// Input files or a folder, then the output file or folder
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    paths: Vec<PathBuf>,

    /// Format of a batch's results
    #[arg(long, default_value = "glb", value_parser = ["glb", "gltf", "obj", "ply", "bvh", "toml"])]
    format: String,
}

const READABLE: [Format; 7] =
    [Format::Glb, Format::Gltf, Format::Fbx, Format::Obj, Format::Ply, Format::Bvh, Format::Amc];

pub fn run(arguments: &Arguments) -> Result<()> {
    let Some((output, inputs)) = arguments.paths.split_last() else { refuse!("give an input and an output") };
    match batch::plan(inputs, output, &READABLE, &arguments.format, &[])? {
        Inputs::One(input, output) => {
            convert(&input, &output)?;
            print(output.display())
        }
        Inputs::Batch(pieces) => batch::run(&pieces, convert),
    }
}

/// Converts a file. From BVH to BVH the text's channels and digits are preserved.
fn convert(input: &Path, output: &Path) -> Result<()> {
    if Format::of(input)? == Format::Bvh && Format::of(output)? == Format::Bvh {
        let bytes = sinew_tasks::files::read(input)?;
        let document = sinew_io::bvh::Bvh::parse(&bytes).map_err(|problem| problem.at(input))?;
        return files::write(output, document.to_bytes());
    }
    let asset = match Format::of(output)? {
        Format::Obj | Format::Ply => files::load_character(input)?,
        _ => files::load(input)?,
    };
    sinew_io::save(output, &asset)?;
    Ok(())
}
