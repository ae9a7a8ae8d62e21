//! A tree of joints.

use super::{Pose, Transform};
use crate::{Error, Result};
use glam::{DAffine3, DVec3};

/// The kind of a transform in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// A joint that moves skin or belongs to a motion's skeleton.
    #[default]
    Joint,
    /// A plain transform of the file: an armature, a mesh's own node, an attachment.
    Node,
}

/// One joint at rest.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// Index of its parent; parents come before children.
    pub parent: Option<usize>,
    /// Its transform relative to the parent in the bind pose.
    pub rest: Transform,
    /// The end of a leaf's bone, in the joint's own frame.
    pub tip: Option<DVec3>,
    /// Joint or plain node.
    pub kind: JointKind,
}

/// A segment from a joint to one of its children, or to its tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bone {
    /// The joint that moves it.
    pub joint: usize,
    /// The child it ends at; none for a tip.
    pub child: Option<usize>,
}

/// A tree of joints, parents before children.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Joint>", into = "Vec<Joint>"))]
pub struct Skeleton {
    joints: Vec<Joint>,
}

impl TryFrom<Vec<Joint>> for Skeleton {
    type Error = Error;

    fn try_from(joints: Vec<Joint>) -> Result<Self> {
        Self::new(joints).map(|(skeleton, _)| skeleton)
    }
}

impl From<Skeleton> for Vec<Joint> {
    fn from(skeleton: Skeleton) -> Self {
        skeleton.joints
    }
}

impl Skeleton {
    /// Orders the joints so that parents come before children, and returns the new indices:
    /// `order[given] = index in the skeleton`. Ordered joints stay in their order; others are ordered depth first,
    /// siblings in the given order.
    pub fn new(mut joints: Vec<Joint>) -> Result<(Self, Vec<usize>)> {
        let count = joints.len();
        let mut children = vec![Vec::new(); count];
        let mut ready = Vec::new();
        for (index, joint) in joints.iter().enumerate() {
            match joint.parent {
                Some(parent) if parent >= count => {
                    return Err(Error::ParentOutOfRange { joint: joint.name.clone(), parent, count });
                }
                Some(parent) => children[parent].push(index),
                None => ready.push(index),
            }
            if !joint.rest.is_finite() || joint.tip.is_some_and(|tip| !tip.is_finite()) {
                return Err(Error::JointNotFinite { joint: joint.name.clone() });
            }
        }
        if joints.iter().enumerate().all(|(index, joint)| joint.parent.is_none_or(|p| p < index)) {
            return Ok((Self { joints }, (0..count).collect()));
        }
        ready.reverse();
        let mut order = vec![usize::MAX; count];
        let mut sorted = Vec::with_capacity(count);
        while let Some(index) = ready.pop() {
            order[index] = sorted.len();
            let mut joint = std::mem::take(&mut joints[index]);
            joint.parent = joint.parent.map(|p| order[p]);
            sorted.push(joint);
            ready.extend(children[index].iter().rev());
        }
        match order.iter().position(|&o| o == usize::MAX) {
            Some(lost) => Err(Error::HierarchyCycle { joint: joints[on_cycle(&joints, lost)].name.clone() }),
            None => Ok((Self { joints: sorted }, order)),
        }
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The number of transforms, plain nodes included.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The first joint of that name; a real joint before a plain node.
    pub fn find(&self, name: &str) -> Option<usize> {
        let named = |kind| self.joints.iter().position(|j| j.kind == kind && j.name == name);
        named(JointKind::Joint).or_else(|| named(JointKind::Node))
    }

    /// Every segment between a real joint and a child that is one, and every leaf's tip.
    pub fn bones(&self) -> Vec<Bone> {
        let real = |j: usize| self.joints[j].kind == JointKind::Joint;
        let mut bones: Vec<Bone> = (0..self.len())
            .filter(|&c| real(c))
            .filter_map(|c| self.joints[c].parent.filter(|&p| real(p)).map(|joint| Bone { joint, child: Some(c) }))
            .collect();
        bones.extend(
            (0..self.len())
                .filter(|&j| real(j) && self.joints[j].tip.is_some())
                .map(|joint| Bone { joint, child: None }),
        );
        bones.sort_by_key(|b| (b.joint, b.child));
        bones
    }

    /// The end of a bone, in the frame of its joint at rest.
    pub fn bone_end(&self, bone: Bone) -> DVec3 {
        match bone.child {
            Some(child) => self.joints[child].rest.translation,
            None => self.joints[bone.joint].tip.unwrap_or(DVec3::ZERO),
        }
    }

    /// The bind pose, without morph targets.
    pub fn rest_pose(&self) -> Pose {
        Pose { joints: self.joints.iter().map(|j| j.rest).collect(), morphs: Vec::new() }
    }

    /// World transforms of a pose: `M_j = M_parent(j) · local_j`. Both slices have a joint each.
    pub fn world(&self, pose: &Pose, world: &mut [DAffine3]) {
        for (index, (joint, local)) in self.joints.iter().zip(&pose.joints).enumerate() {
            let local = local.matrix();
            world[index] = joint.parent.map_or(local, |parent| world[parent] * local);
        }
    }

    /// World transforms of the bind pose.
    pub fn rest_world(&self) -> Vec<DAffine3> {
        let mut world = vec![DAffine3::IDENTITY; self.len()];
        self.world(&self.rest_pose(), &mut world);
        world
    }
}

/// Whether a leaf of this name only marks the end of its parent's bone.
pub fn is_tip_name(name: &str) -> bool {
    ["_end", "_End", "End", "_tip", "Nub"].iter().any(|ending| name.ends_with(ending))
}

/// The first joint of the cycle that the parents above a joint lead into.
fn on_cycle(joints: &[Joint], below: usize) -> usize {
    let above = |joint: usize| joints[joint].parent.unwrap_or(joint);
    // After as many steps as there are joints, any path is in its cycle.
    let arrived = (0..joints.len()).fold(below, |joint, _| above(joint));
    let around = std::iter::successors(Some(above(arrived)), |&joint| Some(above(joint)));
    around.take_while(|&joint| joint != arrived).fold(arrived, usize::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint { name: name.into(), parent, ..Joint::default() }
    }

    #[test]
    fn children_before_parents_are_sorted() {
        let (skeleton, order) =
            Skeleton::new(vec![joint("hand", Some(1)), joint("arm", Some(2)), joint("root", None)]).unwrap();
        let names: Vec<_> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["root", "arm", "hand"]);
        assert_eq!(order, [2, 1, 0]);
        assert_eq!(skeleton.joints()[2].parent, Some(1));
    }

    #[test]
    fn a_cycle_is_named() {
        let joints = vec![joint("root", None), joint("below", Some(2)), joint("a", Some(3)), joint("b", Some(2))];
        let error = Skeleton::new(joints).unwrap_err().to_string();
        assert!(error.contains("\"a\""), "{error}");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_skeleton_survives_serde_and_a_loop_does_not() {
        let joint = |name: &str, parent| Joint { name: name.into(), parent, ..Joint::default() };
        let (skeleton, _) = Skeleton::new(vec![joint("root", None), joint("arm", Some(0))]).unwrap();
        let text = toml::to_string(&std::collections::BTreeMap::from([("joints", &skeleton)])).unwrap();
        let read = |text: &str| toml::from_str::<std::collections::BTreeMap<String, Skeleton>>(text);
        assert_eq!(read(&text).unwrap()["joints"], skeleton);
        assert!(read(&text.replace("parent = 0", "parent = 1")).is_err(), "{text}");
    }
}
