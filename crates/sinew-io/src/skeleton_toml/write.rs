//! From joints to text.

use crate::{Asset, Problem};
use glam::{DAffine3, DVec3};
use sinew::rig::{Character, JointKind};
use std::collections::HashSet;
use std::fmt::Write;

/// The joints of a character where they stand at rest, in the file's units and axes.
///
/// A bone ends at its tip, at its child, or amid its children; otherwise it is half as long as the
/// bone before it and goes on in its direction.
pub fn write(asset: &Asset) -> Result<Vec<u8>, Problem> {
    let character = &asset.character;
    let joints = character.skeleton.joints();
    let mut names = HashSet::new();
    if let Some(twin) = character.joints().find(|&joint| !names.insert(joints[joint].name.as_str())) {
        return Err(Problem::unsupported(
            format!("several joints are named \"{}\", but names in a skeleton file must differ", joints[twin].name),
            "rename them",
        ));
    }
    if names.is_empty() {
        return Err(Problem::unsupported("there is no joint to write", "give a rigged character or a motion"));
    }
    let bones = Bones::new(character);
    let mut text = String::new();
    for joint in character.joints() {
        let quoted = |joint: usize| toml::Value::from(joints[joint].name.as_str());
        let _ = writeln!(text, "[[joint]]\nname = {}", quoted(joint));
        if let Some(parent) = bones.parent[joint] {
            let _ = writeln!(text, "parent = {}", quoted(parent));
        }
        for (key, DVec3 { x, y, z }) in [("head", bones.world[joint].translation), ("tail", bones.tail[joint])] {
            let _ = writeln!(text, "{key} = [{:?}, {:?}, {:?}]", x as f32, y as f32, z as f32);
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Where the bones of all joints are.
struct Bones {
    world: Vec<DAffine3>,
    /// The nearest real joint above.
    parent: Vec<Option<usize>>,
    tail: Vec<DVec3>,
}

impl Bones {
    fn new(character: &Character) -> Self {
        let joints = character.skeleton.joints();
        let world = character.skeleton.rest_world();
        let mut parent: Vec<Option<usize>> = Vec::with_capacity(joints.len());
        let mut children: Vec<Vec<DVec3>> = vec![Vec::new(); joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            let is_real = |&above: &usize| joints[above].kind == JointKind::Joint;
            let above = joint.parent.and_then(|above| Some(above).filter(is_real).or(parent[above]));
            parent.push(above);
            if let Some(above) = above.filter(|_| joint.kind == JointKind::Joint) {
                children[above].push(world[index].translation);
            }
        }
        let mut tail: Vec<DVec3> = Vec::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            let head = world[index].translation;
            let on = |above: usize| head + 0.5 * (tail[above] - world[above].translation);
            tail.push(match (&children[index][..], joint.tip) {
                (_, Some(tip)) => world[index].transform_point3(tip),
                ([], None) => parent[index].map_or(head, on),
                (heads, None) => heads.iter().sum::<DVec3>() / heads.len() as f64,
            });
        }
        Self { world, parent, tail }
    }
}
