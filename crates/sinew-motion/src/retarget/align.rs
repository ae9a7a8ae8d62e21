//! The alignment of two rest poses, part by part.
//!
//! Rest poses differ: arms hang in one and are spread in the other, legs are apart. For each limb the
//! alignment `A` is the smallest rotation that brings the character's bone to the direction of the
//! motion's, after the rotation of its parent. Pelvis, spine, neck, head and collar bones are not aligned:
//! there, differences of bone directions come from the joint positions of a rig, not from posture, and
//! aligning them would straighten a back or shrug the shoulders.
//!
//! The slope of a foot's bone from the ankle to the ball depends on the height of the ankle, not on the sole.
//! So a foot rolls with its leg in the frontal plane, and rotates about the leg to the same heading, but keeps
//! its pitch.

use super::mapping::{Mapping, Pair};
use super::rest_body::{RestBody, mean};
use glam::{DMat3, DQuat, DVec3};
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{BodyPart, Digit, Limb, Side, body_part};

/// Both bodies at rest, and the rotation from the motion's axes to the character's.
pub(super) struct Alignment<'a> {
    pub source: &'a RestBody<'a>,
    pub target: &'a RestBody<'a>,
    pub source_skeleton: &'a Skeleton,
    pub target_skeleton: &'a Skeleton,
    pub mapping: &'a Mapping,
    /// From the motion's world to the character's.
    pub axes: DQuat,
    /// The character's left, up and front, where it has them.
    pub target_frame: Option<DMat3>,
}

impl Alignment<'_> {
    /// `A` for each pair, in the character's world.
    pub fn solve(&self) -> Vec<DQuat> {
        let parents = self.parents();
        let only_children = only_children(&parents);
        let mut alignments = Vec::with_capacity(parents.len());
        for (k, &pair) in self.mapping.pairs().iter().enumerate() {
            let parent = parents[k].map_or(DQuat::IDENTITY, |p| alignments[p]);
            let child = only_children[k].map(|c| self.mapping.pairs()[c]);
            alignments.push(self.of_pair(pair, child, parent));
        }
        alignments
    }

    fn of_pair(&self, pair: Pair, only_child: Option<Pair>, parent: DQuat) -> DQuat {
        match pair.part {
            Some(BodyPart::Pelvis | BodyPart::Spine | BodyPart::Neck | BodyPart::Head) => DQuat::IDENTITY,
            Some(BodyPart::Limb(Limb::Clavicle, _)) => DQuat::IDENTITY,
            Some(BodyPart::Limb(Limb::Foot, side)) => self.foot(side).unwrap_or(parent),
            _ => match self.directions(pair, only_child) {
                Some((from, to)) => DQuat::from_rotation_arc(parent * from, to) * parent,
                None => parent,
            },
        }
    }

    /// The bone's direction in the character's rest pose, and in the motion's.
    fn directions(&self, pair: Pair, only_child: Option<Pair>) -> Option<(DVec3, DVec3)> {
        let ends = match pair.part {
            Some(BodyPart::Limb(Limb::Hand, _)) => {
                let source = knuckles(self.source_skeleton, self.source, pair.source)?;
                (source, knuckles(self.target_skeleton, self.target, pair.target)?)
            }
            Some(BodyPart::Limb(limb, side)) => self.ends(self.mapping.of_part(BodyPart::Limb(outwards(limb)?, side))?),
            Some(_) => return None,
            // In a body without anatomy a bone leads to the only child.
            None if self.target_frame.is_none() => self.ends(only_child?),
            None => return None,
        };
        let source = (ends.0 - self.source.position(pair.source)).try_normalize()?;
        let target = (ends.1 - self.target.position(pair.target)).try_normalize()?;
        Some((target, self.axes * source))
    }

    fn ends(&self, pair: Pair) -> (DVec3, DVec3) {
        (self.source.position(pair.source), self.target.position(pair.target))
    }

    fn foot(&self, side: Side) -> Option<DQuat> {
        let frame = self.target_frame?;
        let along = |from: Limb, to: Limb| {
            let [from, to] = [from, to].map(|limb| self.mapping.of_part(BodyPart::Limb(limb, side)));
            let (from, to) = (self.ends(from?), self.ends(to?));
            Some((to.1 - from.1, self.axes * (to.0 - from.0)))
        };
        let (leg, source_leg) = along(Limb::Thigh, Limb::Foot)?;
        let roll = rotation_about(frame.z_axis, leg, source_leg);
        let Some((foot, source_foot)) = along(Limb::Foot, Limb::Toes) else { return Some(roll) };
        Some(rotation_about(roll * frame.y_axis, roll * foot, source_foot) * roll)
    }

    /// For each pair the place among the pairs of the nearest joint above that is mapped.
    fn parents(&self) -> Vec<Option<usize>> {
        let joints = self.target_skeleton.joints();
        let mut pair_of = vec![None; joints.len()];
        for (k, pair) in self.mapping.pairs().iter().enumerate() {
            pair_of[pair.target] = Some(k);
        }
        // Parents come before children, so one pass carries the nearest mapped joint down.
        let mut above = vec![None; joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            above[index] = joint.parent.and_then(|p| pair_of[p].or(above[p]));
        }
        self.mapping.pairs().iter().map(|pair| above[pair.target]).collect()
    }
}

/// For each pair its child among the pairs, where it has exactly one.
fn only_children(parents: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut counts = vec![0; parents.len()];
    let mut children = vec![None; parents.len()];
    for (child, parent) in parents.iter().enumerate() {
        if let Some(parent) = *parent {
            counts[parent] += 1;
            children[parent] = Some(child);
        }
    }
    children.into_iter().zip(counts).map(|(child, count)| child.filter(|_| count == 1)).collect()
}

/// The next part along a limb.
fn outwards(limb: Limb) -> Option<Limb> {
    match limb {
        Limb::Thigh => Some(Limb::Calf),
        Limb::Calf => Some(Limb::Foot),
        Limb::UpperArm => Some(Limb::Forearm),
        Limb::Forearm => Some(Limb::Hand),
        Limb::Clavicle | Limb::Hand | Limb::Palm | Limb::Foot | Limb::Toes => None,
    }
}

/// The middle of the first joints of a hand's fingers, without the thumb.
fn knuckles(skeleton: &Skeleton, body: &RestBody<'_>, hand: usize) -> Option<DVec3> {
    let joints = skeleton.joints();
    let is_below = |joint: usize| std::iter::successors(joints[joint].parent, |&j| joints[j].parent).any(|j| j == hand);
    let first = |joint: &usize| match body_part(&joints[*joint].name) {
        Some(BodyPart::Finger(digit, 1, _)) => digit != Digit::Thumb,
        _ => false,
    };
    mean((hand..skeleton.len()).filter(first).filter(|&j| is_below(j)).map(|j| body.position(j)))
}

/// The rotation about an axis that brings one direction over another, seen along the axis.
fn rotation_about(axis: DVec3, from: DVec3, to: DVec3) -> DQuat {
    let [from, to] = [from, to].map(|v| v.reject_from_normalized(axis).try_normalize());
    match (from, to) {
        (Some(from), Some(to)) => DQuat::from_axis_angle(axis, from.cross(to).dot(axis).atan2(from.dot(to))),
        _ => DQuat::IDENTITY,
    }
}
