//! Where are the bones of a skeleton that only tells where its joints are?
//!
//! A joint's bone runs to its child. With several children there are several answers, and with none there
//! is no answer at all. Modelling programs leave a trace: they lay the same local axis of every joint
//! along its bone (y in Blender, x in Maya). Where at least two thirds of the joints with one child agree
//! on an axis to a degree, it decides:
//!
//! - of several children, those on the axis continue the bone; a joint whose children all lie behind it has
//!   its bone ahead, as long as its children are far;
//! - a leaf without a tip points along it.
//!
//! Otherwise a joint has a bone to each child, and a leaf continues its parent's bone. The length of a leaf
//! is a guess, half of its parent's, until the binding finds out which part of the surface is its own
//! ([`Bones::stretch_leaf`]).

use crate::report::quoted_list;
use crate::rest_surface::RestSurface;
use crate::{Error, Result};
use glam::{DAffine3, DVec3};
use sinew_rig::{Character, JointKind, Skeleton, is_tip_name};

/// Bones shorter than this, of the diagonal of the surface's box, have no direction.
const SHORTEST: f64 = 1e-4;

/// A first guess at the length of a bone that nothing tells, of the same diagonal.
const UNTOLD: f64 = 0.05;

/// Cosine of the angle from which a child lies on an axis of its joint.
const ON_AXIS: f64 = 0.9998;

/// Joints with one child that must agree on an axis: three, and this share of all.
const AGREEING: f64 = 2.0 / 3.0;

/// Cosine of the angle from which a child lies behind its joint.
const BEHIND: f64 = -0.3;

/// A skeleton as far as this from the surface's box, of its diagonal, belongs to something else.
const FAR_AWAY: f64 = 1.0;

/// A straight piece of bone, in the units of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    /// Index in the list of joints that take part.
    pub bone: u32,
    /// Where it starts: at its joint.
    pub head: DVec3,
    /// Where it ends.
    pub tail: DVec3,
}

impl Segment {
    /// The point of the segment that is nearest to a point.
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let along = self.tail - self.head;
        let length_squared = along.length_squared();
        if length_squared == 0.0 {
            return self.head;
        }
        self.head + along * ((point - self.head).dot(along) / length_squared).clamp(0.0, 1.0)
    }
}

/// The bones of the joints that take part.
#[derive(Debug, Clone, Default)]
pub(super) struct Bones {
    /// Pieces in order of their bone.
    pub segments: Vec<Segment>,
    /// Segments that are the whole bone of a leaf whose length is a guess.
    pub leaves: Vec<usize>,
    /// What was guessed or left out, a sentence each.
    pub notes: Vec<String>,
    /// The name of each bone's joint.
    names: Vec<String>,
}

impl Bones {
    /// Finds the bones of `joints`, in the units of a surface.
    pub fn new(character: &Character, joints: &[usize], surface: &RestSurface) -> Result<Self> {
        let skeleton = &character.skeleton;
        if joints.is_empty() {
            return Err(Error::NoJoints);
        }
        if let Some(&joint) = joints.iter().find(|&&joint| joint >= skeleton.len()) {
            let what = "the list of joints to bind to".into();
            return Err(sinew_rig::Error::JointOutOfRange { what, joint, count: skeleton.len() }.into());
        }
        let bones = Tree::new(skeleton, joints, surface).bones(joints);
        let away = bones
            .segments
            .iter()
            .map(|segment| surface.distance_to_box([segment.head, segment.tail]))
            .fold(f64::INFINITY, f64::min);
        if away > FAR_AWAY {
            let size = surface.diagonal();
            return Err(Error::SkeletonFarAway { distance: away * size, size });
        }
        Ok(bones)
    }

    /// Number of bones.
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

    /// Lets a leaf's bone reach through its part of the surface: as far beyond the part's centroid as the
    /// joint is before it.
    pub fn stretch_leaf(&mut self, leaf: usize, centroid: DVec3) {
        let segment = &mut self.segments[self.leaves[leaf]];
        segment.tail = 2.0 * centroid - segment.head;
    }
}

/// The joints that take part and those above them.
struct Tree<'a> {
    skeleton: &'a Skeleton,
    world: Vec<DAffine3>,
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// For each joint a child that only marks where its bone ends.
    end_child: Vec<Option<usize>>,
    /// For each joint with children the mean way to where its bone ends.
    mean_way: Vec<DVec3>,
    axis: Option<Axis>,
}

/// A coordinate axis of joints, with its direction.
#[derive(Clone, Copy)]
struct Axis {
    column: usize,
    sign: f64,
}

impl Axis {
    fn all() -> impl Iterator<Item = Self> {
        (0..3).flat_map(|column| [1.0, -1.0].map(|sign| Self { column, sign }))
    }

    fn of(self, world: &DAffine3) -> DVec3 {
        self.sign * world.matrix3.col(self.column).normalize_or_zero()
    }
}

