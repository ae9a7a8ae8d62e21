//! What does an edit of a motion do? The way of a joint before and after, pins and what they miss, feet that stand.

use super::edits::{Edits, edited_clip};
use super::file_name::file_name;
use super::pose::clip_of;
use crate::message::Outgoing;
use crate::request::{MotionFormat, MotionRequest, SaveMotionRequest};
use anyhow::{Context, Result, ensure};
use glam::{DAffine3, DVec3};
use serde_json::{Value, json};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, Pose};
use sinew_io::{Asset, bvh, gltf};
use sinew_tasks::find::joint;
use sinew_tasks::motion::EditReport;
use sinew_tasks::motion::edit::{frame_rate, last_frame};
use std::ops::RangeInclusive;

/// Answers what a recipe's edit does to a clip. Without pins there is the way of the joint alone.
pub fn motion(edits: &mut Edits, asset: &Asset, recipe: &Recipe, request: &MotionRequest) -> Result<Vec<u8>> {
    let character = &asset.character;
    let source = clip_of(character, request.clip)?;
    let edit = edits.find(asset, &request.key, request.clip, &recipe.motion)?;
    let clip = edit.as_ref().map_or(source, |edit| &edit.clip);
    let fps = frame_rate(source);
    let last = last_frame(source, fps)?;
    let [first, end] = recipe.motion.range.unwrap_or([0, last]);
    ensure!(first < end && end <= last, "frames {first} to {end} are no range of a clip of {} frames", last + 1);
    let joint = request.joint.as_deref().map(|name| joint(character, name)).transpose()?;
    let mut body = Body::new(character, fps);
    let mut message = Outgoing::answer("motion", request.id).with("key", &request.key).with("range", [first, end]);
    if let Some(joint) = joint {
        let before = message.array(body.way(source, joint, first..=end).as_flattened());
        let after = edit.as_ref().map(|_| body.way(clip, joint, first..=end));
        let after = after.map(|way| message.array(way.as_flattened()));
        message = message.with("trail", json!({ "joint": request.joint, "source": before, "edited": after }));
        if let Some(frame) = request.frame {
            message = message.with("place", body.place(clip, joint, frame, false).to_array());
        }
    }
    let Some(edit) = &edit else { return Ok(message.into_bytes()) };
    let stands = edit.report.contacts.iter().map(|contact| {
        let middle = (contact.frames.start() + contact.frames.end()) / 2;
        body.place(clip, contact.joint, middle, contact.is_tip).to_array()
    });
    let stands: Vec<[f64; 3]> = stands.collect();
    let summary = EditReport::new(character, &edit.report, edit.missed.clone());
    Ok(message.with("stands", stands).with("report", summary).into_bytes())
}

/// Joints of a clip, frame by frame.
struct Body<'a> {
    character: &'a Character,
    fps: f64,
    pose: Pose,
    world: Vec<DAffine3>,
}

impl<'a> Body<'a> {
    fn new(character: &'a Character, fps: f64) -> Self {
        let world = vec![DAffine3::IDENTITY; character.skeleton.len()];
        Self { character, fps, pose: Pose::default(), world }
    }

    /// Where a joint is in a frame, or the tip of its bone.
    fn place(&mut self, clip: &Clip, joint: usize, frame: usize, is_tip: bool) -> DVec3 {
        let seconds = clip.range().0 + frame as f64 / self.fps;
        clip.sample(seconds, &self.character.base_pose, &mut self.pose);
        self.character.skeleton.world(&self.pose, &mut self.world);
        let tip = self.character.skeleton.joints()[joint].tip.filter(|_| is_tip);
        self.world[joint].transform_point3(tip.unwrap_or_default())
    }

    fn way(&mut self, clip: &Clip, joint: usize, frames: RangeInclusive<usize>) -> Vec<[f32; 3]> {
        frames.map(|frame| self.place(clip, joint, frame, false).as_vec3().to_array()).collect()
    }
}

/// Answers with the edited motion as a file: alone, or with the character that it moves.
pub fn save(asset: &Asset, recipe: &Recipe, request: &SaveMotionRequest) -> Result<Vec<u8>> {
    let clip = edited_clip(asset, request.clip, &recipe.motion)?.into_owned();
    let extension = match request.format {
        MotionFormat::Bvh => "bvh",
        MotionFormat::Glb => "glb",
    };
    let name = file_name(&asset.character.name, &clip.name, extension);
    let mut asset = asset.clone();
    let bytes = match request.format {
        MotionFormat::Bvh => {
            asset.character.clips = vec![clip];
            bvh::write(&asset)
        }
        MotionFormat::Glb => {
            asset.character.clips[request.clip] = clip;
            gltf::write(&asset)
        }
    };
    let bytes = bytes.with_context(|| name.clone())?;
    let mut message = Outgoing::answer("motion_file", request.id).with("name", name);
    let content: Value = message.array(&bytes);
    Ok(message.with("content", content).into_bytes())
}
