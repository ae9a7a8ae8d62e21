//! A motion on other bodies, with its contacts: feet keep their contact with the ground, and two bodies touch where the
//! two motions do.

use super::EditReport as MotionReport;
use super::edit::{extent, frame_rate, last_frame};
use super::retarget::{JointMatch, Retargeted};
use crate::{Error, Result};
use glam::{DAffine3, DMat3, DVec3};
use serde::Serialize;
use sinew::motion::edit::{
    BodyContact, Contact, EditReport, Ground, LEAST_FRAMES, MotionEdit, MotionEditOptions, Pin, body_contacts,
};
use sinew::rig::{Character, Clip, Pose};
use std::fmt;

/// Joints of two bodies that are nearer than this share of a body's size are in contact.
const CONTACT_DISTANCE: f64 = 0.12;

/// A motion and the body to retarget it to.
pub struct MotionOnBody<'a> {
    /// The motion's skeleton.
    pub motion: &'a Character,
    /// The motion.
    pub clip: &'a Clip,
    /// The body.
    pub target: &'a Character,
    /// A table of matched joints in TOML; none to match them by name.
    pub table: Option<&'a str>,
    /// The directions away from the ground in the motion and for the body.
    pub up: [DVec3; 2],
}

/// A retargeted motion with its contacts.
pub struct RetargetedContacts {
    /// The clip.
    pub clip: Clip,
    /// The engine's report; pins are contacts of bodies.
    pub report: EditReport,
    /// The matching of joints, in a sentence.
    pub matching: String,
}

impl<'a> MotionOnBody<'a> {
    /// Retargets the motion and keeps its foot contacts. A motion of fewer than [`LEAST_FRAMES`] frames has none.
    pub fn retarget(&self, ground: Option<&Ground>) -> Result<RetargetedContacts> {
        let fps = frame_rate(self.clip);
        let fit = self.joint_match()?;
        let Retargeted { clip, matching } = fit.retarget(self.clip, fps)?;
        if last_frame(&clip, fps)? + 1 < LEAST_FRAMES {
            return Ok(RetargetedContacts { clip, report: EditReport::default(), matching });
        }
        let mut edit = with_contacts(self, &fit, &clip, fps, ground)?;
        let report = edit.solve()?;
        Ok(RetargetedContacts { clip: edit.clip(), report, matching })
    }

    fn joint_match(&self) -> Result<JointMatch<'a>> {
        JointMatch::new(self.motion, self.target, self.table)
    }

    /// The foot contacts of the motion, as joints of the body.
    fn contacts(&self, fit: &JointMatch<'_>, fps: f64) -> Result<Vec<Contact>> {
        let options = MotionEditOptions { up: self.up[0], ..MotionEditOptions::default() };
        let Character { skeleton, base_pose, .. } = self.motion;
        let source = MotionEdit::new(skeleton, base_pose, self.clip, fps, 0..=last_frame(self.clip, fps)?, options)?;
        let has_tip = |joint: usize| self.target.skeleton.joints()[joint].tip.is_some();
        let contacts = source.contacts().into_iter();
        let contacts = contacts.filter_map(|contact| Some(Contact { joint: fit.partner(contact.joint)?, ..contact }));
        Ok(contacts.filter(|contact| !contact.is_tip || has_tip(contact.joint)).collect())
    }
}

/// A retargeted motion, ready to be solved with its foot contacts.
fn with_contacts<'a>(
    body: &MotionOnBody<'a>,
    fit: &JointMatch<'_>,
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

