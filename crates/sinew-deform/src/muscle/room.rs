//! The room of muscles: between the bones and the skin.

use super::MuscleOptions;
use super::{Bone, BoneShape};
use crate::Result;
use crate::welded::WeldedSurface;
use glam::Vec3;
use sinew_field::{Box3, MeshDistance};
use sinew_rig::Character;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cells of a distance field along the diagonal of what it is of: the skin, and a bone.
const SKIN_CELLS: f64 = 100.0;
const BONE_CELLS: f64 = 40.0;

/// The space that muscles are fitted into.
#[derive(Clone)]
pub(super) struct Room {
    /// The points of the skin.
    pub body: Arc<WeldedSurface>,
    /// How far places are outside the skin at rest.
    pub skin: Arc<MeshDistance>,
    /// Bones that are meshes.
    pub bones: Vec<Bone>,
}

impl Room {
    pub fn new(character: &Character, options: &MuscleOptions) -> Result<Self> {
        let body = WeldedSurface::new(character, &left_out(character, options));
        let skin = Arc::new(distance(&body, SKIN_CELLS)?);
        Ok(Self { body: Arc::new(body), skin, bones: bones(character, &options.bones)? })
    }
}

/// The meshes that muscles do not move: named ones, bones, and rigid ones.
fn left_out(character: &Character, options: &MuscleOptions) -> Vec<String> {
    let rigid = character.parts.iter().filter(|part| !part.skinned).map(|part| part.mesh.name.clone());
    options.leave_out.iter().chain(&options.bones).cloned().chain(rigid).collect()
}

/// The meshes of these names as bones, each of the joint with most of its points. Unknown names are ignored.
fn bones(character: &Character, names: &[String]) -> Result<Vec<Bone>> {
    let is_there = |name: &&String| character.parts.iter().any(|part| part.mesh.name == **name);
    let bone = |name: &String| {
        let others: Vec<String> = character.parts.iter().map(|part| part.mesh.name.clone()).collect();
        let others: Vec<String> = others.into_iter().filter(|other| other != name).collect();
        let mesh = WeldedSurface::new(character, &others);
        let mut counts = BTreeMap::new();
        let joints = (0..mesh.len()).filter_map(|point| mesh.influences.row(point as u32).first());
        joints.for_each(|(joint, _)| *counts.entry(*joint as usize).or_insert(0) += 1);
        let most = counts.into_iter().max_by_key(|&(joint, count)| (count, std::cmp::Reverse(joint)));
        most.map(|(joint, _)| Ok(Bone { joint, shape: BoneShape::Field(Arc::new(distance(&mesh, BONE_CELLS)?)) }))
    };
    names.iter().filter(is_there).filter_map(bone).collect()
}

/// How far places are outside a mesh at rest.
fn distance(mesh: &WeldedSurface, cells: f64) -> Result<MeshDistance> {
    let positions: Vec<Vec3> = mesh.rest.iter().map(|place| place.as_vec3()).collect();
    let size = Box3::around(mesh.rest.iter().copied()).size().length();
    Ok(MeshDistance::new(&positions, &mesh.faces, size / cells, 2.0 * size / cells)?)
}
