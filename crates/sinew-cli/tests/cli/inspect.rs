//! `sinew inspect`.

use crate::bench::{Bench, shared};
use serde_json::Value;
use sinew_testing::shared_data;
use std::collections::BTreeSet;

fn inspect(bench: &Bench, file: &str) -> Value {
    serde_json::from_str(&bench.done(&["inspect", file, "--json"])).unwrap()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn sum(meshes: &[Value], key: &str) -> u64 {
    meshes.iter().map(|mesh| mesh[key].as_u64().unwrap()).sum()
}

#[test]
fn the_keys_are_those_of_the_contract() {
    let bench = Bench::with_tube();
    let tube = inspect(&bench, "tube.glb");
    assert_eq!(
        keys(&tube),
        BTreeSet::from(["file", "format", "units", "up", "meshes", "skeleton", "clips", "warnings"])
    );
    let mesh = &tube["meshes"][0];
    let expected = [
        "name",
        "vertices",
        "welded",
        "triangles",
        "quads",
        "closed",
        "boundary_loops",
        "shells",
        "volume",
        "max_influences",
        "weight_sum",
    ];
    assert_eq!(keys(mesh), BTreeSet::from(expected));
    assert_eq!(keys(&tube["skeleton"]), BTreeSet::from(["joints", "names", "roots"]));
    assert_eq!(keys(&tube["clips"][0]), BTreeSet::from(["name", "seconds"]));

    assert_eq!((&tube["file"], &tube["format"], &tube["up"]), (&"tube.glb".into(), &"glb".into(), &"Y".into()));
    assert_eq!(mesh["vertices"], 101 * 48 + 2);
    // glTF has triangles only.
    assert_eq!((&mesh["triangles"], &mesh["quads"]), (&(2 * 101 * 48).into(), &0.into()));
    assert_eq!((&mesh["closed"], &mesh["boundary_loops"], &mesh["shells"]), (&true.into(), &0.into(), &1.into()));
    let polygon = 24.0 * (std::f64::consts::TAU / 48.0).sin();
    assert!((mesh["volume"].as_f64().unwrap() - 10.0 * polygon).abs() < 1e-4, "{mesh}");
    assert_eq!(tube["skeleton"], serde_json::json!({"joints": 2, "names": ["root", "bend"], "roots": ["root"]}));
    assert_eq!(tube["clips"], serde_json::json!([{"name": "bend", "seconds": 1.0}]));
    assert_eq!(tube["warnings"], serde_json::json!([]));
}

#[test]
fn the_text_has_the_same_numbers() {
    let bench = Bench::with_tube();
    let text = bench.done(&["inspect", "tube.glb"]);
    for words in ["4850 vertices (4850 welded)", "closed", "2 joints", "root, bend", "\"bend\": 1.000 s"] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
}

#[test]
fn every_shared_file_agrees_with_the_manifest() {
    let bench = Bench::new();
    let rows = [("gltf", "glb"), ("gltf", "gltf"), ("fbx", "fbx"), ("fbx", "obj"), ("mesh", "obj")]
        .into_iter()
        .flat_map(|(folder, extension)| shared_data::manifest(folder, extension));
    for row in rows {
        let name = row.text("file");
        let found = inspect(&bench, &shared(name).unwrap());
        let mut meshes = found["meshes"].as_array().unwrap().as_slice();
        if row.text("joints").contains("skins") {
            // Every skin has the one mesh that the manifest counts.
            meshes = &meshes[..1];
        }
        assert_eq!(sum(meshes, "vertices"), row.count("verts").unwrap_or(0) as u64, "vertices of {name}");
        assert_eq!(sum(meshes, "quads"), row.count("quads").unwrap_or(0) as u64, "quads of {name}");
        let triangles = sum(meshes, "triangles") + 2 * sum(meshes, "quads");
        // The manifest leaves out the triangles that welding collapses.
        let collapsed = if name == "gltf/RobotExpressive.glb" { 3 } else { 0 };
        assert_eq!(triangles, row.count("tris").unwrap_or(0) as u64 + collapsed, "triangles of {name}");
        if meshes.len() <= 1 {
            assert_eq!(sum(meshes, "welded"), row.count("welded").unwrap_or(0) as u64, "welded vertices of {name}");
            assert_eq!(sum(meshes, "shells"), row.count("comps").unwrap_or(0) as u64, "shells of {name}");
        }
        let closed = !meshes.is_empty() && meshes.iter().all(|mesh| mesh["closed"] == true);
        assert_eq!(closed, row.text("closed") == "True", "{name} closed");
        for mesh in meshes {
            assert_eq!(mesh["volume"].is_null(), mesh["closed"] == false, "volume of {name}: {mesh}");
            assert!(mesh["volume"].as_f64().is_none_or(|volume| volume > 0.0), "{name} is inside out: {mesh}");
        }
        assert_eq!(found["clips"].as_array().unwrap().len(), row.count("clips").unwrap_or(0), "clips of {name}");
        match row.text("joints") {
            "" => assert!(found["skeleton"].is_null(), "{name}"),
            several if several.contains("skins") => {}
            _ => assert_eq!(found["skeleton"]["joints"], row.count("joints").unwrap(), "joints of {name}"),
        }
        let influences = meshes.iter().map(|mesh| mesh["max_influences"].as_u64().unwrap()).max();
        assert_eq!(influences.unwrap_or(0), row.count("max_influences").unwrap_or(0) as u64, "influences of {name}");
        if let Some((low, high)) = row.text("weight_sum").split_once("..") {
            let bound = |index: usize, pick: fn(f64, f64) -> f64| {
                meshes.iter().filter_map(|mesh| mesh["weight_sum"][index].as_f64()).reduce(pick).unwrap()
            };
            let apart =
                [bound(0, f64::min) - low.parse::<f64>().unwrap(), bound(1, f64::max) - high.parse::<f64>().unwrap()];
            assert!(
                apart.iter().all(|apart| apart.abs() < 6e-4),
                "weight sums of {name}: {apart:?} from {low}..{high}"
            );
        }
    }
}

#[test]
fn a_motion_has_a_skeleton_and_a_clip_but_no_mesh() {
    let Some(walk) = shared("mocap/cmu_native/02_01.bvh") else { return };
    let found = inspect(&Bench::new(), &walk);
    assert_eq!(found["meshes"], serde_json::json!([]));
    assert_eq!(found["clips"].as_array().unwrap().len(), 1);
    assert_eq!(found["skeleton"]["roots"], serde_json::json!(["Hips"]));
    assert_eq!(found["skeleton"]["joints"], found["skeleton"]["names"].as_array().unwrap().len());
}

/// As in `sinew inspect hero.glb | head -1`.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let bench = Bench::with_tube();
    let mut child = bench.command(&["inspect", "tube.glb"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}
