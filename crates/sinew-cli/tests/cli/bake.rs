//! `sinew bake`.

use crate::bench::{Bench, obj_points, points, shared, tube};
use glam::Vec3;
use serde_json::Value;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::volume::volume;
use sinew::rig::{Character, Clip, Interpolation, JointTracks, Track};
use sinew_io::pc2;
use sinew_testing::{reference_skin, shared_data};
use std::collections::BTreeSet;

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The points of a baked GLB, which moves by morph targets alone, at a time.
fn shown(character: &Character, seconds: f64) -> Vec<Vec3> {
    let mut moved = character.clone();
    character.clips[0].sample(seconds, &character.base_pose, &mut moved.base_pose);
    sinew_io::rest_surface(&moved).unwrap().positions
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_point_cache_has_the_points_of_the_poses() {
    let bench = Bench::with_tube();
    for skin in SkinMethod::ALL.map(SkinMethod::name) {
        let printed =
            bench.done(&["bake", "tube.glb", "--clip", "bend", "--fps", "4", "--skin", skin, "-o", "out.pc2"]);
        assert_eq!(printed, "out.pc2\n");
        let bytes = bench.read("out.pc2");
        assert_eq!(&bytes[..12], b"POINTCACHE2\0");
        let word = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((word(12), word(16), word(28)), (1, 4850, 5), "version, points, samples");
        assert_eq!(bytes.len(), 32 + 5 * 4850 * 12);
        let cache = pc2::read(&bytes).unwrap();
        assert_eq!((cache.start_frame, cache.frames_per_sample), (2.0, 1.0));
        for (k, sample) in cache.samples().enumerate() {
            let seconds = (0.5 + k as f64 / 4.0).to_string();
            let posed = bench.posed(&["tube.glb", "--clip", "0", "--time", &seconds, "--skin", skin]);
            assert!(sample == posed, "{skin} at {seconds}");
        }
    }
}

#[test]
fn frames_go_from_the_start_to_the_end_inclusive() {
    let bench = Bench::with_tube();
    for (fps, times) in [("3", 4), ("30", 31), ("0.7", 1), ("29.97", 30), ("1", 2)] {
        bench.done(&["bake", "tube.glb", "--fps", fps, "-o", "out.pc2", "--report", "out.json"]);
        let report = bench.json("out.json");
        let frames = report["frames"].as_array().unwrap();
        assert_eq!(frames.len(), times, "{fps}");
        assert_eq!(pc2::read(&bench.read("out.pc2")).unwrap().samples().count(), times, "{fps}");
        for (k, frame) in frames.iter().enumerate() {
            let expected = 0.5 + k as f64 / fps.parse::<f64>().unwrap();
            assert!((frame["time"].as_f64().unwrap() - expected).abs() < 1e-9, "{fps}: {frame}");
        }
    }
    bench.done(&["bake", "tube.glb", "-o", "out.pc2"]);
    assert_eq!(pc2::read(&bench.read("out.pc2")).unwrap().samples().count(), 31, "30 fps without --fps");
}

#[test]
fn every_format_has_the_same_frames() {
    let bench = Bench::with_tube();
    for out in ["out.pc2", "out.glb", "out.usda", "out.obj"] {
        bench.done(&["bake", "tube.glb", "--fps", "4", "-o", out]);
    }
    let cache = pc2::read(&bench.read("out.pc2")).unwrap();
    let frames: Vec<&[Vec3]> = cache.samples().collect();

    let baked = bench.load("out.glb").character;
    assert_eq!(baked.clips.len(), 1);
    assert_eq!(baked.clips[0].range(), (0.5, 1.5));
    let usda = bench.text("out.usda");
    for words in ["#usda 1.0", "startTimeCode = 2\n", "endTimeCode = 6\n", "timeCodesPerSecond = 4\n", "upAxis = \"Y\""]
    {
        assert!(usda.contains(words), "{words}");
    }
    let samples = usda.split("point3f[] points.timeSamples = {").nth(1).unwrap().split('}').next().unwrap();
    let samples: Vec<&str> = samples.lines().filter(|line| line.contains(": [")).collect();
    assert_eq!(samples.len(), 5);
    for (k, frame) in frames.iter().enumerate() {
        assert!(farthest(&shown(&baked, 0.5 + k as f64 / 4.0), frame) < 1e-5, "frame {k} of the GLB");
        assert!(obj_points(&bench.text(&format!("out.000{k}.obj"))) == *frame, "frame {k} of the OBJ");
        let (code, list) = samples[k].trim().split_once(": ").unwrap();
        assert_eq!(code, (k + 2).to_string());
        let tuples: Vec<Vec3> = list
            .trim_matches(['[', ']', ','])
            .split("), ")
            .map(|tuple| {
                let numbers: Vec<f32> =
                    tuple.trim_matches(['(', ')']).split(", ").map(|n| n.parse().unwrap()).collect();
                Vec3::from_slice(&numbers)
            })
            .collect();
        assert!(tuples == *frame, "frame {k} of the USDA");
    }
    let mut expected: Vec<String> = (0..5).map(|k| format!("out.000{k}.obj")).collect();
    expected.extend(["out.glb", "out.pc2", "out.usda", "tube.glb"].map(Into::into));
    expected.sort();
    assert_eq!(bench.listing(), expected);
}

#[test]
fn a_report_has_the_keys_of_the_contract_and_sound_numbers() {
    let bench = Bench::with_tube();
    bench.done(&["bake", "tube.glb", "--fps", "10", "--skin", "linear", "-o", "out.pc2", "--report", "out.json"]);
    let report = bench.json("out.json");
    assert_eq!(keys(&report), BTreeSet::from(["frames", "joints", "warnings"]));
    let expected = BTreeSet::from([
        "time",
        "volume_rest",
        "volume_base",
        "volume",
        "max_displacement",
        "max_second_difference",
        "intersections_base",
        "intersections",
        "milliseconds",
        "phases",
        "joints",
    ]);
    let frames = report["frames"].as_array().unwrap();
    let rest = frames[0]["volume_rest"].as_f64().unwrap();
    let mut before = f64::INFINITY;
    for frame in frames {
        assert_eq!(keys(frame), expected);
        let number = |key: &str| frame[key].as_f64().unwrap();
        assert!((number("volume_rest") / rest - 1.0).abs() < 1e-6, "{frame}");
        assert_eq!(number("volume_base"), number("volume"), "no stage follows the skin");
        assert_eq!(number("intersections_base"), number("intersections"));
        assert_eq!((number("max_displacement"), number("max_second_difference")), (0.0, 0.0));
        assert_eq!(frame["joints"], serde_json::json!({}));
        assert!(number("milliseconds") > 0.0);
        assert_eq!(keys(&frame["phases"]), BTreeSet::from(["skin"]));
        assert!(number("volume") <= before + 1e-5 * rest, "the farther the bend, the less volume: {frame}");
        before = number("volume");
    }
    assert!((frames[0]["volume"].as_f64().unwrap() / rest - 1.0).abs() < 1e-6);
    assert!((0.85..0.99).contains(&(before / rest)), "{}", before / rest);
    assert_eq!(frames[0]["intersections"], 0);
    assert_eq!(report["joints"].as_array().unwrap().len(), 1);
    assert_eq!(report["joints"][0]["name"], "bend");
    assert!((report["joints"][0]["max_degrees"].as_f64().unwrap() - 90.0).abs() < 1e-3);
    assert_eq!(report["joints"][0]["max_volume_change"], 0.0);
}

#[test]
fn the_report_of_an_implicit_skin_has_its_phases_and_what_it_did() {
    let bench = Bench::with_tube();
    let bake = ["bake", "tube.glb", "--fps", "4", "--implicit", "-o", "out.pc2", "--report"];
    bench.done(&[&bake[..], &["out.json"]].concat());
    let report = bench.json("out.json");
    let frame = report["frames"].as_array().unwrap().last().unwrap();
    let phases = BTreeSet::from([
        "skin",
        "implicit_pose",
        "implicit_strain",
        "implicit_fields",
        "implicit_membrane",
        "implicit_sides",
        "implicit_output",
    ]);
    assert_eq!(keys(&frame["phases"]), phases);
    assert!(frame["intersections_base"].as_u64() > Some(50) && frame["intersections"] == 0, "{frame}");
    let implicit = &frame["implicit"];
    assert_eq!(keys(implicit), BTreeSet::from(["moved", "touching"]));
    assert!(implicit["moved"].as_u64() > Some(100) && implicit["touching"].as_u64() > Some(20), "{frame}");
    assert_eq!(report["limbs"].as_array().unwrap().len(), 2);
    assert_eq!(report["limbs"][1]["has_joint"], true, "{report}");
    bench.done(&[&bake[..], &["out.html"]].concat());
    assert!(bench.text("out.html").contains("most points moved"));
}

/// The tube that bends by 90° at once, at 1 s.
fn snapping_tube() -> Character {
    let mut tube = tube();
    let rotation = tube.clips[0].joints[0].rotation.as_mut().unwrap();
    rotation.times = vec![0.5, 1.0, 1.5];
    rotation.values.push(rotation.values[1]);
    rotation.interpolation = Interpolation::Step;
    tube
}

/// Bakes the tube that snaps and measures its jumps: the words printed, and the report.
fn jumps_of_snap(bench: &Bench, arguments: &[&str]) -> (String, Value) {
    let bake = ["bake", "snap.glb", "--fps", "2", "--jumps", "-o", "out.pc2", "--report", "out.json"];
    let printed = bench.done(&[&bake[..], arguments].concat());
    (printed, bench.json("out.json"))
}

/// The intervals that jump: finished, of the skin, and beyond the skin.
fn jump_counts(report: &Value) -> [u64; 3] {
    ["jumps", "jumps_of_skin", "jumps_beyond_skin"].map(|key| report[key].as_u64().unwrap())
}

/// At rest dual quaternions are linear skin, so the only step of a tube that snaps is all the distance between them.
#[test]
fn a_correction_jumps_where_the_pose_does() {
    let bench = Bench::new();
    bench.save("snap.glb", snapping_tube());
    let (printed, report) = jumps_of_snap(&bench, &["--skin", "dual-quaternion"]);
    let counts = ["jumps", "jump_intervals", "jump_share", "jumps_of_skin", "jumps_beyond_skin", "jump_worst"];
    let place = ["jump_vertex", "jump_joint", "jump_time", "jump_height"];
    let of_flesh = ["yielding_intervals", "jumps_of_yielding"];
    let expected = ["frames", "joints", "warnings"].into_iter().chain(counts).chain(of_flesh).chain(place).collect();
    assert_eq!(keys(&report), expected);
    let number = |key: &str| report[key].as_f64().unwrap();
    assert_eq!(jump_counts(&report), [1, 1, 0]);
    assert_eq!((number("jump_intervals"), number("jump_share"), number("jump_time")), (30.0, 1.0 / 30.0, 1.0));
    assert!(printed.starts_with("out.pc2\njumps: 1 of 30 intervals (3.3 %)"), "{printed}");

    let posed = |skin: &str| bench.posed(&["snap.glb", "--clip", "0", "--time", "1.2", "--skin", skin]);
    let (linear, dual) = (posed("linear"), posed("dual-quaternion"));
    let vertex = number("jump_vertex") as usize;
    for distance in [farthest(&linear, &dual), linear[vertex].distance(dual[vertex])] {
        assert!((number("jump_worst") - f64::from(distance)).abs() < 1e-6, "{distance}: {report}");
    }
    let rest = bench.posed(&["snap.glb"]);
    let [low, high] = [f32::min, f32::max].map(|pick| rest.iter().map(|p| p.y).reduce(pick).unwrap());
    assert!((number("jump_height") - f64::from(high - low)).abs() < 1e-6, "{report}");
}

#[test]
fn jumps_of_a_stage_are_told_apart_from_those_of_the_skin() {
    let bench = Bench::with_tube();
    bench.save("snap.glb", snapping_tube());
    let (printed, report) = jumps_of_snap(&bench, &["--skin", "linear"]);
    assert_eq!((jump_counts(&report), report["jump_worst"].as_f64()), ([0, 0, 0], Some(0.0)));
    assert!(report["jump_vertex"].is_null() && printed.contains("jumps: 0 of 30"), "{printed}");
    bench.write("r.sinew.toml", "[volume]\nmethod = \"exact\"\ncontacts = false\n");
    assert_eq!(jump_counts(&jumps_of_snap(&bench, &["--recipe", "r.sinew.toml", "--skin", "linear"]).1), [1, 0, 1]);
    assert_eq!(jump_counts(&jumps_of_snap(&bench, &["--recipe", "r.sinew.toml"]).1), [1, 1, 0]);

    bench.done(&["bake", "tube.glb", "--jumps", "-o", "out.pc2", "--report", "out.html"]);
    let row = "<th>intervals that jump, finished</th><td>0 of 30 intervals (0.0 %)</td>";
    assert!(bench.text("out.html").contains(row), "a tube that bends evenly has no jumps");
    let answer = bench.run(&["bake", "tube.glb", "snap.glb", "--jumps", "-o", "both"]);
    assert!(answer.code == Some(1) && answer.stderr.contains("jumps are measured for one character"), "{answer:?}");
}

/// Swinging on after a stop is no jump, and does not hide one.
#[test]
fn jumps_are_measured_without_after_shake() {
    let bench = Bench::new();
    bench.save("snap.glb", snapping_tube());
    let measured = |shake: &str| {
        bench.write("r.sinew.toml", format!("[volume]\nmethod = \"exact\"\n[volume.shake]\nfrequency = {shake}\n"));
        let bake = ["bake", "snap.glb", "--recipe", "r.sinew.toml", "--jumps", "-o", "out.pc2", "--report", "out.json"];
        let answer = bench.run(&bake);
        (answer, bench.json("out.json"))
    };
    let ((still, expected), (swinging, report)) = (measured("0.0"), measured("3.0"));
    assert_eq!((still.code, still.stderr.as_str()), (Some(0), ""));
    assert_eq!(still.stdout, swinging.stdout);
    for key in ["jumps", "jump_worst", "jump_vertex", "jump_time"] {
        assert_eq!(report[key], expected[key], "{key}");
    }
    let warning = "jumps are measured without after-shake";
    assert!(swinging.stderr.contains(warning) && report["warnings"].to_string().contains(warning), "{swinging:?}");
}

/// Whatever the volume stage does, the report's base is the same bake without it.
#[test]
fn the_base_of_a_report_is_the_skin_alone() {
    let bench = Bench::with_tube();
    let report = |volume: &str| {
        let bake = ["bake", "tube.glb", "--fps", "5", "--skin", "linear", "--volume", volume];
        bench.done(&[&bake[..], &["-o", "out.pc2", "--report", "out.json"]].concat());
        (bench.json("out.json"), pc2::read(&bench.read("out.pc2")).unwrap())
    };
    let (plain, skin) = report("off");
    for volume in ["linear", "exact", "normal", "laplacian"] {
        let (corrected, finished) = report(volume);
        let frames = corrected["frames"].as_array().unwrap();
        let positions: Vec<(&[Vec3], &[Vec3])> = skin.samples().zip(finished.samples()).collect();
        for (k, (frame, expected)) in frames.iter().zip(plain["frames"].as_array().unwrap()).enumerate() {
            for key in ["time", "volume_rest", "volume_base", "intersections_base"] {
                assert_eq!(frame[key], expected[key], "{volume}: {key}");
            }
            let moved = f64::from(farthest(positions[k].0, positions[k].1));
            assert!((frame["max_displacement"].as_f64().unwrap() - moved).abs() < 1e-6, "{volume}: {frame}");
            let correction = |k: usize, v: usize| positions[k].1[v] - positions[k].0[v];
            let flicker = match k {
                0 => 0.0,
                k if k + 1 == frames.len() => 0.0,
                k => (0..positions[k].0.len())
                    .map(|v| (correction(k + 1, v) - 2.0 * correction(k, v) + correction(k - 1, v)).length())
                    .fold(0.0, f32::max),
            };
            let reported = frame["max_second_difference"].as_f64().unwrap();
            assert!((reported - f64::from(flicker)).abs() < 1e-6, "{volume}: {frame}");
        }
    }
}

#[test]
fn an_open_mesh_is_reported_without_a_volume() {
    let Some(file) = shared("gltf/SimpleSkin.gltf") else { return };
    let bench = Bench::new();
    bench.done(&["bake", &file, "--fps", "2", "--skin", "linear", "-o", "out.pc2", "--report", "out.json"]);
    let report = bench.json("out.json");
    for frame in report["frames"].as_array().unwrap() {
        assert!(["volume_rest", "volume_base", "volume"].iter().all(|key| frame[key].is_null()), "{frame}");
    }
    assert!(!bench.text("out.json").contains("null"), "what was not measured is left out");
    assert!(report["warnings"][0].as_str().unwrap().contains("not closed"), "{report}");
    bench.done(&["bake", &file, "--fps", "2", "-o", "out.pc2", "--report", "out.html"]);
    assert!(bench.text("out.html").contains("no volume to show"));
}

/// The mannequin is large enough to be cut into pieces for threads.
#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let bench = Bench::new();
    bench.save("mannequin.glb", sinew::demo::character());
    for skin in SkinMethod::ALL.map(SkinMethod::name) {
        let baked = |threads: &str| {
            let bake = ["bake", "mannequin.glb", "--clip", "walk", "--fps", "4", "--skin", skin, "-o", "out.pc2"];
            assert!(bench.command(&bake).env("RAYON_NUM_THREADS", threads).status().unwrap().success());
            bench.read("out.pc2")
        };
        assert!(baked("1") == baked("3"), "{skin}");
    }
}

