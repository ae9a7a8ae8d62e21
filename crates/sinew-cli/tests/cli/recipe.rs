//! `sinew recipe`, and recipes elsewhere.

use crate::bench::{Bench, shared};

#[test]
fn a_new_recipe_has_every_key_and_is_fine() {
    let bench = Bench::with_tube();
    assert_eq!(bench.done(&["recipe", "init", "tube.glb", "-o", "r.sinew.toml"]), "r.sinew.toml\n");
    let text = bench.text("r.sinew.toml");
    for words in ["[skin]", "method = \"dual-quaternion\"", "[bake]", "fps = 30"] {
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
