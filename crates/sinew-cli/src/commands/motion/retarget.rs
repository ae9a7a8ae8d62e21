//! `sinew motion retarget`: a motion on another body, or two that touch on two others.

use super::reporting;
use crate::files;
use crate::say::say;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use sinew::motion_edit::Ground;
use sinew_io::{Asset, Format};
use sinew_tasks::motion_edit::Summary;
use sinew_tasks::retarget::{Body, Retargeted, retargeted_pair};
use std::path::{Path, PathBuf};

/// Carry a motion over to another body, with feet that stand where they stood
///
/// Joints are matched by their names and places in the body, steps are scaled by the length of the legs. With a second
/// motion the two bodies touch where the two motions do: hands that were shaken are shaken.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion retarget walk.bvh --to child.glb -o walk.glb\n  sinew motion retarget walk.bvh --to hero.glb --ground stairs.obj -o climb.glb\n  sinew motion retarget a.bvh --to hero.glb --with b.bvh --to2 child.glb -o hero.glb -o2 child.glb"
)]
pub struct Arguments {
    /// The motion (.bvh, .amc, .glb, .gltf, .fbx)
    file: PathBuf,

    /// The body that is to have it
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Clip of the motion by name, or by index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,

    /// A table of joints that overrides the automatic matching: `[joints]`, `"target" = "source"`
    #[arg(long, value_name = "MAP.toml")]
    map: Option<PathBuf>,

    /// A second motion, in the same place and at the same time
    #[arg(long, value_name = "FILE2", requires_all = ["to2", "output2"])]
    with: Option<PathBuf>,

    /// The body of the second motion
    #[arg(long, value_name = "FILE", requires = "with")]
    to2: Option<PathBuf>,

    /// A mesh in the body's world to stand on (.obj, .ply, .glb, …); beside it the ground is at height 0
    #[arg(long, value_name = "MESH")]
    ground: Option<PathBuf>,

    /// Where to write the motion (.bvh), or the body with it (.glb, .gltf)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Where to write the second one; -o2 for short
    #[arg(long, value_name = "OUT2", requires = "with")]
    output2: Option<PathBuf>,

    /// Write what was kept as JSON
    #[arg(long, value_name = "OUT.json")]
    report: Option<PathBuf>,
}

/// Where the two bodies touch.
#[derive(Serialize)]
struct TouchSummary {
    joints: [String; 2],
    first: usize,
    last: usize,
}

#[derive(Serialize)]
struct Report {
    bodies: Vec<Summary>,
    touches: Vec<TouchSummary>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { file, to, output, .. } = arguments;
    files::refuse_replacing(to, output)?;
    reporting::check(output, arguments.report.as_deref())?;
    let first = Pair::load(file, to)?;
    let ground = arguments.ground.as_deref().map(|path| ground(path, first.target.up.direction())).transpose()?;
    let table = arguments
        .map
        .as_ref()
        .map(|map| std::fs::read_to_string(map).with_context(|| format!("cannot read {}", map.display())));
    let table = table.transpose()?;
    let body = first.body(arguments.clip.as_deref(), table.as_deref(), file)?;
    let report = match (&arguments.with, &arguments.to2, &arguments.output2) {
        (Some(with), Some(to2), Some(output2)) => {
            files::refuse_replacing(to2, output2)?;
            reporting::check(output2, None)?;
            let second = Pair::load(with, to2)?;
            let other = second.body(arguments.clip.as_deref(), table.as_deref(), with)?;
            let ([one, two], touches) = retargeted_pair([&body, &other], ground.as_ref())?;
            let name = |body: &Body<'_>, joint: usize| body.target.skeleton.joints()[joint].name.clone();
            let touches: Vec<TouchSummary> = touches
                .iter()
                .map(|touch| TouchSummary {
                    joints: [name(&body, touch.joints[0]), name(&other, touch.joints[1])],
                    first: *touch.frames.start(),
                    last: *touch.frames.end(),
                })
                .collect();
            for TouchSummary { joints: [a, b], first, last } in &touches {
                eprintln!("touch: \"{a}\" and \"{b}\" in frames {first} to {last}");
            }
            let bodies = vec![first.write(one, file, output)?, second.write(two, with, output2)?];
            Report { bodies, touches }
        }
        _ => {
            let result = body.retargeted(ground.as_ref()).with_context(|| file.display().to_string())?;
            Report { bodies: vec![first.write(result, file, output)?], touches: Vec::new() }
        }
    };
    if let Some(path) = &arguments.report {
        files::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    Ok(())
}

/// A motion and the body that is to have it.
struct Pair {
    motion: Asset,
    target: Asset,
}

impl Pair {
    fn load(motion: &Path, target: &Path) -> Result<Self> {
        Ok(Self { motion: files::load(motion)?, target: files::load(target)? })
    }

    fn body<'a>(&'a self, clip: Option<&str>, table: Option<&'a str>, file: &Path) -> Result<Body<'a>> {
        let motion = &self.motion.character;
        let clip = &motion.clips[reporting::clip_place(motion, clip, file)?];
        let up = [self.motion.up.direction(), self.target.up.direction()];
        Ok(Body { motion, clip, target: &self.target.character, table, up })
    }

    /// Writes the body with its motion, and says what came of it.
    fn write(&self, result: Retargeted, motion: &Path, output: &Path) -> Result<Summary> {
        let Retargeted { mut clip, report, matching } = result;
        eprintln!("motion: {matching}");
        clip.name = motion.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut asset = self.target.clone();
        if Format::of(output)? == Format::Bvh {
            asset.character.clips.clear();
        }
        asset.character.clips.retain(|other| other.name != clip.name);
        asset.character.clips.insert(0, clip);
        sinew_io::save(output, &asset)?;
        let summary = Summary::new(&asset.character, &report, Vec::new());
        say(format_args!("{}: {}", output.display(), reporting::sentence(&summary)))?;
        Ok(summary)
    }
}

fn ground(path: &Path, up: glam::DVec3) -> Result<Ground> {
    let asset = files::load_mesh(path)?;
    if asset.up.direction() != up {
        bail!("{}: its axis up is not that of the body; convert one of them first", path.display());
    }
    Ok(Ground::new(&asset.character, up))
}
