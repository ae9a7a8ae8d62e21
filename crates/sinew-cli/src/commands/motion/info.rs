//! `sinew motion info`: the clips of a file.

use super::own_frames::own_frames;
use crate::files;
use crate::say::say;
use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use sinew::rig::{Character, Clip};
use sinew::search::Motion;
use std::path::PathBuf;

/// Show the clips of a file, and whether they can be searched
#[derive(Args)]
#[command(after_help = "Example:\n  sinew motion info walk.bvh\n  sinew motion info hero.glb --json")]
pub struct Arguments {
    /// A motion or a character with motions (.bvh, .amc, .glb, .gltf, .fbx)
    file: PathBuf,

    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    file: String,
    joints: usize,
    clips: Vec<ClipSummary>,
}

#[derive(Serialize)]
struct ClipSummary {
    name: String,
    seconds: f64,
    frames: usize,
    /// None where frames are not evenly spaced.
    fps: Option<f64>,
    windows: usize,
    /// Why it cannot be searched.
    problem: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let character = files::load(&arguments.file)?.character;
    if character.clips.is_empty() {
        bail!("{}: it has no clip; give a motion or a character with motions", arguments.file.display());
    }
    let summary = Summary {
        file: arguments.file.display().to_string(),
        joints: character.joints().count(),
        clips: character.clips.iter().map(|clip| summarize(&character, clip)).collect(),
    };
    say(if arguments.json { serde_json::to_string_pretty(&summary)? } else { text(&summary) })
}

fn summarize(character: &Character, clip: &Clip) -> ClipSummary {
    let motion = Motion::of(&character.skeleton, &character.base_pose, clip, None);
    let frames = own_frames(clip);
    ClipSummary {
        name: clip.name.clone(),
        seconds: clip.seconds(),
        frames: frames.len(),
        fps: frame_rate(frames),
        windows: motion.as_ref().map_or(0, |motion| motion.whole().len()),
        problem: motion.err().map(|error| error.to_string()),
    }
}

/// Frames per second, if they are as far apart as files can say it in a few digits.
fn frame_rate(times: &[f64]) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    let step = (last - first) / (times.len() - 1) as f64;
    let even = times.iter().enumerate().all(|(k, time)| (time - first - k as f64 * step).abs() < 0.01 * step);
    (even && step > 0.0).then_some(1.0 / step)
}

fn text(summary: &Summary) -> String {
    let mut text = format!("{}: {} joints", summary.file, summary.joints);
    for (k, clip) in summary.clips.iter().enumerate() {
        let rate = clip.fps.map_or_else(String::new, |fps| format!(" at {fps:.2} per second"));
        text += &format!("\n  clip {k} \"{}\": {:.3} s, {} frames{rate}, ", clip.name, clip.seconds, clip.frames);
        text += &match &clip.problem {
            None => format!("{} windows to search", clip.windows),
            Some(problem) => format!("cannot be searched: {problem}"),
        };
    }
    text
}
