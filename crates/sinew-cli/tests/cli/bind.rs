//! `sinew bind`.

use crate::bench::{Bench, shared};
use glam::Vec3;
use serde_json::{Value, json};
use sinew::rig::Character;
use sinew_io::{Appearance, Asset, Format, Image};
use sinew_testing::gltf_validator::assert_valid;

/// A folder with the demo figure as `figure.glb`, its mesh alone as `body.obj` and its joints as `joints.toml`.
fn with_figure() -> Bench {
    let bench = Bench::new();
    bench.save("figure.glb", sinew::demo::character());
    bench.done(&["convert", "figure.glb", "body.obj"]);
    bench.done(&["convert", "figure.glb", "joints.toml"]);
    bench
}

fn joint_names(character: &Character) -> Vec<&str> {
    character.joints().map(|joint| character.skeleton.joints()[joint].name.as_str()).collect()
}

/// Every vertex of every skinned part has at most `influences` weights, which sum to one.
fn assert_weighted(character: &Character, influences: usize) {
    for part in &character.parts {
        assert!(part.skinned, "{}", part.mesh.name);
        for row in part.binding.weights.rows() {
            let sum: f32 = row.iter().map(|influence| influence.weight).sum();
            assert!((sum - 1.0).abs() < 1e-3 && row.len() <= influences, "{}: {row:?}", part.mesh.name);
        }
    }
}

/// The height that a joint moves most, as a share of the figure's.
fn mean_height(character: &Character, joint: &str) -> f32 {
    let joint = character.skeleton.find(joint).unwrap();
    let part = &character.parts[0];
    let rest = sinew_io::rest_surface(character).unwrap().positions;
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, position) in part.binding.weights.rows().zip(&rest) {
        for influence in row.iter().filter(|i| part.binding.joints[i.joint as usize] == joint) {
            sum += influence.weight * position.y;
            total += influence.weight;
        }
    }
    sum / total
}

