//! The surface to bind: the meshes of a character at rest in world space, welded into one.

use crate::{Error, Result};
use glam::{DAffine3, DVec3, I64Vec3, Vec3};
use sinew_geometry::{Face, Topology};
use sinew_rig::{Binding, Character, Influence, Part, Weights};
use std::collections::HashMap;
use std::ops::Range;

/// Vertices closer than half of this, relative to the bounding box diagonal, merge: a few units of f32 rounding.
const MERGE_CELL: f64 = 2e-6;

/// The participating meshes at rest in world space.
pub(super) struct RestSurface {
    parts: Vec<RestPart>,
    topology: Topology,
    merged: usize,
    /// The positions of welded vertices, in diagonals of their bounding box about its centre.
    positions: Vec<DVec3>,
    extent: DVec3,
    diagonal: f64,
    to_unit: DAffine3,
}

struct RestPart {
    /// Its index in the character.
    part: usize,
    /// From mesh space to world space.
    transform: DAffine3,
    /// The range of its vertices among those of all parts.
    vertices: Range<usize>,
}

impl RestSurface {
    /// The skinned meshes of a character, or all if none is skinned.
    pub fn new(character: &Character) -> Result<Self> {
        let any_skinned = character.parts.iter().any(|part| part.skinned);
        let world = character.skeleton.rest_world();
        let mut parts = Vec::new();
        let mut all: Vec<Vec3> = Vec::new();
        let mut faces: Vec<Face> = Vec::new();
        for (index, part) in character.parts.iter().enumerate().filter(|(_, p)| p.skinned || !any_skinned) {
            let transform = rest_transform(part, &world);
            let first = all.len();
            all.extend(part.mesh.positions.iter().map(|p| transform.transform_point3(p.as_dvec3()).as_vec3()));
            if let Some(vertex) = all[first..].iter().position(|p| !p.is_finite()) {
                return Err(sinew_geometry::Error::VertexNotFinite {
                    mesh: part.mesh.name.clone(),
                    what: "the place at rest",
                    vertex,
                }
                .into());
            }
            let is_mirrored = is_mirrored(part, &transform);
            faces.extend(part.mesh.faces.iter().map(|face| {
                let face = face.map(|vertex| vertex + first as u32);
                if is_mirrored { face.reversed() } else { face }
            }));
            parts.push(RestPart { part: index, transform, vertices: first..all.len() });
        }
        if all.is_empty() {
            return Err(Error::NothingToBind);
        }
        let merged = merge_close(&mut all);
        let topology = Topology::new(&all, &faces);
        let mut positions: Vec<DVec3> =
            topology.representatives().iter().map(|&v| all[v as usize].as_dvec3()).collect();
        let (low, high) = bounds(&positions);
        let diagonal = low.distance(high);
        let diagonal = if diagonal > 0.0 { diagonal } else { 1.0 };
        let to_unit =
            DAffine3::from_scale(DVec3::splat(diagonal.recip())) * DAffine3::from_translation(-0.5 * (low + high));
        // Rounded as the trees over the surface round, so that a vertex lies on its own faces.
        positions.iter_mut().for_each(|p| *p = to_unit.transform_point3(*p).as_vec3().as_dvec3());
        Ok(Self { parts, topology, merged, positions, extent: (high - low) / diagonal, diagonal, to_unit })
    }

    /// The number of vertices that were merged into a close neighbour.
    pub fn merged(&self) -> usize {
        self.merged
    }

    /// The surface over welded vertices.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The positions of welded vertices, in diagonals of their bounding box about its centre.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// From world space to the space of the positions.
    pub fn to_unit(&self) -> DAffine3 {
        self.to_unit
    }

    /// The sides of the bounding box, in diagonals.
    pub fn extent(&self) -> DVec3 {
        self.extent
    }

    /// The distance of the nearer of two points from that box, in diagonals.
    pub fn distance_to_box(&self, points: [DVec3; 2]) -> f64 {
        let away = |end: DVec3| (end.abs() - 0.5 * self.extent).max(DVec3::ZERO).length();
        away(points[0]).min(away(points[1]))
    }

