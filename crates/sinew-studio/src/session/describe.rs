//! The description of an open character.

use super::materials;
use super::matrix::columns;
use crate::protocol::{Answer, Axis, Bounds, ClipInfo, JointInfo, Opened, PartInfo, Payload, Reply};
use glam::Vec3;
use sinew::bind::weighted_joints;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, JointKind, Mirror};
use sinew_io::{Asset, UpAxis, rest_surface};
use sinew_tasks::motion::edit::{frame_rate, last_frame};

/// The message that a character is open.
pub fn opened(key: &str, asset: &Asset, added_clip: Option<usize>) -> Reply {
    let character = &asset.character;
    let mut recipe = Recipe::default();
    recipe.skin.method = asset.authored_method.unwrap_or_default();
    let mirror = Mirror::of(&character.skeleton);
    let mut payload = Payload::default();
    let (materials, images) = materials::describe(&asset.appearance, &mut payload);
    let triangles: usize = character.parts.iter().map(|p| p.mesh.triangle_count() + 2 * p.mesh.quad_count()).sum();
    let parts = character.parts.iter().map(|p| PartInfo { name: p.mesh.name.clone(), skinned: p.skinned }).collect();
    let opened = Opened {
        key: key.into(),
        name: character.name.clone(),
        format: asset.format.extension(),
        units: asset.meters_per_unit,
        up: axis(asset.up),
        vertices: character.vertex_count(),
        triangles,
        parts,
        joints: joints(character, &mirror),
        mirror_axis: mirror.axis.to_array(),
        clips: character.clips.iter().map(clip).collect(),
        added_clip,
        warnings: asset.warnings.clone(),
        bounds: bounds(character),
        recipe,
        materials,
        images,
    };
    Reply::new(Answer::Opened(Box::new(opened)), payload)
}

fn clip(clip: &Clip) -> ClipInfo {
    let (start, end) = clip.range();
    let rate = frame_rate(clip);
    let last = last_frame(clip, rate).unwrap_or_default();
    ClipInfo { name: clip.name.clone(), start, end, rate, last }
}

fn axis(up: UpAxis) -> Axis {
    match up {
        UpAxis::X => Axis::X,
        UpAxis::Y => Axis::Y,
        UpAxis::Z => Axis::Z,
    }
}

fn joints(character: &Character, mirror: &Mirror) -> Vec<JointInfo> {
    let rest = character.skeleton.rest_world();
    let mut is_weighted = vec![false; rest.len()];
    weighted_joints(character).into_iter().for_each(|joint| is_weighted[joint] = true);
    let joints = character.skeleton.joints().iter().enumerate();
    let number = |index: Option<usize>| index.map_or(-1, |index| index as i64);
    joints
        .map(|(index, joint)| JointInfo {
            name: joint.name.clone(),
            parent: number(joint.parent),
            joint: joint.kind == JointKind::Joint,
            weighted: is_weighted[index],
            mirror: number(mirror.partners[index]),
            rest: columns(&rest[index]),
            tip: joint.tip.map(|tip| tip.to_array()),
        })
        .collect()
}

/// The box around the character at rest.
fn bounds(character: &Character) -> Bounds {
    let positions = rest_surface(character).map(|surface| surface.positions).unwrap_or_default();
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = positions.iter().fold(none, |(low, high), p| (low.min(*p), high.max(*p)));
    match low.is_finite() && high.is_finite() {
        true => Bounds { min: low.to_array(), max: high.to_array() },
        false => Bounds { min: [-1.0; 3], max: [1.0; 3] },
    }
}