/// Retargets two motions that touch to two bodies that touch in the same way: with the same joints, at the same
/// distances times the bodies' mean scale, and as near to each retargeted motion as possible.
pub fn retarget_pair(
    bodies: [&MotionOnBody<'_>; 2],
    ground: Option<&Ground>,
) -> Result<([RetargetedContacts; 2], Vec<BodyContact>)> {
    let fps = frame_rate(bodies[0].clip);
    let up = bodies[0].up[1];
    if bodies[1].up != bodies[0].up {
        return Err(Error::UpAxesDiffer);
    }
    let sources = [places(bodies[0].motion, bodies[0].clip, fps)?, places(bodies[1].motion, bodies[1].clip, fps)?];
    let reach = CONTACT_DISTANCE * 0.5 * (extent(bodies[0].motion) + extent(bodies[1].motion));
    let skeletons = [&bodies[0].motion.skeleton, &bodies[1].motion.skeleton];
    let found = body_contacts(skeletons, [&sources[0], &sources[1]], reach);
    let fits = [bodies[0].joint_match()?, bodies[1].joint_match()?];
    let scale = 0.5 * (fits[0].transfer.scale() + fits[1].transfer.scale());
    let wanted = on_bodies(&fits, &found, scale);
    if wanted.is_empty() {
        return Err(Error::NoBodyContact);
    }

    let [first, second] = [fits[0].retarget(bodies[0].clip, fps)?, fits[1].retarget(bodies[1].clip, fps)?];
    let (matchings, mut clips) = ([first.matching, second.matching], [first.clip, second.clip]);
    let retargeted = [places(bodies[0].target, &clips[0], fps)?, places(bodies[1].target, &clips[1], fps)?];
    let apart = gap(&wanted, [&retargeted[0], &retargeted[1]]);
    let level = apart - up * apart.dot(up);
    for ((clip, body), share) in clips.iter_mut().zip(bodies).zip([-0.5, 0.5]) {
        shift(body.target, clip, level * share);
    }
    let mut places = [places(bodies[0].target, &clips[0], fps)?, places(bodies[1].target, &clips[1], fps)?];
    let edit = |k: usize| with_contacts(bodies[k], &fits[k], &clips[k], fps, ground);
    let mut edits = [edit(0)?, edit(1)?];
    let mut reports = [EditReport::default(), EditReport::default()];
    // Both move half the distance first; then each moves to the other's new position.
    for iteration in 0..ITERATIONS {
        let k = iteration % 2;
        let edit = &mut edits[k];
        edit.clear();
        for contact in &wanted {
            for (frame, offset) in contact.frames.clone().zip(&contact.offsets) {
                let [a, b] = [0, 1].map(|k: usize| places[k][frame][contact.joints[k]]);
                let middle = 0.5 * (a + b);
                let position = match (iteration, k) {
                    (0, _) => middle - 0.5 * *offset,
                    (_, 0) => b - *offset,
                    _ => a + *offset,
                };
                edit.pin(Pin { joint: contact.joints[k], frame, position, orientation: None })?;
            }
        }
        reports[k] = edit.solve()?;
        places[k] = posed(bodies[k].target, edit.poses());
    }
    let [first, second] = [0, 1].map(|k: usize| (edits[k].clip(), reports[k].clone(), matchings[k].clone()));
    let result = |(clip, report, matching)| RetargetedContacts { clip, report, matching };
    Ok(([result(first), result(second)], wanted))
}

/// A contact of two bodies, for other programs.
#[derive(Debug, Serialize)]
pub struct BodyContactReport {
    /// The names of the joints that touch.
    pub joints: [String; 2],
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
}

/// The result of retargeting one motion or two, for other programs.
#[derive(Debug, Serialize)]
pub struct RetargetReport {
    /// The motion on each body.
    pub bodies: Vec<MotionReport>,
    /// The contacts of two bodies.
    pub touches: Vec<BodyContactReport>,
}

impl BodyContactReport {
    /// A contact of two bodies, with joints by name.
    pub fn new(contact: &BodyContact, bodies: [&MotionOnBody<'_>; 2]) -> Self {
        let name = |k: usize| bodies[k].target.skeleton.joints()[contact.joints[k]].name.clone();
        Self { joints: [name(0), name(1)], first: *contact.frames.start(), last: *contact.frames.end() }
    }
}

impl fmt::Display for BodyContactReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { joints: [a, b], first, last } = self;
        write!(f, "\"{a}\" and \"{b}\" in frames {first} to {last}")
    }
}

/// The bodies move in turn, so many times in all.
const ITERATIONS: usize = 4;

/// The contacts as joints of the bodies, in their axes and scale.
fn on_bodies(fits: &[JointMatch<'_>; 2], contacts: &[BodyContact], scale: f64) -> Vec<BodyContact> {
    let axes = fits[0].transfer.axes();
    let contact = |contact: &BodyContact| {
        let joints = [fits[0].partner(contact.joints[0])?, fits[1].partner(contact.joints[1])?];
        let offsets = contact.offsets.iter().map(|offset| axes * *offset * scale).collect();
        Some(BodyContact { joints, frames: contact.frames.clone(), offsets })
    };
    contacts.iter().filter_map(contact).collect()
}

/// The mean gap between the touching joints of the two bodies.
fn gap(contacts: &[BodyContact], places: [&[Vec<DVec3>]; 2]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    let mut count = 0;
    for contact in contacts {
        for (frame, offset) in contact.frames.clone().zip(&contact.offsets) {
            let [a, b] = [0, 1].map(|k: usize| places[k][frame][contact.joints[k]]);
            sum += *offset - (b - a);
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}

/// Translates a whole motion: the topmost joints with a translation track, and with them their descendants.
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
