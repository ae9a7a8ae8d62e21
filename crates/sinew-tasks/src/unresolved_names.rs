//! The names in a recipe, of joints, meshes and painted attributes, that a character does not have.

use crate::suggest::{did_you_mean, similar, similar_joint};
use sinew::recipe::Recipe;
use sinew::rig::Character;
use std::collections::BTreeSet;

/// A sentence for each name in a recipe that the character does not have.
pub fn unresolved_names(recipe: &Recipe, character: &Character) -> Vec<String> {
    let volume = &recipe.volume;
    let mut unresolved = Vec::new();
    let joints = || character.joints().map(|j| character.skeleton.joints()[j].name.as_str());
    let mut need_joint = |key: &str, name: &str| {
        if joints().all(|joint| joint != name) {
            unresolved
                .push(format!("{key}: there is no joint \"{name}\"{}", did_you_mean(similar_joint(name, joints()))));
        }
    };
    for name in volume.joints.keys() {
        need_joint("[volume.joints]", name);
    }
    if !volume.target_joint.is_empty() {
        need_joint("target_joint", &volume.target_joint);
    }
    for name in recipe.implicit.joints.keys() {
        need_joint("[implicit.joints]", name);
    }
    for name in recipe.implicit.limbs.keys() {
        need_joint("[implicit.limbs]", name);
    }
    for name in recipe.cage.limits.keys() {
        need_joint("[cage.limits]", name);
    }
    let meshes = || character.parts.iter().map(|part| part.mesh.name.as_str());
    for name in recipe.flesh.joints.keys() {
        need_joint("[flesh.joints]", name);
    }
    let left_out = volume
        .leave_out
        .iter()
        .chain(&recipe.implicit.leave_out)
        .chain(&recipe.flesh.leave_out)
        .chain(&recipe.muscles.leave_out);
    for name in left_out.filter(|name| meshes().all(|mesh| mesh != *name)) {
        unresolved.push(format!("leave_out: there is no mesh \"{name}\"{}", did_you_mean(similar(name, meshes()))));
    }
    for name in recipe.flesh.bone_meshes.iter().filter(|name| meshes().all(|mesh| mesh != *name)) {
        unresolved.push(format!("bone_meshes: there is no mesh \"{name}\"{}", did_you_mean(similar(name, meshes()))));
    }
    for name in recipe.muscles.bones.iter().filter(|name| meshes().all(|mesh| mesh != *name)) {
        unresolved.push(format!("bones: there is no mesh \"{name}\"{}", did_you_mean(similar(name, meshes()))));
    }
    let painted: BTreeSet<&str> =
        character.parts.iter().flat_map(|part| &part.mesh.attributes).map(|a| a.name.as_str()).collect();
    if !volume.paint.is_empty() && !painted.contains(volume.paint.as_str()) {
        let hint = match similar(&volume.paint, painted.iter().copied()) {
            Some(name) => format!("did you mean \"{name}\"?"),
            None if painted.is_empty() => "no mesh of the file has any".into(),
            None => format!("the file has {}", painted.into_iter().collect::<Vec<_>>().join(", ")),
        };
        unresolved.push(format!("paint: no mesh has an attribute \"{}\"; {hint}", volume.paint));
    }
    unresolved
}
