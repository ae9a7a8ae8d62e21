//! Segments: the frames of bones in which a set places muscles.
//!
//! Each segment of a body has an origin, a joint that moves it, three axes and their units. The trunk's axes run
//! towards the head (from the hips to the shoulders), the belly and the side; so they mean the same for bodies on two
//! and on four legs. A limb's axes run along its bone, to its front and outwards. The front of a limb that points away
//! from the head, such as a leg of a biped, is the belly side by convention. The smallest rotation maps that limb to
//! the real direction of the limb, and then from bone to bone. So the front is right for hanging and for spread arms,
//! and for the legs of a quadruped.

use crate::Result;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_rig::Anatomy;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{Limb, Side};
use sinew_settings::choices;
use std::collections::BTreeMap;

/// The length of the hand, of the forearm, and of a foot without toes, of the shank.
const HAND: f64 = 0.4;
const FOOT: f64 = 0.35;

/// How far apart hips, and shoulders, are at least, of the length of the trunk.
const NARROWEST: f64 = 0.05;

choices! {
    /// A part of the body that muscles are attached to.
    pub enum Segment = Pelvis {
        /// The hips.
        Pelvis = "pelvis",
        /// The lower back.
        Lumbar = "lumbar",
        /// The rib cage.
        Chest = "chest",
        /// The neck.
        Neck = "neck",
        /// The head.
        Head = "head",
        /// The shoulder blade.
        Scapula = "scapula",
        /// From the shoulder to the elbow.
        UpperArm = "upper_arm",
        /// From the elbow to the wrist.
        Forearm = "forearm",
        /// The hand.
        Hand = "hand",
        /// From the hip to the knee.
        Thigh = "thigh",
        /// From the knee to the ankle.
        Shank = "shank",
        /// The foot.
        Foot = "foot",
    }
}

/// A segment of one side of a skeleton, in the bind pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    pub joint: usize,
    pub origin: DVec3,
    /// Where it ends, of those that are bones.
    pub end: Option<DVec3>,
    /// Columns along, front and out, each as long as its unit.
    axes: DMat3,
}

impl Placed {
    /// The transform from shares to the bind pose.
    pub fn shares_to_bind(&self) -> DAffine3 {
        DAffine3::from_mat3_translation(self.axes, self.origin)
    }

    pub fn point(&self, shares: [f64; 3]) -> DVec3 {
        self.shares_to_bind().transform_point3(DVec3::from(shares))
    }

    /// How it is turned, and its units. On one side the axes are left-handed; an ellipsoid does not mind.
    pub fn frame(&self) -> (DQuat, DVec3) {
        let [x, y, z] = [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis];
        let units = DVec3::new(x.length(), y.length(), z.length());
        let (x, y) = (x / units.x, y / units.y);
        (DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))), units)
    }
}

/// Where places of a segment are on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SegmentFrame {
    /// The joint that moves it.
    pub joint: usize,
    /// The transform from the three shares of a [`Place`](super::Place) to the world of the bind pose.
    pub from_shares: DAffine3,
}

impl Segment {
    /// The segments that a skeleton has on its left and on its right side.
    pub fn frames(skeleton: &Skeleton) -> Result<[BTreeMap<Self, SegmentFrame>; 2]> {
        let sides = segments(skeleton, &anatomy(skeleton)?)?;
        let frame = |placed: Placed| SegmentFrame { joint: placed.joint, from_shares: placed.shares_to_bind() };
        Ok(sides.map(|side| side.into_iter().map(|(segment, placed)| (segment, frame(placed))).collect()))
    }
}

/// Which joint of a skeleton is what.
pub(in crate::muscle) fn anatomy(skeleton: &Skeleton) -> Result<Anatomy> {
    let none = || sinew_rig::Error::NoLandmark { part: "pair of legs with arms or a head".into() }.into();
    Anatomy::of(skeleton).ok_or_else(none)
}

/// The segments of one side of a body.
pub(super) type Segments = BTreeMap<Segment, Placed>;

/// The segments of the left and the right side; those whose joints a skeleton does not have are left out.
pub(super) fn segments(skeleton: &Skeleton, anatomy: &Anatomy) -> Result<[Segments; 2]> {
    let body = PlacedAnatomy { anatomy, skeleton, world: &skeleton.rest_world() };
    let none = || sinew_rig::Error::NoLandmark {
        part: "pair of shoulders and pair of hips, each apart, with a trunk between them".into(),
    };
    let trunk = body.trunk().ok_or_else(none)?;
    Ok([Side::Left, Side::Right].map(|side| body.segments(&trunk, side)))
}

struct PlacedAnatomy<'a> {
    anatomy: &'a Anatomy,
    skeleton: &'a Skeleton,
    world: &'a [DAffine3],
}

/// The trunk between hips and shoulders.
struct Trunk {
    hips: DVec3,
    shoulders: DVec3,
    cranial: DVec3,
    ventral: DVec3,
    left: DVec3,
    length: f64,
    half_width: f64,
}

