//! The bone segments of a skeleton that stores only joint positions.
//!
//! The bone of a joint runs to its child. With several children the choice is ambiguous, and a leaf has no child. Modelling
//! programs align the same local axis of every joint with its bone (y in Blender, x in Maya). If at least two thirds of the
//! joints with one child agree on an axis to a degree, it decides:
//!
//! - of several children, those on the axis continue the bone; a joint whose children all lie behind it has its bone ahead,
//!   as long as the mean distance of its children;
//! - a leaf without a tip points along the axis.
//!
//! Otherwise a joint has a bone to each child, and a leaf continues its parent's bone. The length of a leaf is estimated as
//! half of its parent's until the binding finds its region of the surface ([`Bones::extend_leaf`]).

use crate::report::quoted_list;
use crate::rest_surface::RestSurface;
use crate::{Error, Result};
use glam::{DAffine3, DVec3};
use sinew_rig::{Character, JointKind, Skeleton, is_tip_name};

/// The least length of a bone with a direction, relative to the bounding box diagonal. Positions in f32 are good to
/// 1e-7 of it, so a shorter bone's direction is wrong by more than 0.001 rad.
const MIN_BONE_LENGTH: f64 = 1e-4;

/// The first estimate of a leaf's length without a parent bone, relative to the bounding box diagonal. The binding
/// replaces it; not tuned.
const DEFAULT_LEAF_LENGTH: f64 = 0.05;

/// The least cosine between an axis and the direction to a child on it, 1.1°. Programs put children on the axis up to
/// rounding, so the value hardly matters. Not tuned.
const MIN_AXIS_COSINE: f64 = 0.9998;

/// The least fraction of joints with one child that agree on an axis; at least three must. A clear majority; not tuned.
const MIN_AGREEING_FRACTION: f64 = 2.0 / 3.0;

/// The largest cosine between an axis and the direction to a child behind its joint, 107°. Not tuned.
const MAX_BEHIND_COSINE: f64 = -0.3;

/// The largest distance of a skeleton from the surface's bounding box, relative to its diagonal. A skeleton beyond it
/// has another unit or place; not tuned.
const MAX_SKELETON_DISTANCE: f64 = 1.0;

/// A straight bone segment, in the units of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    /// The index in the list of participating joints.
    pub bone: u32,
    /// The start, at the joint.
    pub head: DVec3,
    /// The end.
    pub tail: DVec3,
}

impl Segment {
    /// The point of the segment nearest to `point`.
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let along = self.tail - self.head;
        let length_squared = along.length_squared();
        if length_squared == 0.0 {
            return self.head;
        }
        self.head + along * ((point - self.head).dot(along) / length_squared).clamp(0.0, 1.0)
    }
}

/// The bones of the participating joints.
#[derive(Debug, Clone, Default)]
pub(super) struct Bones {
    /// The segments in order of their bones.
    pub segments: Vec<Segment>,
    /// The segments of leaf bones of estimated length.
    pub leaves: Vec<usize>,
    /// Guesses and omissions, a sentence each.
    pub notes: Vec<String>,
    /// The name of each bone's joint.
    names: Vec<String>,
}

impl Bones {
    /// Derives the bones of `joints`, in the units of a surface.
    pub fn new(character: &Character, joints: &[usize], surface: &RestSurface) -> Result<Self> {
        let skeleton = &character.skeleton;
        if joints.is_empty() {
            return Err(Error::NoJoints);
        }
        if let Some(&joint) = joints.iter().find(|&&joint| joint >= skeleton.len()) {
            let what = "the list of joints to bind to".into();
            return Err(sinew_rig::Error::JointOutOfRange { what, joint, count: skeleton.len() }.into());
        }
        let bones = JointTree::new(skeleton, joints, surface).bones(joints);
        let away = bones
            .segments
            .iter()
            .map(|segment| surface.distance_to_box([segment.head, segment.tail]))
            .fold(f64::INFINITY, f64::min);
        if away > MAX_SKELETON_DISTANCE {
            let size = surface.diagonal();
            return Err(Error::SkeletonFarAway { distance: away * size, size });
        }
        Ok(bones)
    }

    /// The number of bones.
    pub fn count(&self) -> usize {
        self.segments.last().map_or(0, |segment| segment.bone as usize + 1)
    }

