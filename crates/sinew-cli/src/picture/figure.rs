//! The properties of a figure that a picture needs: its axis up, the weights of a joint, the colours of materials.

use crate::failure::Result;
use glam::Vec3;
use sinew::rig::Character;
use sinew_io::{Asset, UpAxis};
use sinew_tasks::find;

/// The axis that a picture has upright.
pub fn up_axis(asset: &Asset) -> sinew_render::UpAxis {
    match asset.up {
        UpAxis::Z => sinew_render::UpAxis::Z,
        UpAxis::X | UpAxis::Y => sinew_render::UpAxis::Y,
    }
}

/// The weight of a joint in every vertex.
pub fn joint_weights(character: &Character, name: &str) -> Result<Vec<f32>> {
    let joint = find::node(character, name)?;
    let mut values = Vec::with_capacity(character.vertex_count());
    for part in &character.parts {
        let is_joint = |index: u32| part.binding.joints[index as usize] == joint;
        let weight = |row: &[sinew::rig::Influence]| row.iter().filter(|i| is_joint(i.joint)).map(|i| i.weight).sum();
        values.extend(part.binding.weights.rows().map(weight).collect::<Vec<f32>>());
    }
    Ok(values)
}

/// The base colour of a material in glTF's terms; clay where a texture would decide.
pub fn material_color(asset: &Asset, material: Option<usize>) -> Vec3 {
    let base = || {
        let surface = asset.appearance.materials.get(material?)?.get("pbrMetallicRoughness")?;
        if surface.get("baseColorTexture").is_some() {
            return None;
        }
        let factor = surface.get("baseColorFactor")?.as_array()?;
        let channel = |k: usize| factor.get(k)?.as_f64().map(|v| v as f32);
        Some(Vec3::new(channel(0)?, channel(1)?, channel(2)?))
    };
    base().unwrap_or(sinew_render::color::CLAY)
}
