//! How a character looks: what of glTF's materials the page shows.

use crate::message::Outgoing;
use serde_json::{Value, json};
use sinew_io::Appearance;

/// The materials and the pictures that they use.
pub fn describe(appearance: &Appearance, message: &mut Outgoing) -> (Vec<Value>, Vec<Value>) {
    let images = appearance.images.iter().map(|image| {
        let mut entry = message.array(&image.bytes);
        entry["mime"] = image.mime_type.clone().into();
        entry
    });
    let images: Vec<Value> = images.collect();
    let materials = appearance.materials.iter().map(|material| describe_one(material, appearance)).collect();
    (materials, images)
}

fn describe_one(material: &Value, appearance: &Appearance) -> Value {
    let surface = &material["pbrMetallicRoughness"];
    let texture = surface["baseColorTexture"]["index"].as_u64();
    let image = texture.and_then(|index| appearance.textures.get(index as usize)?["source"].as_u64());
    let image = image.filter(|&index| (index as usize) < appearance.images.len());
    let color = surface["baseColorFactor"].as_array().filter(|color| color.len() == 4);
    let number = |value: &Value, otherwise: f64| value.as_f64().unwrap_or(otherwise);
    json!({
        "name": material["name"].as_str().unwrap_or_default(),
        "color": color.map_or_else(|| json!([1, 1, 1, 1]), |color| json!(color)),
        "metallic": number(&surface["metallicFactor"], 1.0),
        "roughness": number(&surface["roughnessFactor"], 1.0),
        "image": image,
        "double_sided": material["doubleSided"].as_bool().unwrap_or(false),
        "alpha": material["alphaMode"].as_str().unwrap_or("OPAQUE").to_lowercase(),
        "cutoff": number(&material["alphaCutoff"], 0.5),
    })
}
