//! The surface to be bound: the meshes of a character at rest in the world, welded to one.

use crate::{Error, Result};
use glam::{DAffine3, DVec3, I64Vec3, Vec3};
use sinew_geometry::{Face, Topology};
use sinew_rig::{Binding, Character, Influence, Part, Weights};
use std::collections::HashMap;
use std::ops::Range;

/// Vertices nearer to each other than half of this, of the diagonal of their box, are one.
const SNAP: f64 = 2e-6;

/// The meshes that take part, at rest in the world.
pub(super) struct RestSurface {
    parts: Vec<RestPart>,
    topology: Topology,
    snapped: usize,
    /// Of the welded vertices, in diagonals about the middle of the box around them.
    positions: Vec<DVec3>,
    extent: DVec3,
    diagonal: f64,
    to_unit: DAffine3,
}

struct RestPart {
    /// Its index in the character.
    part: usize,
    /// From the mesh's space to the world.
    place: DAffine3,
    /// Its vertices among those of all parts.
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
            let place = placement(part, &world);
            let first = all.len();
            all.extend(part.mesh.positions.iter().map(|p| place.transform_point3(p.as_dvec3()).as_vec3()));
            if let Some(vertex) = all[first..].iter().position(|p| !p.is_finite()) {
                return Err(sinew_geometry::Error::VertexNotFinite {
                    mesh: part.mesh.name.clone(),
                    what: "the place at rest",
                    vertex,
                }
                .into());
            }
            let is_mirrored = is_mirrored(part, &place);
            faces.extend(part.mesh.faces.iter().map(|face| {
                let face = face.map(|vertex| vertex + first as u32);
                if is_mirrored { face.reversed() } else { face }
            }));
            parts.push(RestPart { part: index, place, vertices: first..all.len() });
        }
        if all.is_empty() {
            return Err(Error::NothingToBind);
        }
        let snapped = snap(&mut all);
        let topology = Topology::new(&all, &faces);
        let mut positions: Vec<DVec3> =
            topology.representatives().iter().map(|&v| all[v as usize].as_dvec3()).collect();
        let (low, high) = bounds(&positions);
        let diagonal = low.distance(high);
        let diagonal = if diagonal > 0.0 { diagonal } else { 1.0 };
        let to_unit =
            DAffine3::from_scale(DVec3::splat(diagonal.recip())) * DAffine3::from_translation(-0.5 * (low + high));
        // Rounded as trees over the surface round them, so that a vertex lies on its own faces.
        positions.iter_mut().for_each(|p| *p = to_unit.transform_point3(*p).as_vec3().as_dvec3());
        Ok(Self { parts, topology, snapped, positions, extent: (high - low) / diagonal, diagonal, to_unit })
    }

    /// How many vertices were as good as in the place of another and were put there.
    pub fn snapped(&self) -> usize {
        self.snapped
    }

    /// The surface over welded vertices.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Of the welded vertices, in diagonals about the middle of the box around them.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// From the world to the space of the positions.
    pub fn to_unit(&self) -> DAffine3 {
        self.to_unit
    }

    /// The sides of the box around all vertices, in diagonals.
    pub fn extent(&self) -> DVec3 {
        self.extent
    }

    /// The distance of the nearer of two points from that box, in diagonals.
    pub fn distance_to_box(&self, points: [DVec3; 2]) -> f64 {
        let away = |end: DVec3| (end.abs() - 0.5 * self.extent).max(DVec3::ZERO).length();
        away(points[0]).min(away(points[1]))
    }

    /// Of the box around all vertices, in the world's units; one if they are all in one place.
    pub fn diagonal(&self) -> f64 {
        self.diagonal
    }

    /// Vertices as the files have them, all parts together.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.vertices.len()).sum()
    }

    /// Gives the parts these shares of `joints`. A part keeps the list of joints that it has and gets
    /// those that are missing from it.
    pub fn write(&self, character: &mut Character, joints: &[usize], shares: &Weights) {
        let world = character.skeleton.rest_world();
        for RestPart { part, place, vertices } in &self.parts {
            let part = &mut character.parts[*part];
            if is_mirrored(part, place) {
                part.mesh.faces.iter_mut().for_each(|face| *face = face.reversed());
                part.mesh.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
            }
            if !part.skinned {
                part.skinned = true;
                part.binding = Binding::default();
            }
            let binding = &mut part.binding;
            let mut slots = Vec::with_capacity(joints.len());
            let mut known: HashMap<usize, u32> = binding.joints.iter().copied().zip(0..).collect();
            for &joint in joints {
                slots.push(*known.entry(joint).or_insert_with(|| {
                    binding.joints.push(joint);
                    binding.inverse_bind.push(world[joint].inverse() * *place);
                    binding.joints.len() as u32 - 1
                }));
            }
            let mut weights = Weights::with_capacity(vertices.len(), 4 * vertices.len());
            for vertex in vertices.clone() {
                let row = shares.row(self.topology.welded(vertex));
                weights.push(row.iter().map(|i| Influence { joint: slots[i.joint as usize], ..*i }));
            }
            binding.weights = weights;
        }
    }
}

/// Whether a part is drawn with its faces reversed while it follows a node that mirrors it. Skinned parts
/// are not.
fn is_mirrored(part: &Part, place: &DAffine3) -> bool {
    !part.skinned && place.matrix3.determinant() < 0.0
}

/// Where a part stands in the world at rest. A skin was bound with its mesh in one place, which each of
/// its joints tells: `M_j · inverse_bind_j`. If they disagree, the joint with the most weight is believed.
fn placement(part: &Part, world: &[DAffine3]) -> DAffine3 {
    let Binding { joints, inverse_bind, .. } = &part.binding;
    if !part.skinned || joints.is_empty() {
        return world[part.node];
    }
    let mut sums = vec![0.0; joints.len()];
    part.binding.weights.rows().flatten().for_each(|i| sums[i.joint as usize] += f64::from(i.weight));
    let most = (0..sums.len()).fold(0, |most, slot| if sums[slot] > sums[most] { slot } else { most });
    world[joints[most]] * inverse_bind[most]
}

/// Puts vertices that are next to an earlier one into its place, and counts them. A cell of the hash grid
/// remembers the first place in it only, which is enough for the copies of a vertex.
fn snap(positions: &mut [Vec3]) -> usize {
    let finite = positions.iter().filter(|p| p.is_finite());
    let (low, high) = finite.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
    let reach = SNAP * low.as_dvec3().distance(high.as_dvec3());
    if !(reach > 0.0 && reach.is_finite()) {
        return 0;
    }
    let cell = |p: DVec3| (p / reach).floor().as_i64vec3();
    let mut places: HashMap<I64Vec3, Vec3> = HashMap::with_capacity(positions.len());
    let mut snapped = 0;
    for position in positions.iter_mut().filter(|p| p.is_finite()) {
        let here = position.as_dvec3() - low.as_dvec3();
        // Within half a cell, so that no more than eight can hold a neighbour.
        let corner = cell(here - 0.5 * reach);
        let near = (0..8).map(|k| corner + I64Vec3::new(k & 1, k >> 1 & 1, k >> 2)).find_map(|cell| {
            let other = *places.get(&cell)?;
            (other.distance(*position) <= (0.5 * reach) as f32).then_some(other)
        });
        match near {
            Some(other) => {
                snapped += usize::from(other != *position);
                *position = other;
            }
            None => {
                places.entry(cell(here)).or_insert(*position);
            }
        }
    }
    snapped
}

fn bounds(positions: &[DVec3]) -> (DVec3, DVec3) {
    positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)))
}