    /// The segments of a bone.
    pub fn of(&self, bone: u32) -> &[Segment] {
        let first = self.segments.partition_point(|segment| segment.bone < bone);
        let last = self.segments.partition_point(|segment| segment.bone <= bone);
        &self.segments[first..last]
    }

    /// The name of a bone's joint.
    pub fn name(&self, bone: u32) -> &str {
        &self.names[bone as usize]
    }

    /// Extends a leaf through its region of the surface: as far beyond the region's centroid as the joint is before it.
    pub fn extend_leaf(&mut self, leaf: usize, centroid: DVec3) {
        let segment = &mut self.segments[self.leaves[leaf]];
        segment.tail = 2.0 * centroid - segment.head;
    }
}

/// The participating joints and their ancestors.
struct JointTree<'a> {
    skeleton: &'a Skeleton,
    world: Vec<DAffine3>,
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// For each joint, a child that only marks the end of its bone.
    end_child: Vec<Option<usize>>,
    /// For each joint with children, the mean vector to the ends of its bone.
    mean_vector: Vec<DVec3>,
    axis: Option<BoneAxis>,
}

/// A signed coordinate axis of joints.
#[derive(Clone, Copy)]
struct BoneAxis {
    column: usize,
    sign: f64,
}

impl BoneAxis {
    fn all() -> impl Iterator<Item = Self> {
        (0..3).flat_map(|column| [1.0, -1.0].map(|sign| Self { column, sign }))
    }

    fn of(self, world: &DAffine3) -> DVec3 {
        self.sign * world.matrix3.col(self.column).normalize_or_zero()
    }
}

impl<'a> JointTree<'a> {
    fn new(skeleton: &'a Skeleton, joints: &[usize], surface: &RestSurface) -> Self {
        let mut is_included = vec![false; skeleton.len()];
        for &joint in joints {
            let mut ancestor = Some(joint);
            while let Some(joint) = ancestor.filter(|&joint| !is_included[joint]) {
                is_included[joint] = true;
                ancestor = skeleton.joints()[joint].parent;
            }
        }
        for (joint, is_included_joint) in skeleton.joints().iter().zip(&mut is_included) {
            *is_included_joint &= joint.kind == JointKind::Joint;
        }
        joints.iter().for_each(|&joint| is_included[joint] = true);
        let mut nearest_included: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
        let mut parent = vec![None; skeleton.len()];
        for (index, joint) in skeleton.joints().iter().enumerate() {
            parent[index] = joint.parent.and_then(|ancestor| nearest_included[ancestor]);
            nearest_included.push(if is_included[index] { Some(index) } else { parent[index] });
        }
        let mut tree = Self {
            skeleton,
            world: skeleton.rest_world().into_iter().map(|world| surface.to_unit() * world).collect(),
            children: vec![Vec::new(); skeleton.len()],
            end_child: vec![None; skeleton.len()],
            mean_vector: vec![DVec3::ZERO; skeleton.len()],
            parent,
            axis: None,
        };
        for (index, joint) in skeleton.joints().iter().enumerate().filter(|(_, joint)| is_tip_name(&joint.name)) {
            if let Some(parent) = joint.parent {
                tree.end_child[parent].get_or_insert(index);
            }
        }
        for index in (0..skeleton.len()).filter(|&index| is_included[index]) {
            if let Some(parent) = tree.parent[index].filter(|&parent| tree.distance(parent, index) > MIN_BONE_LENGTH) {
                tree.children[parent].push(index);
            }
        }
        tree.axis = tree.common_axis();
        tree.mean_vector = (0..skeleton.len()).map(|joint| tree.mean_vector(joint)).collect();
        tree
    }

    fn position(&self, joint: usize) -> DVec3 {
        self.world[joint].translation
    }

    fn distance(&self, joint: usize, other: usize) -> f64 {
        self.position(joint).distance(self.position(other))
    }

    /// The cosine between an axis of a joint and the direction to its child.
    fn alignment(&self, axis: BoneAxis, joint: usize, child: usize) -> f64 {
        axis.of(&self.world[joint]).dot((self.position(child) - self.position(joint)).normalize_or_zero())
    }

