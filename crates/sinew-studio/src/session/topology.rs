//! What of a surface does not move: triangles, edges, materials, texture coordinates.

use crate::message::Outgoing;
use serde_json::{Value, json};
use sinew::rig::Character;
use sinew_io::world_faces;

/// A message that describes the surfaces of a character as the stages see it.
pub fn message(number: u32, character: &Character) -> Vec<u8> {
    let (mut indices, mut edges): (Vec<u32>, Vec<[u32; 2]>) = (Vec::new(), Vec::new());
    let (mut groups, mut parts): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut texture: Vec<f32> = Vec::with_capacity(2 * character.vertex_count());
    let mut has_texture = false;
    for ((part, faces), vertices) in character.parts.iter().zip(world_faces(character)).zip(character.vertex_ranges()) {
        let first = vertices.start as u32;
        parts.push(json!({ "first": first, "count": vertices.len() }));
        for primitive in &part.mesh.primitives {
            let start = indices.len();
            for face in &faces[primitive.faces.clone()] {
                indices.extend(face.triangles().flatten().map(|corner| first + corner));
                let edge = |(a, b): (u32, u32)| [first + a.min(b), first + a.max(b)];
                edges.extend(face.edges().map(edge));
            }
            let material = primitive.material.map_or(-1, |material| material as i64);
            groups.push(json!({ "material": material, "start": start, "count": indices.len() - start }));
        }
        let is_texture = |a: &&sinew::geometry::Attribute| a.name == "TEXCOORD_0" && a.width == 2;
        match part.mesh.attributes.iter().find(is_texture) {
            Some(attribute) => {
                texture.extend_from_slice(&attribute.values);
                has_texture = true;
            }
            None => texture.resize(texture.len() + 2 * vertices.len(), 0.0),
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut message = Outgoing::new("topology");
    let indices = message.array(&indices);
    let edges = message.array(edges.as_flattened());
    let texture = has_texture.then(|| message.array(&texture));
    message
        .with("topology", number)
        .with("vertices", character.vertex_count())
        .with("indices", indices)
        .with("edges", edges)
        .with("groups", groups)
        .with("uv", texture)
        .with("parts", parts)
        .into_bytes()
}
