//! The anatomy of a skeleton: its pelvis, spine and limbs.
//!
//! Names identify the limbs and the head; the tree identifies the rest. The pelvis is the lowest common ancestor of
//! thighs and arms, under any name. The spine is the path from there to the lowest common ancestor of arms and head,
//! and the neck is the path from that joint to the head, unless a name contradicts. So a spine may have any length and
//! any names.
//!
//! Some names are ambiguous: a shoulder is the collar bone before an upper arm, and the upper arm itself before an
//! elbow. The other joints of the limb decide.

pub mod names;

use crate::{JointKind, Skeleton};
use names::{BodyPart, Limb, Side, body_part};
use std::collections::{BTreeMap, BTreeSet};

const ARM: [Limb; 5] = [Limb::Clavicle, Limb::UpperArm, Limb::Forearm, Limb::Hand, Limb::Palm];
const LEG: [Limb; 4] = [Limb::Thigh, Limb::Calf, Limb::Foot, Limb::Toes];

/// The cosine between trunk and legs that separates upright bodies (-1) from those on four legs (0): 120 degrees.
const UPRIGHT: f64 = -0.5;

/// The joints of a humanoid skeleton by body part.
#[derive(Debug, Clone, PartialEq)]
pub struct Anatomy {
    /// The joint that moves the whole body.
    pub pelvis: usize,
    /// From the pelvis, exclusive, to the chest, inclusive.
    pub spine: Vec<usize>,
    /// Between chest and head.
    pub neck: Vec<usize>,
    /// The head, or the last joint of the neck if no joint has that name.
    pub head: Option<usize>,
    /// Parts of limbs and fingers.
    pub limbs: BTreeMap<BodyPart, usize>,
}

impl Anatomy {
    /// The anatomy of a skeleton with two legs and with arms or a head; none for others.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        let parts: Vec<Option<BodyPart>> = skeleton
            .joints()
            .iter()
            .map(|j| if j.kind == JointKind::Joint { body_part(&j.name) } else { None })
            .collect();
        let tree = Tree { skeleton, parts };
        let mut limbs = BTreeMap::new();
        for side in [Side::Left, Side::Right] {
            tree.limb(&ARM, side, BodyPart::SomeArm(side), &mut limbs);
            tree.limb(&LEG, side, BodyPart::SomeLeg(side), &mut limbs);
            tree.reread_arm(side, &mut limbs);
            tree.reread_leg(side, &mut limbs);
            tree.fingers(side, &mut limbs);
        }
        let limb = |limb, side| limbs.get(&BodyPart::Limb(limb, side)).copied();
        let thighs = [limb(Limb::Thigh, Side::Left)?, limb(Limb::Thigh, Side::Right)?];
        let arms = [Side::Left, Side::Right].map(|side| limb(Limb::Clavicle, side).or(limb(Limb::UpperArm, side)));
        let arms: Vec<usize> = arms.into_iter().flatten().collect();
        let named_head = tree.first(BodyPart::Head, None);
        let chest_of = |head: Option<usize>| tree.common(arms.iter().copied().chain(head));
        let head = named_head.or_else(|| tree.last_of_neck(chest_of(None)?));
        let chest = chest_of(head)?;
        let fork = tree.common(thighs.into_iter().chain([chest]))?;
        // In 3ds Max's biped the legs are children of the first joint of the spine, below the pelvis.
        let named_pelvis = tree.upwards(fork).find(|&j| tree.parts[j] == Some(BodyPart::Pelvis));
        let pelvis = named_pelvis.unwrap_or(fork);
        let mut spine = tree.path(pelvis, head.unwrap_or(chest));
        spine.retain(|&joint| Some(joint) != head);
        // Arms may be children of the neck too, so a joint named neck is not part of the spine. If they are children
        // of the joint of the legs, only names decide.
        let is_neck = |&joint: &usize| tree.parts[joint] == Some(BodyPart::Neck);
        let below_chest = |&joint: &usize| chest != fork && tree.upwards(joint).skip(1).any(|j| j == chest);
        let first = spine.iter().position(|j| is_neck(j) || below_chest(j)).unwrap_or(spine.len());
        let neck = spine.split_off(first);
        Some(Self { pelvis, spine, neck, head, limbs })
    }

    /// Whether the body stands upright at rest, as people do: its trunk goes on where its legs come from. None without arms
    /// and feet, and where trunk and legs point the same way, as in motion files whose rest is no stance.
    pub fn is_upright(&self, skeleton: &Skeleton) -> Option<bool> {
        let rest = skeleton.rest_world();
        let middle = |part: Limb| {
            let ends = [self.limb(part, Side::Left)?, self.limb(part, Side::Right)?];
            Some(0.5 * (rest[ends[0]].translation + rest[ends[1]].translation))
        };
        let hips = middle(Limb::Thigh)?;
        let trunk = (middle(Limb::UpperArm)? - hips).normalize_or_zero();
        let legs = (middle(Limb::Foot)? - hips).normalize_or_zero();
        let cosine = trunk.dot(legs);
        (cosine < -UPRIGHT).then_some(cosine < UPRIGHT)
    }

    /// The joint of a limb's part.
    pub fn limb(&self, limb: Limb, side: Side) -> Option<usize> {
        self.limbs.get(&BodyPart::Limb(limb, side)).copied()
    }

    /// Pelvis, spine, neck and head.
    pub fn trunk(&self) -> BTreeSet<usize> {
        [self.pelvis].iter().chain(&self.spine).chain(&self.neck).chain(&self.head).copied().collect()
    }

    /// The body part of a joint.
    pub fn part(&self, joint: usize) -> Option<BodyPart> {
        if joint == self.pelvis {
            return Some(BodyPart::Pelvis);
        }
        if self.head == Some(joint) {
            return Some(BodyPart::Head);
        }
        if self.spine.contains(&joint) {
            return Some(BodyPart::Spine);
        }
        if self.neck.contains(&joint) {
            return Some(BodyPart::Neck);
        }
        self.limbs.iter().find(|&(_, &j)| j == joint).map(|(&part, _)| part)
    }
}

