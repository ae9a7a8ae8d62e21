//! `sinew recipe`, and recipes elsewhere.

use crate::bench::{Bench, shared};
use sinew::geometry::Attribute;

#[test]
fn a_new_recipe_has_every_key_and_is_fine() {
    let bench = Bench::with_tube();
    assert_eq!(bench.done(&["recipe", "init", "tube.glb", "-o", "r.sinew.toml"]), "r.sinew.toml\n");
    let text = bench.text("r.sinew.toml");
    let tables = ["[skin]", "[volume]", "[volume.profile]", "[volume.refine]", "[volume.shake]", "[bake]"];
    let keys = ["method = \"dual-quaternion\"", "method = \"off\"", "#size = 1.2", "steps = 0", "fps = 30"];
    for words in tables.into_iter().chain(keys).chain(["#[volume.joints.LeftForeArm]", "limb radii", "degrees"]) {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    assert!(text.lines().any(|line| line.starts_with('#')), "comments: {text}");
    bench.done(&["recipe", "check", "r.sinew.toml"]);
    bench.done(&["recipe", "check", "r.sinew.toml", "tube.glb"]);
    let default = bench.posed(&["tube.glb", "--time", "1.5"]);
    assert_eq!(bench.posed(&["tube.glb", "--time", "1.5", "--recipe", "r.sinew.toml"]), default);
}

#[test]
fn a_recipe_starts_from_the_method_that_the_file_was_made_for() {
    let Some(file) = shared("fbx/max7_skin_5000_binary.fbx") else { return };
    let bench = Bench::new();
    bench.done(&["recipe", "init", &file, "-o", "r.sinew.toml"]);
    assert!(bench.text("r.sinew.toml").contains("method = \"linear\""));
}

#[test]
fn options_win_over_the_recipe() {
    let bench = Bench::with_tube();
    bench.write("r.sinew.toml", "[skin]\nmethod = \"linear\"\n[bake]\nfps = 4\n");
    let posed = |arguments: &[&str]| bench.posed(&[&["tube.glb", "--time", "1.5"], arguments].concat());
    let (linear, centers) = (posed(&["--skin", "linear"]), posed(&["--skin", "centers"]));
    assert_ne!(linear, centers);
    assert_eq!(posed(&["--recipe", "r.sinew.toml"]), linear);
    assert_eq!(posed(&["--recipe", "r.sinew.toml", "--skin", "centers"]), centers);
    let frames = |arguments: &[&str]| {
        bench.done(&[&["bake", "tube.glb", "--recipe", "r.sinew.toml", "-o", "out.pc2"], arguments].concat());
        i32::from_le_bytes(bench.read("out.pc2")[28..32].try_into().unwrap())
    };
    assert_eq!((frames(&[]), frames(&["--fps", "2"])), (5, 3));
}

#[test]
fn mistakes_name_their_line() {
    let bench = Bench::with_tube();
    for (text, line, word) in [
        ("[skin]\nmethud = \"linear\"\n", "line 2", "methud"),
        ("[skin]\nmethod = \"quadratic\"\n", "line 2", "quadratic"),
        ("# rate\n\n[bake]\nfps = 0\n", "line 4", "fps"),
        ("[bake]\nfps = 1e9\n", "line 2", "1000"),
        ("[smoke]\n", "line 1", "smoke"),
        ("[volume]\nmethod = \"most\"\n", "line 2", "laplacian"),
        ("[volume.joints.bend]\nsize = 0\n", "line 2", "limb radii"),
        ("[volume]\ntarget = [[0, 1],\n[0, 2]]\n", "line 2", "times of a curve must increase"),
    ] {
        bench.write("r.sinew.toml", text);
        let commands: [&[&str]; 3] = [
            &["recipe", "check", "r.sinew.toml"],
            &["pose", "tube.glb", "--recipe", "r.sinew.toml", "-o", "out.obj"],
            &["bake", "tube.glb", "--recipe", "r.sinew.toml", "-o", "out.glb"],
        ];
        for command in commands {
            let answer = bench.run(command);
            assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{answer:?}");
            for expected in [line, word, "r.sinew.toml"] {
                assert!(answer.stderr.contains(expected), "{expected}: {}", answer.stderr);
            }
        }
    }
    assert_eq!(bench.listing(), ["r.sinew.toml", "tube.glb"]);
}

/// A recipe whose every name is wrong but one letter or so.
const UNRESOLVED: &str = "[volume]
method = \"exact\"
paint = \"_GAMA\"
leave_out = [\"Tube\", \"hat\"]
target_joint = \"Bent\"
[volume.joints.bend]
kind = \"muscle\"
[volume.joints.elbow]
kind = \"muscle\"
";

#[test]
fn check_names_what_the_file_does_not_have() {
    let bench = Bench::new();
    let mut tube = crate::bench::tube();
    tube.parts[0].mesh.name = "tube".into();
    bench.save("plain.glb", tube.clone());
    let values = vec![1.0; tube.vertex_count()];
    tube.parts[0].mesh.attributes.push(Attribute { name: "_GAMMA".into(), width: 1, values });
    bench.save("painted.glb", tube);
    bench.write("r.sinew.toml", UNRESOLVED);
    bench.done(&["recipe", "check", "r.sinew.toml"]);
    let answer = bench.run(&["recipe", "check", "r.sinew.toml", "painted.glb"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{answer:?}");
    for sentence in [
        "error: r.sinew.toml: painted.glb: the recipe does not fit:",
        "[volume.joints]: there is no joint \"elbow\"",
        "target_joint: there is no joint \"Bent\"; did you mean \"bend\"?",
        "leave_out: there is no mesh \"Tube\"; did you mean \"tube\"?",
        "leave_out: there is no mesh \"hat\"",
        "paint: no mesh has an attribute \"_GAMA\"; did you mean \"_GAMMA\"?",
    ] {
        assert!(answer.stderr.contains(sentence), "{sentence:?} is not in {}", answer.stderr);
    }
    assert!(!answer.stderr.contains("no joint \"bend\""), "{answer:?}");

    bench.write("r.sinew.toml", "[volume]\npaint = \"_GAMMA\"\nleave_out = [\"tube\"]\ntarget_joint = \"bend\"\n");
    bench.done(&["recipe", "check", "r.sinew.toml", "painted.glb"]);
    let answer = bench.run(&["recipe", "check", "r.sinew.toml", "plain.glb"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert_eq!(answer.stderr.trim_end().lines().count(), 1, "{answer:?}");
    assert!(answer.stderr.contains("no mesh has an attribute \"_GAMMA\"; no mesh of the file has any"), "{answer:?}");
}

/// A name that is mistyped would otherwise change nothing, and nobody would see why.
#[test]
fn other_commands_are_as_strict() {
    let bench = Bench::with_tube();
    bench.write("r.sinew.toml", "[volume]\nmethod = \"exact\"\n[volume.joints.Bend]\nsize = 1\n");
    let commands: [&[&str]; 3] = [
        &["pose", "tube.glb", "--time", "1", "-o", "out.obj"],
        &["bake", "tube.glb", "--fps", "2", "-o", "out.pc2"],
        &["render", "tube.glb", "--size", "64x48", "-o", "out.png"],
    ];
    for command in commands {
        let answer = bench.run(&[command, &["--recipe", "r.sinew.toml"]].concat());
        assert_eq!(answer.code, Some(1), "{answer:?}");
        let error = "error: tube.glb: the recipe does not fit: [volume.joints]: there is no joint \"Bend\"; did you mean \"bend\"?";
        assert_eq!(answer.stderr.trim_end(), error);
        let answer = bench.run(&[command, &["--recipe", "r.sinew.toml", "--volume", "off"]].concat());
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "nothing asks for joints: {answer:?}");
    }
}

#[test]
fn the_recipes_of_the_guide_are_fine() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let bench = Bench::new();
    let files = std::fs::read_dir(docs.join("recipes")).unwrap().map(|file| file.unwrap().path());
    let recipes: Vec<String> = files.map(|file| file.into_os_string().into_string().unwrap()).collect();
    assert!(recipes.len() >= 8, "{recipes:?}");
    for recipe in recipes {
        bench.done(&["recipe", "check", &recipe]);
    }

    let guide = std::fs::read_to_string(docs.join("volume.md")).unwrap();
    let blocks: Vec<&str> = guide.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 8);
    for block in blocks {
        sinew::recipe::Recipe::from_toml(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
    }
}
