//! The motion to play: a clip of the file, or one of another file, retargeted.

use crate::failure::{Context, Result, refuse};
use crate::files;
use crate::terminal::{note, warn};
use clap::Args;
use sinew::rig::{Character, Clip};
use sinew_tasks::motion::retarget::{Retargeted, posture_warning, retarget};
use sinew_tasks::{Error, find};
use std::path::{Path, PathBuf};

/// The motion to play.
#[derive(Args)]
#[command(next_help_heading = "Motion")]
pub struct MotionArguments {
    /// Clip of the file (or of the motion file) by name, or by index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    pub clip: Option<String>,

    /// Play the motion of another file (.bvh, .amc, .fbx, .glb); joints are matched by name
    #[arg(long, value_name = "FILE")]
    pub motion: Option<PathBuf>,

    /// A table of joints that overrides the automatic matching: `[joints]`, `"target" = "source"`
    #[arg(long, value_name = "MAP.toml", requires = "motion")]
    pub map: Option<PathBuf>,
}

impl MotionArguments {
    /// Whether a motion is given.
    pub fn is_given(&self) -> bool {
        self.clip.is_some() || self.motion.is_some()
    }

    /// The clip to play on a character, at a frame rate if it is retargeted.
    pub fn clip(&self, character: &Character, fps: f64) -> Result<Clip> {
        let name = self.clip.as_deref();
        match &self.motion {
            Some(path) => self.retargeted(path, character, fps),
            None => match find::clip(character, name) {
                Err(Error::NoClip { .. }) if character.joints().next().is_none() => {
                    refuse!("\"{}\" has no skeleton that could move it; give it one with sinew bind", character.name)
                }
                Err(Error::NoClip { character }) => {
                    refuse!("\"{character}\" has no clip; give it a motion with --motion FILE")
                }
                clip => Ok(clip?.clone()),
            },
        }
    }

    fn retargeted(&self, path: &Path, character: &Character, fps: f64) -> Result<Clip> {
        let motion = files::load(path)?.character;
        let clip = find::clip(&motion, self.clip.as_deref()).at(path)?;
        let table = self.map.as_deref().map(sinew_tasks::files::read_text).transpose()?;
        let retargeted = retarget(&motion, clip, character, table.as_deref(), fps);
        let Retargeted { mut clip, matching } = retargeted.with_context(|| match &self.map {
            Some(map) => format!("{} on {}", map.display(), path.display()),
            None => path.display().to_string(),
        })?;
        if let Some(warning) = posture_warning(&motion, character, table.as_deref()) {
            warn(path.display(), warning);
        }
        note(format_args!("motion: {matching}"));
        clip.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(clip)
    }
}
