//! Meshes as glTF primitives: triangles, attributes, weights in sets of four, morph targets.

use super::DUAL_QUATERNION_SHARE;
use super::output::{Output, Usage};
use crate::Problem;
use glam::{Vec3, Vec4};
use serde_json::{Map, Value, json};
use sinew::geometry::{Attribute, Face, Mesh, Primitive};
use sinew::rig::{Binding, Influence, Weights};
use std::ops::Range;

/// The vertices that a primitive is written with: its own, then those beyond that its faces reach.
pub(super) struct VertexList {
    own: Range<usize>,
    /// In increasing order.
    beyond: Vec<usize>,
}

impl VertexList {
    pub fn new(mesh: &Mesh, primitive: &Primitive) -> Self {
        let own = primitive.vertices.clone();
        let corners = mesh.faces[primitive.faces.clone()].iter().flat_map(Face::corners);
        let mut beyond: Vec<usize> = corners.map(|&v| v as usize).filter(|v| !own.contains(v)).collect();
        beyond.sort_unstable();
        beyond.dedup();
        Self { own, beyond }
    }

    pub fn len(&self) -> usize {
        self.own.len() + self.beyond.len()
    }

    /// The vertices in the mesh.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.own.clone().chain(self.beyond.iter().copied())
    }

    /// What a list with `width` entries for each vertex of the mesh has for these.
    pub fn pick<T: Copy>(&self, list: &[T], width: usize) -> Vec<T> {
        let mut picked = Vec::with_capacity(width * self.len());
        picked.extend_from_slice(&list[self.own.start * width..self.own.end * width]);
        self.beyond.iter().for_each(|&v| picked.extend_from_slice(&list[v * width..(v + 1) * width]));
        picked
    }

    /// Where a vertex of the mesh stands among these.
    fn place(&self, vertex: usize) -> usize {
        if self.own.contains(&vertex) {
            return vertex - self.own.start;
        }
        self.own.len() + self.beyond.partition_point(|&v| v < vertex)
    }
}

/// Stores a primitive's surface. `positions` and `normals` belong to its `vertices`.
pub(super) fn surface(
    output: &mut Output,
    mesh: &Mesh,
    primitive: &Primitive,
    vertices: &VertexList,
    positions: &[Vec3],
    normals: &[Vec3],
) -> Value {
    let mut attributes = Map::new();
    let positions = output.floats_with_bounds(bytemuck::cast_slice(positions), 3, Usage::Attribute);
    attributes.insert("POSITION".into(), positions.into());
    if !normals.is_empty() {
        let normals = output.floats(bytemuck::cast_slice(normals), 3, Usage::Attribute);
        attributes.insert("NORMAL".into(), normals.into());
    }
    for attribute in &mesh.attributes {
        let values = vertices.pick(&attribute.values, attribute.width);
        attributes.insert(semantic(attribute), output.floats(&values, attribute.width, Usage::Attribute).into());
    }
    let corners: Vec<u32> = mesh.faces[primitive.faces.clone()]
        .iter()
        .flat_map(Face::triangles)
        .flatten()
        .map(|corner| vertices.place(corner as usize) as u32)
        .collect();
    let indices = output.integers(&corners, vertices.len().saturating_sub(1) as u32, 2, 1, Usage::Indices);
    let mut value = json!({ "attributes": attributes, "indices": indices });
    if let Some(material) = primitive.material {
        value["material"] = material.into();
    }
    value
}

/// An attribute's name as glTF allows it: its own semantics, or an underscore before any other.
fn semantic(attribute: &Attribute) -> String {
    let name = &attribute.name;
    let known = match attribute.width {
        2 => name.starts_with("TEXCOORD_"),
        3 | 4 => name.starts_with("COLOR_"),
        _ => false,
    };
    if known || name.starts_with('_') { name.clone() } else { format!("_{name}") }
}