#[test]
fn a_page_has_plots_and_pictures() {
    let bench = Bench::with_tube();
    bench.done(&["bake", "tube.glb", "--fps", "4", "--skin", "linear", "-o", "out.glb", "--report", "out.html"]);
    let page = bench.text("out.html");
    assert_eq!(page.matches("<svg").count(), 3);
    assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 2);
    assert_eq!(bench.listing(), ["out.glb", "out.html", "tube.glb"]);
    bench.done(&["bake", "tube.glb", "--fps", "4", "--volume", "exact", "-o", "out.glb", "--report", "out.html"]);
    let page = bench.text("out.html");
    for words in
        ["dual-quaternion + exact volume", "Largest displacement", "Flicker", "largest change of volume, finished"]
    {
        assert!(page.contains(words), "{words}");
    }
    // The quarters of the clip, then skin and result by volume and by displacement.
    assert!(page.matches("src=\"data:image/png;base64,").count() >= 3);
    assert!(page.contains("where the skin gains most volume") || page.contains("where the skin loses most volume"));
}

/// The manifest's ratio is that of the least volume at 16 times of every clip, from its start to its
/// end, to the volume of the pose that the file's nodes stand in.
#[test]
fn trex_loses_the_volume_that_is_known() {
    let Some(file) = shared("gltf/quaternius_Trex.glb") else { return };
    let row = shared_data::manifest("gltf", "glb").into_iter().find(|row| row.text("file").contains("Trex")).unwrap();
    let (known, _) = row.text("lbs_volume_ratio").split_once("..").unwrap();
    let bench = Bench::new();
    let summary: Value = serde_json::from_str(&bench.done(&["inspect", &file, "--json"])).unwrap();
    let mut volumes = Vec::new();
    for (index, clip) in summary["clips"].as_array().unwrap().iter().enumerate() {
        let fps = (15.0 / clip["seconds"].as_f64().unwrap()).to_string();
        let index = index.to_string();
        let clip = ["--clip", &index, "--fps", &fps, "--skin", "linear"];
        bench.done(&[&["bake", &file, "-o", "out.pc2", "--report", "out.json"], &clip[..]].concat());
        let report = bench.json("out.json");
        let frames = report["frames"].as_array().unwrap();
        assert_eq!(frames.len(), 16);
        for frame in frames {
            let rest = summary["meshes"][0]["volume"].as_f64().unwrap();
            assert!((frame["volume_rest"].as_f64().unwrap() / rest - 1.0).abs() < 1e-3, "nothing scales: {frame}");
            volumes.push(frame["volume"].as_f64().unwrap());
        }
    }
    let character = sinew_io::load(file.as_ref()).unwrap().character;
    let nodes = reference_skin::positions(&character, &character.base_pose, SkinMethod::Linear);
    let nodes: Vec<Vec3> = nodes.iter().map(|p| p.as_vec3()).collect();
    let least = volumes.iter().copied().fold(f64::MAX, f64::min) / volume(&nodes, &character.parts[0].mesh.faces);
    assert!((least - known.parse::<f64>().unwrap()).abs() < 2e-3, "{least} is not {known}");
}