    /// The diagonal of the bounding box in world units; one if all vertices coincide.
    pub fn diagonal(&self) -> f64 {
        self.diagonal
    }

    /// The number of unwelded vertices of all parts.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.vertices.len()).sum()
    }

    /// Writes weights over `joints` to the parts. Missing joints are appended to a part's list.
    pub fn write(&self, character: &mut Character, joints: &[usize], weights: &Weights) {
        let world = character.skeleton.rest_world();
        for RestPart { part, transform, vertices } in &self.parts {
            let part = &mut character.parts[*part];
            if is_mirrored(part, transform) {
                part.mesh.faces.iter_mut().for_each(|face| *face = face.reversed());
                part.mesh.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
            }
            if !part.skinned {
                part.skinned = true;
                part.binding = Binding::default();
            }
            let binding = &mut part.binding;
            let mut slots = Vec::with_capacity(joints.len());
            let mut slot_of_joint: HashMap<usize, u32> = binding.joints.iter().copied().zip(0..).collect();
            for &joint in joints {
                slots.push(*slot_of_joint.entry(joint).or_insert_with(|| {
                    binding.joints.push(joint);
                    binding.inverse_bind.push(world[joint].inverse() * *transform);
                    binding.joints.len() as u32 - 1
                }));
            }
            let mut part_weights = Weights::with_capacity(vertices.len(), 4 * vertices.len());
            for vertex in vertices.clone() {
                let row = weights.row(self.topology.welded(vertex));
                part_weights.push(row.iter().map(|i| Influence { joint: slots[i.joint as usize], ..*i }));
            }
            binding.weights = part_weights;
        }
    }
}

/// Whether a rigid part follows a mirroring node, which reverses its faces.
fn is_mirrored(part: &Part, transform: &DAffine3) -> bool {
    !part.skinned && transform.matrix3.determinant() < 0.0
}

/// The transform of a part at rest. Every joint of a skin gives it as `M_j · inverse_bind_j`; if they disagree, the joint
/// with the largest total weight decides.
fn rest_transform(part: &Part, world: &[DAffine3]) -> DAffine3 {
    let Binding { joints, inverse_bind, .. } = &part.binding;
    if !part.skinned || joints.is_empty() {
        return world[part.node];
    }
    let mut total_weights = vec![0.0; joints.len()];
    part.binding.weights.rows().flatten().for_each(|i| total_weights[i.joint as usize] += f64::from(i.weight));
    let heaviest = (0..total_weights.len())
        .fold(0, |heaviest, slot| if total_weights[slot] > total_weights[heaviest] { slot } else { heaviest });
    world[joints[heaviest]] * inverse_bind[heaviest]
}

/// Moves vertices onto an earlier one close by, and counts them. A hash cell stores only its first position, which
/// suffices for copies of a vertex.
fn merge_close(positions: &mut [Vec3]) -> usize {
    let finite = positions.iter().filter(|p| p.is_finite());
    let (low, high) = finite.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
    let reach = MERGE_CELL * low.as_dvec3().distance(high.as_dvec3());
    if !(reach > 0.0 && reach.is_finite()) {
        return 0;
    }
    let cell = |p: DVec3| (p / reach).floor().as_i64vec3();
    let mut places: HashMap<I64Vec3, Vec3> = HashMap::with_capacity(positions.len());
    let mut merged = 0;
    for position in positions.iter_mut().filter(|p| p.is_finite()) {
        let here = position.as_dvec3() - low.as_dvec3();
        // Neighbours are within half a cell, so at most eight cells can contain one.
        let corner = cell(here - 0.5 * reach);
        let near = (0..8).map(|k| corner + I64Vec3::new(k & 1, k >> 1 & 1, k >> 2)).find_map(|cell| {
            let other = *places.get(&cell)?;
            (other.distance(*position) <= (0.5 * reach) as f32).then_some(other)
        });
        match near {
            Some(other) => {
                merged += usize::from(other != *position);
                *position = other;
            }
            None => {
                places.entry(cell(here)).or_insert(*position);
            }
        }
    }
    merged
}

fn bounds(positions: &[DVec3]) -> (DVec3, DVec3) {
    positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)))
}
