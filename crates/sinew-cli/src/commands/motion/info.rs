//! `sinew motion info`: the clips of a file.

use crate::failure::{Result, refuse};
use crate::files;
use crate::terminal::print;
use clap::Args;
use serde::Serialize;
use sinew::motion::search::Motion;
use sinew::rig::{Character, Clip};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    fps: Option<f64>,
    windows: usize,
    /// Why it cannot be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let character = files::load(&arguments.file)?.character;
    if character.clips.is_empty() {
        refuse!("{}: it has no clip; give a motion or a character with motions", arguments.file.display());
    }
    let summary = Summary {
        file: arguments.file.display().to_string(),
        joints: character.joints().count(),
        clips: character.clips.iter().map(|clip| summarize(&character, clip)).collect(),
    };
    print(if arguments.json { serde_json::to_string_pretty(&summary)? } else { text(&summary) })
}

fn summarize(character: &Character, clip: &Clip) -> ClipSummary {
    let motion = Motion::of(&character.skeleton, &character.base_pose, clip, None);
    ClipSummary {
        name: clip.name.clone(),
        seconds: clip.seconds(),
        frames: clip.key_times().len(),
        fps: clip.frame_rate(),
        windows: motion.as_ref().map_or(0, |motion| motion.whole().len()),
        problem: motion.err().map(|error| error.to_string()),
    }
}

fn text(summary: &Summary) -> String {
    let mut text = format!("{}: {} joints", summary.file, summary.joints);
    for (k, clip) in summary.clips.iter().enumerate() {
        let rate = clip.fps.map_or_else(String::new, |fps| format!(" at {fps:.2} per second"));
        let plural = if clip.frames == 1 { "" } else { "s" };
        text +=
            &format!("\n  clip {k} \"{}\": {:.3} s, {} frame{}{rate}, ", clip.name, clip.seconds, clip.frames, plural);
        text += &match &clip.problem {
            None => format!("{} windows to search", clip.windows),
            Some(problem) => format!("cannot be searched: {problem}"),
        };
    }
    text
}
