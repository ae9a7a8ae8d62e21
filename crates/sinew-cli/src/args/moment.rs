//! The poses to show: times of a clip, a pose from a file, or the bind pose.

use crate::args::motion::MotionArguments;
use crate::failure::{Context, Result, refuse};
use crate::terminal::warn;
use clap::Args;
use sinew::rig::{Character, Clip, Pose};
use sinew_tasks::files::read;
use sinew_tasks::pose_file::PoseFile;
use std::path::PathBuf;

/// The poses to show.
#[derive(Args)]
pub struct MomentArguments {
    #[command(flatten)]
    motion: MotionArguments,

    /// Time in the clip in seconds; several, separated by commas, where several make sense [default: its start]
    #[arg(long, value_name = "T", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Motion")]
    time: Vec<f64>,

    /// Joint rotations from rest: {"joints": {"NAME": {"axis": [x, y, z], "degrees": a}}}
    #[arg(long, value_name = "POSE.json", conflicts_with_all = ["clip", "time", "motion", "map"], help_heading = "Motion")]
    pose: Option<PathBuf>,
}

/// A pose, and its time where it has one.
pub struct Moment {
    pub pose: Pose,
    pub seconds: Option<f64>,
}

impl MomentArguments {
    /// The clip that is given; none for a pose from a file or the bind pose.
    pub fn clip(&self, character: &Character, fps: f64) -> Result<Option<Clip>> {
        if let Some(bad) = self.time.iter().find(|t| !t.is_finite()) {
            refuse!("a time must be a number of seconds, not {bad}");
        }
        if self.pose.is_some() || !self.motion.is_given() && self.time.is_empty() {
            return Ok(None);
        }
        self.motion.clip(character, fps).map(Some)
    }

    /// The poses of that clip, at least one.
    pub fn moments(&self, character: &Character, clip: Option<&Clip>) -> Result<Vec<Moment>> {
        let alone = |pose: Pose| Ok(vec![Moment { pose, seconds: None }]);
        if let Some(path) = &self.pose {
            let pose = PoseFile::from_json(&read(path)?).and_then(|file| file.pose(character));
            return alone(pose.at(path)?);
        }
        let Some(clip) = clip else { return alone(character.rest_pose()) };
        let (start, end) = clip.range();
        let times = if self.time.is_empty() { vec![start] } else { self.time.clone() };
        for outside in times.iter().filter(|t| !(start - 1e-9..=end + 1e-9).contains(*t)) {
            let lasts = format!("which lasts from {start:.3} s to {end:.3} s; its first or last pose is used");
            warn(&character.name, format_args!("{outside} s is outside clip \"{}\", {lasts}", clip.name));
        }
        let sample = |seconds: f64| {
            let mut pose = Pose::default();
            clip.sample(seconds, &character.base_pose, &mut pose);
            Moment { pose, seconds: Some(seconds) }
        };
        Ok(times.into_iter().map(sample).collect())
    }
}
