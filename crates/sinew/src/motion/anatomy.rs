//! Where are pelvis, spine and limbs in a skeleton?
//!
//! Names find the limbs and the head; the tree finds the rest. The pelvis is the joint that thighs and
//! arms have in common, whatever it is called; the spine is the way from there to the joint that arms
//! and head have in common, and the neck the way from that one to the head (unless a joint is called
//! otherwise). So spines of any length
//! and any names are understood.

use super::names::{BodyPart, Limb, Side, body_part};
use crate::rig::{JointKind, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

const ARM: [Limb; 5] = [Limb::Clavicle, Limb::UpperArm, Limb::Forearm, Limb::Hand, Limb::Palm];
const LEG: [Limb; 4] = [Limb::Thigh, Limb::Calf, Limb::Foot, Limb::Toes];

/// The joints of a humanoid skeleton by body part.
#[derive(Debug, Clone, PartialEq)]
pub struct Anatomy {
    /// What moves the whole body.
    pub pelvis: usize,
    /// From the pelvis, exclusive, to the chest, inclusive.
    pub spine: Vec<usize>,
    /// Between chest and head.
    pub neck: Vec<usize>,
    /// The head, or the last joint of the neck where none is called so.
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
        // In 3ds Max's biped the legs hang on the first joint of the spine, below the pelvis.
        let named_pelvis = tree.upwards(fork).find(|&j| tree.parts[j] == Some(BodyPart::Pelvis));
        let pelvis = named_pelvis.unwrap_or(fork);
        let mut spine = tree.path(pelvis, head.unwrap_or(chest));
        spine.retain(|&joint| Some(joint) != head);
        // Arms may hang on the neck too, so a joint that is called so is not part of the spine.
        let is_neck = |&joint: &usize| tree.parts[joint] == Some(BodyPart::Neck);
        let below_chest = |&joint: &usize| tree.upwards(joint).skip(1).any(|j| j == chest);
        let first = spine.iter().position(|j| is_neck(j) || below_chest(j)).unwrap_or(spine.len());
        let neck = spine.split_off(first);
        Some(Self { pelvis, spine, neck, head, limbs })
    }

    /// The joint of a limb's part.
    pub fn limb(&self, limb: Limb, side: Side) -> Option<usize> {
        self.limbs.get(&BodyPart::Limb(limb, side)).copied()
    }

    /// Pelvis, spine, neck and head.
    pub fn trunk(&self) -> BTreeSet<usize> {
        [self.pelvis].iter().chain(&self.spine).chain(&self.neck).chain(&self.head).copied().collect()
    }

    /// The part that a joint plays.
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

    /// The deepest joint below the chest that is called neck or spine.
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
            // Feet that are driven by themselves hang on the body's root rather than on the calf.
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
