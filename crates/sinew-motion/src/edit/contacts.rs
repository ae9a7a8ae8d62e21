//! Detection of foot contacts.
//!
//! A point of a foot is planted while it is low and slow: within a share of the body's size above the lowest it
//! or its partner on the other side goes, and below a share of the body's size per second, for a tenth of
//! a second at least. A body without legs that can be recognised stands on whatever ends of it are low and slow.

use super::body::Body;
use super::report::Contact;
use crate::Result;
use glam::DVec3;
use sinew_rig::Anatomy;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{Limb, Side};
use std::ops::Range;

/// Of the body's size.
const LOW: f64 = 0.03;
/// Of the body's size, per second.
const SLOW: f64 = 0.15;
const LEAST_SECONDS: f64 = 0.1;
const LEAST_FRAMES: usize = 3;
/// Heights below this share of all of them are the ground.
const GROUND_SHARE: f64 = 0.05;

/// Frames during which a point is planted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planted {
    pub point: usize,
    /// The uppermost point of the same foot.
    pub foot: usize,
    pub frames: Range<usize>,
    /// Where it stands; none where the source has it, frame by frame.
    pub place: Option<DVec3>,
}

/// Everything that is planted, from the positions of all points in each frame.
pub(super) fn planted(skeleton: &Skeleton, body: &Body, frames: &[Vec<DVec3>], fps: f64, up: DVec3) -> Vec<Planted> {
    let mut found = Vec::new();
    let feet = feet(skeleton, body);
    let is_foot = |point: usize| feet.iter().any(|group| group.contains(&point));
    let foot_of = |point: usize| {
        let upwards = std::iter::successors(Some(point), |&p| body.parents[p].filter(|&parent| is_foot(parent)));
        upwards.last().unwrap_or(point)
    };
    for group in &feet {
        let mut heights: Vec<f64> = group.iter().flat_map(|&p| frames.iter().map(move |f| f[p].dot(up))).collect();
        heights.sort_by(f64::total_cmp);
        let Some(&ground) = heights.get((GROUND_SHARE * heights.len() as f64) as usize) else { continue };
        for &point in group {
            let speed = |k: usize| {
                let (before, after) = (k.saturating_sub(1), (k + 1).min(frames.len() - 1));
                frames[after][point].distance(frames[before][point]) * fps / (after - before).max(1) as f64
            };
            let stands =
                |k: usize| frames[k][point].dot(up) <= ground + LOW * body.size && speed(k) <= SLOW * body.size;
            runs((0..frames.len()).map(stands), |run| {
                if run.len() >= LEAST_FRAMES.max((LEAST_SECONDS * fps) as usize) {
                    found.push(Planted { point, foot: foot_of(point), frames: run, place: None });
                }
            });
        }
    }
    found
}

/// Contacts that are given, in a range that begins with a frame of its clip. Of those of a foot that overlap, the longest
/// is kept: one point that stands still leaves the foot free to roll.
pub(super) fn standing(body: &Body, frames: &[Vec<DVec3>], first: usize, contacts: &[Contact]) -> Result<Vec<Planted>> {
    let point_of = |contact: &Contact| {
        let points = if contact.is_tip { &body.tip_of } else { &body.point_of };
        points.get(contact.joint).copied().flatten()
    };
    let is_contact = |point: usize| contacts.iter().any(|c| point_of(c) == Some(point));
    let mut given = Vec::new();
    for contact in contacts {
        let count = body.point_of.len();
        let missing = sinew_rig::Error::JointOutOfRange { what: "a contact".into(), joint: contact.joint, count };
        let point = point_of(contact).ok_or(missing)?;
        let upwards = std::iter::successors(Some(point), |&p| body.parents[p].filter(|&parent| is_contact(parent)));
        let begin = contact.frames.start().saturating_sub(first);
        let end = (contact.frames.end() + 1).saturating_sub(first).min(frames.len());
        if begin < end {
            given.push(Planted { point, foot: upwards.last().unwrap_or(point), frames: begin..end, place: None });
        }
    }
    given.sort_by_key(|run| (std::cmp::Reverse(run.frames.len()), run.frames.start, run.point));
    let mut kept: Vec<Planted> = Vec::new();
    for run in given {
        let overlaps = |other: &Planted| {
            other.foot == run.foot && other.frames.start < run.frames.end && other.frames.end > run.frames.start
        };
        if !kept.iter().any(overlaps) {
            kept.push(run);
        }
    }
    Ok(kept)
}

/// Points that may stand, those of both sides together.
fn feet(skeleton: &Skeleton, body: &Body) -> Vec<Vec<usize>> {
    let Some(anatomy) = Anatomy::of(skeleton) else {
        let is_end = |p: &usize| !body.parents.contains(&Some(*p));
        return vec![(0..body.len()).filter(is_end).collect()];
    };
    let sides = [Side::Left, Side::Right];
    let joints = |limb| sides.map(|side| anatomy.limb(limb, side)).into_iter().flatten().collect::<Vec<usize>>();
    let points = |limb| joints(limb).into_iter().filter_map(|j| body.point_of[j]).collect::<Vec<usize>>();
    let tips = joints(Limb::Toes).into_iter().filter_map(|j| body.tip_of[j]).collect();
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
