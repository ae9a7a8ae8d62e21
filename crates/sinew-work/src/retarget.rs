//! A motion on other bodies: carried over, with feet that stand where they stood and bodies that touch where they did.

use crate::carry::{Carried, Fit};
use crate::motion_edit::{extent, frame_rate, last_frame};
use anyhow::{Result, ensure};
use glam::{DAffine3, DMat3, DVec3};
use sinew::motion::edit::{
    Contact, EditReport, Ground, LEAST_FRAMES, MotionEdit, MotionEditOptions, Pin, Touch, touches,
};
use sinew::rig::{Character, Clip, Pose};

/// Joints of two bodies that are nearer than this share of a body's size touch.
const TOUCHING: f64 = 0.12;

/// A motion and the body that is to have it.
pub struct Body<'a> {
    /// The motion's skeleton.
    pub motion: &'a Character,
    /// The motion.
    pub clip: &'a Clip,
    /// The body.
    pub target: &'a Character,
    /// Which joint follows which; none for by name.
    pub table: Option<&'a str>,
    /// The directions away from the ground in the motion and for the body.
    pub up: [DVec3; 2],
}

/// A motion on another body.
pub struct Retargeted {
    /// The clip.
    pub clip: Clip,
    /// What came of it: pins are where bodies touch.
    pub report: EditReport,
    /// How joints were matched, in a sentence.
    pub matching: String,
}

impl<'a> Body<'a> {
    /// The motion on the body, whose feet stand where they stood. In a few frames nothing stands.
    pub fn retargeted(&self, ground: Option<&Ground>) -> Result<Retargeted> {
        let fps = frame_rate(self.clip);
        let fit = self.fit()?;
        let Carried { clip, matching } = fit.carried(self.clip, fps)?;
        if last_frame(&clip, fps)? + 1 < LEAST_FRAMES {
            return Ok(Retargeted { clip, report: EditReport::default(), matching });
        }
        let mut edit = standing(self, &fit, &clip, fps, ground)?;
        let report = edit.solve()?;
        Ok(Retargeted { clip: edit.clip(), report, matching })
    }

    fn fit(&self) -> Result<Fit<'a>> {
        Fit::new(self.motion, self.target, self.table)
    }

    /// Where feet stand in the motion, as joints of the body.
    fn contacts(&self, fit: &Fit<'_>, fps: f64) -> Result<Vec<Contact>> {
        let options = MotionEditOptions { up: self.up[0], ..MotionEditOptions::default() };
        let Character { skeleton, base_pose, .. } = self.motion;
        let source = MotionEdit::new(skeleton, base_pose, self.clip, fps, 0..=last_frame(self.clip, fps)?, options)?;
        let has_tip = |joint: usize| self.target.skeleton.joints()[joint].tip.is_some();
        let contacts = source.contacts().into_iter();
        let contacts = contacts.filter_map(|contact| Some(Contact { joint: fit.partner(contact.joint)?, ..contact }));
        Ok(contacts.filter(|contact| !contact.is_tip || has_tip(contact.joint)).collect())
    }
}

/// A motion that was carried over, with feet that are to stand.
fn standing<'a>(
    body: &Body<'a>,
    fit: &Fit<'_>,
    clip: &'a Clip,
    fps: f64,
    ground: Option<&Ground>,
) -> Result<MotionEdit<'a>> {
    let last = last_frame(clip, fps)?;
    let contacts: Vec<Contact> = body.contacts(fit, fps)?.into_iter().filter(|c| *c.frames.start() <= last).collect();
    let options = MotionEditOptions {
        up: body.up[1],
        keep_contacts: false,
        free_start: true,
        free_end: true,
        ..MotionEditOptions::default()
    };
    let Character { skeleton, base_pose, .. } = body.target;
    let mut edit = MotionEdit::new(skeleton, base_pose, clip, fps, 0..=last, options)?;
    edit.plant_feet(&contacts, |place| ground.map_or(0.0, |ground| ground.height(place)))?;
    Ok(edit)
}