#[test]
fn a_mesh_and_a_skeleton_file_become_a_rig() {
    let bench = with_figure();
    let printed = bench.done(&["bind", "body.obj", "--skeleton", "joints.toml", "-o", "rig.glb"]);
    assert!(printed.starts_with("rig.glb: 9898 vertices on ") && printed.ends_with("s\n"), "{printed}");
    let (rig, figure) = (bench.load("rig.glb").character, sinew::demo::character());
    assert_eq!(joint_names(&rig), joint_names(&figure));
    assert_weighted(&rig, 4);
    let rest = sinew_io::rest_surface(&rig).unwrap().positions;
    let mesh = bench.load("body.obj").character.parts[0].mesh.positions.clone();
    assert!(rest.iter().zip(&mesh).all(|(a, b)| a.distance(*b) < 1e-5), "the mesh stays where it is");
    assert!(mean_height(&rig, "Head") > 1.4 && mean_height(&rig, "LeftFoot") < 0.3);
    // It moves: the forearm's joint carries the hand, and leaves the feet alone.
    bench.write("pose.json", r#"{"joints": {"LeftForeArm": {"axis": [0, 0, 1], "degrees": 60}}}"#);
    let posed = bench.posed(&["rig.glb", "--pose", "pose.json", "--skin", "linear"]);
    let moves = |near: Vec3| {
        rest.iter().zip(&posed).filter(|(p, _)| p.distance(near) < 0.1).any(|(p, q)| p.distance(*q) > 0.05)
    };
    assert!(moves(Vec3::new(0.6, 0.95, 0.0)) && !moves(Vec3::new(0.1, 0.05, 0.0)));
    assert_valid(&[bench.path("rig.glb")]);
}

/// Clips, materials, textures and attributes are those of the file.
#[test]
fn binding_again_keeps_everything_but_the_weights() {
    let bench = Bench::new();
    let mut asset = Asset::new(sinew::demo::character(), Format::Glb);
    let material = json!({ "name": "skin", "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let picture = Image { name: "skin".into(), mime_type: "image/png".into(), bytes: (*b"\x89PNG").into() };
    asset.appearance = Appearance {
        materials: vec![material],
        textures: vec![json!({ "source": 0 })],
        images: vec![picture],
        ..Appearance::default()
    };
    let mesh = &mut asset.character.parts[0].mesh;
    mesh.primitives[0].material = Some(0);
    let coordinates = vec![0.25; 2 * mesh.positions.len()];
    mesh.attributes = vec![sinew::geometry::Attribute { name: "TEXCOORD_0".into(), width: 2, values: coordinates }];
    sinew_io::save(&bench.path("figure.glb"), &asset).unwrap();
    bench.done(&["bind", "figure.glb", "-o", "again.glb"]);
    let (before, after) = (bench.load("figure.glb"), bench.load("again.glb"));
    assert_eq!(after.appearance, before.appearance);
    let (mut before, after) = (before.character, after.character);
    assert!(after.parts[0].binding.weights != before.parts[0].binding.weights);
    before.name.clone_from(&after.name);
    before.parts[0].binding.weights = after.parts[0].binding.weights.clone();
    assert!(after == before);
    assert_weighted(&after, 4);
}

#[test]
fn influences_and_methods_are_as_asked() {
    let bench = with_figure();
    let weights = |arguments: &[&str], influences: usize| {
        bench.done(&[&["bind", "figure.glb", "-o", "out.gltf"], arguments].concat());
        let character = bench.load("out.gltf").character;
        assert_weighted(&character, influences);
        character.parts[0].binding.weights.clone()
    };
    let one = weights(&["--influences", "1"], 1);
    let eight = weights(&["--influences", "8", "--method", "distance"], 8);
    let local = weights(&["--influences", "8", "--method", "distance", "--alpha", "6"], 8);
    assert_eq!((one.max_influences(), eight.max_influences()), (1, 8));
    assert_ne!(eight, local);
}

#[test]
fn a_report_is_data_for_programs() {
    let bench = with_figure();
    bench.done(&["bind", "body.obj", "--skeleton", "joints.toml", "-o", "rig.glb", "--report", "rig.json"]);
    let report = bench.json("rig.json");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut expected =
        ["vertices", "weighted", "islands", "repairs", "joints", "pruning_error", "milliseconds"].map(String::from);
    expected.sort_unstable();
    assert_eq!(keys(&report), expected);
    assert_eq!((&report["vertices"], &report["weighted"]), (&json!(9898), &json!(9898)));
    assert!(report["islands"].is_u64() && report["repairs"].is_array());
    assert!((0.0..=1.0).contains(&report["pruning_error"].as_f64().unwrap()));
    let joints = report["joints"].as_array().unwrap();
    assert_eq!(joints.len(), sinew::demo::character().skeleton.len());
    assert!(joints.iter().all(|joint| keys(joint) == ["mean_weight", "name", "vertices"]));
    let sum: f64 = joints.iter().map(|joint| joint["mean_weight"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    let milliseconds = &report["milliseconds"];
    assert_eq!(keys(milliseconds), ["distances", "factorisation", "pruning", "solves", "total", "voxels"]);
    let time = |phase: &str| milliseconds[phase].as_f64().unwrap();
    let phases: f64 = ["voxels", "distances", "factorisation", "solves", "pruning"].map(time).iter().sum();
    assert!(time("total") > 0.0 && phases <= time("total") * 1.001, "{milliseconds}");
}

#[test]
fn a_report_is_a_page_for_people() {
    let bench = with_figure();
    bench.done(&["bind", "figure.glb", "-o", "again.glb", "--report", "again.html"]);
    let page = bench.text("again.html");
    for words in ["LeftForeArm", "9898", "largest pruned share", "From the side", "factorisation"] {
        assert!(page.contains(words), "{words:?} is not in the page");
    }
    assert_eq!(page.matches("data:image/png;base64,").count(), 3 + 24);
    assert!(!page.contains("http"), "nothing beside it is needed");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
}

#[test]
fn a_skeleton_is_placed_in_a_mesh_without_one() {
    let bench = with_figure();
    bench.done(&["bind", "body.obj", "--fit", "humanoid", "-o", "fitted.glb"]);
    let fitted = bench.load("fitted.glb").character;
    assert_weighted(&fitted, 4);
    assert!(mean_height(&fitted, "Head") > 1.4 && mean_height(&fitted, "LeftFoot") < 0.3);
    assert_valid(&[bench.path("fitted.glb")]);
}

#[test]
fn weights_and_clips_are_taken_over() {
    let bench = with_figure();
    let from = ["bind", "body.obj", "--from", "figure.glb", "-o", "from.glb", "--report", "from.json"];
    bench.done(&from);
    let (rig, figure) = (bench.load("from.glb").character, sinew::demo::character());
    assert_eq!(joint_names(&rig), joint_names(&figure));
    let names = |character: &Character| character.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&rig), names(&figure));
    let report = bench.json("from.json");
    assert_eq!((&report["weighted"], &report["joints"].as_array().unwrap().len()), (&json!(9898), &53));
    let arguments = ["--clip", "walk", "--time", "0.4", "--skin", "linear"];
    let posed = |file: &str| bench.posed(&[&[file], &arguments[..]].concat());
    let (before, after) = (posed("figure.glb"), posed("from.glb"));
    assert!(before.iter().zip(&after).all(|(a, b)| a.distance(*b) < 1e-3));
}

/// Files with units and axes are aligned; the result moves as in the skeleton's own clip.
#[test]
fn skeletons_in_other_units_are_converted_or_scaled() {
    let bench = with_figure();
    let mut asset = Asset::new(sinew::demo::character(), Format::Glb);
    asset.meters_per_unit = Some(0.01);
    // As many units, each a hundredth: a figure of 1.75 cm.
    sinew_io::save(&bench.path("tiny.glb"), &asset).unwrap();
    let answer = bench.run(&["bind", "body.obj", "--skeleton", "tiny.glb", "-o", "out.glb"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.stderr.contains("--skeleton-scale 1"), "{answer:?}");
    let scaled = ["bind", "body.obj", "--skeleton", "tiny.glb", "--skeleton-scale", "100", "-o", "out.glb"];
    let answer = bench.run(&scaled);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{answer:?}");
    let out = bench.load("out.glb").character;
    assert!(mean_height(&out, "Head") > 1.4 && mean_height(&out, "LeftFoot") < 0.3);
    let rest = sinew_io::rest_surface(&out).unwrap().positions;
    assert!(rest.iter().map(|p| p.y).fold(0.0, f32::max) > 1.7, "the mesh keeps its size");
    assert_eq!(out.clips.len(), sinew::demo::character().clips.len());
    assert_valid(&[bench.path("out.glb")]);
}

#[test]
fn a_motion_is_a_skeleton_too() {
    let Some(file) = shared("mocap/cmu_native/02_01.bvh") else { return };
    let bench = with_figure();
    let arguments = ["bind", "body.obj", "--skeleton", &file, "-o", "out.glb"];
    let answer = bench.run(&arguments);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let (_, advice) = answer.stderr.split_once("--skeleton-scale").unwrap();
    let numbers: Vec<&str> = advice.split_whitespace().collect();
    let scale = ["--skeleton-scale", numbers[0], "--skeleton-offset", numbers[2]];
    bench.done(&[&arguments[..], &scale].concat());
    let out = bench.load("out.glb").character;
    assert_weighted(&out, 4);
    assert_eq!(out.clips.len(), 1);
    assert!(mean_height(&out, "Head") > mean_height(&out, "LeftFoot") + 1.0);
}

#[test]
fn authored_characters_are_bound_again() {
    let bench = Bench::new();
    let mut written = Vec::new();
    for name in ["CesiumMan.glb", "RobotExpressive.glb", "SimpleSkin.gltf"] {
        let Some(file) = shared(&format!("gltf/{name}")) else { return };
        let out = name.replace(".gltf", ".glb");
        bench.done(&["bind", &file, "-o", &out]);
        let (before, after) = (sinew_io::load(file.as_ref()).unwrap(), bench.load(&out));
        assert_eq!(after.appearance, before.appearance, "{name}");
        assert_eq!(after.character.clips, before.character.clips, "{name}");
        written.push(bench.path(&out));
    }
    assert_valid(&written);
}

#[test]
fn a_folder_is_bound_to_one_skeleton() {
    let bench = with_figure();
    std::fs::create_dir(bench.path("in")).unwrap();
    bench.done(&["convert", "body.obj", "in/a.ply"]);
    bench.done(&["convert", "body.obj", "in/b.obj"]);
    bench.write("in/c.obj", "v 0 0 0\n");
    bench.write("in/joints.toml", "a skeleton is no mesh");
    let answer = bench.run(&["bind", "in", "--skeleton", "joints.toml", "-o", "out"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stdout.contains("out/a.glb: 9898 vertices"), "{answer:?}");
    assert!(answer.stdout.ends_with("2 of 3 files done\n") && answer.stderr.contains("c.obj"), "{answer:?}");
    assert_eq!(bench.listing_of("out"), ["a.glb", "b.glb"]);
}
