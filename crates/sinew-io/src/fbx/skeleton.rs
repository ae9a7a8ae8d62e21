//! The nodes of a scene as a skeleton.

use super::convert::transform;
use glam::DAffine3;
use sinew::rig::{Joint, JointKind};
use std::collections::HashSet;

/// The nodes of a scene, parents first, without the file's implicit root where that does nothing.
pub(super) struct Nodes<'a> {
    scene: &'a ufbx::Scene,
    /// Nodes of the scene that come before the first one kept: the root, or none.
    skipped: usize,
    cluster_bones: HashSet<u32>,
}

impl<'a> Nodes<'a> {
    pub fn new(scene: &'a ufbx::Scene) -> Self {
        let root_moves = transform(&scene.root_node.local_transform).matrix() != DAffine3::IDENTITY;
        let root_carries = scene.root_node.mesh.is_some();
        let clusters = scene.skin_clusters.iter();
        let cluster_bones = clusters.filter_map(|c| c.bone_node.as_ref()).map(|node| node.element.typed_id).collect();
        Self { scene, skipped: usize::from(!root_moves && !root_carries), cluster_bones }
    }

    /// The nodes in the skeleton's order.
    pub fn iter(&self) -> impl Iterator<Item = &'a ufbx::Node> {
        (&self.scene.nodes).into_iter().skip(self.skipped)
    }

    /// A node's index in the skeleton.
    pub fn index(&self, node: &ufbx::Node) -> Option<usize> {
        (node.element.typed_id as usize).checked_sub(self.skipped)
    }

    /// The joints in their default places.
    pub fn joints(&self) -> Vec<Joint> {
        self.iter()
            .map(|node| Joint {
                name: name(node),
                parent: node.parent.as_ref().and_then(|parent| self.index(parent)),
                rest: transform(&node.local_transform),
                // FBX has no trustworthy length for a leaf: exporters write display sizes there.
                tip: None,
                kind: if self.moves_skin(node) { JointKind::Joint } else { JointKind::Node },
            })
            .collect()
    }

    /// The name of a mesh on a node: the mesh's own, or the node's.
    pub fn mesh_name(&self, node: &ufbx::Node, mesh: &ufbx::Mesh) -> String {
        if mesh.element.name.is_empty() { name(node) } else { mesh.element.name.to_string() }
    }

    fn moves_skin(&self, node: &ufbx::Node) -> bool {
        node.bone.is_some() || self.cluster_bones.contains(&node.element.typed_id)
    }
}

/// The node's name; a helper is named after the node it helps.
fn name(node: &ufbx::Node) -> String {
    let helped =
        |what: &str| node.parent.as_ref().map_or_else(String::new, |p| format!("{} ({what})", &*p.element.name));
    if node.is_scale_helper {
        helped("scale")
    } else if node.is_geometry_transform_helper {
        helped("geometry")
    } else {
        node.element.name.to_string()
    }
}
