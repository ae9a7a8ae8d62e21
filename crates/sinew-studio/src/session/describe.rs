//! What was opened, told to the page.

use super::frame::columns;
use super::materials;
use crate::message::Outgoing;
use glam::Vec3;
use serde_json::{Value, json};
use sinew::bind::weighted_joints;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, JointKind, Mirror};
use sinew_io::{Asset, UpAxis, rest_surface};
use sinew_tasks::motion::edit::{frame_rate, last_frame};

/// The message that a character is open.
pub fn opened(id: u64, key: &str, asset: &Asset, added_clip: Option<usize>) -> Vec<u8> {
    let character = &asset.character;
    let mut recipe = Recipe::default();
    recipe.skin.method = asset.authored_method.unwrap_or_default();
    let mirror = Mirror::of(&character.skeleton);
    let mut message = Outgoing::answer("opened", id);
    let (materials, images) = materials::describe(&asset.appearance, &mut message);
    let triangles: usize = character.parts.iter().map(|p| p.mesh.triangle_count() + 2 * p.mesh.quad_count()).sum();
    let parts: Vec<Value> =
        character.parts.iter().map(|p| json!({ "name": p.mesh.name, "skinned": p.skinned })).collect();
    message
        .with("key", key)
        .with("name", &character.name)
        .with("format", asset.format.extension())
        .with("units", asset.meters_per_unit)
        .with("up", up_name(asset.up))
        .with("vertices", character.vertex_count())
        .with("triangles", triangles)
        .with("parts", parts)
        .with("joints", joints(character, &mirror))
        .with("mirror_axis", mirror.axis.to_array())
        .with("clips", character.clips.iter().map(clip).collect::<Vec<_>>())
        .with("added_clip", added_clip)
        .with("warnings", &asset.warnings)
        .with("bounds", bounds(character))
        .with("recipe", recipe)
        .with("materials", materials)
        .with("images", images)
        .into_bytes()
}

fn clip(clip: &Clip) -> Value {
    let (start, end) = clip.range();
    let rate = frame_rate(clip);
    let last = last_frame(clip, rate).unwrap_or_default();
    json!({ "name": clip.name, "start": start, "end": end, "rate": rate, "last": last })
}

fn up_name(up: UpAxis) -> &'static str {
    match up {
        UpAxis::X => "x",
        UpAxis::Y => "y",
        UpAxis::Z => "z",
    }
}

fn joints(character: &Character, mirror: &Mirror) -> Vec<Value> {
    let rest = character.skeleton.rest_world();
    let mut is_weighted = vec![false; rest.len()];
    weighted_joints(character).into_iter().for_each(|joint| is_weighted[joint] = true);
    let joints = character.skeleton.joints().iter().enumerate();
    let number = |index: Option<usize>| index.map_or(-1, |index| index as i64);
    joints
        .map(|(index, joint)| {
            json!({
                "name": joint.name,
                "parent": number(joint.parent),
                "joint": joint.kind == JointKind::Joint,
                "weighted": is_weighted[index],
                "mirror": number(mirror.partners[index]),
                "rest": columns(&rest[index]),
                "tip": joint.tip.map(|tip| tip.to_array()),
            })
        })
        .collect()
}

/// The box around the character at rest.
fn bounds(character: &Character) -> Value {
    let positions = rest_surface(character).map(|surface| surface.positions).unwrap_or_default();
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = positions.iter().fold(none, |(low, high), p| (low.min(*p), high.max(*p)));
    match low.is_finite() && high.is_finite() {
        true => json!({ "min": low.to_array(), "max": high.to_array() }),
        false => json!({ "min": [-1, -1, -1], "max": [1, 1, 1] }),
    }
}
