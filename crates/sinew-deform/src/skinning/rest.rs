//! The rest surface of a part, with its morph targets blended in.

use super::lanes::{BLOCK, BlockOf};
use super::order::Order;
use glam::{Vec3, Vec4};
use sinew_geometry::{Mesh, MorphTarget};

/// The vertices of a block at rest: positions and unit normals, coordinate by coordinate.
#[derive(Clone, Copy, Default)]
pub(super) struct RestBlock {
    pub position: [BlockOf<f32>; 3],
    pub normal: [BlockOf<f32>; 3],
}

/// Vectors in blocks, coordinate by coordinate; zero for the vertices that fill up the last one.
pub(super) fn in_blocks(vectors: &[Vec3]) -> Vec<[BlockOf<f32>; 3]> {
    let block = |vectors: &[Vec3]| {
        let mut block = [[0.0; BLOCK]; 3];
        vectors.iter().enumerate().for_each(|(lane, v)| set(&mut block, lane, *v));
        block
    };
    vectors.chunks(BLOCK).map(block).collect()
}

fn get(block: &[BlockOf<f32>; 3], lane: usize) -> Vec3 {
    Vec3::new(block[0][lane], block[1][lane], block[2][lane])
}

fn set(block: &mut [BlockOf<f32>; 3], lane: usize, v: Vec3) {
    (block[0][lane], block[1][lane], block[2][lane]) = (v.x, v.y, v.z);
}

/// One packed vertex's change by a morph target.
struct Offset {
    vertex: u32,
    position: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

/// The rest surface in blocks, and all else of it in the same order.
pub(super) struct Rest {
    original: Vec<RestBlock>,
    original_tangents: Vec<Vec4>,
    morphed: Vec<RestBlock>,
    morphed_tangents: Vec<Vec4>,
    targets: Vec<Vec<Offset>>,
    targets_turn_normals: bool,
    is_morphed: bool,
}

impl Rest {
    /// Copies a mesh in an order; it has a normal for each vertex.
    pub fn new(mesh: &Mesh, normals: &[Vec3], order: &Order) -> Self {
        let normals: Vec<Vec3> = normals.iter().map(|n| n.normalize_or_zero()).collect();
        let [positions, normals] = [&mesh.positions, &normals].map(|vectors| in_blocks(&order.arrange(vectors)));
        let blocks = positions.into_iter().zip(normals);
        let original: Vec<RestBlock> = blocks.map(|(position, normal)| RestBlock { position, normal }).collect();
        let targets: Vec<Vec<Offset>> = mesh.morphs.iter().map(|target| offsets(target, order)).collect();
        let tangents = order.arrange(&mesh.tangents);
        let has_targets = !targets.is_empty();
        Self {
            morphed: if has_targets { original.clone() } else { Vec::new() },
            morphed_tangents: if has_targets { tangents.clone() } else { Vec::new() },
            original,
            original_tangents: tangents,
            targets_turn_normals: targets.iter().flatten().any(|offset| offset.normal != Vec3::ZERO),
            targets,
            is_morphed: false,
        }
    }

    /// Blends the targets in: `p̄ = p̄₀ + Σ weight · offset`, and likewise for normals and tangents.
    pub fn morph(&mut self, weights: &[f32]) {
        self.is_morphed = weights.iter().any(|&w| w != 0.0);
        if !self.is_morphed {
            return;
        }
        self.morphed.copy_from_slice(&self.original);
        self.morphed_tangents.copy_from_slice(&self.original_tangents);
        for (target, &weight) in self.targets.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
            for offset in target {
                let (block, lane) = (offset.vertex as usize / BLOCK, offset.vertex as usize % BLOCK);
                let RestBlock { position, normal } = &mut self.morphed[block];
                set(position, lane, get(position, lane) + offset.position * weight);
                set(normal, lane, get(normal, lane) + offset.normal * weight);
                if let Some(tangent) = self.morphed_tangents.get_mut(offset.vertex as usize) {
                    *tangent += (offset.tangent * weight).extend(0.0);
                }
            }
        }
        if self.targets_turn_normals {
            for RestBlock { normal, .. } in &mut self.morphed {
                (0..BLOCK).for_each(|lane| set(normal, lane, get(normal, lane).normalize_or_zero()));
            }
        }
    }

    /// The surface to skin in this frame.
    pub fn blocks(&self) -> &[RestBlock] {
        if self.is_morphed { &self.morphed } else { &self.original }
    }

    /// Its tangents; empty if the mesh has none.
    pub fn tangents(&self) -> &[Vec4] {
        if self.is_morphed { &self.morphed_tangents } else { &self.original_tangents }
    }
}

/// A target's vertices that move at all.
fn offsets(target: &MorphTarget, order: &Order) -> Vec<Offset> {
    let at = |list: &[Vec3], v: usize| list.get(v).copied().unwrap_or(Vec3::ZERO);
    (0..target.positions.len())
        .map(|packed| {
            let v = order.vertex(packed);
            Offset {
                vertex: packed as u32,
                position: target.positions[v],
                normal: at(&target.normals, v),
                tangent: at(&target.tangents, v),
            }
        })
        .filter(|o| o.position != Vec3::ZERO || o.normal != Vec3::ZERO || o.tangent != Vec3::ZERO)
        .collect()
}
