//! Closed meshes of the character that are bones.
//!
//! Each follows one joint as a rigid solid: the joint with most of its skin weight, or the one above the node that it hangs
//! on.

use super::bones::BoneSolid;
use crate::{Error, Result};
use sinew_geometry::Topology;
use sinew_rig::rest_surface::{WorldSurface, world_surfaces};
use sinew_rig::{Character, JointKind, Part, Skeleton};
use std::collections::BTreeSet;

/// The share of its skin weight from which on a mesh moves with one joint; weights in files are rounded.
const ONE_JOINT: f64 = 0.99;

/// A mesh that is a bone.
pub(super) struct NamedBone {
    pub joint: usize,
    pub solid: BoneSolid,
}

/// The meshes of these names as bones, with warnings. Several meshes of one name are a bone each.
pub(super) fn named_bones(character: &Character, names: &[String]) -> Result<(Vec<NamedBone>, Vec<String>)> {
    let (mut bones, mut warnings) = (Vec::new(), Vec::new());
    if names.is_empty() {
        return Ok((bones, warnings));
    }
    let surfaces = world_surfaces(character);
    for name in names.iter().collect::<BTreeSet<_>>() {
        let refuse = |why: String| Error::BoneMesh { mesh: name.clone(), why };
        let mut found = character.parts.iter().zip(&surfaces).filter(|(part, _)| part.mesh.name == *name).peekable();
        if found.peek().is_none() {
            let known: BTreeSet<String> = character.parts.iter().map(|p| format!("\"{}\"", p.mesh.name)).collect();
            let known: Vec<String> = known.into_iter().collect();
            return Err(refuse(format!("does not exist; the character has {}", known.join(", "))));
        }
        for (part, surface) in found {
            let solid = solid(part, surface).map_err(refuse)?;
            let (joint, share) = joint(part, &character.skeleton).ok_or_else(|| {
                refuse("hangs on no joint, so nothing would move it; bind it, or make it a child of a joint".into())
            })?;
            if share < ONE_JOINT {
                let (of, percent) = (&character.skeleton.joints()[joint].name, (100.0 * share).round());
                warnings.push(format!(
                    "bone mesh \"{name}\" has {percent} % of its skin weight on {of}: its flesh is rigid, but the mesh \
                     itself follows its other joints too; bind it to one joint"
                ));
            }
            bones.push(NamedBone { joint, solid });
        }
    }
    Ok((bones, warnings))
}

/// The inside of a mesh, or why it has none.
fn solid(part: &Part, surface: &WorldSurface) -> Result<BoneSolid, String> {
    let topology = Topology::new(&part.mesh.positions, &part.mesh.faces);
    match topology.boundary_edges() {
        _ if topology.is_closed() => (),
        0 => {
            return Err("has edges at which faces disagree about which side is out; make its normals consistent".into());
        }
        edges => {
            return Err(format!(
                "is open along {edges} edges, so it has no inside that could hold flesh; close its holes, or name it in \
                 leave_out instead"
            ));
        }
    }
    let point = |&vertex: &u32| surface.positions[vertex as usize].as_dvec3();
    Ok(BoneSolid::Mesh {
        name: part.mesh.name.clone(),
        points: topology.representatives().iter().map(point).collect(),
        faces: topology.faces().to_vec(),
    })
}

/// The joint that carries most of a part, and its share of the weight.
fn joint(part: &Part, skeleton: &Skeleton) -> Option<(usize, f64)> {
    let joints = skeleton.joints();
    let is_joint = |&joint: &usize| joints[joint].kind == JointKind::Joint;
    let mut weights = vec![0.0; joints.len()];
    for influence in part.binding.weights.rows().flatten() {
        let node = part.binding.joints[influence.joint as usize];
        if let Some(joint) = std::iter::successors(Some(node), |&joint| joints[joint].parent).find(is_joint) {
            weights[joint] += f64::from(influence.weight);
        }
    }
    let total: f64 = weights.iter().sum();
    let most = weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (*most.1 > 0.0).then(|| (most.0, most.1 / total))
}
