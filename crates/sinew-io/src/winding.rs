//! Which way round faces are drawn once a mesh stands in the world.
//!
//! A node that mirrors (its world matrix has a negative determinant) turns its mesh inside out, and
//! formats with nodes turn the corners of its faces back around. Files that hold a posed surface have
//! no such node, so their faces must have turned already. A skinned mesh does not follow its node.

use sinew::geometry::Face;
use sinew::rig::{Character, Part};
use std::borrow::Cow;

/// The faces of each part, counter-clockwise seen from outside in the world: those of rigid parts on
/// nodes that mirror, at rest, have their corners reversed.
pub fn world_faces(character: &Character) -> Vec<Cow<'_, [Face]>> {
    let world = character.skeleton.rest_world();
    let is_mirrored = |part: &Part| {
        let mut places = part.binding.joints.iter().zip(&part.binding.inverse_bind);
        let place = places.next().map(|(&joint, inverse_bind)| world[joint] * *inverse_bind);
        !part.skinned && place.is_some_and(|place| place.matrix3.determinant() < 0.0)
    };
    let faces = |part| match part {
        part if is_mirrored(part) => part.mesh.faces.iter().map(Face::reversed).collect(),
        part => Cow::Borrowed(&part.mesh.faces[..]),
    };
    character.parts.iter().map(faces).collect()
}
