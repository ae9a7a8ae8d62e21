//! `sinew pose`.

use crate::bench::{Bench, points, shared};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use serde_json::{Value, json};
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::rig::{Character, Pose};
use sinew_testing::reference_skin;
use std::collections::HashMap;
use std::path::Path;

/// A turn of a joint: name, axis, degrees.
type Turn<'a> = (&'a str, DVec3, f64);

/// Linear skinning of a character of one part whose joints are turned from rest. The rest pose comes
/// from the inverse bind matrices, with the topmost joint where the file's nodes have it.
fn turned(character: &Character, turns: &[Turn<'_>]) -> Vec<DVec3> {
    let [part] = &character.parts[..] else { panic!("one part") };
    let joints = character.skeleton.joints();
    let binding = || part.binding.joints.iter().copied().zip(part.binding.inverse_bind.iter().copied());
    let mut nodes = vec![DAffine3::IDENTITY; joints.len()];
    character.skeleton.world(&character.base_pose, &mut nodes);
    let (top, top_bind) = binding().min_by_key(|(joint, _)| *joint).unwrap();
    let mesh = nodes[top] * top_bind;
    let rest: HashMap<usize, DAffine3> = binding().map(|(joint, bind)| (joint, mesh * bind.inverse())).collect();
    let mut world = HashMap::new();
    for joint in (0..joints.len()).filter(|joint| rest.contains_key(joint)) {
        let mut above = std::iter::successors(joints[joint].parent, |&parent| joints[parent].parent);
        let parent = above.find(|parent| rest.contains_key(parent));
        let moved = parent.map_or(DAffine3::IDENTITY, |parent| world[&parent] * rest[&parent].inverse());
        let turn = turns.iter().find(|(name, ..)| joints[joint].name == *name);
        let turn = turn.map_or(DQuat::IDENTITY, |(_, axis, degrees)| {
            DQuat::from_axis_angle(axis.normalize(), degrees.to_radians())
        });
        world.insert(joint, moved * rest[&joint] * DAffine3::from_quat(turn));
    }
    let skinning: Vec<DAffine3> = binding().map(|(joint, bind)| world[&joint] * bind).collect();
    let vertices = part.mesh.positions.iter().zip(part.binding.weights.rows());
    vertices
        .map(|(p, row)| {
            let moved = |joint: u32| skinning[joint as usize].transform_point3(p.as_dvec3());
            row.iter().map(|i| f64::from(i.weight) * moved(i.joint)).sum()
        })
        .collect()
}

fn pose_file(turns: &[Turn<'_>]) -> String {
    let joints: serde_json::Map<String, Value> = turns
        .iter()
        .map(|(name, axis, degrees)| ((*name).into(), json!({"axis": axis.to_array(), "degrees": degrees})))
        .collect();
    json!({ "joints": joints }).to_string()
}

fn assert_near(found: &[Vec3], expected: &[DVec3], name: &str) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let size =
        expected.iter().copied().reduce(DVec3::max).unwrap() - expected.iter().copied().reduce(DVec3::min).unwrap();
    let error = found.iter().zip(expected).map(|(a, b)| a.as_dvec3().distance(*b)).fold(0.0, f64::max);
    assert!(error <= 1e-5 * size.length(), "{name}: {error} of {}", size.length());
}

#[test]
fn joints_turn_from_the_bind_pose_in_their_own_frame() {
    let slanted = DVec3::new(1.0, -2.0, 0.5);
    let cases: [(&str, &[Turn<'_>]); 7] = [
        ("gltf/CesiumMan.glb", &[("Skeleton_arm_joint_L__2_", slanted, 70.0), ("leg_joint_R_2", DVec3::Z, -40.0)]),
        ("gltf/RiggedFigure.glb", &[("torso_joint_2", DVec3::X, 35.0), ("arm_joint_L_2", slanted, -90.0)]),
        ("gltf/Fox.glb", &[("b_Neck_04", DVec3::Y, 30.0), ("b_Tail01_012", slanted, 45.0)]),
        ("gltf/makehuman_male_cmu31.glb", &[("LeftArm", DVec3::Z, 60.0), ("Hips", slanted, 20.0)]),
        ("gltf/spot_rigged.glb", &[]),
        // Their nodes do not stand in the bind pose.
        ("gltf/quaternius_Trex.glb", &[("Neck", DVec3::X, -25.0), ("Tail2", slanted, 30.0)]),
        ("gltf/quaternius_KnightCharacter.glb", &[("UpperArm.L", slanted, 80.0), ("Torso", DVec3::Y, 15.0)]),
    ];
    let bench = Bench::new();
    for (name, turns) in cases {
        let Some(file) = shared(name) else { return };
        let character = sinew_io::load(Path::new(&file)).unwrap().character;
        for (joint, ..) in turns {
            assert!(character.skeleton.find(joint).is_some(), "{name} has no {joint}");
        }
        bench.write("pose.json", pose_file(turns));
        let found = bench.posed(&[&file, "--pose", "pose.json", "--skin", "linear"]);
        assert_near(&found, &turned(&character, turns), name);
    }
}

#[test]
fn without_a_pose_or_a_time_it_is_the_bind_pose() {
    let bench = Bench::with_tube();
    let rest = bench.load("tube.glb").character.parts[0].mesh.positions.clone();
    for skin in SkinMethod::ALL {
        let found = bench.posed(&["tube.glb", "--skin", skin.name()]);
        let error = found.iter().zip(&rest).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(found.len() == rest.len() && error < 1e-5, "{skin}: {error}");
    }
}

#[test]
fn a_clip_is_named_or_numbered_and_holds_its_ends() {
    let bench = Bench::with_tube();
    let at = |arguments: &[&str]| bench.posed(&[&["tube.glb"], arguments].concat());
    let middle = at(&["--clip", "bend", "--time", "1"]);
    assert_eq!(at(&["--clip", "0", "--time", "1"]), middle);
    assert_eq!(at(&["--time", "1"]), middle);
    assert_eq!(at(&["--clip", "bend"]), at(&["--time", "0.5"]));
    assert_eq!(at(&["--clip", "bend", "--time", "99"]), at(&["--time", "1.5"]));
    assert_eq!(at(&["--clip", "bend", "--time", "-1"]), at(&["--time", "0.5"]));
    bench.write("pose.json", pose_file(&[("bend", DVec3::X, 45.0)]));
    let file = at(&["--pose", "pose.json"]);
    assert!(file.iter().zip(&middle).all(|(a, b)| a.distance(*b) < 1e-5));
}

#[test]
fn every_format_has_the_same_points() {
    let bench = Bench::with_tube();
    let obj = bench.posed(&["tube.glb", "--time", "1.25"]);
    for out in ["out.ply", "out.glb"] {
        assert_eq!(bench.done(&["pose", "tube.glb", "--time", "1.25", "-o", out]), format!("{out}\n"));
        assert_eq!(points(&bench.load(out)), obj, "{out}");
    }
    assert!(bench.load("out.glb").character.clips.is_empty());
    assert_eq!(bench.listing(), ["out.glb", "out.ply", "posed.obj", "tube.glb"]);
}

#[test]
fn an_obj_has_nine_digits_at_most_and_loses_nothing() {
    let bench = Bench::with_tube();
    let found = bench.posed(&["tube.glb", "--time", "1.1", "--skin", "linear"]);
    let character = bench.load("tube.glb").character;
    let mut pose = Pose::default();
    character.clips[0].sample(1.1, &character.base_pose, &mut pose);
    let mut surface = sinew::Surface::default();
    let recipe =
        sinew::recipe::Recipe { skin: sinew::recipe::SkinOptions { method: SkinMethod::Linear }, ..Default::default() };
    sinew::Stack::new(&character, &recipe).unwrap().deform(&pose, Time::alone(1.1), &mut surface);
    assert_eq!(found, surface.positions);
    let text = bench.text("posed.obj");
    let numbers = text.lines().filter(|line| line.starts_with("v ")).flat_map(|line| line.split(' ').skip(1));
    for number in numbers {
        let digits = number.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count();
        assert!(digits <= 9, "{number}");
    }
}

/// Names and vertex counts of a GLB's mesh nodes, straight from its JSON.
fn mesh_nodes(path: &str) -> Vec<(String, usize)> {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let nodes = json["nodes"].as_array().unwrap().iter().filter_map(|node| node["mesh"].as_u64());
    nodes
        .map(|mesh| {
            let mesh = &json["meshes"][mesh as usize];
            let count = |primitive: &Value| {
                let accessor = primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
                json["accessors"][accessor]["count"].as_u64().unwrap() as usize
            };
            (mesh["name"].as_str().unwrap().into(), mesh["primitives"].as_array().unwrap().iter().map(count).sum())
        })
        .collect()
}

#[test]
fn points_come_in_the_order_of_the_mesh_nodes_skinned_or_not() {
    let bench = Bench::new();
    for (name, clip, parts) in [("gltf/kaykit_Knight.glb", "3", 15), ("gltf/RobotExpressive.glb", "2", 14)] {
        let Some(file) = shared(name) else { return };
        let found = bench.posed(&[&file, "--clip", clip, "--time", "0.4", "--skin", "linear"]);
        let text = bench.text("posed.obj");
        let objects: Vec<(String, usize)> = text
            .split("o ")
            .skip(1)
            .map(|object| {
                let (name, rest) = object.split_once('\n').unwrap();
                (name.to_owned(), rest.lines().filter(|line| line.starts_with("v ")).count())
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(objects, mesh_nodes(&file), "{name}");
        assert_eq!(objects.len(), parts, "{name}");

        let character = sinew_io::load(Path::new(&file)).unwrap().character;
        assert!(character.parts.iter().any(|part| !part.skinned), "{name}");
        let mut pose = Pose::default();
        character.clips[clip.parse::<usize>().unwrap()].sample(0.4, &character.base_pose, &mut pose);
        assert_near(&found, &reference_skin::positions(&character, &pose, SkinMethod::Linear), name);
    }
}
