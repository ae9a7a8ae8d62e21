//! Initial rotations of cells from the targets of bone ends.
//!
//! Bones that start at the same vertex rotate together: with their parent, then by the smallest rotation that aligns their
//! directions. A cell rotates with the bone nearest to it at rest.

use crate::control_mesh::ControlMesh;
use glam::{DQuat, DVec3};
use sinew_geometry::parallel::*;
use sinew_geometry::rotation_of_directions;

/// The start vertices of bones, and the cells nearest to each.
pub(super) struct BoneRotations {
    starts: Vec<BoneStart>,
    /// The start of the bone nearest to each vertex; none without bones.
    start_of: Vec<Option<u32>>,
    rotations: Vec<DQuat>,
    /// The length scale of the mesh; directions shorter than 1e-5 of it are ignored.
    size: f64,
}

/// A vertex where bones start.
struct BoneStart {
    vertex: usize,
    ends: Vec<usize>,
    parent: Option<usize>,
}

impl BoneRotations {
    pub fn new(control: &ControlMesh, size: f64) -> Self {
        let starts = starts(control);
        let start_of = nearest_starts(control, &starts);
        Self { rotations: vec![DQuat::IDENTITY; starts.len()], start_of, starts, size }
    }

    /// Rotates cells as bones rotate from rest to their targets.
    pub fn rotate_cells(&mut self, rest: &[DVec3], targets: &[DVec3], cells: &mut [DQuat]) {
        for index in 0..self.starts.len() {
            let BoneStart { vertex, ends, parent } = &self.starts[index];
            let parent = parent.map_or(DQuat::IDENTITY, |parent| self.rotations[parent]);
            self.rotations[index] = rotation_of_directions(ends, *vertex, rest, targets, parent, self.size);
        }
        for (rotation, start) in cells.iter_mut().zip(&self.start_of) {
            *rotation = start.map_or(*rotation, |start| self.rotations[start as usize]);
        }
    }
}

/// The vertices where bones start.
fn starts(control: &ControlMesh) -> Vec<BoneStart> {
    let mut starts: Vec<BoneStart> = Vec::new();
    for bone in &control.bones {
        let [vertex, end] = [bone.vertices[0], bone.vertices[bone.vertices.len() - 1]].map(|v| v as usize);
        match starts.iter_mut().find(|start| start.vertex == vertex) {
            Some(start) => start.ends.push(end),
            None => {
                let parent_vertex = bone.parent.map(|parent| control.bones[parent].vertices[0] as usize);
                let parent = starts.iter().position(|start| Some(start.vertex) == parent_vertex);
                starts.push(BoneStart { vertex, ends: vec![end], parent });
            }
        }
    }
    starts
}

/// The start of the bone nearest to each vertex.
fn nearest_starts(control: &ControlMesh, starts: &[BoneStart]) -> Vec<Option<u32>> {
    let segments: Vec<(u32, DVec3, DVec3)> = (0..)
        .zip(starts)
        .flat_map(|(k, start)| {
            start.ends.iter().map(move |&end| (k, control.positions[start.vertex], control.positions[end]))
        })
        .collect();
    let distance = |p: DVec3, a: DVec3, b: DVec3| {
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance_squared(a.lerp(b, along))
    };
    let nearest = |&p: &DVec3| {
        let near = segments.iter().map(|&(start, a, b)| (distance(p, a, b), start));
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, start)| start)
    };
    control.positions.par_iter().map(nearest).collect()
}
