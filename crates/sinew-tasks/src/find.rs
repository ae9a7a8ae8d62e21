//! Joints, nodes and clips of a character by name, with a suggestion where the name is unknown.

use crate::suggest::similar_joint;
use crate::{Error, Result};
use sinew::rig::{Character, Clip};

/// A joint by its name.
pub fn joint(character: &Character, name: &str) -> Result<usize> {
    let name_of = |joint: usize| character.skeleton.joints()[joint].name.as_str();
    let found = character.joints().find(|&joint| name_of(joint) == name);
    found.ok_or_else(|| unknown_joint(name, character.joints().map(name_of)))
}

/// A joint or a plain node by its name.
pub fn node(character: &Character, name: &str) -> Result<usize> {
    let names = character.skeleton.joints().iter().map(|joint| joint.name.as_str());
    character.skeleton.find(name).ok_or_else(|| unknown_joint(name, names))
}

fn unknown_joint<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Error {
    Error::UnknownJoint { name: name.into(), similar: similar_joint(name, names).map(str::to_owned) }
}

/// A clip by its name, a part of its name, or its index from 0; the first one without a name.
pub fn clip<'a>(character: &'a Character, name: Option<&str>) -> Result<&'a Clip> {
    Ok(&character.clips[clip_index(character, name)?])
}

/// The index of a clip by its name, a part of its name, or its index from 0; the first one without a name.
pub fn clip_index(character: &Character, name: Option<&str>) -> Result<usize> {
    let clips = &character.clips;
    let Some(name) = name else {
        return (!clips.is_empty()).then_some(0).ok_or_else(|| Error::NoClip { character: character.name.clone() });
    };
    let known = character.find_clip(name).and_then(|found| clips.iter().position(|clip| std::ptr::eq(clip, found)));
    if let Some(index) = known {
        return Ok(index);
    }
    // People often write a part of the name, such as "run" for "Armature|Run".
    let wanted = name.to_lowercase();
    let mut similar = (0..clips.len()).filter(|&index| clips[index].name.to_lowercase().contains(&wanted));
    if let (Some(index), None) = (similar.next(), similar.next()) {
        return Ok(index);
    }
    let known = clips.iter().map(|clip| clip.name.clone()).collect();
    Err(Error::UnknownClip { name: name.into(), character: character.name.clone(), known })
}
