//! The static part of a surface: triangles, edges, materials, texture coordinates.

use crate::protocol::{Answer, MaterialGroup, PartRange, Payload, Reply, Topology};
use sinew::rig::Character;
use sinew_io::world_faces;

/// A message that describes the surfaces of a rig's character.
pub fn describe(number: u32, character: &Character) -> Reply {
    let (mut indices, mut edges): (Vec<u32>, Vec<[u32; 2]>) = (Vec::new(), Vec::new());
    let (mut groups, mut parts): (Vec<MaterialGroup>, Vec<PartRange>) = (Vec::new(), Vec::new());
    let mut texture: Vec<f32> = Vec::with_capacity(2 * character.vertex_count());
    let mut has_texture = false;
    for ((part, faces), vertices) in character.parts.iter().zip(world_faces(character)).zip(character.vertex_ranges()) {
        let first = vertices.start as u32;
        parts.push(PartRange { first, count: vertices.len() });
        for primitive in &part.mesh.primitives {
            let start = indices.len();
            for face in &faces[primitive.faces.clone()] {
                indices.extend(face.triangles().flatten().map(|corner| first + corner));
                let edge = |(a, b): (u32, u32)| [first + a.min(b), first + a.max(b)];
                edges.extend(face.edges().map(edge));
            }
            let material = primitive.material.map_or(-1, |material| material as i64);
            groups.push(MaterialGroup { material, start, count: indices.len() - start });
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
    let mut payload = Payload::default();
    let topology = Topology {
        topology: number,
        vertices: character.vertex_count(),
        indices: payload.push(&indices),
        edges: payload.push(edges.as_flattened()),
        groups,
        uv: has_texture.then(|| payload.push(&texture)),
        parts,
    };
    Reply::new(Answer::Topology(topology), payload)
}
