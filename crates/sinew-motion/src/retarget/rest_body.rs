//! A skeleton at rest: its axes, the length of its legs, the height of its ground.

use super::mapping::{Mapping, Pair};
use glam::{DAffine3, DMat3, DVec3};
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{BodyPart, Limb, Side};

const SIDES: [Side; 2] = [Side::Left, Side::Right];
/// Directions nearer to an axis of the file than this angle snap to that axis. Not tuned.
const AXIS_SNAP_DEGREES: f64 = 20.0;
/// A ground nearer to the origin than this share of the leg snaps to the origin's height. Not tuned.
const ORIGIN_SNAP: f64 = 0.1;

/// One of the two skeletons of a mapping, as it stands at rest.
pub(super) struct RestBody<'a> {
    skeleton: &'a Skeleton,
    pub rest_world: &'a [DAffine3],
    mapping: &'a Mapping,
    joint: fn(Pair) -> usize,
}

impl<'a> RestBody<'a> {
    /// `joint` picks this skeleton's joint of a pair.
    pub fn new(
        skeleton: &'a Skeleton,
        rest_world: &'a [DAffine3],
        mapping: &'a Mapping,
        joint: fn(Pair) -> usize,
    ) -> Self {
        Self { skeleton, rest_world, mapping, joint }
    }

    pub fn position(&self, joint: usize) -> DVec3 {
        self.rest_world[joint].translation
    }

    pub fn of_part(&self, part: BodyPart) -> Option<usize> {
        self.mapping.of_part(part).map(self.joint)
    }

    pub fn limb(&self, limb: Limb, side: Side) -> Option<usize> {
        self.of_part(BodyPart::Limb(limb, side))
    }

    /// The joints between which the centre of the hips lies: the thighs, or the root alone.
    pub fn hips(&self) -> Vec<usize> {
        let thighs: Vec<usize> = SIDES.iter().filter_map(|&side| self.limb(Limb::Thigh, side)).collect();
        match thighs.len() {
            2 => thighs,
            _ => self.mapping.root().map(self.joint).into_iter().collect(),
        }
    }

    /// The body's own axes in the world, columns left, up and front; none without hips and a top.
    /// Leaning spines and crooked hips are not meant: axes close to the file's own are those.
    pub fn axes(&self) -> Option<DMat3> {
        let [left, right] = SIDES.map(|side| self.limb(Limb::Thigh, side));
        let (left, right) = (self.position(left?), self.position(right?));
        let arms = || mean(SIDES.iter().filter_map(|&side| self.limb(Limb::UpperArm, side)).map(|j| self.position(j)));
        let top = [BodyPart::Head, BodyPart::Neck].into_iter().find_map(|part| self.of_part(part));
        let top = top.map(|j| self.position(j)).or_else(arms)?;
        let up = near_axis((top - (left + right) * 0.5).try_normalize()?);
        let left = near_axis((left - right).reject_from_normalized(up).try_normalize()?);
        let left = left.reject_from_normalized(up).try_normalize()?;
        Some(DMat3::from_cols(left, up, left.cross(up)))
    }

    /// The lowest point of the feet along `up` at rest or in a pose's world.
    pub fn lowest_foot(&self, up: DVec3, world: &[DAffine3]) -> Option<f64> {
        let feet = SIDES.iter().flat_map(|&side| [Limb::Foot, Limb::Toes].map(|limb| self.limb(limb, side)));
        let points = feet.flatten().flat_map(|joint| {
            let tip = self.skeleton.joints()[joint].tip.map(|tip| world[joint].transform_point3(tip));
            tip.into_iter().chain([world[joint].translation])
        });
        points.map(|p| p.dot(up)).min_by(f64::total_cmp)
    }

    /// From the hip down the stretched leg to the lowest point of the foot, mean of both legs.
    pub fn leg_length(&self, up: DVec3) -> Option<f64> {
        let lowest = self.lowest_foot(up, self.rest_world)?;
        let lengths = SIDES.iter().filter_map(|&side| {
            let [thigh, calf, foot] =
                [Limb::Thigh, Limb::Calf, Limb::Foot].map(|limb| self.limb(limb, side).map(|j| self.position(j)));
            let (thigh, calf, foot) = (thigh?, calf?, foot?);
            Some(thigh.distance(calf) + calf.distance(foot) + (foot.dot(up) - lowest))
        });
        let lengths: Vec<f64> = lengths.collect();
        let length = lengths.iter().sum::<f64>() / lengths.len() as f64;
        (length > 0.0).then_some(length)
    }

    /// The largest distance of a mapped joint from the root.
    pub fn extent(&self) -> f64 {
        let root = self.mapping.root().map_or(DVec3::ZERO, |pair| self.position((self.joint)(pair)));
        self.mapping.pairs().iter().map(|&p| self.position((self.joint)(p)).distance(root)).fold(0.0, f64::max)
    }

    /// The possible heights of the ground: the lowest foot at rest, and the origin for skeletons whose root is at the
    /// origin at rest, as in most motion files.
    pub fn grounds(&self, up: DVec3) -> Vec<f64> {
        let (Some(lowest), Some(leg)) = (self.lowest_foot(up, self.rest_world), self.leg_length(up)) else {
            return vec![0.0];
        };
        let near = |height: f64| height.abs() <= ORIGIN_SNAP * leg;
        let pelvis = self.mapping.root().map_or(0.0, |pair| self.position((self.joint)(pair)).dot(up));
        match (near(lowest), near(pelvis)) {
            (true, _) => vec![0.0],
            (false, true) => vec![0.0, lowest],
            (false, false) => vec![lowest],
        }
    }
}

/// The mean of some points; none of none.
pub(super) fn mean(points: impl Iterator<Item = DVec3>) -> Option<DVec3> {
    let (sum, count) = points.fold((DVec3::ZERO, 0), |(sum, count), p| (sum + p, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// A direction, or the axis of the file that it is meant to be.
pub(crate) fn near_axis(direction: DVec3) -> DVec3 {
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let nearest = axes.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
    nearest.filter(|axis| axis.dot(direction) > AXIS_SNAP_DEGREES.to_radians().cos()).unwrap_or(direction)
}