#[test]
fn a_motion_plays_on_another_body() {
    let Some(body) = shared("gltf/makehuman_male_cmu31.glb") else { return };
    let motion = shared("mocap/cmu30/cartwheel__49_06.bvh").unwrap();
    let bench = Bench::new();
    bench.done(&["bake", &body, "--motion", &motion, "--fps", "3", "-o", "out.pc2"]);
    let cache = pc2::read(&bench.read("out.pc2")).unwrap();
    let seconds = sinew_io::load(motion.as_ref()).unwrap().character.clips[0].seconds();
    assert_eq!(cache.samples().count(), (seconds * 3.0 + 1e-6) as usize + 1);
    let rest = bench.posed(&[&body]);
    let height = |points: &[Vec3]| {
        let low = points.iter().copied().reduce(Vec3::min).unwrap();
        (points.iter().copied().reduce(Vec3::max).unwrap() - low).length()
    };
    let mut frames = cache.samples();
    let first = frames.next().unwrap();
    for frame in std::iter::once(first).chain(frames) {
        assert!(frame.iter().all(|p| p.is_finite()));
        let ratio = height(frame) / height(&rest);
        assert!((0.5..1.5).contains(&ratio), "a body stays of one size: {ratio}");
    }
    // Head over heels: what is highest at first is lowest at some time.
    let head = (0..first.len()).max_by(|&a, &b| rest[a].y.total_cmp(&rest[b].y)).unwrap();
    let head_height = |frame: &[Vec3]| {
        let low = frame.iter().map(|p| p.y).fold(f32::MAX, f32::min);
        (frame[head].y - low) / height(&rest)
    };
    let heights: Vec<f32> = cache.samples().map(head_height).collect();
    assert!(heights[0] > 0.7 && heights.iter().any(|&h| h < 0.4), "{heights:?}");
}

