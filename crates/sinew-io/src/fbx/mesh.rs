//! Control points, faces and blend shapes.

use super::convert::{vector, vector_f32};
use crate::{Problem, materials, per_vertex};
use glam::Vec3;
use sinew::geometry::{Attribute, Face, Mesh, MorphTarget};
use std::collections::HashMap;

/// A mesh with the control points as vertices. Triangles and quads stay, larger faces are
/// triangulated, points and lines are left out.
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
    let (mut faces, face_materials) = read_faces(name, node, fbx, material_indices, warnings);
    let (primitives, warning) = materials::primitives(name, vertices, &mut faces, &face_materials);
    warnings.extend(warning);

    let mut mesh = Mesh { name: name.into(), positions, faces, primitives, ..Mesh::default() };
    let corner_vertices = || fbx.vertex_indices.iter().map(|&v| v as usize);
    let normals = &fbx.vertex_normal;
    if normals.exists && vertices > 0 {
        let values = normals.indices.iter().map(|&i| normals.values.get(i as usize).map_or(Vec3::ZERO, vector_f32));
        mesh.normals = per_vertex::mean_normals(vertices, corner_vertices().zip(values));
    }
    if let Some(uv) = fbx.uv_sets.first().map(|set| &set.vertex_uv) {
        // FBX counts v from below, glTF from above.
        let values =
            uv.indices.iter().map(|&i| uv.values.get(i as usize).map_or([0.0; 2], |v| [v.x as f32, 1.0 - v.y as f32]));
        let (values, split) = per_vertex::first(vertices, corner_vertices().zip(values));
        mesh.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values });
        warnings.extend(per_vertex::split_warning(name, "texture coordinates", split));
    }
    if let Some(color) = fbx.color_sets.first().map(|set| &set.vertex_color) {
        let values = color.indices.iter().map(|&i| {
            color.values.get(i as usize).map_or([1.0; 4], |c| [c.x, c.y, c.z, c.w].map(|channel| channel as f32))
        });
        let (values, split) = per_vertex::first(vertices, corner_vertices().zip(values));
        mesh.attributes.push(Attribute { name: "COLOR_0".into(), width: 4, values });
        warnings.extend(per_vertex::split_warning(name, "colours", split));
    }
    Ok(mesh)
}

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
        let corners = face.index_begin as usize..face.index_begin as usize + face.num_indices as usize;
        match fbx.vertex_indices.as_ref()[corners] {
            [a, b, c] => faces.push(Face::triangle(a, b, c)),
            [a, b, c, d] => faces.push(Face::quad(a, b, c, d)),
            [_, _, _, _, _, ..] => {
                cut += 1;
                let count = fbx.triangulate_face(&mut triangles, *face) as usize;
                faces.extend(triangles[..3 * count].chunks_exact(3).map(|triangle| {
                    let [a, b, c] = [0, 1, 2].map(|k| fbx.vertex_indices[triangle[k] as usize]);
                    Face::triangle(a, b, c)
                }));
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
        let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
        for (&vertex, offset) in last.shape.offset_vertices.iter().zip(last.shape.position_offsets.iter()) {
            if let Some(position) = positions.get_mut(vertex as usize) {
                *position += vector(offset).as_vec3();
            }
        }
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
