//! Nodes become a skeleton, at rest as the skins were bound: the pose that the nodes stand in often
//! differs from that.

use super::container::Source;
use super::schema;
use crate::Problem;
use crate::bind_pose::{BoundSkin, left_warning, nearly_equal, rest_from_inverse_binds};
use glam::{DAffine3, DMat4, DQuat, DVec3};
use sinew::rig::{Joint, JointKind, Pose, Skeleton, Transform, is_tip_name};

/// A skin over the skeleton's joints.
pub(super) struct Skin {
    pub joints: Vec<usize>,
    pub inverse_bind: Vec<DAffine3>,
}

/// The skeleton with what else is needed to place things on it.
pub(super) struct Nodes {
    pub skeleton: Skeleton,
    /// The transforms that the nodes have in the file.
    pub base: Pose,
    /// Index in the skeleton of each node of the file.
    pub order: Vec<usize>,
    pub skins: Vec<Skin>,
}

/// Reads the nodes of all scenes and the skins.
pub(super) fn read(source: &Source<'_>, warnings: &mut Vec<String>) -> Result<Nodes, Problem> {
    let document = &source.document;
    let mut joints = Vec::with_capacity(document.nodes.len());
    for (index, node) in document.nodes.iter().enumerate() {
        let name = node_name(node, index);
        let rest = local_transform(node, &name, warnings);
        joints.push(Joint { name, rest, kind: JointKind::Node, ..Joint::default() });
    }
    set_parents(document, &mut joints)?;
    let (skeleton, order) = Skeleton::new(joints)?;
    let mut joints = skeleton.joints().to_vec();
    let base = skeleton.rest_pose();
    let skins =
        (0..document.skins.len()).map(|index| read_skin(source, index, &order)).collect::<Result<Vec<_>, _>>()?;

    for &joint in skins.iter().flat_map(|s| &s.joints) {
        joints[joint].kind = JointKind::Joint;
    }
    if document.skins.is_empty() && document.meshes.is_empty() {
        mark_motion(&mut joints);
    }
    set_rest(&mut joints, &skins, warnings);
    set_tips(&mut joints, &base);
    let (skeleton, _) = Skeleton::new(joints)?;
    Ok(Nodes { skeleton, base, order, skins })
}

/// The name of a node, or its number.
fn node_name(node: &schema::Node, index: usize) -> String {
    node.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("node {index}"))
}

fn local_transform(node: &schema::Node, name: &str, warnings: &mut Vec<String>) -> Transform {
    if let Some(matrix) = node.matrix {
        let matrix = DAffine3::from_mat4(DMat4::from_cols_array(&matrix));
        let transform = Transform::from_matrix(&matrix);
        if !nearly_equal(&transform.matrix(), &matrix, 1e-4) {
            warnings.push(format!("node \"{name}\" has a matrix with shear, which was left out"));
        }
        return transform;
    }
    let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    let length = rotation.length_squared();
    let rotation = if (length - 1.0).abs() <= 4.0 * f64::EPSILON {
        rotation
    } else if length > 0.0 && length.is_finite() {
        rotation.normalize()
    } else {
        warnings.push(format!("node \"{name}\" has a rotation of no length, which was left out"));
        DQuat::IDENTITY
    };
    Transform {
        translation: node.translation.unwrap_or([0.0; 3]).into(),
        rotation,
        scale: node.scale.unwrap_or([1.0; 3]).into(),
    }
}

fn set_parents(document: &schema::Document, joints: &mut [Joint]) -> Result<(), Problem> {
    let count = joints.len();
    for (parent, node) in document.nodes.iter().enumerate() {
        for &child in &node.children {
            let place = || format!("node {parent} \"{}\"", node.name.as_deref().unwrap_or_default());
            let Some(joint) = joints.get_mut(child) else {
                return Err(Problem::malformed(place(), format!("its child {child} is not among the {count} nodes")));
            };
            if let Some(other) = joint.parent.replace(parent) {
                let why =
                    format!("its child \"{}\" is also a child of node {other}; nodes must form trees", joint.name);
                return Err(Problem::malformed(place(), why));
            }
        }
    }
    Ok(())
}

fn read_skin(source: &Source<'_>, index: usize, order: &[usize]) -> Result<Skin, Problem> {
    let file = &source.document.skins[index];
    let place = format!("skin {index}");
    let count = file.joints.len();
    if count == 0 {
        return Err(Problem::malformed(place, "it has no joints"));
    }
    let joint = |&node: &usize| {
        let joint = order.get(node).copied();
        joint.ok_or_else(|| {
            Problem::malformed(&place, format!("its joint {node} is not among the {} nodes", order.len()))
        })
    };
    let joints = file.joints.iter().map(joint).collect::<Result<Vec<_>, _>>()?;
    let inverse_bind = match file.inverse_bind_matrices {
        None => vec![DAffine3::IDENTITY; count],
        Some(accessor) => {
            let array = source.array_of::<f32>(accessor, &place, &[16], None)?;
            if array.len() < count {
                let why = format!("it has {} inverse bind matrices for {count} joints", array.len());
                return Err(Problem::malformed(place, why));
            }
            let matrices = array.values.as_chunks::<16>().0.iter().take(count);
            matrices.map(|m| DAffine3::from_mat4(DMat4::from_cols_array(&m.map(f64::from)))).collect()
        }
    };
    match inverse_bind.iter().position(|m| !m.is_finite()) {
        Some(bad) => Err(Problem::malformed(place, format!("inverse bind matrix {bad} is not finite"))),
        None => Ok(Skin { joints, inverse_bind }),
    }
}

/// A file with neither skins nor meshes is a motion: its nodes are the joints.
fn mark_motion(joints: &mut [Joint]) {
    let mut leaf = vec![true; joints.len()];
    joints.iter().filter_map(|j| j.parent).for_each(|p| leaf[p] = false);
    for (joint, leaf) in joints.iter_mut().zip(leaf) {
        let marks_end = leaf && joint.parent.is_some() && is_tip_name(&joint.name);
        joint.kind = if marks_end { JointKind::Node } else { JointKind::Joint };
    }
}

/// Puts the joints where the skins were bound.
fn set_rest(joints: &mut [Joint], skins: &[Skin], warnings: &mut Vec<String>) {
    let skins: Vec<BoundSkin<'_>> = skins
        .iter()
        .map(|skin| BoundSkin { joints: &skin.joints, inverse_bind: &skin.inverse_bind, mesh_world: None })
        .collect();
    let left = rest_from_inverse_binds(joints, &skins);
    warnings.extend(left_warning(joints, &left));
}

fn set_tips(joints: &mut [Joint], base: &Pose) {
    let mut has_joint_child = vec![false; joints.len()];
    let mut tips: Vec<Option<DVec3>> = vec![None; joints.len()];
    for (joint, local) in joints.iter().zip(&base.joints) {
        let Some(parent) = joint.parent else { continue };
        match joint.kind {
            JointKind::Joint => has_joint_child[parent] = true,
            JointKind::Node if is_tip_name(&joint.name) => tips[parent] = tips[parent].or(Some(local.translation)),
            JointKind::Node => {}
        }
    }
    for (joint, (tip, has_child)) in joints.iter_mut().zip(tips.into_iter().zip(has_joint_child)) {
        if joint.kind == JointKind::Joint && !has_child {
            joint.tip = tip;
        }
    }
}