impl PlacedAnatomy<'_> {
    fn at(&self, joint: usize) -> DVec3 {
        self.world[joint].translation
    }

    fn limb(&self, limb: Limb, side: Side) -> Option<usize> {
        self.anatomy.limb(limb, side)
    }

    fn trunk(&self) -> Option<Trunk> {
        let pair = |limb| Some([self.at(self.limb(limb, Side::Left)?), self.at(self.limb(limb, Side::Right)?)]);
        let (hips, shoulders) = (pair(Limb::Thigh)?, pair(Limb::UpperArm)?);
        let middle = |[a, b]: [DVec3; 2]| (a + b) * 0.5;
        let up = middle(shoulders) - middle(hips);
        // Hips in the middle of the body are no hips: their child bone is that of the thigh.
        let is_apart = |[a, b]: [DVec3; 2]| a.distance(b) > NARROWEST * up.length();
        if !(is_apart(hips) && is_apart(shoulders)) {
            return None;
        }
        let cranial = up.try_normalize()?;
        let across = (hips[0] - hips[1]) + (shoulders[0] - shoulders[1]);
        let left = (across - cranial * across.dot(cranial)).try_normalize()?;
        Some(Trunk {
            hips: middle(hips),
            shoulders: middle(shoulders),
            cranial,
            ventral: left.cross(cranial),
            left,
            length: up.length(),
            half_width: 0.5 * shoulders[0].distance(shoulders[1]),
        })
    }

    fn segments(&self, trunk: &Trunk, side: Side) -> Segments {
        let out = if side == Side::Left { trunk.left } else { -trunk.left };
        let axes =
            DMat3::from_cols(trunk.cranial * trunk.length, trunk.ventral * trunk.half_width, out * trunk.half_width);
        let anatomy = self.anatomy;
        let lumbar = anatomy.spine.first().copied().unwrap_or(anatomy.pelvis);
        let chest = anatomy.spine.last().copied().unwrap_or(anatomy.pelvis);
        let mut segments = Segments::new();
        let mut of_trunk = |segment, joint, origin| {
            segments.insert(segment, Placed { joint, origin, end: None, axes });
        };
        of_trunk(Segment::Pelvis, anatomy.pelvis, trunk.hips);
        of_trunk(Segment::Lumbar, lumbar, trunk.hips);
        of_trunk(Segment::Chest, chest, trunk.shoulders);
        let neck = anatomy.neck.first().copied();
        if let Some(joint) = neck.or(anatomy.head) {
            of_trunk(Segment::Neck, joint, self.at(joint));
        }
        if let Some(joint) = anatomy.head.or(anatomy.neck.last().copied()) {
            of_trunk(Segment::Head, joint, self.at(joint));
        }
        let root = DMat3::from_cols(-trunk.cranial, trunk.ventral, out);
        self.arm(trunk, side, chest, out, root, &mut segments);
        self.leg(side, root, &mut segments);
        segments
    }

    fn arm(&self, trunk: &Trunk, side: Side, chest: usize, out: DVec3, root: DMat3, segments: &mut Segments) {
        let Some(shoulder) = self.limb(Limb::UpperArm, side) else { return };
        let Some(elbow) = self.limb(Limb::Forearm, side) else { return };
        let length = self.at(shoulder).distance(self.at(elbow));
        let scapula = Placed {
            joint: self.limb(Limb::Clavicle, side).unwrap_or(chest),
            origin: self.at(shoulder),
            end: None,
            axes: DMat3::from_cols(trunk.cranial, trunk.ventral, out) * length,
        };
        segments.insert(Segment::Scapula, scapula);
        let Some(upper) = self.bone(shoulder, self.at(elbow), root) else { return };
        segments.insert(Segment::UpperArm, upper);
        let Some(wrist) = self.limb(Limb::Hand, side) else { return };
        let Some(forearm) = self.bone(elbow, self.at(wrist), upper.axes) else { return };
        segments.insert(Segment::Forearm, forearm);
        let reach = forearm.axes.x_axis * HAND;
        segments.extend(self.bone(wrist, self.at(wrist) + reach, forearm.axes).map(|hand| (Segment::Hand, hand)));
    }

    fn leg(&self, side: Side, root: DMat3, segments: &mut Segments) {
        let (Some(hip), Some(knee)) = (self.limb(Limb::Thigh, side), self.limb(Limb::Calf, side)) else { return };
        let Some(thigh) = self.bone(hip, self.at(knee), root) else { return };
        segments.insert(Segment::Thigh, thigh);
        let Some(ankle) = self.limb(Limb::Foot, side) else { return };
        let Some(shank) = self.bone(knee, self.at(ankle), thigh.axes) else { return };
        segments.insert(Segment::Shank, shank);
        let tip = self.skeleton.joints()[ankle].tip.map(|tip| self.world[ankle].transform_point3(tip));
        let toes = self.limb(Limb::Toes, side).map(|toes| self.at(toes)).or(tip);
        let ahead = self.at(ankle) + shank.axes.y_axis.normalize() * (shank.axes.x_axis.length() * FOOT);
        let foot = self.bone(ankle, toes.unwrap_or(ahead), shank.axes);
        segments.extend(foot.map(|foot| (Segment::Foot, foot)));
    }

    /// A bone that carries on the axes of the one before; none without a length.
    fn bone(&self, joint: usize, end: DVec3, before: DMat3) -> Option<Placed> {
        let origin = self.at(joint);
        let (along, length) = ((end - origin).try_normalize()?, end.distance(origin));
        let columns = [before.x_axis, before.y_axis, before.z_axis].map(DVec3::normalize_or_zero);
        let turn = DQuat::from_rotation_arc(columns[0], along);
        let axes = DMat3::from_cols(along, turn * columns[1], turn * columns[2]) * length;
        Some(Placed { joint, origin, end: Some(end), axes })
    }
}
