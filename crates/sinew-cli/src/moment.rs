//! Which moments of a character are wanted: times of a clip, a pose from a file, or the bind pose.

use crate::motion::MotionArguments;
use crate::suggest::nearest;
use anyhow::{Context, Result, bail};
use clap::Args;
use glam::{DQuat, DVec3};
use serde::Deserialize;
use sinew::Surface;
use sinew::rig::{Character, Clip, Pose};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The moments to look at.
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
    /// The clip that is asked for; none where it is a pose from a file or the bind pose.
    pub fn clip(&self, character: &Character, fps: f64) -> Result<Option<Clip>> {
        if let Some(bad) = self.time.iter().find(|t| !t.is_finite()) {
            bail!("a time must be a number of seconds, not {bad}");
        }
        if self.pose.is_some() || !self.motion.is_given() && self.time.is_empty() {
            return Ok(None);
        }
        self.motion.required_clip(character, fps).map(Some)
    }

    /// The poses asked for, of that clip: at least one.
    pub fn moments(&self, character: &Character, clip: Option<&Clip>) -> Result<Vec<Moment>> {
        let alone = |pose: Pose| Ok(vec![Moment { pose, seconds: None }]);
        if let Some(path) = &self.pose {
            return alone(load_pose(path, character)?);
        }
        let Some(clip) = clip else { return alone(character.rest_pose()) };
        let (start, end) = clip.range();
        let times = if self.time.is_empty() { vec![start] } else { self.time.clone() };
        for outside in times.iter().filter(|t| !(start - 1e-9..=end + 1e-9).contains(*t)) {
            eprintln!(
                "warning: {outside} s is outside clip \"{}\", which goes from {start:.3} s to {end:.3} s and holds its ends",
                clip.name
            );
        }
        let sample = |seconds: f64| {
            let mut pose = Pose::default();
            clip.sample(seconds, &character.base_pose, &mut pose);
            Moment { pose, seconds: Some(seconds) }
        };
        Ok(times.into_iter().map(sample).collect())
    }
}

/// A surface that can be written: where a joint's transform is too large for the file's numbers, the
/// message names the mesh.
pub fn require_finite(character: &Character, surface: &Surface, seconds: f64) -> Result<()> {
    let Some(vertex) = surface.positions.iter().position(|p| !p.is_finite()) else { return Ok(()) };
    let part = character.parts.iter().zip(character.vertex_ranges()).find(|(_, range)| range.contains(&vertex));
    let name = part.map_or("", |(part, _)| &part.mesh.name);
    bail!("mesh \"{name}\" goes beyond all numbers at {seconds:.3} s; a joint of the motion is scaled or moved too far")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoseFile {
    joints: BTreeMap<String, Turn>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    axis: [f64; 3],
    degrees: f64,
}

/// `R_local = R_rest · R` for every joint named; the others are at rest.
fn load_pose(path: &Path, character: &Character) -> Result<Pose> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: PoseFile = serde_json::from_slice(&bytes).with_context(|| format!("{} is not a pose", path.display()))?;
    let mut pose = character.rest_pose();
    for (name, Turn { axis, degrees }) in file.joints {
        let joint = character.skeleton.find(&name).with_context(|| {
            let names = character.skeleton.joints().iter().map(|j| j.name.as_str());
            format!("{}: the character has no joint \"{name}\"{}", path.display(), nearest(&name, names))
        })?;
        let axis = DVec3::from(axis).try_normalize().filter(|_| degrees.is_finite()).with_context(|| {
            format!("{}: joint \"{name}\" needs an axis that is not zero and a finite angle", path.display())
        })?;
        pose.joints[joint].rotation *= DQuat::from_axis_angle(axis, degrees.to_radians());
    }
    Ok(pose)
}
