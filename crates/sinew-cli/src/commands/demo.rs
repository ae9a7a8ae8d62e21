//! `sinew demo`: everything at once, on a character that needs no file.

use super::bake::measured_bake;
use crate::args::method::MethodsOf;
use crate::cache::Cache;
use crate::failure::Result;
use crate::picture::{Coloring, Focus, Picture, Style};
use crate::prepare::build_stack;
use crate::terminal::print;
use crate::{files, report};
use clap::Args;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{Recipe, SkinOptions, VolumeMethod, VolumeOptions};
use sinew::rig::Pose;
use sinew_io::{Asset, Format};
use sinew_tasks::find;
use std::path::PathBuf;

/// Make a character, bake it, draw it and report on it, without any file to start from
///
/// Writes mannequin.glb (the rigged character with its clips), tube.glb (a tube that bends, for trying profiles),
/// elbow-curl.glb (the baked surface: linear skin that keeps its volume), elbow-curl.png (skins with and without the
/// correction) and elbow-curl.html (the report). The guide is docs/volume.md.
#[derive(Args)]
#[command(after_help = "Example:\n  sinew demo\n  sinew bake sinew-demo/mannequin.glb --clip walk -o walk.usda")]
pub struct Arguments {
    /// Folder for the results
    #[arg(default_value = "sinew-demo")]
    folder: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.folder;
    files::make_folder(folder)?;
    let asset = Asset::new(sinew::demo::character(), Format::Glb);
    let with = |skin: SkinMethod, volume: VolumeMethod| Recipe {
        skin: SkinOptions { method: skin },
        volume: VolumeOptions { method: volume, ..VolumeOptions::default() },
        ..Recipe::default()
    };
    let recipe = with(SkinMethod::Linear, VolumeMethod::Exact);
    let clip = find::clip(&asset.character, Some("elbow curl"))?;

    let rigged = folder.join("mannequin.glb");
    sinew_io::save(&rigged, &asset)?;
    print(format_args!("{}: the rigged character with its clips", rigged.display()))?;

    let tube = folder.join("tube.glb");
    sinew_io::save(&tube, &Asset::new(sinew::demo::tube(), Format::Glb))?;
    print(format_args!("{}: a tube that bends, for trying profiles", tube.display()))?;

    let baked = folder.join("elbow-curl.glb");
    let mut stack = build_stack(&asset.character, &recipe, &Cache::Off, &asset.character.name)?;
    let (measured, highlights) = measured_bake(&asset, clip, &recipe, &mut stack, &rigged, &baked)?;
    print(format_args!(
        "{}: the baked elbow curl with exact volume, {} frames",
        baked.display(),
        measured.frames.len()
    ))?;

    let (start, end) = clip.range();
    let middle = 0.5 * (start + end);
    let mut pose = Pose::default();
    clip.sample(middle, &asset.character.base_pose, &mut pose);
    let style = Style {
        width: 1500,
        height: 640,
        coloring: Coloring::Volume,
        focus: Some(Focus::Bones("LeftForeArm".into())),
        azimuth_degrees: 62.0,
        elevation_degrees: 6.0,
        ..Style::default()
    };
    let mut picture = Picture::new(&asset, style);
    for skin in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        for volume in [VolumeMethod::Off, VolumeMethod::Exact] {
            let recipe = with(skin, volume);
            picture.add(MethodsOf(&recipe).to_string(), &pose, middle, &recipe)?;
        }
    }
    let drawn = folder.join("elbow-curl.png");
    files::write(&drawn, picture.to_png()?)?;
    print(format_args!("{}: linear and dual-quaternion skin, without and with exact volume", drawn.display()))?;

    let page = folder.join("elbow-curl.html");
    report::bake::write(&page, &measured, highlights, &asset, clip, &recipe)?;
    print(format_args!("{}: the report, skin beside finished surface", page.display()))
}
