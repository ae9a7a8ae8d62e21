//! Materials in glTF's terms: name, base colour, and the base colour's picture where it is embedded.

use crate::{Appearance, Image};
use serde_json::json;
use std::collections::HashMap;

/// The scene's materials, and where each went by its `typed_id`.
pub(super) fn read(scene: &ufbx::Scene) -> (Appearance, HashMap<u32, usize>) {
    let mut appearance = Appearance::default();
    let mut indices = HashMap::new();
    let mut textures = HashMap::new();
    for material in scene.materials.iter() {
        indices.insert(material.element.typed_id, appearance.materials.len());
        let base = &material.pbr.base_color;
        let factor = if material.pbr.base_factor.has_value { material.pbr.base_factor.value_vec4.x } else { 1.0 };
        let color = &base.value_vec4;
        let channel = |value: f64| if value.is_finite() { (value * factor).clamp(0.0, 1.0) } else { 1.0 };
        let rgba = if base.has_value { [channel(color.x), channel(color.y), channel(color.z), 1.0] } else { [1.0; 4] };
        let mut shading = json!({ "baseColorFactor": rgba, "metallicFactor": 0.0 });
        let picture = base.texture.as_ref().and_then(|texture| {
            let known = textures.get(&texture.element.typed_id).copied();
            known.or_else(|| add_texture(texture, &mut appearance)).inspect(|&index| {
                textures.insert(texture.element.typed_id, index);
            })
        });
        if let Some(index) = picture {
            shading["baseColorTexture"] = json!({ "index": index });
        }
        appearance.materials.push(json!({ "name": &*material.element.name, "pbrMetallicRoughness": shading }));
    }
    (appearance, indices)
}

/// Adds an embedded PNG or JPEG; other pictures are left out, as glTF has no place for them.
fn add_texture(texture: &ufbx::Texture, appearance: &mut Appearance) -> Option<usize> {
    let bytes: &[u8] = &texture.content;
    let mime_type = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        _ => return None,
    };
    let image = Image { name: texture.element.name.to_string(), mime_type: mime_type.into(), bytes: bytes.into() };
    appearance.textures.push(json!({ "source": appearance.images.len() }));
    appearance.images.push(image);
    Some(appearance.textures.len() - 1)
}