    /// The axis that bones follow, if joints agree on one.
    fn common_axis(&self) -> Option<BoneAxis> {
        let single: Vec<(usize, usize)> = (self.children.iter().enumerate())
            .filter_map(|(joint, children)| match children[..] {
                [child] => Some((joint, child)),
                _ => None,
            })
            .collect();
        BoneAxis::all().find(|&axis| {
            let agreeing =
                single.iter().filter(|&&(joint, child)| self.alignment(axis, joint, child) > MIN_AXIS_COSINE);
            let agreeing = agreeing.count();
            agreeing >= 3 && agreeing as f64 >= MIN_AGREEING_FRACTION * single.len() as f64
        })
    }

    /// The ends of the bone of a joint with children.
    fn tails(&self, joint: usize) -> Vec<DVec3> {
        let children = &self.children[joint];
        let Some(axis) = self.axis else { return children.iter().map(|&child| self.position(child)).collect() };
        let on_axis = |&&child: &&usize| self.alignment(axis, joint, child) > MIN_AXIS_COSINE;
        if children.iter().any(|child| on_axis(&child)) {
            return children.iter().filter(on_axis).map(|&child| self.position(child)).collect();
        }
        if children.iter().all(|&child| self.alignment(axis, joint, child) < MAX_BEHIND_COSINE) {
            let mean = children.iter().map(|&child| self.distance(joint, child)).sum::<f64>() / children.len() as f64;
            return vec![self.position(joint) + mean * axis.of(&self.world[joint])];
        }
        children.iter().map(|&child| self.position(child)).collect()
    }

    fn mean_vector(&self, joint: usize) -> DVec3 {
        if self.children[joint].is_empty() {
            return DVec3::ZERO;
        }
        let tails = self.tails(joint);
        tails.iter().sum::<DVec3>() / tails.len() as f64 - self.position(joint)
    }

    /// The end of a leaf in the file: its tip, or a child with a tip's name.
    fn tip(&self, joint: usize) -> Option<DVec3> {
        let own = self.skeleton.joints()[joint].tip.map(|tip| self.world[joint].transform_point3(tip));
        own.or_else(|| self.end_child[joint].map(|child| self.position(child)))
            .filter(|tip| tip.distance(self.position(joint)) > MIN_BONE_LENGTH)
    }

    /// An estimate of the end of a leaf.
    fn estimated_end(&self, joint: usize) -> DVec3 {
        let ancestor = self.parent[joint].map_or(DVec3::ZERO, |parent| self.mean_vector[parent]);
        let length = if ancestor.length() > MIN_BONE_LENGTH { 0.5 * ancestor.length() } else { DEFAULT_LEAF_LENGTH };
        let direction = match self.axis {
            Some(axis) => axis.of(&self.world[joint]),
            None => ancestor.normalize_or(DVec3::Y),
        };
        self.position(joint) + length * direction
    }

    fn bones(&self, joints: &[usize]) -> Bones {
        let mut bones = Bones::default();
        for (bone, &joint) in (0..).zip(joints) {
            let head = self.position(joint);
            let tails = match self.children[joint][..] {
                [] => vec![self.tip(joint).unwrap_or_else(|| {
                    bones.leaves.push(bones.segments.len());
                    self.estimated_end(joint)
                })],
                _ => self.tails(joint),
            };
            bones.segments.extend(tails.into_iter().map(|tail| Segment { bone, head, tail }));
            bones.names.push(self.skeleton.joints()[joint].name.clone());
        }
        let guessed: Vec<&str> =
            bones.leaves.iter().map(|&leaf| bones.names[bones.segments[leaf].bone as usize].as_str()).collect();
        if !guessed.is_empty() {
            let note = format!(
                "no end in the file, guessed from the part of the mesh around: {}",
                quoted_list(&guessed, "bone")
            );
            bones.notes.push(note);
        }
        let coincident =
            |&&joint: &&usize| self.parent[joint].is_some_and(|p| self.distance(p, joint) <= MIN_BONE_LENGTH);
        let names: Vec<&str> =
            joints.iter().filter(coincident).map(|&joint| self.skeleton.joints()[joint].name.as_str()).collect();
        if !names.is_empty() {
            bones.notes.push(format!("no bone to a joint in the same place: {}", quoted_list(&names, "joint")));
        }
        bones
    }
}
