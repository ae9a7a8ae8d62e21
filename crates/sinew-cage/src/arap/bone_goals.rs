//! The goal vectors of bone segments.
//!
//! The segments of a bone have constant lengths and stay in one line (L13 eq. 9.10, 9.11); [`SegmentGoals`] enforces both.
//! With joint ranges (L13 section 9.4.4), bones are visited from the root on. The rotation of a bone since rest follows
//! from its direction and, about it, from the mean rotation at its vertices. It is clamped to the range relative to the
//! parent bone, and the bone aims along the clamped direction.

use super::joint_limits::JointRange;
use crate::control_mesh::ControlMesh;
use crate::tetrahedralize::ControlBone;
use glam::{DQuat, DVec3};
use sinew_motion::laplacian_editing::{Segment, SegmentGoals};
use std::ops::Range;

/// The bones of a control mesh with their goal vectors.
pub(super) struct BoneGoals {
    goals: SegmentGoals,
    bones: Vec<BoneChain>,
    /// The world rotation of each bone since rest.
    rotations: Vec<DQuat>,
    /// Whether a vertex has its position, while bones are placed end to end.
    is_placed: Vec<bool>,
}

struct BoneChain {
    segments_range: Range<usize>,
    vertices: Vec<u32>,
    parent: Option<usize>,
    /// The root bone of its tree.
    tree: usize,
    direction: DVec3,
    frame: DQuat,
    range: Option<JointRange>,
}

impl BoneGoals {
    pub fn new(control: &ControlMesh, weight: f64, ranges: &[JointRange]) -> Self {
        let at = |vertex: u32| control.positions[vertex as usize];
        let mut segments = Vec::new();
        let mut bones: Vec<BoneChain> = Vec::with_capacity(control.bones.len());
        for (index, ControlBone { joint, parent, vertices, .. }) in control.bones.iter().enumerate() {
            let first = segments.len();
            segments.extend(vertices.windows(2).map(|w| Segment {
                a: w[1],
                b: w[0],
                length: at(w[1]).distance(at(w[0])),
            }));
            let sibling = || bones.iter().position(|b| b.vertices[0] == vertices[0]);
            let tree =
                parent.map(|p| bones[p].tree).or_else(|| sibling().map(|b| bones[b].tree)).unwrap_or(bones.len());
            bones.push(BoneChain {
                segments_range: first..segments.len(),
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
            rotations: vec![DQuat::IDENTITY; bones.len()],
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

    /// The rotation of each bone when it was last updated.
    pub fn rotations(&self) -> &[DQuat] {
        &self.rotations
    }

    /// Places the vertices along each bone on the line between its ends.
    pub fn straighten(&self, positions: &mut [DVec3]) {
        for BoneChain { segments_range, vertices, .. } in &self.bones {
            let segments = &self.goals.segments()[segments_range.clone()];
            let total_length: f64 = segments.iter().map(|segment| segment.length).sum();
            let [start, end] = [vertices[0], vertices[vertices.len() - 1]].map(|v| positions[v as usize]);
            let mut along = 0.0;
            for segment in &segments[..segments.len() - 1] {
                along += segment.length / total_length;
                positions[segment.a as usize] = start.lerp(end, along);
            }
        }
    }

    /// Aims every bone in the nearest direction within its range.
    pub fn aim(&mut self, positions: &[DVec3], rotations: &[DQuat]) {
        let has_ranges = self.bones.iter().any(|bone| bone.range.is_some());
        for index in 0..self.bones.len() {
            let segments_range = self.bones[index].segments_range.clone();
            let Some(mut direction) = self.goals.direction(segments_range.clone(), positions) else { continue };
            if has_ranges {
                direction = self.rotate_toward(index, direction, rotations);
            }
            self.goals.aim_along(segments_range, direction);
        }
    }

    /// Updates the rotations of bones, clamped to their ranges.
    pub fn update_rotations(&mut self, positions: &[DVec3], rotations: &[DQuat]) {
        for index in 0..self.bones.len() {
            let (vertices, last) = (&self.bones[index].vertices, self.bones[index].vertices.len() - 1);
            let along = positions[vertices[last] as usize] - positions[vertices[0] as usize];
            if let Some(direction) = along.try_normalize() {
                self.rotate_toward(index, direction, rotations);
            }
        }
    }

    /// Rotates a bone toward a direction as far as its range allows, and returns its new direction.
    fn rotate_toward(&mut self, index: usize, direction: DVec3, rotations: &[DQuat]) -> DVec3 {
        let bone = &self.bones[index];
        let first = rotations[bone.vertices[0] as usize];
        let around = bone.vertices.iter().map(|&v| rotations[v as usize]);
        let sum = around
            .fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, q| if q.dot(first) < 0.0 { sum - q } else { sum + q });
        let mean = sum.normalize();
        let rotation = (DQuat::from_rotation_arc((mean * bone.direction).normalize(), direction) * mean).normalize();
        self.rotations[index] = match (bone.range, bone.parent) {
            (Some(range), Some(parent)) => {
                let parent = self.rotations[parent];
                let own = bone.frame.inverse() * (parent.inverse() * rotation) * bone.frame;
                (parent * (bone.frame * range.clamp(own) * bone.frame.inverse())).normalize()
            }
            _ => rotation,
        };
        self.rotations[index] * bone.direction
    }

    /// Places bones end to end along their goals, with exact lengths; the mean position of each tree stays.
    pub fn place(&mut self, positions: &mut [DVec3]) {
        self.is_placed.fill(false);
        for first in 0..self.bones.len() {
            if self.bones[first].tree != first {
                continue;
            }
            let (mut moved, mut count) = (DVec3::ZERO, 0.0);
            for bone in self.bones.iter().filter(|bone| bone.tree == first) {
                self.is_placed[bone.vertices[0] as usize] = true;
                for (ends, index) in bone.vertices.windows(2).zip(bone.segments_range.clone()) {
                    let [from, to] = [ends[0] as usize, ends[1] as usize];
                    // A vertex on two bones is placed by the first.
                    if !std::mem::replace(&mut self.is_placed[to], true) {
                        let place = positions[from] + self.goals.goals()[index];
                        moved += place - positions[to];
                        count += 1.0;
                        positions[to] = place;
                    }
                }
            }
            let mean_shift = moved / (count + 1.0);
            self.is_placed.fill(false);
            for &vertex in self.bones.iter().filter(|bone| bone.tree == first).flat_map(|bone| &bone.vertices) {
                if !std::mem::replace(&mut self.is_placed[vertex as usize], true) {
                    positions[vertex as usize] -= mean_shift;
                }
            }
            self.is_placed.fill(false);
        }
    }
}
