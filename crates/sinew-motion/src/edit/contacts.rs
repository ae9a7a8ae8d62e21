//! Detection of foot contacts.
//!
//! A point of a foot is planted while it is low and slow: within a share of the body's size above the lowest it
//! or its partner on the other side goes, and below a share of the body's size per second, for a tenth of
//! a second at least. A body without legs that can be recognised stands on whatever ends of it are low and slow.

use super::report::Contact;
use super::skeleton_points::SkeletonPoints;
use crate::Result;
use glam::DVec3;
use sinew_rig::Anatomy;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{Limb, Side};
use std::ops::Range;

/// The largest height of a planted point above the ground, of the body's size. 5 cm of a body of 1.75 m; not tuned.
const MAX_CONTACT_HEIGHT: f64 = 0.03;
/// The largest speed of a planted point, in body sizes per second. 0.26 m/s of a body of 1.75 m; a foot swings in a
/// walk about ten times as fast. Not tuned.
const MAX_CONTACT_SPEED: f64 = 0.15;
/// The shortest contact. About the stance of a sprint.
const MIN_CONTACT_SECONDS: f64 = 0.1;
/// The shortest contact at low frame rates: a frame with one on each side, between which its speed is measured.
const MIN_CONTACT_FRAMES: usize = 3;
/// The quantile of all heights that is taken for the ground, so that a few frames below it do not count. Not tuned.
const GROUND_QUANTILE: f64 = 0.05;

/// Frames during which a point is planted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FootPlant {
    pub point: usize,
    /// The uppermost point of the same foot.
    pub foot: usize,
    pub frames: Range<usize>,
    /// Its fixed place; none where it follows the source, frame by frame.
    pub place: Option<DVec3>,
}

/// The foot contacts of a motion, from the positions of all points in each frame.
pub(super) fn find_foot_plants(
    skeleton: &Skeleton,
    skeleton_points: &SkeletonPoints,
    frames: &[Vec<DVec3>],
    fps: f64,
    up: DVec3,
) -> Vec<FootPlant> {
    let mut found = Vec::new();
    let feet = feet(skeleton, skeleton_points);
    let is_foot = |point: usize| feet.iter().any(|group| group.contains(&point));
    let foot_of = |point: usize| {
        let upwards =
            std::iter::successors(Some(point), |&p| skeleton_points.parents[p].filter(|&parent| is_foot(parent)));
        upwards.last().unwrap_or(point)
    };
    for group in &feet {
        let mut heights: Vec<f64> = group.iter().flat_map(|&p| frames.iter().map(move |f| f[p].dot(up))).collect();
        heights.sort_by(f64::total_cmp);
        let Some(&ground) = heights.get((GROUND_QUANTILE * heights.len() as f64) as usize) else { continue };
        for &point in group {
            let speed = |k: usize| {
                let (before, after) = (k.saturating_sub(1), (k + 1).min(frames.len() - 1));
                frames[after][point].distance(frames[before][point]) * fps / (after - before).max(1) as f64
            };
            let is_planted = |k: usize| {
                frames[k][point].dot(up) <= ground + MAX_CONTACT_HEIGHT * skeleton_points.size
                    && speed(k) <= MAX_CONTACT_SPEED * skeleton_points.size
            };
            runs((0..frames.len()).map(is_planted), |run| {
                if run.len() >= MIN_CONTACT_FRAMES.max((MIN_CONTACT_SECONDS * fps) as usize) {
                    found.push(FootPlant { point, foot: foot_of(point), frames: run, place: None });
                }
            });
        }
    }
    found
}

/// Given contacts, in a range that begins with a frame of its clip. Of overlapping contacts of a foot, the longest
/// remains: one fixed point leaves the foot free to roll.
pub(super) fn foot_plants_of(
    skeleton_points: &SkeletonPoints,
    frames: &[Vec<DVec3>],
    first: usize,
    contacts: &[Contact],
) -> Result<Vec<FootPlant>> {
    let point_of = |contact: &Contact| {
        let points = if contact.is_tip { &skeleton_points.tip_of } else { &skeleton_points.point_of };
        points.get(contact.joint).copied().flatten()
    };
    let is_contact = |point: usize| contacts.iter().any(|c| point_of(c) == Some(point));
    let mut given = Vec::new();
    for contact in contacts {
        let count = skeleton_points.point_of.len();
        let missing = sinew_rig::Error::JointOutOfRange { what: "a contact".into(), joint: contact.joint, count };
        let point = point_of(contact).ok_or(missing)?;
        let upwards =
            std::iter::successors(Some(point), |&p| skeleton_points.parents[p].filter(|&parent| is_contact(parent)));
        let begin = contact.frames.start().saturating_sub(first);
        let end = (contact.frames.end() + 1).saturating_sub(first).min(frames.len());
        if begin < end {
            given.push(FootPlant { point, foot: upwards.last().unwrap_or(point), frames: begin..end, place: None });
        }
    }
    given.sort_by_key(|run| (std::cmp::Reverse(run.frames.len()), run.frames.start, run.point));
    let mut longest: Vec<FootPlant> = Vec::new();
    for run in given {
        let overlaps = |other: &FootPlant| {
            other.foot == run.foot && other.frames.start < run.frames.end && other.frames.end > run.frames.start
        };
        if !longest.iter().any(overlaps) {
            longest.push(run);
        }
    }
    Ok(longest)
}

/// Points of feet, those of both sides together.
fn feet(skeleton: &Skeleton, skeleton_points: &SkeletonPoints) -> Vec<Vec<usize>> {
    let Some(anatomy) = Anatomy::of(skeleton) else {
        let is_end = |p: &usize| !skeleton_points.parents.contains(&Some(*p));
        return vec![(0..skeleton_points.len()).filter(is_end).collect()];
    };
    let sides = [Side::Left, Side::Right];
    let joints = |limb| sides.map(|side| anatomy.limb(limb, side)).into_iter().flatten().collect::<Vec<usize>>();
    let points = |limb| joints(limb).into_iter().filter_map(|j| skeleton_points.point_of[j]).collect::<Vec<usize>>();
    let tips = joints(Limb::Toes).into_iter().filter_map(|j| skeleton_points.tip_of[j]).collect();
    [points(Limb::Foot), points(Limb::Toes), tips].into_iter().filter(|group| !group.is_empty()).collect()
}

/// The runs of true.
fn runs(values: impl Iterator<Item = bool>, mut found: impl FnMut(Range<usize>)) {
    let mut begin = None;
    let mut count = 0;
    for (index, value) in values.enumerate() {
        match (value, begin) {
            (true, None) => begin = Some(index),
            (false, Some(first)) => {
                found(first..index);
                begin = None;
            }
            _ => (),
        }
        count = index + 1;
    }
    if let Some(first) = begin {
        found(first..count);
    }
}
