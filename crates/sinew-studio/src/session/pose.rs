//! Poses: of a clip with what a person added, and as text.

use crate::message::Outgoing;
use crate::request::Turns;
use anyhow::{Context, Result, ensure};
use glam::DQuat;
use sinew::rig::{Character, Clip, Pose};
use sinew_tasks::pose_file::PoseFile;

/// The clip at a time, or the bind pose; then the turns. Joints that the character does not have are passed over, so
/// that a pose can be tried on another one.
pub fn pose_at(character: &Character, clip: Option<&Clip>, seconds: f64, turns: &Turns, pose: &mut Pose) -> Result<()> {
    ensure!(seconds.is_finite(), "a time must be a number of seconds, not {seconds}");
    match clip {
        Some(clip) => clip.sample(seconds, &character.base_pose, pose),
        None => pose.copy_from(&character.rest_pose()),
    }
    turn(character, turns, pose)
}

/// Adds turns to a pose.
pub fn turn(character: &Character, turns: &Turns, pose: &mut Pose) -> Result<()> {
    for (name, turn) in turns {
        let turn = DQuat::from_array(*turn);
        ensure!(turn.length_squared().is_normal(), "the turn of joint \"{name}\" is no rotation");
        if let Some(joint) = character.skeleton.find(name) {
            pose.joints[joint].rotation = (pose.joints[joint].rotation * turn.normalize()).normalize();
        }
    }
    Ok(())
}

/// A clip by its number.
pub fn clip_of(character: &Character, clip: usize) -> Result<&Clip> {
    character.clips.get(clip).with_context(|| format!("\"{}\" has no clip {clip}", character.name))
}

/// A pose as the command line reads it.
pub fn write(id: u64, character: &Character, clip: Option<&Clip>, seconds: f64, turns: &Turns) -> Result<Vec<u8>> {
    let mut pose = Pose::default();
    pose_at(character, clip, seconds, turns, &mut pose)?;
    let text = serde_json::to_string_pretty(&PoseFile::of(&pose, character))?;
    Ok(Outgoing::answer("pose_text", id).with("text", text).into_bytes())
}

/// The turns from rest that a text has.
pub fn read(id: u64, character: &Character, text: &str) -> Result<Vec<u8>> {
    let turns = PoseFile::from_json(text.as_bytes())?.turns(character)?;
    let named = |(joint, turn): (usize, DQuat)| (character.skeleton.joints()[joint].name.clone(), turn.to_array());
    let turns: Turns = turns.into_iter().map(named).collect();
    Ok(Outgoing::answer("turns", id).with("turns", turns).into_bytes())
}