struct Tree<'a> {
    skeleton: &'a Skeleton,
    parts: Vec<Option<BodyPart>>,
}

impl Tree<'_> {
    fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints()[joint].parent
    }

    /// The joint and everything above it, upwards.
    fn upwards(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |&j| self.parent(j))
    }

    /// The first joint of a part, strictly below another one if given.
    fn first(&self, part: BodyPart, below: Option<usize>) -> Option<usize> {
        let is_below = |joint| below.is_none_or(|top| self.upwards(joint).skip(1).any(|j| j == top));
        (0..self.parts.len()).find(|&joint| self.parts[joint] == Some(part) && is_below(joint))
    }

    /// The lowest joint that is above all of these or one of them.
    fn common(&self, joints: impl Iterator<Item = usize>) -> Option<usize> {
        let mut joints = joints;
        let first = joints.next()?;
        joints.try_fold(first, |common, joint| {
            let above: Vec<usize> = self.upwards(joint).collect();
            self.upwards(common).find(|j| above.contains(j))
        })
    }

    /// The joints from one, exclusive, down to another, inclusive; plain nodes left out.
    fn path(&self, top: usize, bottom: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.upwards(bottom).take_while(|&j| j != top).collect();
        path.retain(|&j| self.skeleton.joints()[j].kind == JointKind::Joint);
        path.reverse();
        path
    }

    /// The deepest joint below the chest that is named neck or spine.
    fn last_of_neck(&self, chest: usize) -> Option<usize> {
        let named = |j: &usize| matches!(self.parts[*j], Some(BodyPart::Neck | BodyPart::Spine));
        let below = |j: &usize| self.upwards(*j).skip(1).any(|above| above == chest);
        (0..self.parts.len()).filter(named).filter(below).max_by_key(|&j| self.upwards(j).count())
    }

    /// Finds a limb's parts, each below the one before; numbered joints are taken in order.
    fn limb(&self, chain: &[Limb], side: Side, numbered: BodyPart, limbs: &mut BTreeMap<BodyPart, usize>) {
        let mut above = None;
        for &limb in chain {
            let part = BodyPart::Limb(limb, side);
            let palm_named_hand = || {
                above.filter(|_| limb == Limb::Palm).and_then(|a| self.first(BodyPart::Limb(Limb::Hand, side), Some(a)))
            };
            // Feet with a control of their own are children of the body's root rather than of the calf.
            let loose_foot = || self.first(part, None).filter(|_| limb == Limb::Foot);
            if let Some(joint) = self.first(part, above).or_else(palm_named_hand).or_else(loose_foot) {
                limbs.insert(part, joint);
                above = Some(joint);
            }
        }
        let [hand, palm] = [Limb::Hand, Limb::Palm].map(|limb| BodyPart::Limb(limb, side));
        if !limbs.contains_key(&hand)
            && let Some(joint) = limbs.remove(&palm)
        {
            limbs.insert(hand, joint);
        }
        if above.is_none() {
            let joints = (0..self.parts.len()).filter(|&j| self.parts[j] == Some(numbered));
            let chain = chain.iter().filter(|&&limb| limb != Limb::Clavicle);
            limbs.extend(chain.zip(joints).map(|(&limb, joint)| (BodyPart::Limb(limb, side), joint)));
        }
    }

    /// Resolves the ambiguous names of an arm.
    fn reread_arm(&self, side: Side, limbs: &mut BTreeMap<BodyPart, usize>) {
        let part = |limb| BodyPart::Limb(limb, side);
        let below = |joint, limb| self.first(part(limb), Some(joint));
        let [collar, upper, lower] =
            [Limb::Clavicle, Limb::UpperArm, Limb::Forearm].map(|limb| limbs.get(&part(limb)).copied());
        match (collar, upper, lower) {
            // "Collar", "Shoulder" and "Elbow".
            (Some(collar), None, Some(_)) if below(collar, Limb::Clavicle).is_some() => {
                limbs.extend(below(collar, Limb::Clavicle).map(|shoulder| (part(Limb::UpperArm), shoulder)));
            }
            // "Shoulder" and "Elbow".
            (Some(shoulder), None, Some(_)) => {
                limbs.remove(&part(Limb::Clavicle));
                limbs.insert(part(Limb::UpperArm), shoulder);
            }
            // "FrontLeg01" and "FrontLeg02".
            (None, None, Some(first)) => {
                if let Some(second) = below(first, Limb::Forearm) {
                    limbs.insert(part(Limb::UpperArm), first);
                    limbs.insert(part(Limb::Forearm), second);
                }
            }
            _ => {}
        }
    }

    /// Resolves the ambiguous names of a leg.
    fn reread_leg(&self, side: Side, limbs: &mut BTreeMap<BodyPart, usize>) {
        let part = |limb| BodyPart::Limb(limb, side);
        let below = |joint, limb| self.first(part(limb), Some(joint));
        let [thigh, calf, foot, toes] =
            [Limb::Thigh, Limb::Calf, Limb::Foot, Limb::Toes].map(|limb| limbs.get(&part(limb)).copied());
        if let (None, Some(calf)) = (thigh, calf) {
            let hip = self.upwards(calf).find(|&joint| self.parts[joint] == Some(BodyPart::Hip(side)));
            // "Hip" and "Knee", or "Leg01" and "Leg02".
            if let Some(hip) = hip {
                limbs.insert(part(Limb::Thigh), hip);
            } else if let Some(second) = below(calf, Limb::Calf) {
                limbs.insert(part(Limb::Thigh), calf);
                limbs.insert(part(Limb::Calf), second);
            }
        }
        // "Foot01" and "Foot02".
        if let (Some(foot), None) = (foot, toes) {
            limbs.extend(below(foot, Limb::Foot).map(|second| (part(Limb::Toes), second)));
        }
    }

    fn fingers(&self, side: Side, limbs: &mut BTreeMap<BodyPart, usize>) {
        for (joint, part) in self.parts.iter().enumerate() {
            if let Some(part @ BodyPart::Finger(_, _, of)) = part
                && *of == side
            {
                limbs.entry(*part).or_insert(joint);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;

    /// A body with two arms and two legs, given by the names of one side from the body outwards.
    fn body(arm: &[&str], leg: &[&str]) -> Skeleton {
        let mut joints = Vec::new();
        let mut add = |name: String, parent: Option<usize>| {
            joints.push(Joint { name, parent, ..Joint::default() });
            joints.len() - 1
        };
        let root = add("Root".into(), None);
        let spine = add("Spine".into(), Some(root));
        add("Head".into(), Some(spine));
        for side in ["Left", "Right"] {
            for (top, limb) in [(spine, arm), (root, leg)] {
                limb.iter().fold(top, |above, part| add(format!("{side}{part}"), Some(above)));
            }
        }
        Skeleton::new(joints).unwrap().0
    }

    #[test]
    fn names_are_read_by_what_else_there_is_of_a_limb() {
        for (arm, leg, expected) in [
            (
                &["Collar", "Shoulder", "Elbow", "Wrist"][..],
                &["Hip", "Knee", "Ankle"][..],
                ["Shoulder", "Elbow", "Hip", "Knee"],
            ),
            (
                &["Shoulder", "Elbow", "Wrist"],
                &["Leg01", "Leg02", "Foot01", "Foot02"],
                ["Shoulder", "Elbow", "Leg01", "Leg02"],
            ),
            (&["Shoulder", "Arm", "ForeArm", "Hand"], &["Hip", "UpLeg", "Leg"], ["Arm", "ForeArm", "UpLeg", "Leg"]),
            (
                &["FrontLeg01", "FrontLeg02", "FrontFoot"],
                &["BackLeg", "BackUpLeg", "BackLowLeg"],
                ["FrontLeg01", "FrontLeg02", "BackUpLeg", "BackLowLeg"],
            ),
        ] {
            let skeleton = body(arm, leg);
            let anatomy = Anatomy::of(&skeleton).unwrap();
            for side in [Side::Left, Side::Right] {
                let found = [Limb::UpperArm, Limb::Forearm, Limb::Thigh, Limb::Calf]
                    .map(|limb| skeleton.joints()[anatomy.limb(limb, side).unwrap()].name.clone());
                assert_eq!(found, expected.map(|part| format!("{side:?}{part}")));
            }
        }
        let fox = body(&["UpperArm", "ForeArm"], &["Leg01", "Leg02", "Foot01", "Foot02"]);
        let toes = Anatomy::of(&fox).unwrap().limb(Limb::Toes, Side::Left).unwrap();
        assert_eq!(fox.joints()[toes].name, "LeftFoot02");
    }
}
