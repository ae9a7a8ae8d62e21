//! `sinew pose`: one pose of a character as a mesh.

use crate::args::moment::{Moment, MomentArguments};
use crate::args::stack::StackArguments;
use crate::failure::{Result, refuse};
use crate::files;
use crate::prepare::{build_stack, prepare_character};
use crate::terminal::{print, warn};
use clap::Args;
use sinew::Surface;
use sinew::Time;
use sinew_io::Format;
use sinew_tasks::bake::FleshCheck;
use sinew_tasks::deform::{deform_at, require_finite};
use std::path::PathBuf;

/// Deform a character into one pose and write the mesh
///
/// The pose is a moment of a clip, or a file: {"joints": {"NAME": {"axis": [x, y, z], "degrees": a}}},
/// each joint turned by that much from rest in its own frame. With neither it is the bind pose.
/// Points are in world space, in the file's units and order. Where neither a stage nor a recipe is named, dual quaternions with
/// the implicit skin are used (docs/methods.md).
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew pose hero.glb --clip walk --time 0.5 -o step.obj\n  sinew pose hero.glb --pose fist.json --skin linear --volume exact -o fist.ply"
)]
pub struct Arguments {
    /// The character
    file: PathBuf,

    /// Where to write the mesh: .obj, .ply or .glb
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    moment: MomentArguments,

    #[command(flatten)]
    stack: StackArguments,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let format = Format::of(&arguments.output)?;
    if !matches!(format, Format::Obj | Format::Ply | Format::Glb) {
        refuse!("a pose cannot be written as .{}; use .obj, .ply or .glb", format.extension());
    }
    let asset = files::load_character(&arguments.file)?;
    let recipe = arguments.stack.recipe()?;
    let clip = arguments.moment.clip(&asset.character, recipe.bake.fps)?;
    let moments = arguments.moment.moments(&asset.character, clip.as_ref())?;
    let [Moment { pose, seconds }] = &moments[..] else { refuse!("a mesh shows one moment; give one --time") };
    let seconds = seconds.unwrap_or(0.0);
    let asset = prepare_character(asset, &recipe, clip.as_ref(), &arguments.file)?;
    let mut stack = build_stack(&asset.character, &recipe, &arguments.stack.cache(), arguments.file.display())?;
    let mut surface = Surface::default();
    match &clip {
        Some(clip) => deform_at(&mut stack, &recipe, &asset.character, clip, seconds, &mut surface),
        None => stack.deform(pose, Time::alone(seconds), &mut surface),
    }
    require_finite(&asset.character, &surface, seconds)?;
    let mut flesh = FleshCheck::default();
    flesh.include(&stack, seconds);
    flesh.warnings().iter().for_each(|warning| warn(arguments.file.display(), warning));
    match format {
        Format::Obj => files::write(&arguments.output, sinew_io::obj::write_surface(&asset, &surface))?,
        Format::Ply => files::write(&arguments.output, sinew_io::ply::write_surface(&asset, &surface))?,
        _ => {
            let mut bake = sinew_io::bake::bake(&arguments.output, &asset, 0.0, recipe.bake.fps, 1)?;
            bake.frame(&surface)?;
            bake.finish()?;
        }
    }
    print(arguments.output.display())
}
