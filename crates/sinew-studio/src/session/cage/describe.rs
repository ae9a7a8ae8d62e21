//! A cage, told to the page: its surface, its tetrahedra, markers, and the frames in which turns of bones are limited.

use super::kept::Built;
use crate::message::Outgoing;
use glam::DQuat;
use serde_json::{Value, json};
use sinew::cage::ControlMesh;

/// The message that a cage is built.
pub fn caged(id: u64, built: &Built) -> Vec<u8> {
    let Built { caged, report } = built;
    let control = &caged.control;
    let mut message = Outgoing::answer("caged", id);
    let places: Vec<[f32; 3]> = control.positions.iter().map(|place| place.as_vec3().to_array()).collect();
    let places = message.array(places.as_flattened());
    let surface = message.array(control.surface.as_flattened());
    let tetrahedra = message.array(control.tetrahedra.as_flattened());
    let rest = message.array(bytemuck::cast_slice::<_, f32>(&caged.rest.positions));
    let markers = caged.markers.iter().zip(&control.markers);
    let markers: Vec<Value> = markers.map(|(label, vertex)| json!({ "label": label, "vertex": vertex })).collect();
    message
        .with("report", report)
        .with("places", places)
        .with("surface", surface)
        .with("tetrahedra", tetrahedra)
        .with("rest", rest)
        .with("markers", markers)
        .with("bones", bones(control))
        .into_bytes()
}

/// The bones that hang on another, whose turns can be limited.
fn bones(control: &ControlMesh) -> Vec<Value> {
    let bone = |(index, bone): (usize, &sinew::cage::ControlBone)| {
        let parent = control.bones[bone.parent?].joint;
        let [start, end] = [bone.vertices[0], bone.vertices[bone.vertices.len() - 1]];
        let length = control.positions[start as usize].distance(control.positions[end as usize]);
        let frame = DQuat::from_mat3(&control.bone_frame(index)).to_array();
        Some(json!({ "joint": bone.joint, "parent": parent, "frame": frame, "length": length }))
    };
    control.bones.iter().enumerate().filter_map(bone).collect()
}
