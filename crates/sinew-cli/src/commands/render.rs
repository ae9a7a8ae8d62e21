//! `sinew render`: a picture.

use crate::args::method::{Method, MethodsOf};
use crate::args::moment::{Moment, MomentArguments};
use crate::args::stack::StackArguments;
use crate::failure::{Result, refuse};
use crate::files;
use crate::picture::{Coloring, Focus, Picture, Reference, Show, Style};
use crate::prepare::{check_names, prepare_character};
use crate::terminal::{print, warn};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sinew::recipe::Recipe;
use std::path::PathBuf;

/// Draw a character on the CPU: shaded, anti-aliased, several times or methods side by side
///
/// Without a clip, a time or a pose file it is the bind pose. Materials show their base colour; textures are
/// not drawn.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew render hero.glb --clip walk --time 0,0.25,0.5 -o walk.png\n  sinew render hero.glb --clip curl --time 1 --methods linear,linear+exact,dual-quaternion+exact --color volume -o elbow.png\n  sinew render hero.glb --clip curl --time 1 --muscles humanoid --show muscles -o muscles.png\n  sinew render hero.glb --clip curl --time 1 --bones anatomical --show bones --focus LeftForeArm -o bones.png"
)]
pub struct Arguments {
    /// The character
    file: PathBuf,

    /// Methods side by side, separated by commas: SKIN or SKIN+VOLUME, such as linear,linear+exact, with implicit and
    /// muscles in between, such as linear+implicit+muscles+exact; a SKIN alone has
    /// the volume method of --volume, or none
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', conflicts_with = "skin")]
    methods: Vec<Method>,

    /// What the colours mean: none, weight:JOINT, joints (each its own, mixed by weight), displacement (from linear
    /// skin; where a volume method is drawn, from each panel's skin without it), volume (local change)
    #[arg(long, value_name = "COLOR", default_value = "none", value_parser = parse_color)]
    color: Coloring,

    /// What is drawn: skin, muscles (as if there were no skin; with --muscles), or bones (those that flesh hangs on,
    /// through a translucent skin; with or without --flesh)
    #[arg(long, value_name = "skin|muscles|bones", default_value = "skin", value_parser = show())]
    show: Show,

    /// Draw the edges of the faces
    #[arg(long)]
    wireframe: bool,

    /// Draw the skeleton as lines from joint to joint
    #[arg(long)]
    skeleton: bool,

    /// Come close to a joint: its bones and its parent's fill the picture
    #[arg(long, value_name = "JOINT")]
    focus: Option<String>,

    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x960", value_parser = parse_size)]
    size: (usize, usize),

    /// Where the camera stands: degrees around the figure from its front, and above the horizon
    #[arg(long, value_name = "AZIMUTH,ELEVATION", default_value = "30,12", value_parser = parse_view, allow_hyphen_values = true)]
    view: (f64, f64),

    /// Where to write the picture
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,

    #[command(flatten)]
    moments: MomentArguments,

    #[command(flatten)]
    stack: StackArguments,
}

fn show() -> impl TypedValueParser<Value = Show> {
    PossibleValuesParser::new(["skin", "muscles", "bones"]).map(|name| match name.as_str() {
        "muscles" => Show::Muscles,
        "bones" => Show::Bones,
        _ => Show::Skin,
    })
}

fn parse_color(text: &str) -> Result<Coloring, String> {
    match text.split_once(':') {
        Some(("weight", joint)) if !joint.is_empty() => Ok(Coloring::Weight(joint.into())),
        None if text == "none" => Ok(Coloring::Materials),
        None if text == "joints" => Ok(Coloring::Joints),
        None if text == "displacement" => Ok(Coloring::Displacement(Reference::LinearSkin)),
        None if text == "volume" => Ok(Coloring::Volume),
        _ => Err("use none, weight:JOINT, joints, displacement or volume".into()),
    }
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let parse = || {
        let (width, height) = text.split_once('x')?;
        Some((width.parse().ok()?, height.parse().ok()?))
    };
    parse().ok_or_else(|| "use WIDTHxHEIGHT, such as 1280x960".into())
}

fn parse_view(text: &str) -> Result<(f64, f64), String> {
    let parse = || {
        let (azimuth, elevation) = text.split_once(',')?;
        let view: (f64, f64) = (azimuth.trim().parse().ok()?, elevation.trim().parse().ok()?);
        (view.0.is_finite() && view.1.abs() <= 90.0).then_some(view)
    };
    parse().ok_or_else(|| "use two angles in degrees, such as 30,12; the second from -90 to 90".into())
}

/// A recipe for each method that is drawn.
fn recipes(arguments: &Arguments, recipe: &Recipe) -> Vec<Recipe> {
    if arguments.methods.is_empty() {
        return vec![recipe.clone()];
    }
    arguments.methods.iter().map(|method| method.applied_to(recipe, &arguments.stack)).collect()
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.output.extension().is_none_or(|e| e != "png") {
        refuse!("{}: pictures are written as .png", arguments.output.display());
    }
    let asset = files::load_character(&arguments.file)?;
    let recipe = arguments.stack.recipe()?;
    let recipes = recipes(arguments, &recipe);
    let coloring = match arguments.color {
        Coloring::Displacement(_) if !recipes.iter().all(Recipe::is_skin_alone) => {
            Coloring::Displacement(Reference::OwnSkin)
        }
        ref coloring => coloring.clone(),
    };
    if arguments.show == Show::Muscles && !recipes.iter().any(|recipe| recipe.muscles.is_on()) {
        refuse!("there are no muscles to show; add --muscles humanoid, or another set");
    }
    if arguments.show == Show::Bones {
        check_names(&recipe, &asset.character, &arguments.file)?;
    }
    let style = Style {
        width: arguments.size.0,
        height: arguments.size.1,
        coloring,
        show: arguments.show,
        wireframe: arguments.wireframe,
        skeleton: arguments.skeleton,
        legend: true,
        focus: arguments.focus.clone().map(Focus::Bones),
        azimuth_degrees: arguments.view.0,
        elevation_degrees: arguments.view.1,
    };
    let clip = arguments.moments.clip(&asset.character, recipe.bake.fps)?;
    let moments = arguments.moments.moments(&asset.character, clip.as_ref())?;
    let prepared = recipes.iter().find(|r| !r.is_skin_alone()).unwrap_or(&recipe);
    let asset = prepare_character(asset, prepared, clip.as_ref(), &arguments.file)?;
    let mut picture = Picture::new(&asset, style).of_clip(clip.as_ref()).with_cache(arguments.stack.cache());
    for Moment { pose, seconds } in &moments {
        for recipe in &recipes {
            let methods = MethodsOf(recipe);
            let title = match seconds {
                Some(seconds) if arguments.methods.is_empty() => format!("{seconds:.2} s"),
                Some(seconds) if moments.len() > 1 => format!("{methods}, {seconds:.2} s"),
                _ if arguments.methods.is_empty() => String::new(),
                _ => methods.to_string(),
            };
            picture.add(title, pose, seconds.unwrap_or(0.0), recipe)?;
        }
    }
    for warning in picture.warnings() {
        warn(arguments.file.display(), warning);
    }
    files::write(&arguments.output, picture.to_png()?)?;
    print(arguments.output.display())
}
