//! The description of a cage: its surface, its tetrahedra, markers, and the frames in which bone rotations are limited.

use super::cache::Built;
use crate::protocol::{Answer, CageBone, CageMarker, Caged, Payload, Reply};
use glam::DQuat;
use sinew::cage::ControlMesh;

/// The message that a cage is built.
pub fn caged(built: &Built) -> Reply {
    let Built { caged, report } = built;
    let control = &caged.control;
    let places: Vec<[f32; 3]> = control.positions.iter().map(|place| place.as_vec3().to_array()).collect();
    let markers = caged.markers.iter().zip(&control.markers);
    let marker = |(label, &vertex): (&String, &u32)| CageMarker { label: label.clone(), vertex };
    let mut payload = Payload::default();
    let answer = Caged {
        report: report.into(),
        places: payload.push(places.as_flattened()),
        surface: payload.push(control.surface.as_flattened()),
        tetrahedra: payload.push(control.tetrahedra.as_flattened()),
        rest: payload.push(bytemuck::cast_slice::<_, f32>(&caged.rest.positions)),
        markers: markers.map(marker).collect(),
        bones: bones(control),
    };
    Reply::new(Answer::Caged(Box::new(answer)), payload)
}

/// The bones with a parent, whose rotations can be limited.
fn bones(control: &ControlMesh) -> Vec<CageBone> {
    let bone = |(index, bone): (usize, &sinew::cage::ControlBone)| {
        let parent = control.bones[bone.parent?].joint;
        let [start, end] = [bone.vertices[0], bone.vertices[bone.vertices.len() - 1]];
        let length = control.positions[start as usize].distance(control.positions[end as usize]);
        let frame = DQuat::from_mat3(&control.bone_frame(index)).to_array();
        Some(CageBone { joint: bone.joint, parent, frame, length })
    };
    control.bones.iter().enumerate().filter_map(bone).collect()
}
