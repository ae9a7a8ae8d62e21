//! A plain skinning loop to look at characters with.

use glam::{DAffine3, Vec3};
use sinew::Surface;
use sinew::rig::{Character, Part, Pose};
use sinew_io::Asset;
use std::path::Path;

/// `p' = Σ wⱼ Mⱼ Aⱼ p̄` for one part, in f64.
pub fn skin_part(part: &Part, world: &[DAffine3]) -> Vec<(glam::DVec3, glam::DVec3)> {
    let binding = &part.binding;
    let matrices: Vec<DAffine3> =
        binding.joints.iter().zip(&binding.inverse_bind).map(|(&j, a)| world[j] * *a).collect();
    let mesh = &part.mesh;
    let blend = |v: usize| {
        let (mut position, mut normal) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
        for influence in binding.weights.row(v) {
            let matrix = matrices[influence.joint as usize];
            position += f64::from(influence.weight) * matrix.transform_point3(mesh.positions[v].as_dvec3());
            normal += f64::from(influence.weight) * matrix.transform_vector3(mesh.normals[v].as_dvec3());
        }
        (position, normal.normalize_or(glam::DVec3::Y))
    };
    (0..mesh.positions.len()).map(blend).collect()
}

/// World transforms of a pose.
pub fn world(character: &Character, pose: &Pose) -> Vec<DAffine3> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    world
}

/// The whole surface in a pose, without morph targets.
pub fn surface(character: &Character, pose: &Pose) -> Surface {
    let world = world(character, pose);
    let vertices = character.parts.iter().flat_map(|part| skin_part(part, &world));
    let (positions, normals): (Vec<Vec3>, Vec<Vec3>) = vertices.map(|(p, n)| (p.as_vec3(), n.as_vec3())).unzip();
    Surface { positions, normals, tangents: Vec::new() }
}

/// Writes the first `frames` frames of a character's first clip, or as many rest poses.
pub fn bake(asset: &Asset, path: &Path, frames: usize) -> Vec<Surface> {
    let character = &asset.character;
    let fps = 10.0;
    let start = character.clips.first().map_or(0.0, |c| c.range().0);
    let mut writer = sinew_io::bake::bake(path, asset, start, fps, frames).unwrap();
    let mut pose = character.rest_pose();
    let mut surfaces = Vec::new();
    for k in 0..frames {
        if let Some(clip) = character.clips.first() {
            clip.sample(start + k as f64 / fps, &character.base_pose, &mut pose);
        }
        surfaces.push(surface(character, &pose));
        writer.frame(&surfaces[k]).unwrap();
    }
    writer.finish().unwrap();
    surfaces
}