/// Stores a whole mesh with its binding, if it is skinned; none if it has no faces.
pub(super) fn mesh(output: &mut Output, mesh: &Mesh, binding: Option<&Binding>) -> Result<Option<usize>, Problem> {
    let mut primitives = Vec::new();
    for primitive in mesh.primitives.iter().filter(|p| !p.faces.is_empty()) {
        let vertices = VertexList::new(mesh, primitive);
        let vectors = |list: &[Vec3]| if list.is_empty() { Vec::new() } else { vertices.pick(list, 1) };
        let (positions, normals) = (vectors(&mesh.positions), vectors(&mesh.normals));
        let mut value = surface(output, mesh, primitive, &vertices, &positions, &normals);
        let tangents = if mesh.tangents.is_empty() { Vec::new() } else { vertices.pick(&mesh.tangents, 1) };
        if tangents.iter().any(|t| *t != Vec4::ZERO) {
            let tangents = output.floats(bytemuck::cast_slice(&tangents), 4, Usage::Attribute);
            value["attributes"]["TANGENT"] = tangents.into();
        }
        if let Some(Binding { weights, dual_quaternion_share, .. }) = binding {
            influences(output, weights, &vertices, &mut value["attributes"])?;
            if let Some(shares) = dual_quaternion_share {
                let shares = output.floats(&vertices.pick(shares, 1), 1, Usage::Attribute);
                value["attributes"][DUAL_QUATERNION_SHARE] = shares.into();
            }
        }
        if !mesh.morphs.is_empty() {
            let has_tangents = value["attributes"].get("TANGENT").is_some();
            value["targets"] = targets(output, mesh, &vertices, has_tangents);
        }
        primitives.push(value);
    }
    if primitives.is_empty() {
        return Ok(None);
    }
    let mut value = json!({ "primitives": primitives });
    if !mesh.name.is_empty() {
        value["name"] = mesh.name.clone().into();
    }
    if mesh.morphs.iter().any(|m| !m.name.is_empty()) {
        let names: Vec<&str> = mesh.morphs.iter().map(|m| m.name.as_str()).collect();
        value["extras"] = json!({ "targetNames": names });
    }
    Ok(Some(output.meshes.add(value)))
}

fn targets(output: &mut Output, mesh: &Mesh, vertices: &VertexList, has_tangents: bool) -> Value {
    let target = |morph: &sinew::geometry::MorphTarget| {
        let mut target = Map::new();
        let positions = vertices.pick(&morph.positions, 1);
        let positions = output.floats_with_bounds(bytemuck::cast_slice(&positions), 3, Usage::Attribute);
        target.insert("POSITION".into(), positions.into());
        let tangents = if has_tangents { &morph.tangents[..] } else { &[] };
        for (name, list) in [("NORMAL", &morph.normals[..]), ("TANGENT", tangents)] {
            if !list.is_empty() {
                let list = vertices.pick(list, 1);
                target.insert(name.into(), output.floats(bytemuck::cast_slice(&list), 3, Usage::Attribute).into());
            }
        }
        Value::from(target)
    };
    mesh.morphs.iter().map(target).collect::<Vec<_>>().into()
}

/// Stores weights in as many sets of four as the richest vertex needs.
fn influences(
    output: &mut Output,
    weights: &Weights,
    vertices: &VertexList,
    attributes: &mut Value,
) -> Result<(), Problem> {
    let rows = || vertices.iter().map(|vertex| weights.row(vertex));
    let sets = rows().map(<[_]>::len).max().unwrap_or(0).div_ceil(4).max(1);
    let largest = rows().flatten().map(|i| i.joint).max().unwrap_or(0);
    if largest >= 0xFFFF {
        return Err(Problem::unsupported(
            format!("a skin of {largest} joints does not fit into glTF"),
            "split the character",
        ));
    }
    for set in 0..sets {
        let (mut joints, mut shares) = (Vec::with_capacity(4 * vertices.len()), Vec::with_capacity(4 * vertices.len()));
        for row in rows() {
            let (largest, correction) = rounding(row);
            for slot in 4 * set..4 * set + 4 {
                joints.push(row.get(slot).map_or(0, |i| i.joint));
                let share = row.get(slot).map_or(0.0, |i| i.weight);
                shares.push(if slot == largest { share + correction } else { share });
            }
        }
        let joints = output.integers(&joints, largest, 1, 4, Usage::Attribute);
        let shares = output.floats(&shares, 4, Usage::Attribute);
        attributes[format!("JOINTS_{set}")] = joints.into();
        attributes[format!("WEIGHTS_{set}")] = shares.into();
    }
    Ok(())
}

/// What the largest of a vertex's weights lacks for a sum of one, and which it is. Validators allow
/// for the rounding of each weight; a sum further from one than that, but near it, is mended.
fn rounding(row: &[Influence]) -> (usize, f32) {
    let lacking = 1.0 - row.iter().map(|i| f64::from(i.weight)).sum::<f64>();
    let largest = (0..row.len()).max_by(|&a, &b| row[a].weight.total_cmp(&row[b].weight)).unwrap_or(0);
    let is_rounding = lacking.abs() <= 1.5e-7 * row.len() as f64;
    (largest, if is_rounding || lacking.abs() > 1e-3 { 0.0 } else { lacking as f32 })
}
