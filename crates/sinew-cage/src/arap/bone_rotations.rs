//! How are cells turned, if all that is known is where the ends of bones go?
//!
//! Bones that start in one vertex turn as one: with their parent, then by the smallest rotation that brings their
//! directions over. A cell turns with the bone nearest to it at rest.

use crate::control_mesh::ControlMesh;
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use sinew_geometry::rotation_of_directions;

/// Which bones start where, and which cells are next to them.
pub(super) struct BoneStarts {
    starts: Vec<Start>,
    /// For each vertex the start of the nearest bone; none without bones.
    start_of: Vec<Option<u32>>,
    turns: Vec<DQuat>,
    /// Directions shorter than 1e-5 of it are none.
    size: f64,
}

/// A vertex that bones start at.
struct Start {
    vertex: usize,
    ends: Vec<usize>,
    parent: Option<usize>,
}

impl BoneStarts {
    pub fn new(control: &ControlMesh, size: f64) -> Self {
        let starts = starts(control);
        let start_of = nearest_starts(control, &starts);
        Self { turns: vec![DQuat::IDENTITY; starts.len()], start_of, starts, size }
    }

    /// Turns cells as bones turn from rest to their targets.
    pub fn turn(&mut self, rest: &[DVec3], targets: &[DVec3], rotations: &mut [DQuat]) {
        for index in 0..self.starts.len() {
            let Start { vertex, ends, parent } = &self.starts[index];
            let parent = parent.map_or(DQuat::IDENTITY, |parent| self.turns[parent]);
            self.turns[index] = rotation_of_directions(ends, *vertex, rest, targets, parent, self.size);
        }
        for (rotation, start) in rotations.iter_mut().zip(&self.start_of) {
            *rotation = start.map_or(*rotation, |start| self.turns[start as usize]);
        }
    }
}

/// The vertices that bones start at.
fn starts(control: &ControlMesh) -> Vec<Start> {
    let mut starts: Vec<Start> = Vec::new();
    for bone in &control.bones {
        let [vertex, end] = [bone.vertices[0], bone.vertices[bone.vertices.len() - 1]].map(|v| v as usize);
        match starts.iter_mut().find(|start| start.vertex == vertex) {
            Some(start) => start.ends.push(end),
            None => {
                let before = bone.parent.map(|parent| control.bones[parent].vertices[0] as usize);
                let parent = starts.iter().position(|start| Some(start.vertex) == before);
                starts.push(Start { vertex, ends: vec![end], parent });
            }
        }
    }
    starts
}

/// For each vertex the start of the bone nearest to it.
fn nearest_starts(control: &ControlMesh, starts: &[Start]) -> Vec<Option<u32>> {
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
