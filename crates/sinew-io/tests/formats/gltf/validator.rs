//! What Sinew writes, under the eyes of the Khronos glTF validator.

use super::plain_skin;
use super::sample::bar;
use serde_json::json;
use sinew::geometry::{Face, Topology};
use sinew::rig::{Influence, Part, Skeleton, Weights, refined};
use sinew_io::{Asset, UpAxis, load, save};
use sinew_testing::gltf_validator::assert_valid;
use sinew_testing::shared_data;
use std::path::PathBuf;

#[test]
fn everything_written_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for path in shared_data::gltf_files() {
        let mut asset = load(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        let place = |kind: &str| folder.path().join(format!("{name}-{kind}"));
        save(&place("copy.glb"), &asset).unwrap();
        save(&place("copy.gltf"), &asset).unwrap();
        plain_skin::bake(&asset, &place("bake.glb"), 5);
        plain_skin::bake(&asset, &place("still.glb"), 1);
        asset.up = UpAxis::Z;
        asset.meters_per_unit = Some(0.01);
        save(&place("units.glb"), &asset).unwrap();
        asset.character.parts.clear();
        asset.character.base_pose.morphs.clear();
        asset.character.clips.iter_mut().for_each(|c| c.morphs.clear());
        save(&place("motion.glb"), &asset).unwrap();
        for kind in ["copy.glb", "copy.gltf", "bake.glb", "still.glb", "units.glb", "motion.glb"] {
            written.push(place(kind));
        }
    }
    if !written.is_empty() {
        assert_valid(&written);
    }
}

/// Every seventh vertex selected leaves no face of a kind out.
#[test]
fn refined_characters_are_written_validly_and_stay_closed() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for path in shared_data::gltf_files() {
        let mut asset = load(&path).unwrap();
        let finer = refined(&asset.character, |_, vertex| vertex % 7 == 0, 1).unwrap();
        for (before, after) in asset.character.parts.iter().zip(&finer.parts) {
            let is_closed = |part: &Part| Topology::new(&part.mesh.positions, &part.mesh.faces).is_closed();
            assert!(!is_closed(before) || is_closed(after), "{} of {}", before.mesh.name, path.display());
        }
        asset.character = finer;
        let name = path.file_stem().unwrap().to_string_lossy();
        let place = |kind: &str| folder.path().join(format!("{name}-{kind}"));
        save(&place("rig.glb"), &asset).unwrap();
        plain_skin::bake(&asset, &place("bake.glb"), 2);
        written.extend(["rig.glb", "bake.glb"].map(place));
    }
    if !written.is_empty() {
        assert_valid(&written);
    }
}

/// What other formats bring and the shared glTF files do not have.
#[test]
fn unusual_characters_are_written_validly() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = [
        ("quads", with_quads_and_tangents()),
        ("lost-picture", with_a_lost_picture()),
        ("twins", with_two_parts_on_one_node()),
        ("scattered", with_scattered_joints()),
        ("rounded", with_rounded_weights()),
        ("nothing", Asset::new(sinew::rig::Character::default(), sinew_io::Format::Glb)),
    ]
    .into_iter()
    .map(|(name, asset)| {
        let path = folder.path().join(format!("{name}.glb"));
        save(&path, &asset).unwrap();
        path
    })
    .collect();
    assert_valid(&files);
}

fn with_quads_and_tangents() -> Asset {
    let mut asset = bar().read().unwrap();
    let mesh = &mut asset.character.parts[0].mesh;
    mesh.faces = vec![Face::quad(0, 1, 3, 2), Face::quad(2, 3, 5, 4)];
    mesh.primitives[0].faces = 0..2;
    mesh.tangents = vec![glam::Vec4::X + glam::Vec4::W; 6];
    asset
}

fn with_a_lost_picture() -> Asset {
    let mut sample = bar();
    sample.push("images", json!({ "uri": "lost.png" }));
    sample.push("textures", json!({ "source": 0 }));
    sample.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
    let coordinates = sample.floats(&[0.5; 12], "VEC2");
    sample.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = coordinates.into();
    sample.read().unwrap()
}

fn with_two_parts_on_one_node() -> Asset {
    let mut asset = bar().read().unwrap();
    let twin = asset.character.parts[0].clone();
    asset.character.parts.push(twin);
    asset.character.base_pose.morphs.push(0.25);
    asset
}

fn with_scattered_joints() -> Asset {
    let mut asset = bar().read().unwrap();
    let mut joints = asset.character.skeleton.joints().to_vec();
    joints[1].parent = None;
    asset.character.skeleton = Skeleton::new(joints).unwrap().0;
    asset
}

fn with_rounded_weights() -> Asset {
    let mut asset = bar().read().unwrap();
    let mut weights = Weights::default();
    (0..6).for_each(|_| weights.push([Influence { joint: 1, weight: 1.0 - 9e-7 }]));
    asset.character.parts[0].binding.weights = weights;
    asset
}
