//! Which vectors do the bones inside a control mesh aim at?
//!
//! The edges of a bone keep their lengths and stay in one line (L13 eq. 9.10, 9.11), which are segments in a row for
//! [`SegmentGoals`]. With ranges (L13 section 9.4.4), bones are visited from the root on. How a bone is turned since
//! rest is told by its direction, and about it by the mean of the rotations at its vertices; what is beyond the
//! range against the bone before it is cut off, and the bone aims along the direction that is left.

use super::joint_limits::JointRange;
use crate::control_mesh::ControlMesh;
use crate::tetrahedralize::ControlBone;
use glam::{DQuat, DVec3};
use sinew_motion::laplacian_editing::{Segment, SegmentGoals};
use std::ops::Range;

/// The bones of a control mesh, with what they aim at.
pub(super) struct BoneGoals {
    goals: SegmentGoals,
    bones: Vec<Bone>,
    /// How each bone is turned in the world since rest.
    turns: Vec<DQuat>,
    /// Whether a vertex has its place, while bones are put end to end.
    is_placed: Vec<bool>,
}

struct Bone {
    row: Range<usize>,
    vertices: Vec<u32>,
    parent: Option<usize>,
    /// The first bone of its tree.
    tree: usize,
    direction: DVec3,
    frame: DQuat,
    range: Option<JointRange>,
}

impl BoneGoals {
    pub fn new(control: &ControlMesh, weight: f64, ranges: &[JointRange]) -> Self {
        let at = |vertex: u32| control.positions[vertex as usize];
        let mut segments = Vec::new();
        let mut bones: Vec<Bone> = Vec::with_capacity(control.bones.len());
        for (index, ControlBone { joint, parent, vertices, .. }) in control.bones.iter().enumerate() {
            let first = segments.len();
            segments.extend(vertices.windows(2).map(|w| Segment {
                a: w[1],
                b: w[0],
                length: at(w[1]).distance(at(w[0])),
            }));
            let beside = || bones.iter().position(|b| b.vertices[0] == vertices[0]);
            let tree = parent.map(|p| bones[p].tree).or_else(|| beside().map(|b| bones[b].tree)).unwrap_or(bones.len());
            bones.push(Bone {
                row: first..segments.len(),
                vertices: vertices.clone(),
                parent: *parent,
                tree,
                direction: control.bone_direction(index),
                frame: DQuat::from_mat3(&control.bone_frame(index)),
                range: ranges.iter().find(|range| range.joint == *joint && parent.is_some()).copied(),
            });
        }
        Self {
            goals: SegmentGoals::new(segments, weight, &control.positions),
            turns: vec![DQuat::IDENTITY; bones.len()],
            is_placed: vec![false; control.positions.len()],
            bones,
        }
    }

    pub fn goals(&self) -> &SegmentGoals {
        &self.goals
    }

    pub fn goals_mut(&mut self) -> &mut SegmentGoals {
        &mut self.goals
    }

    /// How each bone was turned when it was last aimed or found.
    pub fn turns(&self) -> &[DQuat] {
        &self.turns
    }

    /// Puts the vertices along each bone between its ends.
    pub fn straighten(&self, positions: &mut [DVec3]) {
        for Bone { row, vertices, .. } in &self.bones {
            let segments = &self.goals.segments()[row.clone()];
            let whole: f64 = segments.iter().map(|segment| segment.length).sum();
            let [start, end] = [vertices[0], vertices[vertices.len() - 1]].map(|v| positions[v as usize]);
            let mut along = 0.0;
            for segment in &segments[..segments.len() - 1] {
                along += segment.length / whole;
                positions[segment.a as usize] = start.lerp(end, along);
            }
        }
    }

    /// Aims every bone at the nearest direction that it may have.
    pub fn aim(&mut self, positions: &[DVec3], rotations: &[DQuat]) {
        let has_ranges = self.bones.iter().any(|bone| bone.range.is_some());
        for index in 0..self.bones.len() {
            let row = self.bones[index].row.clone();
            let Some(mut direction) = self.goals.direction(row.clone(), positions) else { continue };
            if has_ranges {
                direction = self.turn(index, direction, rotations);
            }
            self.goals.aim_along(row, direction);
        }
    }

    /// Finds how bones are turned, without what ranges cut off.
    pub fn find_turns(&mut self, positions: &[DVec3], rotations: &[DQuat]) {
        for index in 0..self.bones.len() {
            let (vertices, last) = (&self.bones[index].vertices, self.bones[index].vertices.len() - 1);
            let along = positions[vertices[last] as usize] - positions[vertices[0] as usize];
            if let Some(direction) = along.try_normalize() {
                self.turn(index, direction, rotations);
            }
        }
    }

    /// Turns a bone into a direction as far as its range allows, and returns the direction that it has then.
    fn turn(&mut self, index: usize, direction: DVec3, rotations: &[DQuat]) -> DVec3 {
        let bone = &self.bones[index];
        let first = rotations[bone.vertices[0] as usize];
        let around = bone.vertices.iter().map(|&v| rotations[v as usize]);
        let sum = around
            .fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, q| if q.dot(first) < 0.0 { sum - q } else { sum + q });
        let mean = sum.normalize();
        let turn = (DQuat::from_rotation_arc((mean * bone.direction).normalize(), direction) * mean).normalize();
        self.turns[index] = match (bone.range, bone.parent) {
            (Some(range), Some(parent)) => {
                let parent = self.turns[parent];
                let own = bone.frame.inverse() * (parent.inverse() * turn) * bone.frame;
                (parent * (bone.frame * range.clamp(own) * bone.frame.inverse())).normalize()
            }
            _ => turn,
        };
        self.turns[index] * bone.direction
    }

    /// Puts bones end to end as they aim, with exact lengths, each tree where its vertices are on the whole.
    pub fn place(&mut self, positions: &mut [DVec3]) {
        self.is_placed.fill(false);
        for first in 0..self.bones.len() {
            if self.bones[first].tree != first {
                continue;
            }
            let (mut moved, mut count) = (DVec3::ZERO, 0.0);
            for bone in self.bones.iter().filter(|bone| bone.tree == first) {
                self.is_placed[bone.vertices[0] as usize] = true;
                for (ends, index) in bone.vertices.windows(2).zip(bone.row.clone()) {
                    let [from, to] = [ends[0] as usize, ends[1] as usize];
                    // A vertex that two bones pass through has the place that the first gave it.
                    if !std::mem::replace(&mut self.is_placed[to], true) {
                        let place = positions[from] + self.goals.goals()[index];
                        moved += place - positions[to];
                        count += 1.0;
                        positions[to] = place;
                    }
                }
            }
            let back = moved / (count + 1.0);
            self.is_placed.fill(false);
            for &vertex in self.bones.iter().filter(|bone| bone.tree == first).flat_map(|bone| &bone.vertices) {
                if !std::mem::replace(&mut self.is_placed[vertex as usize], true) {
                    positions[vertex as usize] -= back;
                }
            }
            self.is_placed.fill(false);
        }
    }
}
