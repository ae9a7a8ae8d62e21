//! Clusters as a binding, and the pose they were bound in.

use super::convert::matrix;
use super::mesh_node::{MeshPlace, SAME_PLACE};
use super::skeleton::Nodes;
use crate::bind_pose::{BoundSkin, left_warning, nearly_equal, rest_from_inverse_binds};
use crate::{MAX_INFLUENCES, Problem};
use glam::DAffine3;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::Mesh;
use sinew::rig::{Binding, Influence, Joint, Part, Weights};

/// A part with the other data of its skin.
pub(super) struct Bound {
    pub part: Part,
    /// Where the mesh was when it was bound, if that is where it is by default.
    pub mesh_world: Option<DAffine3>,
    /// Where the mesh of a skin was when it was bound, if its clusters agree.
    pub place: Option<MeshPlace>,
    /// The method that the skin was made for.
    pub method: Option<SkinMethod>,
}

/// Hangs a mesh on the skeleton: by its first skin, or rigidly on its node.
pub(super) fn bind(
    node: &ufbx::Node,
    index: usize,
    fbx: &ufbx::Mesh,
    mesh: Mesh,
    nodes: &Nodes<'_>,
    warnings: &mut Vec<String>,
) -> Result<Bound, Problem> {
    let vertices = mesh.positions.len();
    if fbx.skin_deformers.len() > 1 {
        let skins = fbx.skin_deformers.len();
        warnings.push(format!("mesh \"{}\": it has {skins} skins, of which the first is used", mesh.name));
    }
    let Some(skin) = fbx.skin_deformers.first().filter(|skin| !skin.clusters.is_empty()) else {
        let mut binding = Binding::rigid(index, vertices);
        binding.inverse_bind = vec![matrix(&node.geometry_to_node)];
        check_finite(&mesh.name, &binding, nodes)?;
        let part = Part { node: index, skinned: false, mesh, binding };
        return Ok(Bound { part, mesh_world: None, place: None, method: None });
    };
    let mut binding = Binding::default();
    // Where a cluster's joint is in the binding; none for a cluster without a bone.
    let mut slots = Vec::with_capacity(skin.clusters.len());
    for cluster in skin.clusters.iter() {
        let joint = cluster.bone_node.as_ref().and_then(|bone| nodes.index(bone));
        slots.push(joint.map(|joint| {
            binding.joints.push(joint);
            binding.inverse_bind.push(matrix(&cluster.geometry_to_bone));
            binding.joints.len() as u32 - 1
        }));
    }
    let own_node = binding.joints.len() as u32;
    let unweighted = read_weights(skin, &mesh.name, fbx.num_vertices, &slots, own_node, &mut binding.weights)?;
    if unweighted > 0 {
        binding.weights.include_authored_sum(0.0);
        binding.joints.push(index);
        binding.inverse_bind.push(matrix(&node.geometry_to_node));
        warnings.push(format!(
            "mesh \"{}\": {unweighted} vertices have no weight and follow the mesh's own node \"{}\"",
            mesh.name, &*node.element.name
        ));
    }
    let repairs = binding.weights.repair(&mesh.name)?;
    if repairs.negative > 0 {
        warnings
            .push(format!("mesh \"{}\": {} vertices had negative weights, set to zero", mesh.name, repairs.negative));
    }
    if repairs.rescaled > 0 {
        warnings.push(format!(
            "mesh \"{}\": the weights of {} vertices did not sum to one and were rescaled",
            mesh.name, repairs.rescaled
        ));
    }
    binding.weights = binding.weights.copied((0..vertices).map(|vertex| mesh.file_vertex(vertex)));
    if skin.skinning_method == ufbx::SkinningMethod::BlendedDqLinear {
        binding.dual_quaternion_share = Some(read_shares(skin, &mesh, warnings));
    }
    check_finite(&mesh.name, &binding, nodes)?;
    let method = match skin.skinning_method {
        ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid => SkinMethod::Linear,
        ufbx::SkinningMethod::DualQuaternion | ufbx::SkinningMethod::BlendedDqLinear => SkinMethod::DualQuaternion,
    };
    let default_place = matrix(&node.geometry_to_world);
    let bound_at = |cluster: &ufbx::SkinCluster| matrix(&cluster.bind_to_world) * matrix(&cluster.geometry_to_bone);
    let all_at = |place: &DAffine3| skin.clusters.iter().all(|c| nearly_equal(&bound_at(c), place, SAME_PLACE));
    let mesh_world = Some(default_place).filter(all_at);
    let bind = skin.clusters.first().map(|cluster| bound_at(cluster)).filter(all_at);
    let place = bind.map(|bind| MeshPlace { bind, in_node: matrix(&node.geometry_to_node) });
    let part = Part { node: index, skinned: true, mesh, binding };
    Ok(Bound { part, mesh_world, place, method: Some(method) })
}