#[test]
fn a_batch_goes_on_after_a_broken_file_and_sums_up() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("in")).unwrap();
    bench.save("in/a.glb", tube());
    bench.save("in/c.glb", tube());
    let whole = bench.read("in/a.glb");
    bench.write("in/b.glb", &whole[..whole.len() / 2]);
    bench.write("in/notes.txt", "not a character");
    let answer = bench.run(&["bake", "in", "--fps", "2", "--format", "pc2", "-o", "out"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert_eq!(bench.listing_of("out"), ["a.pc2", "c.pc2"]);
    assert!(answer.stdout.ends_with("2 of 3 files done\n"), "{answer:?}");
    assert!(answer.stderr.contains("b.glb") && answer.stderr.contains("1 of 3 files failed"), "{answer:?}");

    std::fs::remove_file(bench.path("in/b.glb")).unwrap();
    let printed = bench.done(&["bake", "in/a.glb", "in/c.glb", "--fps", "2", "-o", "two"]);
    assert_eq!(bench.listing_of("two"), ["a.glb", "c.glb"]);
    assert!(printed.ends_with("2 of 2 files done\n"), "{printed}");
    assert_eq!(points(&bench.load("two/a.glb")).len(), 4850);
}

#[test]
fn progress_is_not_shown_where_nobody_looks() {
    let bench = Bench::with_tube();
    let answer = bench.run(&["bake", "tube.glb", "-o", "out.pc2"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
}

/// A clip that pushes the upper half of the tube through the lower: the end of the bake says where flesh fails, once, and
/// so does the report.
#[test]
fn flesh_that_fails_gets_a_warning() {
    let bench = Bench::new();
    let mut pushed = tube();
    let joint = pushed.skeleton.find("bend").unwrap();
    let translation = Track::linear(vec![0.0, 1.0], vec![Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -5.0)]);
    let tracks = JointTracks { joint, translation: Some(translation), ..JointTracks::default() };
    pushed.clips = vec![Clip { name: "push".into(), joints: vec![tracks], morphs: Vec::new() }];
    bench.save("push.glb", pushed);
    let bake = ["bake", "push.glb", "--flesh", "--fps", "1", "-o", "out.pc2"];
    for report in [&[][..], &["--report", "out.json"]] {
        let answer = bench.run(&[&bake[..], report].concat());
        assert_eq!(answer.code, Some(0), "{answer:?}");
        assert_eq!(answer.stderr.matches("in 1 of 2 frames, worst at 1.00 s").count(), 2, "{answer:?}");
        assert!(answer.stderr.contains("warning: push.glb: flesh is turned over"), "{answer:?}");
    }
    let warnings = bench.json("out.json")["warnings"].to_string();
    assert!(warnings.contains("turned over") && warnings.contains("outside their flesh"), "{warnings}");
}
