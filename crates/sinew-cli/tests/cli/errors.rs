//! What goes wrong: exit code 1 for bad input, 2 for bad usage, a sentence on stderr, nothing on
//! stdout and nothing left behind.

use crate::bench::{Answer, Bench, shared};
use glam::Quat;

fn assert_refused(bench: &Bench, arguments: &[&str], code: i32, words: &[&str]) -> Answer {
    let before = bench.listing();
    let answer = bench.run(arguments);
    println!("{arguments:?}\n  {}", answer.stderr.trim_end());
    assert_eq!(answer.code, Some(code), "{arguments:?}: {answer:?}");
    assert_eq!(answer.stdout, "", "{arguments:?}");
    for word in words {
        assert!(answer.stderr.contains(word), "{arguments:?} does not contain {word:?}: {}", answer.stderr);
    }
    assert_eq!(bench.listing(), before, "{arguments:?} left something behind");
    answer
}

/// A bad input or request: one line that names the thing and the remedy.
fn assert_error(bench: &Bench, arguments: &[&str], words: &[&str]) {
    let answer = assert_refused(bench, arguments, 1, words);
    assert!(answer.stderr.starts_with("error: "), "{answer:?}");
    assert_eq!(answer.stderr.trim_end().lines().count(), 1, "one paragraph: {answer:?}");
    assert!(!answer.stderr.contains(".sinew-"), "no names of temporary files: {answer:?}");
}

#[test]
fn files_that_cannot_be_read() {
    let bench = Bench::with_tube();
    let whole = bench.read("tube.glb");
    for (name, length) in [("cut.glb", whole.len() / 2), ("header.glb", 15), ("empty.glb", 0)] {
        bench.write(name, &whole[..length]);
    }
    bench.write("tube.xyz", "0 0 0");
    bench.write("points.pc2", "POINTCACHE2");
    assert_error(&bench, &["convert", "missing.bvh", "out.bvh"], &["missing.bvh"]);
    for verb in ["inspect", "pose", "bake", "bind", "convert", "render"] {
        let run = |file: &str, words: &[&str]| match verb {
            "inspect" => assert_error(&bench, &["inspect", file], words),
            "convert" => assert_error(&bench, &["convert", file, "out.ply"], words),
            "render" => assert_error(&bench, &["render", file, "-o", "out.png"], words),
            _ => assert_error(&bench, &[verb, file, "-o", "out.glb"], words),
        };
        run("missing.glb", &["missing.glb: there is no such file", "check"]);
        run("tube.xyz", &["tube.xyz", ".xyz", "glb, fbx, obj"]);
        run("cut.glb", &["cut.glb"]);
        run("header.glb", &["header.glb"]);
        run("empty.glb", &["empty.glb"]);
        run("points.pc2", &["points.pc2", "does not read"]);
    }
}

#[test]
fn clips_that_are_not_there() {
    let bench = Bench::with_tube();
    bench.save("still.glb", sinew::demo::cylinder());
    assert_error(&bench, &["bake", "still.glb", "-o", "out.pc2"], &["still", "has no clip", "--motion"]);
    assert_error(&bench, &["pose", "still.glb", "--time", "1", "-o", "out.obj"], &["has no clip", "--motion"]);
    let unknown = ["--clip", "wlak"];
    for command in [["bake", "out.glb"], ["pose", "out.obj"], ["render", "out.png"]] {
        let [verb, out] = command;
        assert_error(&bench, &[&[verb, "tube.glb", "-o", out], &unknown[..]].concat(), &["\"wlak\"", "0: \"bend\""]);
    }
    assert_error(&bench, &["pose", "tube.glb", "--clip", "1", "-o", "out.obj"], &["\"1\"", "0: \"bend\""]);
    assert_error(&bench, &["pose", "still.glb", "--clip", "0", "-o", "out.obj"], &["\"0\"", "none at all"]);
}

