//! A character becomes a glTF file: its nodes in the base pose, its meshes with skins, its clips.
//!
//! Readers find the rest pose in the inverse bind matrices, so these are written as they are.

use super::output::{Output, Usage, unit_node};
use super::{write_clip, write_mesh};
use crate::{Asset, Problem};
use glam::{DAffine3, DMat4, DQuat, DVec3};
use serde_json::{Value, json};
use sinew::rig::{Binding, Character, JointKind, Part, Transform, is_tip_name};

/// A character or a motion as a binary file.
pub fn write(asset: &Asset) -> Result<Vec<u8>, Problem> {
    document(asset)?.into_glb(0)
}

/// A character or a motion as a JSON file with its buffer inside.
pub fn write_embedded(asset: &Asset) -> Result<Vec<u8>, Problem> {
    Ok(document(asset)?.into_embedded())
}

fn document(asset: &Asset) -> Result<Output, Problem> {
    let character = &asset.character;
    character.check()?;
    let mut output = Output::new(&asset.appearance);
    let places = Places::new(asset);
    add_nodes(&mut output, asset, &places);
    let mut mesh_nodes = Vec::with_capacity(character.parts.len());
    let morph_ranges = character.morph_ranges();
    for ((part, &node), morphs) in character.parts.iter().zip(&places.parts).zip(morph_ranges) {
        let skinned = !follows_node(part);
        let mesh = write_mesh::mesh(&mut output, &part.mesh, skinned.then_some(&part.binding))?;
        mesh_nodes.push(mesh.map(|_| node));
        let Some(mesh) = mesh else { continue };
        output.nodes[node]["mesh"] = mesh.into();
        if skinned {
            output.nodes[node]["skin"] = add_skin(&mut output, &part.binding, &places.joints).into();
        }
        let weights = &character.base_pose.morphs[morphs];
        if weights.iter().any(|&w| w != 0.0) {
            output.nodes[node]["weights"] = json!(weights);
        }
    }
    for clip in &character.clips {
        write_clip::add(&mut output, character, clip, &places.joints, &mesh_nodes);
    }
    Ok(output)
}

/// Whether a part needs no skin, since it does nothing but follow its own node.
fn follows_node(part: &Part) -> bool {
    !part.skinned && part.binding.joints == [part.node] && part.binding.inverse_bind == [DAffine3::IDENTITY]
}

/// Which node each thing becomes.
struct Places {
    /// The extra root, if there is one.
    root: Option<Value>,
    /// For each joint of the skeleton.
    joints: Vec<usize>,
    /// For each part's mesh.
    parts: Vec<usize>,
    /// Whether the parts have nodes of their own below the skeleton's.
    own_part_nodes: bool,
}

impl Places {
    fn new(asset: &Asset) -> Self {
        let character = &asset.character;
        let root = unit_node(asset).or_else(|| {
            let root_of = roots(character);
            let scattered = character.parts.iter().any(|part| !has_common_root(&part.binding, &root_of));
            scattered.then(|| json!({ "name": "root" }))
        });
        let first = usize::from(root.is_some());
        let mut joints: Vec<usize> = (first..first + character.skeleton.len()).collect();

        // The order of mesh nodes is the order of vertices for everyone who reads the file. Where the
        // skeleton has its mesh nodes in another order than the parts, they change places.
        let mut slots: Vec<usize> = character.parts.iter().map(|p| p.node).collect();
        slots.sort_unstable();
        let own_part_nodes = slots.windows(2).any(|w| w[0] == w[1]);
        let parts = if own_part_nodes {
            let end = first + character.skeleton.len();
            (end..end + character.parts.len()).collect()
        } else {
            for (part, slot) in character.parts.iter().zip(&slots) {
                joints[part.node] = first + slot;
            }
            character.parts.iter().map(|p| joints[p.node]).collect()
        };
        Self { root, joints, parts, own_part_nodes }
    }
}

