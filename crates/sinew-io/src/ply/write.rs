//! Writing PLY: binary, little endian, all parts as one surface.

use crate::rest::rest_surface;
use crate::shape::{colors, texture_coordinates};
use crate::{Asset, Problem, world_faces};
use sinew::Surface;

/// The character at rest, in world space.
pub fn write(asset: &Asset) -> Result<Vec<u8>, Problem> {
    Ok(write_surface(asset, &rest_surface(&asset.character)?))
}

/// A deformed surface of the character, with at least the character's vertices; those beyond are not
/// written. Texture coordinates and colours are written if every part has them.
pub fn write_surface(asset: &Asset, surface: &Surface) -> Vec<u8> {
    let parts = &asset.character.parts;
    let vertices = asset.character.vertex_count();
    let faces: usize = parts.iter().map(|part| part.mesh.faces.len()).sum();
    let textured = !parts.is_empty() && parts.iter().all(|part| texture_coordinates(&part.mesh).is_some());
    let colored = !parts.is_empty() && parts.iter().all(|part| colors(&part.mesh).is_some());

    let mut header = format!("ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n");
    let mut properties = |scalar: &str, names: &[&str]| {
        names.iter().for_each(|name| header.push_str(&format!("property {scalar} {name}\n")));
    };
    properties("float", &["x", "y", "z", "nx", "ny", "nz"]);
    if textured {
        properties("float", &["s", "t"]);
    }
    if colored {
        properties("uchar", &["red", "green", "blue", "alpha"]);
    }
    header.push_str(&format!("element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"));

    let mut out = header.into_bytes();
    for (part, range) in parts.iter().zip(asset.character.vertex_ranges()) {
        for (index, vertex) in range.enumerate() {
            let (position, normal) = (surface.positions[vertex], surface.normals[vertex]);
            for number in position.to_array().into_iter().chain(normal.to_array()) {
                out.extend(number.to_le_bytes());
            }
            if let Some(uv) = texture_coordinates(&part.mesh).filter(|_| textured) {
                out.extend(uv.values[2 * index].to_le_bytes());
                out.extend((1.0 - uv.values[2 * index + 1]).to_le_bytes());
            }
            if let Some(color) = colors(&part.mesh).filter(|_| colored) {
                let channels = &color.values[color.width * index..][..color.width];
                let byte = |k: usize| (channels.get(k).unwrap_or(&1.0).clamp(0.0, 1.0) * 255.0).round() as u8;
                out.extend([0, 1, 2, 3].map(byte));
            }
        }
    }
    for (faces, range) in world_faces(&asset.character).iter().zip(asset.character.vertex_ranges()) {
        for face in faces.iter() {
            out.push(face.corners().len() as u8);
            face.corners().iter().for_each(|&corner| out.extend((range.start as u32 + corner).to_le_bytes()));
        }
    }
    out
}