/// Reads the weights of the file's vertices as they are. Vertices without any follow `own_node`; their number is
/// returned.
fn read_weights(
    skin: &ufbx::SkinDeformer,
    mesh: &str,
    vertices: usize,
    slots: &[Option<u32>],
    own_node: u32,
    weights: &mut Weights,
) -> Result<usize, Problem> {
    *weights = Weights::with_capacity(vertices, skin.weights.len());
    let mut unweighted = 0;
    for vertex in 0..vertices {
        let range = skin.vertices.get(vertex).map_or(0..0, |v| {
            let begin = v.weight_begin as usize;
            begin..begin + v.num_weights as usize
        });
        let row = skin.weights.get(range).unwrap_or_default().iter().filter_map(|weight| {
            let joint = slots.get(weight.cluster_index as usize).copied().flatten()?;
            Some(Influence { joint, weight: weight.weight as f32 })
        });
        let count = row.clone().filter(|influence| influence.weight != 0.0).count();
        if count > MAX_INFLUENCES {
            let why = format!(
                "vertex {vertex} follows {count} joints, more than {MAX_INFLUENCES}; \
                 limit the influences per vertex and export it again"
            );
            return Err(Problem::malformed(format!("mesh \"{mesh}\""), why));
        }
        let weightless = row.clone().all(|influence| influence.weight <= 0.0);
        if weightless {
            unweighted += 1;
            weights.push([Influence { joint: own_node, weight: 1.0 }]);
        } else {
            weights.push(row);
        }
    }
    Ok(unweighted)
}

/// For each vertex the share of dual-quaternion skinning, from 0 to 1.
fn read_shares(skin: &ufbx::SkinDeformer, mesh: &Mesh, warnings: &mut Vec<String>) -> Vec<f32> {
    let mut mended = 0;
    let shares = (0..mesh.positions.len()).map(|vertex| {
        let authored = skin.vertices.get(mesh.file_vertex(vertex)).map_or(0.0, |vertex| vertex.dq_weight);
        let share = if authored.is_nan() { 0.0 } else { authored.clamp(0.0, 1.0) };
        mended += usize::from(share != authored);
        share as f32
    });
    let shares = shares.collect();
    if mended > 0 {
        warnings.push(format!(
            "mesh \"{}\": the shares of dual-quaternion skinning of {mended} vertices were not from 0 to 1 and were clamped",
            mesh.name
        ));
    }
    shares
}

fn check_finite(mesh: &str, binding: &Binding, nodes: &Nodes<'_>) -> Result<(), Problem> {
    let is_finite = |matrix: &DAffine3| matrix.to_cols_array().iter().all(|&x| (x as f32).is_finite());
    let Some(bad) = binding.inverse_bind.iter().position(|matrix| !is_finite(matrix)) else { return Ok(()) };
    let bone = nodes.iter().nth(binding.joints[bad]).map_or("", |node| &*node.element.name);
    let why = format!("its bind matrix to \"{bone}\" is not finite; bind it again, or export it again");
    Err(Problem::malformed(format!("mesh \"{mesh}\""), why))
}

/// Moves the joints to the bind pose. `bound` has the mesh transform at bind time of each skinned part.
pub(super) fn set_rest(
    joints: &mut [Joint],
    parts: &[Part],
    bound: &[(bool, Option<DAffine3>)],
    warnings: &mut Vec<String>,
) {
    let skins: Vec<BoundSkin<'_>> = parts
        .iter()
        .zip(bound)
        .filter(|(_, (skinned, _))| *skinned)
        .map(|(part, (_, mesh_world))| BoundSkin {
            joints: &part.binding.joints,
            inverse_bind: &part.binding.inverse_bind,
            mesh_world: *mesh_world,
        })
        .collect();
    let left = rest_from_inverse_binds(joints, &skins);
    warnings.extend(left_warning(joints, &left));
}
