//! Poses: of a clip with added rotations, and as text.

use crate::error::{Error, Result};
use crate::protocol::{Answer, PoseTurns, Reply, Text, Turns};
use glam::DQuat;
use sinew::rig::{Character, Clip, Pose};
use sinew_tasks::pose_file::PoseFile;

/// The clip at a time, or the bind pose, with rotations added. Unknown joints are ignored, so that a pose can be tried
/// on another character.
pub fn pose_at(character: &Character, clip: Option<&Clip>, seconds: f64, turns: &Turns, pose: &mut Pose) -> Result<()> {
    if !seconds.is_finite() {
        return Err(Error::Time(seconds));
    }
    match clip {
        Some(clip) => clip.sample(seconds, &character.base_pose, pose),
        None => pose.copy_from(&character.rest_pose()),
    }
    turn(character, turns, pose)
}

/// Adds rotations to a pose.
pub fn turn(character: &Character, turns: &Turns, pose: &mut Pose) -> Result<()> {
    for (name, turn) in &turns.0 {
        let turn = DQuat::from_array(*turn);
        if !turn.length_squared().is_normal() {
            return Err(Error::Rotation(name.clone()));
        }
        if let Some(joint) = character.skeleton.find(name) {
            pose.joints[joint].rotation = (pose.joints[joint].rotation * turn.normalize()).normalize();
        }
    }
    Ok(())
}

/// A clip by its number.
pub fn clip_of(character: &Character, clip: usize) -> Result<&Clip> {
    let unknown = || Error::UnknownClip { character: character.name.clone(), clip };
    character.clips.get(clip).ok_or_else(unknown)
}

/// A pose in the format of the command line.
pub fn write(character: &Character, clip: Option<&Clip>, seconds: f64, turns: &Turns) -> Result<Reply> {
    let mut pose = Pose::default();
    pose_at(character, clip, seconds, turns, &mut pose)?;
    let text = serde_json::to_string_pretty(&PoseFile::of(&pose, character)).map_err(Error::Pose)?;
    Ok(Answer::PoseText(Text { text }).into())
}

/// The rotations from rest in a text.
pub fn read(character: &Character, text: &str) -> Result<Reply> {
    let turns = PoseFile::from_json(text.as_bytes())?.turns(character)?;
    let named = |(joint, turn): (usize, DQuat)| (character.skeleton.joints()[joint].name.clone(), turn.to_array());
    let turns = Turns(turns.into_iter().map(named).collect());
    Ok(Answer::Turns(PoseTurns { turns }).into())
}
