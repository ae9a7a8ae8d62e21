//! `sinew demo`: everything at once, on a character that needs no file.

use super::bake::{bake_with_report, write_report};
use crate::files;
use crate::picture::{Coloring, Picture, Style};
use crate::say::say;
use anyhow::{Context, Result};
use clap::Args;
use sinew::recipe::{Recipe, SkinRecipe};
use sinew::rig::Pose;
use sinew::skin::SkinMethod;
use sinew_io::{Asset, Format};
use std::path::PathBuf;

/// Make a character, bake it, draw it and report on it, without any file to start from
///
/// Writes mannequin.glb (the rigged character with its clips), elbow-curl.glb (the baked surface),
/// elbow-curl.png (methods side by side) and elbow-curl.html (the report).
#[derive(Args)]
#[command(after_help = "Example:\n  sinew demo\n  sinew bake sinew-demo/mannequin.glb --clip walk -o walk.usda")]
pub struct Arguments {
    /// Folder for the results
    #[arg(default_value = "sinew-demo")]
    folder: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let asset = Asset::new(sinew::demo::character(), Format::Glb);
    let recipe = Recipe::default();
    let clip = asset.character.find_clip("elbow curl").context("the demo character has an elbow curl")?;

    let rigged = folder.join("mannequin.glb");
    sinew_io::save(&rigged, &asset)?;
    say(format_args!("{}: the rigged character with its clips", rigged.display()))?;

    let baked = folder.join("elbow-curl.glb");
    let report = bake_with_report(&asset, clip, &recipe, &baked)?;
    say(format_args!("{}: the baked elbow curl, {} frames", baked.display(), report.frames.len()))?;

    let (start, end) = clip.range();
    let middle = 0.5 * (start + end);
    let mut pose = Pose::default();
    clip.sample(middle, &asset.character.base_pose, &mut pose);
    let style = Style {
        width: 1500,
        height: 640,
        coloring: Coloring::Volume,
        focus: Some("LeftForeArm".into()),
        azimuth_degrees: 62.0,
        elevation_degrees: 6.0,
        ..Style::default()
    };
    let mut picture = Picture::new(&asset, style);
    for method in [SkinMethod::Linear, SkinMethod::DualQuaternion, SkinMethod::Centers] {
        let recipe = Recipe { skin: SkinRecipe { method }, ..recipe.clone() };
        picture.add(method.to_string(), &pose, middle, &recipe)?;
    }
    let drawn = folder.join("elbow-curl.png");
    files::write(&drawn, picture.to_png()?)?;
    say(format_args!("{}: linear, dual quaternion and centres of rotation side by side", drawn.display()))?;

    let page = folder.join("elbow-curl.html");
    write_report(&page, &report, &asset, clip, &recipe)?;
    say(format_args!("{}: the report", page.display()))
}
