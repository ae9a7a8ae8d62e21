//! The effect of a motion edit: the trajectory of a joint before and after, the residuals of the pins, contacts.

use super::edits::{Edits, edited_clip};
use super::file_name::file_name;
use super::pose::clip_of;
use crate::error::{Error, Result};
use crate::protocol::{
    Answer, Motion, MotionFile, MotionFormat, MotionRequest, Payload, Reply, SaveMotionRequest, Trajectory,
};
use glam::{DAffine3, DVec3};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, Pose};
use sinew_io::{Asset, bvh, gltf};
use sinew_tasks::find::joint;
use sinew_tasks::motion::EditReport;
use sinew_tasks::motion::edit::{frame_rate, last_frame};
use std::ops::RangeInclusive;

/// The effect of a recipe's pins on a clip. Without pins the answer has the trajectory of the joint alone.
pub fn motion(edits: &mut Edits, asset: &Asset, recipe: &Recipe, request: &MotionRequest) -> Result<Reply> {
    let character = &asset.character;
    let source = clip_of(character, request.clip)?;
    let edit = edits.find(asset, &request.key, request.clip, &recipe.motion)?;
    let clip = edit.as_ref().map_or(source, |edit| &edit.clip);
    let fps = frame_rate(source);
    let last = last_frame(source, fps)?;
    let [first, end] = recipe.motion.range.unwrap_or([0, last]);
    if first >= end || end > last {
        return Err(Error::FrameRange { first, last: end, count: last + 1 });
    }
    let joint = request.joint.as_deref().map(|name| joint(character, name)).transpose()?;
    let mut joints = JointSampler::new(character, fps);
    let mut payload = Payload::default();
    let mut motion =
        Motion { key: request.key.clone(), range: [first, end], trail: None, place: None, stands: None, report: None };
    if let (Some(joint), Some(name)) = (joint, &request.joint) {
        let source = payload.push(joints.trajectory(source, joint, first..=end).as_flattened());
        let edited = edit.as_ref().map(|_| payload.push(joints.trajectory(clip, joint, first..=end).as_flattened()));
        motion.trail = Some(Trajectory { joint: name.clone(), source, edited });
        motion.place = request.frame.map(|frame| joints.position(clip, joint, frame, false).to_array());
    }
    if let Some(edit) = &edit {
        let stands = edit.report.contacts.iter().map(|contact| {
            let middle = (contact.frames.start() + contact.frames.end()) / 2;
            joints.position(clip, contact.joint, middle, contact.is_tip).to_array()
        });
        motion.stands = Some(stands.collect());
        motion.report = Some(EditReport::new(character, &edit.report, edit.missed.clone()).into());
    }
    Ok(Reply::new(Answer::Motion(motion), payload))
}

/// Samples the joints of clips at frames.
struct JointSampler<'a> {
    character: &'a Character,
    fps: f64,
    pose: Pose,
    world: Vec<DAffine3>,
}

impl<'a> JointSampler<'a> {
    fn new(character: &'a Character, fps: f64) -> Self {
        let world = vec![DAffine3::IDENTITY; character.skeleton.len()];
        Self { character, fps, pose: Pose::default(), world }
    }

    /// The position of a joint in a frame, or of the tip of its bone.
    fn position(&mut self, clip: &Clip, joint: usize, frame: usize, is_tip: bool) -> DVec3 {
        let seconds = clip.range().0 + frame as f64 / self.fps;
        clip.sample(seconds, &self.character.base_pose, &mut self.pose);
        self.character.skeleton.world(&self.pose, &mut self.world);
        let tip = self.character.skeleton.joints()[joint].tip.filter(|_| is_tip);
        self.world[joint].transform_point3(tip.unwrap_or_default())
    }

    fn trajectory(&mut self, clip: &Clip, joint: usize, frames: RangeInclusive<usize>) -> Vec<[f32; 3]> {
        frames.map(|frame| self.position(clip, joint, frame, false).as_vec3().to_array()).collect()
    }
}

/// Answers with the edited motion as a file: alone, or with the character that it moves.
pub fn save(asset: &Asset, recipe: &Recipe, request: &SaveMotionRequest) -> Result<Reply> {
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
    let bytes = bytes.map_err(|source| Error::Content { name: name.clone(), source })?;
    let mut payload = Payload::default();
    let content = payload.push(&bytes);
    Ok(Reply::new(Answer::MotionFile(MotionFile { name, content }), payload))
}
