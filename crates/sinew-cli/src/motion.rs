//! Which motion is played: a clip of the file, or one of another file carried over.

use crate::files;
use anyhow::{Context, Result, bail};
use clap::Args;
use sinew::rig::{Character, Clip};
use sinew_tasks::carry::{Carried, carried};
use std::path::PathBuf;

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
    /// Whether a motion is asked for.
    pub fn is_given(&self) -> bool {
        self.clip.is_some() || self.motion.is_some()
    }

    /// The clip to play on a character, if any is asked for or there.
    pub fn clip(&self, character: &Character, fps: f64) -> Result<Option<Clip>> {
        match &self.motion {
            Some(_) => self.transferred(character, fps).map(Some),
            None => match &self.clip {
                Some(name) => find(character, name).cloned().map(Some),
                None => Ok(character.clips.first().cloned()),
            },
        }
    }

    /// The clip to play; without one it is an error that says what to do.
    pub fn required_clip(&self, character: &Character, fps: f64) -> Result<Clip> {
        self.clip(character, fps)?
            .with_context(|| format!("\"{}\" has no clip; give it a motion with --motion FILE", character.name))
    }

    fn transferred(&self, character: &Character, fps: f64) -> Result<Clip> {
        let path = self.motion.as_deref().context("no motion file")?;
        let motion = files::load(path)?.character;
        let clip = match &self.clip {
            Some(name) => find(&motion, name)?,
            None => motion.clips.first().with_context(|| format!("{}: it has no clip to play", path.display()))?,
        };
        let table = self
            .map
            .as_ref()
            .map(|map| std::fs::read_to_string(map).with_context(|| format!("cannot read {}", map.display())));
        let carried = carried(&motion, clip, character, table.transpose()?.as_deref(), fps);
        let Carried { mut clip, matching } = carried.with_context(|| match &self.map {
            Some(map) => format!("{} on {}", map.display(), path.display()),
            None => path.display().to_string(),
        })?;
        eprintln!("motion: {matching}");
        clip.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(clip)
    }
}

/// A clip by its name, a part of it, or its index from 0.
pub fn find<'a>(character: &'a Character, name: &str) -> Result<&'a Clip> {
    if let Some(clip) = character.find_clip(name) {
        return Ok(clip);
    }
    // A clip is often called for by a part of its name, such as "run" for "Armature|Run".
    let wanted = name.to_lowercase();
    let mut similar = character.clips.iter().filter(|c| c.name.to_lowercase().contains(&wanted));
    if let (Some(clip), None) = (similar.next(), similar.next()) {
        return Ok(clip);
    }
    let known: Vec<_> = character.clips.iter().enumerate().map(|(k, c)| format!("{k}: \"{}\"", c.name)).collect();
    if known.is_empty() {
        bail!("there is no clip \"{name}\": \"{}\" has none at all", character.name);
    }
    bail!("there is no clip \"{name}\" in \"{}\"; it has {}", character.name, known.join(", "))
}