/// Whether the joints of a binding are in one tree, as glTF wants them.
fn has_common_root(binding: &Binding, root_of: &[usize]) -> bool {
    binding.joints.windows(2).all(|pair| root_of[pair[0]] == root_of[pair[1]])
}

/// The root above each joint.
fn roots(character: &Character) -> Vec<usize> {
    let mut root_of = Vec::with_capacity(character.skeleton.len());
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        root_of.push(joint.parent.map_or(index, |parent| root_of[parent]));
    }
    root_of
}

/// Roots that do nothing but carry a skinned mesh. What is above a skinned mesh does not move it, so
/// these stay roots.
fn mesh_only_roots(character: &Character) -> Vec<bool> {
    let joints = character.skeleton.joints();
    let mut found = vec![false; joints.len()];
    for part in character.parts.iter().filter(|p| !follows_node(p)) {
        found[part.node] = joints[part.node].parent.is_none();
    }
    joints.iter().filter_map(|j| j.parent).for_each(|parent| found[parent] = false);
    character.parts.iter().flat_map(|p| &p.binding.joints).for_each(|&joint| found[joint] = false);
    found
}

fn add_nodes(output: &mut Output, asset: &Asset, places: &Places) {
    let character = &asset.character;
    let joints = character.skeleton.joints();
    let count = joints.len() + usize::from(places.root.is_some());
    let mut nodes = vec![Value::Null; count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_tip_node = vec![false; joints.len()];
    let (mut roots, mut free_roots) = (Vec::new(), Vec::new());
    let mesh_only = mesh_only_roots(character);
    for (index, joint) in joints.iter().enumerate() {
        let node = places.joints[index];
        nodes[node] = node_value(&joint.name, &character.base_pose.joints[index]);
        match joint.parent {
            Some(parent) => {
                children[places.joints[parent]].push(node);
                has_tip_node[parent] |= joint.kind == JointKind::Node && is_tip_name(&joint.name);
            }
            None if mesh_only[index] => free_roots.push(node),
            None => roots.push(node),
        }
    }
    if places.own_part_nodes {
        for (part, &node) in character.parts.iter().zip(&places.parts) {
            let siblings = if follows_node(part) { &mut children[places.joints[part.node]] } else { &mut free_roots };
            siblings.push(node);
            nodes.push(node_value(&part.mesh.name, &Transform::IDENTITY));
        }
    }
    for (index, joint) in joints.iter().enumerate() {
        if let Some(tip) = joint.tip.filter(|_| !has_tip_node[index]) {
            children[places.joints[index]].push(nodes.len());
            nodes.push(node_value(&format!("{}_end", joint.name), &Transform::from_translation(tip)));
        }
    }
    if let Some(root) = &places.root {
        nodes[0] = root.clone();
        children[0] = std::mem::replace(&mut roots, vec![0]);
    }
    for (node, mut children) in nodes.iter_mut().zip(children) {
        if !children.is_empty() {
            children.sort_unstable();
            node["children"] = children.into();
        }
    }
    roots.append(&mut free_roots);
    roots.sort_unstable();
    (output.nodes, output.roots) = (nodes, roots);
}

fn node_value(name: &str, local: &Transform) -> Value {
    let mut node = json!({});
    if !name.is_empty() {
        node["name"] = name.into();
    }
    if local.translation != DVec3::ZERO {
        node["translation"] = json!(local.translation.to_array());
    }
    if local.rotation != DQuat::IDENTITY {
        node["rotation"] = json!(local.rotation.to_array());
    }
    if local.scale != DVec3::ONE {
        node["scale"] = json!(local.scale.to_array());
    }
    node
}

fn add_skin(output: &mut Output, binding: &Binding, places: &[usize]) -> usize {
    let matrices: Vec<f32> =
        binding.inverse_bind.iter().flat_map(|m| DMat4::from(*m).as_mat4().to_cols_array()).collect();
    let matrices = output.floats(&matrices, 16, Usage::Data);
    let joints: Vec<usize> = binding.joints.iter().map(|&j| places[j]).collect();
    output.skins.add(json!({ "joints": joints, "inverseBindMatrices": matrices }))
}
