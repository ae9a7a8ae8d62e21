//! Control points, faces and blend shapes.

use super::convert::{vector, vector_f32};
use crate::Problem;
use crate::corners::{self, Split};
use glam::Vec3;
use sinew::geometry::{Attribute, Face, Mesh, MorphTarget};
use std::collections::HashMap;

/// A mesh of the control points, split where texture coordinates, colours or materials differ at one. Triangles and
/// quads stay, larger faces are triangulated, points and lines are left out.
pub(super) fn read(
    name: &str,
    node: &ufbx::Node,
    fbx: &ufbx::Mesh,
    material_indices: &HashMap<u32, usize>,
    warnings: &mut Vec<String>,
) -> Result<Mesh, Problem> {
    let positions: Vec<Vec3> = fbx.vertices.iter().map(vector_f32).collect();
    let vertices = positions.len();
    if let Some(bad) = fbx.vertex_indices.iter().find(|&&v| v as usize >= vertices) {
        let why = format!("a face names vertex {bad}, but the mesh has {vertices} vertices");
        return Err(Problem::malformed(format!("mesh \"{name}\""), why));
    }
    let (faces, face_materials) = read_faces(name, node, fbx, material_indices, warnings);
    let uv = fbx.uv_sets.first().map(|set| &set.vertex_uv);
    let texture = |corner: u32| {
        // FBX counts v from below, glTF from above.
        let uv = uv?;
        uv.values.get(*uv.indices.get(corner as usize)? as usize).map(|v| [v.x as f32, 1.0 - v.y as f32])
    };
    let colors = fbx.color_sets.first().map(|set| &set.vertex_color);
    let color = |corner: u32| {
        let colors = colors?;
        let color = colors.values.get(*colors.indices.get(corner as usize)? as usize);
        color.map(|c| [c.x, c.y, c.z, c.w].map(|channel| channel as f32))
    };
    let value = |corner| (texture(corner).map(|uv| uv.map(f32::to_bits)), color(corner).map(|c| c.map(f32::to_bits)));
    let vertex = |corner: u32| fbx.vertex_indices[corner as usize];
    let split = Split::new(vertices, &faces, &face_materials, vertex, value);

    let mut mesh = Mesh {
        name: name.into(),
        positions: split.gather(&positions),
        file_vertices: split.remembered(),
        ..Mesh::default()
    };
    let normals = &fbx.vertex_normal;
    if normals.exists && vertices > 0 {
        let values = normals.indices.iter().map(|&i| normals.values.get(i as usize).map_or(Vec3::ZERO, vector_f32));
        let corners = fbx.vertex_indices.iter().map(|&v| v as usize).zip(values);
        mesh.normals = split.gather(&corners::mean_normals(vertices, corners));
    }
    if uv.is_some() {
        let values = split.attribute(texture, [0.0; 2]);
        mesh.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values });
    }
    if colors.is_some() {
        let values = split.attribute(color, [1.0; 4]);
        mesh.attributes.push(Attribute { name: "COLOR_0".into(), width: 4, values });
    }
    Ok(Mesh { faces: split.faces, primitives: split.primitives, ..mesh })
}

/// The faces by their corners, with the material of each.
fn read_faces(
    name: &str,
    node: &ufbx::Node,
    fbx: &ufbx::Mesh,
    material_indices: &HashMap<u32, usize>,
    warnings: &mut Vec<String>,
) -> (Vec<Face>, Vec<Option<usize>>) {
    // An instance may have materials of its own; most have the mesh's.
    let materials = if node.materials.is_empty() { &fbx.materials } else { &node.materials };
    let slots: Vec<Option<usize>> =
        materials.iter().map(|m| material_indices.get(&m.element.typed_id).copied()).collect();
    let mut faces = Vec::with_capacity(fbx.faces.len());
    let mut face_materials = Vec::with_capacity(fbx.faces.len());
    let mut triangles = vec![0; fbx.max_face_triangles * 3];
    let (mut dropped, mut cut) = (0, 0);
    for (index, face) in fbx.faces.iter().enumerate() {
        let first = face.index_begin;
        match face.num_indices {
            3 => faces.push(Face::triangle(first, first + 1, first + 2)),
            4 => faces.push(Face::quad(first, first + 1, first + 2, first + 3)),
            5.. => {
                cut += 1;
                let count = fbx.triangulate_face(&mut triangles, *face) as usize;
                faces.extend(triangles[..3 * count].chunks_exact(3).map(|t| Face::triangle(t[0], t[1], t[2])));
            }
            _ => dropped += 1,
        }
        let slot = fbx.face_material.get(index).copied().unwrap_or(0);
        face_materials.resize(faces.len(), slots.get(slot as usize).copied().flatten());
    }
    if dropped > 0 {
        warnings.push(format!("mesh \"{name}\": {dropped} points and lines are no surface and were left out"));
    }
    if cut > 0 {
        warnings.push(format!("mesh \"{name}\": {cut} faces of more than four corners were cut into triangles"));
    }
    (faces, face_materials)
}

/// A blend-shape channel that drives a morph target.
pub(super) struct Channel<'a> {
    pub channel: &'a ufbx::BlendChannel,
    /// The channel's value at which the shape is whole; 1 but for odd files.
    full: f64,
}

impl Channel<'_> {
    /// The morph target's weight for a value of the channel.
    pub fn weight(&self, value: f64) -> f32 {
        (value / self.full) as f32
    }
}

/// Adds the mesh's blend shapes as morph targets: of each channel the last shape.
pub(super) fn read_morphs<'a>(fbx: &'a ufbx::Mesh, mesh: &mut Mesh, warnings: &mut Vec<String>) -> Vec<Channel<'a>> {
    let mut channels = Vec::new();
    for channel in fbx.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter()) {
        let Some(last) = channel.keyframes.last() else { continue };
        let mut offsets = vec![Vec3::ZERO; fbx.num_vertices];
        for (&vertex, offset) in last.shape.offset_vertices.iter().zip(last.shape.position_offsets.iter()) {
            if let Some(sum) = offsets.get_mut(vertex as usize) {
                *sum += vector(offset).as_vec3();
            }
        }
        let positions = (0..mesh.positions.len()).map(|vertex| offsets[mesh.file_vertex(vertex)]).collect();
        if channel.keyframes.len() > 1 {
            warnings.push(format!(
                "mesh \"{}\": blend shape \"{}\" has {} in-between shapes, which were left out",
                mesh.name,
                &*channel.element.name,
                channel.keyframes.len() - 1
            ));
        }
        mesh.morphs.push(MorphTarget { name: channel.element.name.to_string(), positions, ..MorphTarget::default() });
        let full = Some(last.target_weight).filter(|w| w.is_normal()).unwrap_or(1.0);
        channels.push(Channel { channel, full });
    }
    channels
}