impl<'a> Tree<'a> {
    fn new(skeleton: &'a Skeleton, joints: &[usize], surface: &RestSurface) -> Self {
        let mut built = vec![false; skeleton.len()];
        for &joint in joints {
            let mut above = Some(joint);
            while let Some(joint) = above.filter(|&joint| !built[joint]) {
                built[joint] = true;
                above = skeleton.joints()[joint].parent;
            }
        }
        for (joint, is_built) in skeleton.joints().iter().zip(&mut built) {
            *is_built &= joint.kind == JointKind::Joint;
        }
        joints.iter().for_each(|&joint| built[joint] = true);
        let mut nearest_built: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
        let mut parent = vec![None; skeleton.len()];
        for (index, joint) in skeleton.joints().iter().enumerate() {
            parent[index] = joint.parent.and_then(|above| nearest_built[above]);
            nearest_built.push(if built[index] { Some(index) } else { parent[index] });
        }
        let mut tree = Self {
            skeleton,
            world: skeleton.rest_world().into_iter().map(|world| surface.to_unit() * world).collect(),
            children: vec![Vec::new(); skeleton.len()],
            end_child: vec![None; skeleton.len()],
            mean_way: vec![DVec3::ZERO; skeleton.len()],
            parent,
            axis: None,
        };
        for (index, joint) in skeleton.joints().iter().enumerate().filter(|(_, joint)| is_tip_name(&joint.name)) {
            if let Some(parent) = joint.parent {
                tree.end_child[parent].get_or_insert(index);
            }
        }
        for index in (0..skeleton.len()).filter(|&index| built[index]) {
            if let Some(parent) = tree.parent[index].filter(|&parent| tree.distance(parent, index) > SHORTEST) {
                tree.children[parent].push(index);
            }
        }
        tree.axis = tree.common_axis();
        tree.mean_way = (0..skeleton.len()).map(|joint| tree.mean_way(joint)).collect();
        tree
    }

    fn place(&self, joint: usize) -> DVec3 {
        self.world[joint].translation
    }

    fn distance(&self, joint: usize, other: usize) -> f64 {
        self.place(joint).distance(self.place(other))
    }

    /// Cosine of the angle between an axis of a joint and the way to its child.
    fn alignment(&self, axis: Axis, joint: usize, child: usize) -> f64 {
        axis.of(&self.world[joint]).dot((self.place(child) - self.place(joint)).normalize_or_zero())
    }

    /// The axis that bones lie along, if joints agree on one.
    fn common_axis(&self) -> Option<Axis> {
        let single: Vec<(usize, usize)> = (self.children.iter().enumerate())
            .filter_map(|(joint, children)| match children[..] {
                [child] => Some((joint, child)),
                _ => None,
            })
            .collect();
        Axis::all().find(|&axis| {
            let agreeing = single.iter().filter(|&&(joint, child)| self.alignment(axis, joint, child) > ON_AXIS);
            let agreeing = agreeing.count();
            agreeing >= 3 && agreeing as f64 >= AGREEING * single.len() as f64
        })
    }

    /// Where the bone of a joint with children ends.
    fn tails(&self, joint: usize) -> Vec<DVec3> {
        let children = &self.children[joint];
        let Some(axis) = self.axis else { return children.iter().map(|&child| self.place(child)).collect() };
        let on_axis = |&&child: &&usize| self.alignment(axis, joint, child) > ON_AXIS;
        if children.iter().any(|child| on_axis(&child)) {
            return children.iter().filter(on_axis).map(|&child| self.place(child)).collect();
        }
        if children.iter().all(|&child| self.alignment(axis, joint, child) < BEHIND) {
            let mean = children.iter().map(|&child| self.distance(joint, child)).sum::<f64>() / children.len() as f64;
            return vec![self.place(joint) + mean * axis.of(&self.world[joint])];
        }
        children.iter().map(|&child| self.place(child)).collect()
    }

    fn mean_way(&self, joint: usize) -> DVec3 {
        if self.children[joint].is_empty() {
            return DVec3::ZERO;
        }
        let tails = self.tails(joint);
        tails.iter().sum::<DVec3>() / tails.len() as f64 - self.place(joint)
    }

    /// Where the file says that a leaf ends: at its tip, or at a child that takes no part and has a tip's
    /// name.
    fn tip(&self, joint: usize) -> Option<DVec3> {
        let own = self.skeleton.joints()[joint].tip.map(|tip| self.world[joint].transform_point3(tip));
        own.or_else(|| self.end_child[joint].map(|child| self.place(child)))
            .filter(|tip| tip.distance(self.place(joint)) > SHORTEST)
    }

    /// A guess at where a leaf ends.
    fn guess(&self, joint: usize) -> DVec3 {
        let above = self.parent[joint].map_or(DVec3::ZERO, |parent| self.mean_way[parent]);
        let half = if above.length() > SHORTEST { 0.5 * above.length() } else { UNTOLD };
        let direction = match self.axis {
            Some(axis) => axis.of(&self.world[joint]),
            None => above.normalize_or(DVec3::Y),
        };
        self.place(joint) + half * direction
    }

    fn bones(&self, joints: &[usize]) -> Bones {
        let mut bones = Bones::default();
        for (bone, &joint) in (0..).zip(joints) {
            let head = self.place(joint);
            let tails = match self.children[joint][..] {
                [] => vec![self.tip(joint).unwrap_or_else(|| {
                    bones.leaves.push(bones.segments.len());
                    self.guess(joint)
                })],
                _ => self.tails(joint),
            };
            bones.segments.extend(tails.into_iter().map(|tail| Segment { bone, head, tail }));
            bones.names.push(self.skeleton.joints()[joint].name.clone());
        }
        let guessed: Vec<&str> =
            bones.leaves.iter().map(|&leaf| bones.names[bones.segments[leaf].bone as usize].as_str()).collect();
        if !guessed.is_empty() {
            let told = format!(
                "no end in the file, guessed from the part of the mesh around: {}",
                quoted_list(&guessed, "bone")
            );
            bones.notes.push(told);
        }
        let coincident = |&&joint: &&usize| self.parent[joint].is_some_and(|p| self.distance(p, joint) <= SHORTEST);
        let names: Vec<&str> =
            joints.iter().filter(coincident).map(|&joint| self.skeleton.joints()[joint].name.as_str()).collect();
        if !names.is_empty() {
            bones.notes.push(format!("no bone to a joint in the same place: {}", quoted_list(&names, "joint")));
        }
        bones
    }
}
