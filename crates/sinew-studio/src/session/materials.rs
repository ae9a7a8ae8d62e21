//! Materials: the part of glTF's that the page shows.

use crate::protocol::{AlphaMode, ImageInfo, MaterialInfo, Payload};
use serde_json::Value;
use sinew_io::Appearance;

/// The materials and their images.
pub fn describe(appearance: &Appearance, payload: &mut Payload) -> (Vec<MaterialInfo>, Vec<ImageInfo>) {
    let images = appearance.images.iter();
    let images = images.map(|image| ImageInfo { mime: image.mime_type.clone(), content: payload.push(&image.bytes) });
    let images = images.collect();
    let materials = appearance.materials.iter().map(|material| describe_one(material, appearance)).collect();
    (materials, images)
}

fn describe_one(material: &Value, appearance: &Appearance) -> MaterialInfo {
    let surface = &material["pbrMetallicRoughness"];
    let texture = surface["baseColorTexture"]["index"].as_u64();
    let image = texture.and_then(|index| appearance.textures.get(index as usize)?["source"].as_u64());
    let number = |value: &Value, otherwise: f64| value.as_f64().unwrap_or(otherwise);
    MaterialInfo {
        name: material["name"].as_str().unwrap_or_default().into(),
        color: color(&surface["baseColorFactor"]).unwrap_or([1.0; 4]),
        metallic: number(&surface["metallicFactor"], 1.0),
        roughness: number(&surface["roughnessFactor"], 1.0),
        image: image.filter(|&index| (index as usize) < appearance.images.len()),
        double_sided: material["doubleSided"].as_bool().unwrap_or(false),
        alpha: match material["alphaMode"].as_str() {
            Some("MASK") => AlphaMode::Mask,
            Some("BLEND") => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        },
        cutoff: number(&material["alphaCutoff"], 0.5),
    }
}

fn color(value: &Value) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
