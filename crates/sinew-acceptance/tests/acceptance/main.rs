//! The sweeps over the shared data; the crate's documentation has the rules.

mod binding;
mod cage;
mod control_mesh;
mod fit;
mod flesh;
mod implicit;
mod marker_repair;
mod motion_edit;
mod muscle;
mod search;
mod skinning;
mod transfer;
mod volume;
mod weight_transfer;

use glam::{DQuat, DVec3};
use sinew::rig::{Character, Pose};
use std::path::Path;

/// A pose in `docs/poses`.
fn documented_pose(character: &Character, name: &str) -> Pose {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/poses/{name}.json"));
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut pose = character.rest_pose();
    for (joint, turn) in json["joints"].as_object().unwrap() {
        let axis = DVec3::from_array([0, 1, 2].map(|k| turn["axis"][k].as_f64().unwrap())).normalize();
        let turn = DQuat::from_axis_angle(axis, turn["degrees"].as_f64().unwrap().to_radians());
        pose.joints[character.skeleton.find(joint).unwrap()].rotation *= turn;
    }
    pose
}
