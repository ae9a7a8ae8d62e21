//! Shapes without a rig, and the attributes that shape formats know.

use sinew::Result;
use sinew::geometry::{Attribute, Mesh};
use sinew::rig::{Binding, Character, Joint, JointKind, Part, Skeleton};

/// A character of one plain node that carries the meshes.
pub(crate) fn character(meshes: Vec<Mesh>) -> Result<Character> {
    let (skeleton, _) = Skeleton::new(vec![Joint { kind: JointKind::Node, ..Joint::default() }])?;
    let part = |mesh: Mesh| {
        let binding = Binding::rigid(0, mesh.positions.len());
        Part { node: 0, skinned: false, mesh, binding }
    };
    let base_pose = skeleton.rest_pose();
    Ok(Character { skeleton, base_pose, parts: meshes.into_iter().map(part).collect(), ..Character::default() })
}

/// Two texture coordinates per vertex, counted from the upper left as in glTF.
pub(crate) fn texture_coordinates(mesh: &Mesh) -> Option<&Attribute> {
    mesh.attributes.iter().find(|a| a.name == "TEXCOORD_0" && a.width == 2)
}

/// Three or four colour channels per vertex, 0 to 1.
pub(crate) fn colors(mesh: &Mesh) -> Option<&Attribute> {
    mesh.attributes.iter().find(|a| a.name == "COLOR_0" && a.width >= 3)
}
