//! `sinew motion retarget`: a motion on another body, or two motions that touch on two bodies.

use super::output as outputs;
use crate::failure::{Context, Result, refuse};
use crate::terminal::{note, print, warn};
use crate::{files, report as reports};
use clap::Args;
use sinew::motion::edit::Ground;
use sinew_io::{Asset, Format};
use sinew_tasks::find;
use sinew_tasks::motion::EditReport;
use sinew_tasks::motion::retarget::posture_warning;
use sinew_tasks::motion::retarget_contacts::{
    BodyContactReport, MotionOnBody, RetargetReport, RetargetedContacts, retarget_pair,
};
use std::path::{Path, PathBuf};

/// Retarget a motion to another body, with its foot contacts
///
/// Joints are matched by their names and places in the body; steps are scaled by the length of the legs. With a second
/// motion the two bodies touch where the two motions do, as in a handshake.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion retarget walk.bvh --to child.glb -o walk.glb\n  sinew motion retarget walk.bvh --to hero.glb --ground stairs.obj -o climb.glb\n  sinew motion retarget a.bvh --to hero.glb --with b.bvh --to2 child.glb -o hero.glb -o2 child.glb"
)]
pub struct Arguments {
    /// The motion (.bvh, .amc, .glb, .gltf, .fbx)
    file: PathBuf,

    /// The body to retarget it to
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

    /// A mesh as the ground (.obj, .ply, .glb, …), in the body's world; outside it the ground is at height 0
    #[arg(long, value_name = "MESH")]
    ground: Option<PathBuf>,

    /// Where to write the motion (.bvh), or the body with it (.glb, .gltf)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Where to write the second one; -o2 for short
    #[arg(long, value_name = "OUT2", requires = "with")]
    output2: Option<PathBuf>,

    /// Write contacts, touches and errors as JSON
    #[arg(long, value_name = "OUT.json")]
    report: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { file, to, output, .. } = arguments;
    outputs::check(output, arguments.report.as_deref())?;
    let first = Pair::load(file, to)?;
    let ground = arguments.ground.as_deref().map(|path| ground(path, first.target.up.direction())).transpose()?;
    let table = arguments.map.as_deref().map(sinew_tasks::files::read_text).transpose()?;
    let body = first.body(arguments.clip.as_deref(), table.as_deref(), file)?;
    let report = match (&arguments.with, &arguments.to2, &arguments.output2) {
        (Some(with), Some(to2), Some(output2)) => {
            outputs::check(output2, None)?;
            let second = Pair::load(with, to2)?;
            let other = second.body(arguments.clip.as_deref(), table.as_deref(), with)?;
            let ([one, two], contacts) = retarget_pair([&body, &other], ground.as_ref())?;
            let touches: Vec<_> =
                contacts.iter().map(|contact| BodyContactReport::new(contact, [&body, &other])).collect();
            touches.iter().for_each(|contact| note(format_args!("contact: {contact}")));
            let bodies = vec![
                first.write(one, table.as_deref(), file, output)?,
                second.write(two, table.as_deref(), with, output2)?,
            ];
            RetargetReport { bodies, touches }
        }
        _ => {
            let result = body.retarget(ground.as_ref()).at(file)?;
            RetargetReport { bodies: vec![first.write(result, table.as_deref(), file, output)?], touches: Vec::new() }
        }
    };
    if let Some(path) = &arguments.report {
        reports::write_json(path, &report)?;
    }
    Ok(())
}

/// A motion and the body to retarget it to.
struct Pair {
    motion: Asset,
    target: Asset,
}

impl Pair {
    fn load(motion: &Path, target: &Path) -> Result<Self> {
        Ok(Self { motion: files::load(motion)?, target: files::load(target)? })
    }

    fn body<'a>(&'a self, clip: Option<&str>, table: Option<&'a str>, file: &Path) -> Result<MotionOnBody<'a>> {
        let motion = &self.motion.character;
        let clip = find::clip(motion, clip).at(file)?;
        let up = [self.motion.up.direction(), self.target.up.direction()];
        Ok(MotionOnBody { motion, clip, target: &self.target.character, table, up })
    }

    /// Writes the body with its motion, and prints the report.
    fn write(
        &self,
        result: RetargetedContacts,
        table: Option<&str>,
        motion: &Path,
        output: &Path,
    ) -> Result<EditReport> {
        let RetargetedContacts { mut clip, report, matching } = result;
        if let Some(warning) = posture_warning(&self.motion.character, &self.target.character, table) {
            warn(motion.display(), warning);
        }
        note(format_args!("motion: {matching}"));
        clip.name = motion.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut asset = self.target.clone();
        if Format::of(output)? == Format::Bvh {
            asset.character.clips.clear();
        }
        asset.character.clips.retain(|other| other.name != clip.name);
        asset.character.clips.insert(0, clip);
        sinew_io::save(output, &asset)?;
        let report = EditReport::new(&asset.character, &report, Vec::new());
        print(format_args!("{}: {report}", output.display()))?;
        Ok(report)
    }
}

fn ground(path: &Path, up: glam::DVec3) -> Result<Ground> {
    let asset = files::load_mesh(path)?;
    if asset.up.direction() != up {
        refuse!("{}: its axis up is not that of the body; convert one of them first", path.display());
    }
    Ok(Ground::new(&asset.character, up))
}