/// Flesh without a skeleton, and without an inside.
#[test]
fn flesh_that_cannot_be_filled() {
    let bench = Bench::new();
    bench.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    for options in [["--flesh", "--skin", "linear"], ["--methods", "linear,linear+flesh", "--wireframe"]] {
        let arguments = [&["render", "quad.obj", "-o", "out.png"], &options[..]].concat();
        assert_error(&bench, &arguments, &["quad.obj", "no joint carries any of the skin", "sinew bind"]);
    }
    let pose = ["pose", "quad.obj", "--flesh", "-o", "out.obj"];
    assert_error(&bench, &pose, &["quad.obj", "no joint carries any of the skin", "sinew bind"]);
    let mut flat = crate::bench::tube();
    flat.parts[0].mesh.positions.iter_mut().for_each(|place| place.y = 0.0);
    bench.save("flat.glb", flat);
    assert_error(&bench, &["bake", "flat.glb", "--flesh", "-o", "out.glb"], &["flat.glb", "no inside", "\"tube\""]);
}

#[test]
fn joints_and_poses_that_are_not_there() {
    let bench = Bench::with_tube();
    for (name, text, words) in [
        ("joint", r#"{"joints": {"elbow": {"axis": [1, 0, 0], "degrees": 5}}}"#, ["\"elbow\"", "sinew inspect"]),
        ("axis", r#"{"joints": {"bend": {"axis": [0, 0, 0], "degrees": 5}}}"#, ["\"bend\"", "axis"]),
        ("short", r#"{"joints": {"bend": {"axis": [0, 1], "degrees": 5}}}"#, ["not a pose", "line 1"]),
        ("key", r#"{"joints": {"bend": {"axis": [0, 1, 0], "angle": 5}}}"#, ["not a pose", "angle"]),
        ("none", "{}", ["not a pose", "joints"]),
        ("syntax", "{\"joints\":\n {", ["not a pose", "line 2"]),
    ] {
        let file = format!("{name}.json");
        bench.write(&file, text);
        let words = [&words[..], &[&file]].concat();
        assert_error(&bench, &["pose", "tube.glb", "--pose", &file, "-o", "out.obj"], &words);
    }
    assert_error(&bench, &["pose", "tube.glb", "--pose", "no.json", "-o", "out.obj"], &["no.json", "cannot read"]);
    let weight = ["render", "tube.glb", "--color", "weight:elbow", "-o", "out.png"];
    assert_error(&bench, &weight, &["\"elbow\"", "sinew inspect"]);
    bench.write("map.toml", "[joints]\n\"elbow\" = \"bend\"\n");
    let map = ["bake", "tube.glb", "--motion", "tube.glb", "--map", "map.toml", "-o", "out.pc2"];
    assert_error(&bench, &map, &["map.toml", "elbow"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    let bench = Bench::with_tube();
    bench.write("file", "in the way");
    for (folder, why) in [("missing", "make it first"), ("file", "may write into")] {
        let out = |name: &str| format!("{folder}/{name}");
        assert_error(&bench, &["pose", "tube.glb", "-o", &out("out.obj")], &[folder, why]);
        assert_error(&bench, &["pose", "tube.glb", "-o", &out("out.glb")], &[folder, why]);
        for bake in ["out.glb", "out.pc2", "out.usda", "out.obj"] {
            assert_error(&bench, &["bake", "tube.glb", "--fps", "1", "-o", &out(bake)], &[folder, why]);
        }
        assert_error(&bench, &["convert", "tube.glb", &out("out.ply")], &[folder, why]);
        assert_error(&bench, &["render", "tube.glb", "--size", "16x16", "-o", &out("out.png")], &[folder, why]);
        assert_error(&bench, &["recipe", "init", "tube.glb", "-o", &out("r.sinew.toml")], &[folder, why]);
    }
    assert_error(&bench, &["demo", "file"], &["file"]);
    std::fs::create_dir(bench.path("folder.obj")).unwrap();
    assert_error(&bench, &["pose", "tube.glb", "-o", "folder.obj"], &["folder.obj"]);
    assert_eq!(bench.listing_of("folder.obj"), Vec::<String>::new());
}

#[test]
fn a_result_does_not_replace_its_input() {
    let bench = Bench::with_tube();
    let before = bench.read("tube.glb");
    let words = ["tube.glb", "replace its own input", "another name"];
    assert_error(&bench, &["pose", "tube.glb", "-o", "./tube.glb"], &words);
    assert_error(&bench, &["bake", "tube.glb", "-o", "tube.glb"], &words);
    assert_error(&bench, &["bake", ".", "-o", "."], &words);
    assert_error(&bench, &["convert", "tube.glb", "tube.glb"], &words);
    assert_error(&bench, &["bind", "tube.glb", "-o", "tube.glb"], &words);
    assert!(bench.read("tube.glb") == before);
}

/// Every path that a command reads, by any name that the file has, against every path that it writes.
#[test]
fn nor_any_other_file_that_is_read() {
    let bench = Bench::with_tube();
    bench.save("other.glb", crate::bench::tube());
    bench.write("r.sinew.toml", "[skin]\nmethod = \"linear\"\n");
    std::fs::hard_link(bench.path("tube.glb"), bench.path("linked.glb")).unwrap();
    let before = ["tube.glb", "other.glb", "r.sinew.toml"].map(|file| bench.read(file));
    let replaced = |arguments: &[&str], file| assert_error(&bench, arguments, &[file, "replace its own input"]);
    replaced(&["bake", "tube.glb", "--motion", "other.glb", "-o", "other.glb"], "other.glb");
    replaced(&["bake", "tube.glb", "-o", "linked.glb"], "linked.glb");
    replaced(&["bake", "tube.glb", "-o", "out.glb", "--recipe", "r.sinew.toml", "--report", "r.sinew.toml"], "r.sinew");
    replaced(&["motion", "retarget", "tube.glb", "--to", "other.glb", "-o", "tube.glb"], "tube.glb");
    replaced(&["motion", "retarget", "tube.glb", "--to", "other.glb", "-o", "other.glb"], "other.glb");
    replaced(&["cage", "build", "tube.glb", "-o", "linked.glb"], "linked.glb");
    std::fs::create_dir(bench.path("meshes")).unwrap();
    std::fs::create_dir(bench.path("rigged")).unwrap();
    bench.done(&["convert", "tube.glb", "meshes/hero.obj"]);
    bench.save("rigged/hero.glb", crate::bench::tube());
    let over_rig = ["bind", "meshes", "--from", "rigged/hero.glb", "-o", "rigged"];
    replaced(&over_rig, "hero.glb");
    bench.done(&["convert", "tube.glb", "body.2024.obj"]);
    let over_frame = ["cage", "drive", "body.2024.obj", "--skeleton", "tube.glb", "-o", "body.obj"];
    assert_error(&bench, &over_frame, &["body.obj", "body.2024.obj", "another name"]);
    bench.done(&["convert", "body.2024.obj", "body.obj"]);
    std::fs::remove_file(bench.path("body.obj")).unwrap();
    assert_error(&bench, &["bake", "tube.glb", "-o", "out.vrm"], &["out.vrm", "does not write"]);
    let twice = ["bake", "tube.glb", "-o", "out.html", "--report", "out.html"];
    assert_error(&bench, &twice, &["out.html", "two results"]);
    assert!(["tube.glb", "other.glb", "r.sinew.toml"].map(|file| bench.read(file)) == before);
}

/// Pictures and buffers that a glTF names are read with it, though no argument names them.
#[test]
fn nor_a_file_that_a_gltf_names() {
    let bench = Bench::with_tube();
    bench.done(&["convert", "tube.glb", "tube.gltf"]);
    let document = String::from_utf8(bench.read("tube.gltf")).unwrap();
    let with_picture = document.replacen('{', "{\"images\":[{\"uri\":\"my%20skin.png\"}],", 1);
    bench.write("tube.gltf", &with_picture);
    bench.write("my skin.png", "a picture");
    let over = ["render", "tube.gltf", "--size", "16x16", "-o", "my skin.png"];
    assert_error(&bench, &over, &["my skin.png", "replace its own input"]);
    assert_eq!(bench.read("my skin.png"), b"a picture");
}

/// A write that fails in the middle, here at the limit of the shell, is of the result and not of a hidden file.
#[test]
#[cfg(unix)]
fn a_disk_that_is_full_names_the_result_and_keeps_what_was_there() {
    let bench = Bench::with_tube();
    bench.write("out.pc2", "before");
    let listing = bench.listing_of(".");
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" bake tube.glb -o out.pc2";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_sinew")]).current_dir(bench.path("."));
    let output = shell.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("out.pc2") && !error.contains(".sinew-"), "{error}");
    assert_eq!(bench.read("out.pc2"), b"before");
    assert_eq!(bench.listing_of("."), listing);
}

/// Ctrl+C and a polite end in the middle of the work. Tests in the background of a script ignore Ctrl+C, and so
/// does a program that they start.
#[test]
#[cfg(unix)]
fn an_interrupted_program_leaves_no_hidden_file() {
    use std::os::unix::process::ExitStatusExt;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    for (signal, number, output) in [("INT", 2, "out.pc2"), ("TERM", 15, "out.obj")] {
        if ignored & 1 << (number - 1) != 0 {
            continue;
        }
        let bench = Bench::new();
        bench.save("figure.glb", sinew::demo::character());
        let long = ["bake", "figure.glb", "--clip", "walk", "--volume", "exact", "--fps", "240", "-o", output];
        let mut program = bench.command(&long).spawn().unwrap();
        let is_writing = || bench.listing().iter().any(|name| name.starts_with(".sinew-"));
        while !is_writing() {
            assert!(program.try_wait().unwrap().is_none(), "it ended before it was interrupted");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let sent = std::process::Command::new("kill").args(["-s", signal, &program.id().to_string()]).status();
        assert!(sent.unwrap().success());
        assert_eq!(program.wait().unwrap().signal(), Some(number), "as a shell expects");
        assert_eq!(bench.listing(), ["figure.glb"], "{signal}");
    }
}

#[test]
fn a_batch_names_the_file_that_failed() {
    let bench = Bench::with_tube();
    bench.save("still.glb", sinew::demo::cylinder());
    let answer = bench.run(&["bake", "tube.glb", "still.glb", "--fps", "1", "-o", "out"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stderr.starts_with("error: still.glb: "), "{answer:?}");
}

#[test]
fn a_batch_with_a_report_makes_nothing() {
    let bench = Bench::with_tube();
    bench.save("other.glb", crate::bench::tube());
    let batch = ["bake", "tube.glb", "other.glb", "-o", "out", "--report", "out.json"];
    assert_error(&bench, &batch, &["one character, not for a batch"]);
    let into_a_file = ["bake", "tube.glb", "other.glb", "-o", "out.glb"];
    assert_error(&bench, &into_a_file, &["out.glb", "into a folder"]);
    std::fs::create_dir(bench.path("more")).unwrap();
    bench.save("more/tube.glb", crate::bench::tube());
    let same_name = ["convert", "tube.glb", "more/tube.glb", "out/"];
    assert_error(&bench, &same_name, &["two inputs would be written to"]);
    assert_error(&bench, &["inspect", "more"], &["more is a folder"]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    assert_error(&bench, &["bake", "empty", "-o", "out"], &["no file to work on", ".glb, .gltf, .fbx"]);
}

#[test]
fn a_bake_whose_report_cannot_be_written_is_an_error() {
    let bench = Bench::with_tube();
    for report in ["missing/out.json", "missing/out.html"] {
        let bake = ["bake", "tube.glb", "--fps", "1", "-o", "out.pc2", "--report", report];
        assert_error(&bench, &bake, &[report]);
    }
}

#[test]
fn formats_that_do_not_fit() {
    let bench = Bench::with_tube();
    assert_error(&bench, &["pose", "tube.glb", "-o", "out.pc2"], &[".pc2", ".obj, .ply or .glb"]);
    assert_error(&bench, &["bake", "tube.glb", "-o", "out.ply"], &["out.ply", ".glb, .pc2, .usda or .obj"]);
    assert_error(&bench, &["bake", "tube.glb", "-o", "out.mp4"], &["out.mp4", ".glb, .pc2, .usda or .obj"]);
    assert_error(&bench, &["convert", "tube.glb", "out.fbx"], &["out.fbx", "use .glb"]);
    assert_error(&bench, &["render", "tube.glb", "-o", "out.jpg"], &["out.jpg", ".png"]);
    let report = ["bake", "tube.glb", "-o", "out.glb", "--report", "out.txt"];
    assert_error(&bench, &report, &["out.txt", ".json or .html"]);
    bench.write("motion.bvh", sinew_io::bvh::write(&bench.load("tube.glb")).unwrap());
    assert_error(&bench, &["pose", "motion.bvh", "-o", "out.obj"], &["motion.bvh", "no mesh"]);
    assert_error(&bench, &["convert", "motion.bvh", "out.ply"], &["motion.bvh", "no mesh"]);
    bench.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_error(&bench, &["convert", "mesh.obj", "out.bvh"], &["out.bvh", "without joints", "with a skeleton"]);
}

#[test]
fn numbers_out_of_range() {
    let bench = Bench::with_tube();
    for fps in ["0", "NaN", "1e9", "-5", "inf"] {
        let bake = ["bake", "tube.glb", "--fps", fps, "-o", "out.glb"];
        assert_refused(&bench, &bake, 2, &["--fps", "above 0 and at most 1000"]);
    }
    for time in ["NaN", "inf"] {
        assert_error(&bench, &["pose", "tube.glb", "--time", time, "-o", "out.obj"], &["seconds"]);
        assert_error(&bench, &["render", "tube.glb", "--time", time, "-o", "out.png"], &["seconds"]);
    }
    let mut endless = crate::bench::tube();
    if let Some(track) = &mut endless.clips[0].joints[0].rotation {
        track.times = vec![0.0, 1e8];
        track.values = vec![Quat::IDENTITY; 2];
    }
    bench.save("endless.glb", endless);
    assert_error(&bench, &["bake", "endless.glb", "-o", "out.glb"], &["\"bend\"", "1000000"]);
    assert_error(&bench, &["render", "tube.glb", "--size", "0x10", "-o", "out.png"], &["0 x 10"]);
    assert_error(&bench, &["render", "tube.glb", "--size", "90000x10", "-o", "out.png"], &["90000 x 10"]);
}

/// A motion of a frame each thirty years is refused before a frame of it is made.
#[test]
fn endless_motions_are_refused() {
    let bench = Bench::with_tube();
    bench.done(&["convert", "tube.glb", "tube.bvh"]);
    let motion = bench.text("tube.bvh");
    let (hierarchy, rest) = motion.split_once("Frame Time:").unwrap();
    let (_, frames) = rest.split_once('\n').unwrap();
    for (seconds, word) in [("1e7", "more than the 1000000 frames"), ("1e300", "1e9 seconds")] {
        bench.write("slow.bvh", format!("{hierarchy}Frame Time: {seconds}\n{frames}"));
        assert_error(&bench, &["bake", "tube.glb", "--motion", "slow.bvh", "-o", "out.pc2"], &[word]);
    }
}

/// Numbers that a file's f32 cannot hold are an error, not a file of NaN.
#[test]
fn a_surface_beyond_all_numbers_is_not_written() {
    let bench = Bench::with_tube();
    let mut far = crate::bench::tube();
    far.base_pose.joints[0].scale = glam::DVec3::splat(1e30);
    far.base_pose.joints[0].translation = glam::DVec3::splat(1e39);
    far.clips[0].joints[0].joint = 1;
    far.clips[0].joints[0].translation = None;
    let clip = far.clips[0].clone();
    let asset = sinew_io::Asset::new(far, sinew_io::Format::Glb);
    let bytes = sinew_io::gltf::write(&asset).unwrap();
    assert_eq!(clip.name, "bend");
    bench.write("far.glb", bytes);
    let answer = bench.run(&["pose", "far.glb", "--clip", "bend", "--time", "1", "-o", "out.obj"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{answer:?}");
    assert!(!bench.listing().contains(&"out.obj".to_string()));
}

#[test]
fn a_recipe_is_not_overwritten_and_nothing_else_is() {
    let bench = Bench::with_tube();
    assert_error(&bench, &["recipe", "init", "tube.glb", "-o", "tube.glb"], &["tube.glb", "replace its own input"]);
    assert_error(&bench, &["recipe", "init", "tube.glb", "-o", "recipe.glb"], &["recipe.glb", ".sinew.toml"]);
    bench.done(&["recipe", "init", "tube.glb", "-o", "r.sinew.toml"]);
    assert_error(&bench, &["recipe", "init", "tube.glb", "-o", "r.sinew.toml"], &["is there already"]);
}

#[test]
fn meshes_and_skeletons_that_cannot_be_bound() {
    let bench = Bench::with_tube();
    bench.done(&["convert", "tube.glb", "tube.obj"]);
    bench.done(&["convert", "tube.glb", "tube.bvh"]);
    bench.done(&["convert", "tube.glb", "joints.toml"]);
    let joint =
        |name: &str, y: f64| format!("[[joint]]\nname = \"{name}\"\nhead = [0, {y}, 0]\ntail = [0, {}, 1]\n", y + 1.0);
    bench.write("far.toml", [joint("a", 1e3), joint("b", 2e3)].concat());
    bench.write("orphan.toml", joint("a", 0.0) + "parent = \"b\"\n");
    bench.write("recipe.toml", "[skin]\nmethod = \"linear\"\n");
    let bind = |mesh: &str, rest: &[&str], words: &[&str]| {
        assert_error(&bench, &[&["bind", mesh, "-o", "out.glb"], rest].concat(), words);
    };
    bind("tube.obj", &[], &["tube.obj", "no skeleton", "--skeleton", "--fit", "--from"]);
    bind("tube.bvh", &[], &["tube.bvh", "no mesh", ".obj"]);
    bind("tube.obj", &["--skeleton", "missing.toml"], &["missing.toml", "no such file"]);
    bind("tube.obj", &["--skeleton", "tube.obj"], &["tube.obj", "no skeleton"]);
    bind("tube.obj", &["--skeleton", "orphan.toml"], &["orphan.toml", "line 5", "\"b\""]);
    bind("tube.obj", &["--skeleton", "recipe.toml"], &["recipe.toml", "line 1", "skin"]);
    bind("tube.obj", &["--skeleton", "far.toml"], &["tube.obj", "0 of the skeleton's 2 joints", "--skeleton-scale"]);
    bind("tube.obj", &["--skeleton", "joints.toml", "--skeleton-scale", "0"], &["--skeleton-scale", "above 0"]);
    bind("tube.obj", &["--from", "tube.obj"], &["tube.obj", "no skeleton", "rigged"]);
    bind("tube.obj", &["--from", "tube.bvh"], &["tube.bvh", "no mesh"]);
    bind("tube.glb", &["--alpha", "3"], &["--alpha", "--method distance"]);
    bind("tube.glb", &["--report", "out.txt"], &["out.txt", ".json or .html"]);
    assert_error(&bench, &["bind", "tube.glb", "-o", "out.obj"], &["out.obj", ".glb or .gltf"]);
    assert_error(&bench, &["bind", "tube.obj", "tube.glb", "-o", "out", "--report", "r.json"], &["not for a batch"]);
    let over_skeleton = ["bind", "tube.obj", "--skeleton", "tube.glb", "-o", "tube.glb"];
    assert_error(&bench, &over_skeleton, &["tube.glb", "replace its own input"]);
}

#[test]
fn slips_get_a_hint() {
    let bench = Bench::with_tube();
    let render = ["render", "tube.glb", "--focus", "Bend", "-o", "out.png"];
    assert_error(&bench, &render, &["no joint \"Bend\"", "did you mean \"bend\"?"]);
    let answer = bench.run(&["pose", "tube.glb", "--clip", "BEND", "--time", "99", "-o", "out.obj"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.stderr.contains("99 s is outside clip \"bend\""), "{answer:?}");
    bench.save("figure.glb", sinew::demo::character());
    let render = ["render", "figure.glb", "--focus", "LeftElbow", "-o", "out.png"];
    assert_error(&bench, &render, &["figure.glb", "no joint \"LeftElbow\"", "did you mean \"LeftForeArm\"?"]);
    bench.done(&["convert", "tube.glb", "tube.obj"]);
    assert_error(&bench, &["bake", "tube.obj", "-o", "out.glb"], &["tube.obj", "no skeleton", "sinew bind"]);
    let edit = ["motion", "edit", "figure.glb", "--range", "2:9", "--pin", "LeftHand@40=0,1,0", "-o", "out.glb"];
    assert_error(&bench, &edit, &["frame 40", "frames 2 to 9"]);
}

#[test]
fn bodies_that_stand_otherwise_get_a_warning() {
    let (Some(fox), Some(human)) = (shared("gltf/Fox.glb"), shared("gltf/makehuman_male_cmu31.glb")) else { return };
    let bench = Bench::new();
    let warned = |arguments: &[&str], words: &[&str]| {
        let answer = bench.run(arguments);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        for word in words {
            assert!(answer.stderr.contains(word), "{word:?} is not in {}", answer.stderr);
        }
    };
    let retargeted = ["bake", &human, "--motion", &fox, "--fps", "2", "-o", "out.pc2"];
    warned(&retargeted, &["warning: ", "Fox.glb", "on four legs", "upright", "LeftArm follows b_LeftUpperArm_09"]);
    let muscles = ["pose", &fox, "--muscles", "humanoid", "-o", "out.obj"];
    warned(&muscles, &["warning: ", "Fox.glb", "\"humanoid\"", "on four legs", "\"quadruped\""]);
    for fitting in [
        vec!["bake", &human, "--motion", &human, "--fps", "2", "-o", "out.pc2"],
        vec!["pose", &fox, "--muscles", "quadruped", "-o", "out.obj"],
        vec!["pose", &human, "--muscles", "humanoid", "-o", "out.obj"],
    ] {
        assert!(!bench.run(&fitting).stderr.contains("stands"), "{fitting:?}");
    }
}

/// A name in a file could otherwise clear the screen, or worse.
#[test]
fn names_do_not_reach_the_terminal_as_commands() {
    let bench = Bench::new();
    let mut tube = crate::bench::tube();
    tube.parts[0].mesh.name = "\u{1b}[2J\u{7}mesh".into();
    tube.clips[0].name = "\u{1b}]0;clip\u{9c}".into();
    bench.save("tube.glb", tube);
    for arguments in [
        vec!["inspect", "tube.glb"],
        vec!["bake", "tube.glb", "--clip", "none", "-o", "out.pc2"],
        vec!["pose", "tube.glb", "--time", "99", "-o", "out.obj"],
        vec!["render", "tube.glb", "--color", "weight:none", "-o", "out.png"],
    ] {
        let answer = bench.run(&arguments);
        let said = format!("{}{}", answer.stdout, answer.stderr);
        assert!(!said.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{arguments:?}: {said:?}");
    }
}

#[test]
fn usage_is_exit_code_two() {
    let bench = Bench::with_tube();
    let cases: [(&[&str], &str); 23] = [
        (&["bind", "tube.glb", "--influences", "0", "-o", "out.glb"], "from 1 to 16"),
        (&["bind", "tube.glb", "--alpha", "-1", "--method", "distance", "-o", "out.glb"], "above 0"),
        (&["cage", "build", "tube.glb", "-o", "t.cage", "--vertices", "2"], "from 8"),
        (&["cage", "build", "tube.glb", "-o", "t.cage", "--offset", "0"], "above 0"),
        (&["bind", "tube.glb", "--method", "heat", "-o", "out.glb"], "geodesic"),
        (&["bind", "tube.glb", "--fit", "octopus", "-o", "out.glb"], "quadruped"),
        (&["bind", "tube.glb", "--fit", "humanoid", "--from", "tube.glb", "-o", "out.glb"], "--from"),
        (&["bind", "tube.glb", "--from", "tube.glb", "--method", "distance", "-o", "out.glb"], "--method"),
        (&["bind", "tube.glb", "--skeleton-offset", "1,2", "-o", "out.glb"], "three numbers"),
        (&["bake", "tube.glb", "--map", "map.toml", "-o", "out.glb"], "--motion"),
        (&["bake", "tube.glb", "--smooth", "-o", "out.glb"], "--smooth"),
        (&["bake", "tube.glb"], "--output"),
        (&["bake", "-o", "out.glb"], "FILE"),
        (&["pose", "tube.glb", "--skin", "quadratic", "-o", "out.obj"], "dual-quaternion"),
        (&["pose", "tube.glb", "--time", "soon", "-o", "out.obj"], "--time"),
        (&["pose", "tube.glb", "--pose", "p.json", "--time", "1", "-o", "out.obj"], "--pose"),
        (&["render", "tube.glb", "--size", "big", "-o", "out.png"], "WIDTHxHEIGHT"),
        (&["render", "tube.glb", "--color", "weight", "-o", "out.png"], "weight:JOINT"),
        (&["pose", "tube.glb", "--volume", "lots", "-o", "out.obj"], "laplacian"),
        (&["render", "tube.glb", "--methods", "exact", "-o", "out.png"], "dual-quaternion"),
        (&["render", "tube.glb", "--methods", "linear+lots", "-o", "out.png"], "laplacian"),
        (&["render", "tube.glb", "--methods", "linear", "--skin", "rigid", "-o", "out.png"], "--skin"),
        (&["dance"], "dance"),
    ];
    for (arguments, word) in cases {
        assert_refused(&bench, arguments, 2, &[word]);
    }
}

#[test]
fn every_help_has_an_example() {
    let bench = Bench::new();
    for verb in [
        None,
        Some("inspect"),
        Some("pose"),
        Some("bake"),
        Some("bind"),
        Some("convert"),
        Some("render"),
        Some("recipe"),
        Some("demo"),
    ] {
        let help = bench.done(&verb.into_iter().chain(["--help"]).collect::<Vec<_>>());
        assert!(help.contains("Example"), "{verb:?}: {help}");
    }
    assert!(bench.done(&["--version"]).starts_with("sinew "));
}