/// Two motions that touch, on two bodies that touch in the same way: at the same places of both, as far apart as they were
/// by the bodies' mean scale, and as near to where the two motions carried over have them as they can.
pub fn retargeted_pair(bodies: [&Body<'_>; 2], ground: Option<&Ground>) -> Result<([Retargeted; 2], Vec<Touch>)> {
    let fps = frame_rate(bodies[0].clip);
    let up = bodies[0].up[1];
    ensure!(bodies[1].up == bodies[0].up, "the two motions, and the two bodies, must have the same axis up");
    let sources = [places(bodies[0].motion, bodies[0].clip, fps)?, places(bodies[1].motion, bodies[1].clip, fps)?];
    let reach = TOUCHING * 0.5 * (extent(bodies[0].motion) + extent(bodies[1].motion));
    let skeletons = [&bodies[0].motion.skeleton, &bodies[1].motion.skeleton];
    let found = touches(skeletons, [&sources[0], &sources[1]], reach);
    let fits = [bodies[0].fit()?, bodies[1].fit()?];
    let scale = 0.5 * (fits[0].transfer.scale() + fits[1].transfer.scale());
    let wanted = on_bodies(&fits, &found, scale);
    ensure!(!wanted.is_empty(), "the two motions do not touch anywhere; retarget each by itself");

    let [first, second] = [fits[0].carried(bodies[0].clip, fps)?, fits[1].carried(bodies[1].clip, fps)?];
    let (matchings, mut clips) = ([first.matching, second.matching], [first.clip, second.clip]);
    let carried = [places(bodies[0].target, &clips[0], fps)?, places(bodies[1].target, &clips[1], fps)?];
    let apart = gap(&wanted, [&carried[0], &carried[1]]);
    let level = apart - up * apart.dot(up);
    for ((clip, body), share) in clips.iter_mut().zip(bodies).zip([-0.5, 0.5]) {
        shift(body.target, clip, level * share);
    }
    let mut places = [places(bodies[0].target, &clips[0], fps)?, places(bodies[1].target, &clips[1], fps)?];
    let edit = |k: usize| standing(bodies[k], &fits[k], &clips[k], fps, ground);
    let mut edits = [edit(0)?, edit(1)?];
    let mut reports = [EditReport::default(), EditReport::default()];
    // Half the way each; then each comes to where the other could get.
    for turn in 0..TURNS {
        let k = turn % 2;
        let edit = &mut edits[k];
        edit.clear();
        for touch in &wanted {
            for (frame, offset) in touch.frames.clone().zip(&touch.offsets) {
                let [a, b] = [0, 1].map(|k: usize| places[k][frame][touch.joints[k]]);
                let middle = 0.5 * (a + b);
                let position = match (turn, k) {
                    (0, _) => middle - 0.5 * *offset,
                    (_, 0) => b - *offset,
                    _ => a + *offset,
                };
                edit.pin(Pin { joint: touch.joints[k], frame, position, orientation: None })?;
            }
        }
        reports[k] = edit.solve()?;
        places[k] = posed(bodies[k].target, edit.poses());
    }
    let [first, second] = [0, 1].map(|k: usize| (edits[k].clip(), reports[k].clone(), matchings[k].clone()));
    let result = |(clip, report, matching)| Retargeted { clip, report, matching };
    Ok(([result(first), result(second)], wanted))
}

/// How often the two bodies come to each other.
const TURNS: usize = 4;

/// The touches as the joints of the bodies, turned and scaled as those are.
fn on_bodies(fits: &[Fit<'_>; 2], touches: &[Touch], scale: f64) -> Vec<Touch> {
    let axes = fits[0].transfer.axes();
    let touch = |touch: &Touch| {
        let joints = [fits[0].partner(touch.joints[0])?, fits[1].partner(touch.joints[1])?];
        let offsets = touch.offsets.iter().map(|offset| axes * *offset * scale).collect();
        Some(Touch { joints, frames: touch.frames.clone(), offsets })
    };
    touches.iter().filter_map(touch).collect()
}

/// What is missing on average from the first body's joints to the second's.
fn gap(touches: &[Touch], places: [&[Vec<DVec3>]; 2]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    let mut count = 0;
    for touch in touches {
        for (frame, offset) in touch.frames.clone().zip(&touch.offsets) {
            let [a, b] = [0, 1].map(|k: usize| places[k][frame][touch.joints[k]]);
            sum += *offset - (b - a);
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}

/// Moves a whole motion in the world: the joints that it places there, and with them what hangs on them.
fn shift(character: &Character, clip: &mut Clip, by: DVec3) {
    let joints = character.skeleton.joints();
    let mut world = vec![DAffine3::IDENTITY; joints.len()];
    character.skeleton.world(&character.base_pose, &mut world);
    let mut is_moved = vec![false; joints.len()];
    for tracks in &mut clip.joints {
        let Some(track) = &mut tracks.translation else { continue };
        let above = || std::iter::successors(joints[tracks.joint].parent, |&joint| joints[joint].parent);
        if above().any(|joint| is_moved[joint]) {
            continue;
        }
        let into_parent = above().next().map_or(DMat3::IDENTITY, |parent| world[parent].matrix3.inverse());
        let step = (into_parent * by).as_vec3();
        track.values.iter_mut().for_each(|value| *value += step);
        is_moved[tracks.joint] = true;
    }
}

fn places(character: &Character, clip: &Clip, fps: f64) -> Result<Vec<Vec<DVec3>>> {
    let mut pose = Pose::default();
    let poses = clip.frame_times(fps)?.map(|seconds| {
        clip.sample(seconds, &character.base_pose, &mut pose);
        pose.clone()
    });
    Ok(posed(character, &poses.collect::<Vec<_>>()))
}

fn posed(character: &Character, poses: &[Pose]) -> Vec<Vec<DVec3>> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let places = |pose: &Pose| {
        character.skeleton.world(pose, &mut world);
        world.iter().map(|matrix| matrix.translation).collect()
    };
    poses.iter().map(places).collect()
}
