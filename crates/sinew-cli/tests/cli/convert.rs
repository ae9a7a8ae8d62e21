//! `sinew convert`.

use crate::bench::{Bench, points, shared, tube};
use glam::{DAffine3, DVec3, Vec3};
use sinew::rig::{Character, Part, Pose};
use sinew_io::UpAxis;
use sinew_io::bvh::Bvh;
use sinew_testing::gltf_validator::assert_valid;
use sinew_testing::shared_data;

/// World positions of the real joints by name at a time of the first clip.
fn joints(character: &Character, seconds: f64) -> Vec<(String, DVec3)> {
    let mut pose = Pose::default();
    character.clips[0].sample(seconds, &character.base_pose, &mut pose);
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(&pose, &mut world);
    character.joints().map(|j| (character.skeleton.joints()[j].name.clone(), world[j].translation)).collect()
}

#[test]
fn joints_stay_where_they_are_through_bvh_and_back() {
    let bench = Bench::with_tube();
    let files = ["gltf/CesiumMan.glb", "gltf/RiggedFigure.glb"].into_iter().filter_map(shared);
    for file in files.chain([bench.path("tube.glb").into_os_string().into_string().unwrap()]) {
        bench.done(&["convert", &file, "there.bvh"]);
        bench.done(&["convert", "there.bvh", "back.glb"]);
        let (before, after) = (sinew_io::load(file.as_ref()).unwrap().character, bench.load("back.glb").character);
        // A BVH begins at zero and has frames of its own.
        let (start, end) = before.clips[0].range();
        let size = joints(&before, start).iter().map(|(_, p)| p.length()).fold(0.0, f64::max);
        assert!((after.clips[0].seconds() - (end - start)).abs() < 0.05, "{file}");
        for k in 0..=8 {
            let seconds = (end - start) * f64::from(k) / 8.0;
            let found = joints(&after, after.clips[0].range().0 + seconds);
            for (name, place) in joints(&before, start + seconds) {
                let (_, there) = found.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("{name}"));
                assert!(there.distance(place) < 5e-3 * size, "{file}: {name} at {seconds}: {there} is not {place}");
            }
        }
    }
}

#[test]
fn a_bvh_keeps_every_value() {
    let Some(file) = shared("mocap/cmu_native/02_01.bvh") else { return };
    let bench = Bench::new();
    bench.done(&["convert", &file, "copy.bvh"]);
    bench.done(&["convert", "copy.bvh", "again.bvh"]);
    let (first, copy) =
        (Bvh::parse(&std::fs::read(&file).unwrap()).unwrap(), Bvh::parse(&bench.read("copy.bvh")).unwrap());
    assert_eq!(first, copy);
    assert_eq!(bench.read("copy.bvh"), bench.read("again.bvh"));
}

#[test]
fn an_fbx_becomes_a_glb_with_its_skin_and_clips() {
    let bench = Bench::new();
    // The clip of the first has no tracks, and glTF has no animation without.
    for (name, clips) in [("ozz_arnaud", 0), ("maya_dq_weights_7500_binary", 1), ("quaternius_FarmHorse", 6)] {
        let Some(file) = shared(&format!("fbx/{name}.fbx")) else { return };
        bench.done(&["convert", &file, "out.glb"]);
        let (before, after) = (sinew_io::load(file.as_ref()).unwrap().character, bench.load("out.glb").character);
        assert_eq!(after.clips.len(), clips, "{name}");
        assert_eq!(after.parts.len(), before.parts.len(), "{name}");
        for (a, b) in after.parts.iter().zip(&before.parts) {
            let names = |part: &Part, character: &Character| -> Vec<String> {
                part.binding.joints.iter().map(|&j| character.skeleton.joints()[j].name.clone()).collect()
            };
            assert_eq!(names(a, &after), names(b, &before), "{name}");
            assert_eq!(a.binding.weights.max_influences(), b.binding.weights.max_influences(), "{name}");
            assert_eq!(a.binding.dual_quaternion_share, b.binding.dual_quaternion_share, "{name}");
        }
        for (a, b) in after.clips.iter().zip(&before.clips) {
            assert_eq!(a.name, b.name, "{name}");
            assert!((a.seconds() - b.seconds()).abs() < 1e-5, "{name}: {}", a.name);
        }
    }
}

#[test]
fn every_fbx_becomes_a_valid_glb() {
    let bench = Bench::new();
    let mut written = Vec::new();
    for row in shared_data::manifest("fbx", "fbx") {
        let out = row.text("file").replace("fbx/", "").replace(".fbx", ".glb");
        bench.done(&["convert", &shared(row.text("file")).unwrap(), &out]);
        written.push(bench.path(&out));
    }
    if !written.is_empty() {
        assert_valid(&written);
    }
}

/// glTF is in metres with y up, whatever the file was in.
#[test]
fn a_converted_fbx_moves_as_before() {
    let bench = Bench::new();
    for name in ["maya_dq_weights_7500_binary", "max_transformed_skin_7500_binary", "quaternius_FarmHorse"] {
        let Some(file) = shared(&format!("fbx/{name}.fbx")) else { return };
        bench.done(&["convert", &file, "out.glb"]);
        let asset = sinew_io::load(file.as_ref()).unwrap();
        let meters = asset.meters_per_unit.unwrap() as f32;
        let to_gltf = |p: Vec3| meters * if asset.up == UpAxis::Z { Vec3::new(p.x, p.z, -p.y) } else { p };
        for seconds in ["0", "0.21", "0.5"] {
            let posed = |file: &str| bench.posed(&[file, "--time", seconds, "--skin", "linear"]);
            // The GLB has several vertices where the FBX has a seam.
            let (before, copies) = (posed(&file), posed("out.glb"));
            assert_eq!(copies.len(), asset.character.vertex_count(), "{name}");
            let after: Vec<Vec3> = asset.character.file_order().into_iter().map(|vertex| copies[vertex]).collect();
            assert_eq!(before.len(), after.len(), "{name}");
            let size = after.iter().map(|p| p.length()).fold(0.0, f32::max);
            let error = before.iter().zip(&after).map(|(a, b)| to_gltf(*a).distance(*b)).fold(0.0, f32::max);
            assert!(error < 1e-5 * size, "{name} at {seconds}: {error} of {size}");
        }
    }
}

#[test]
fn a_mesh_goes_through_ply_and_back() {
    let Some(file) = shared("mesh/spot_control_mesh.obj") else { return };
    let bench = Bench::new();
    bench.done(&["convert", &file, "there.ply"]);
    bench.done(&["convert", "there.ply", "back.obj"]);
    let (before, after) = (sinew_io::load(file.as_ref()).unwrap(), bench.load("back.obj"));
    assert_eq!(points(&after), points(&before));
    assert_eq!(after.character.parts[0].mesh.faces, before.character.parts[0].mesh.faces);
}

#[test]
fn a_folder_becomes_a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("in")).unwrap();
    bench.save("in/a.glb", tube());
    bench.save("in/b.glb", tube());
    bench.write("in/b.bvh", "HIERARCHY");
    let answer = bench.run(&["convert", "in", "out", "--format", "ply"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stdout.ends_with("2 of 3 files done\n") && answer.stderr.contains("b.bvh"), "{answer:?}");
    // Two inputs called b: both keep their extension.
    assert_eq!(bench.listing_of("out"), ["a.ply", "b.glb.ply"]);
    assert_eq!(points(&bench.load("out/a.ply")).len(), 4850);
}
