//! `sinew muscle`, and recipes with sketches.

use crate::bench::Bench;

/// Two bellies, and a spindle.
const BELLIES: &str =
    "<svg><path d=\"M0 30C20 0 70 0 100 22C130 0 180 0 200 30C180 60 130 60 100 38C70 60 20 60 0 30Z\"/></svg>";
const SPINDLE: &str = "<svg><path d=\"M0 0Q50 20 100 0Q50 -20 0 0z\"/></svg>";

#[test]
fn a_profile_is_fitted_to_a_sketch_and_drawn_over_it() {
    let bench = Bench::new();
    bench.write("spindle.svg", SPINDLE);
    let printed = bench.done(&["muscle", "sketch", "spindle.svg"]);
    assert!(printed.starts_with("beta profile of 2 and 2, "), "{printed}");
    assert!(
        printed.contains("radius is 0.0999 of the length") && printed.contains("shape = [2, 2, 2, 2]"),
        "{printed}"
    );

    bench.write("bellies.svg", BELLIES);
    let printed = bench.done(&["muscle", "sketch", "bellies.svg", "-o", "fitted.svg"]);
    assert!(printed.contains("series = [") && printed.ends_with("fitted.svg\n"), "{printed}");
    let drawn = bench.text("fitted.svg");
    assert_eq!(drawn.matches("<path").count(), 3, "outline, axis and profile: {drawn}");
    // What was drawn over it is a drawing again, whose largest shape is nearly the same.
    assert!(bench.done(&["muscle", "sketch", "fitted.svg"]).contains("sine series"));

    for (arguments, words) in [
        (&["muscle", "sketch", "no.svg"][..], "no.svg"),
        (&["muscle", "sketch", "spindle.svg", "-o", "out.png"], "drawn as .svg"),
        (&["muscle", "sketch", "spindle.svg", "-o", "spindle.svg"], "spindle.svg"),
    ] {
        let answer = bench.run(arguments);
        assert!(answer.code == Some(1) && answer.stderr.contains(words), "{answer:?}");
    }
}

#[test]
fn a_recipe_reads_a_profile_from_a_sketch_and_reports_its_error() {
    let bench = Bench::new();
    bench.save("mannequin.glb", sinew::demo::character());
    std::fs::create_dir(bench.path("drawn")).unwrap();
    bench.write("drawn/bellies.svg", BELLIES);
    let recipe = "[muscles]\nset = \"humanoid\"\n[muscles.muscle.\"biceps brachii\"]\nsketch = \"bellies.svg\"\n";
    bench.write("drawn/r.sinew.toml", recipe);
    bench.done(&["recipe", "check", "drawn/r.sinew.toml", "mannequin.glb"]);
    let bake = ["bake", "mannequin.glb", "--clip", "elbow curl", "--fps", "2", "--recipe", "drawn/r.sinew.toml"];
    bench.done(&[&bake[..], &["-o", "out.pc2", "--report", "out.json"]].concat());
    bench.done(&[&bake[..], &["-o", "out.pc2", "--report", "out.html"]].concat());
    let muscles = bench.json("out.json")["muscles"].as_array().unwrap().clone();
    let sketches: Vec<_> = muscles.iter().filter(|muscle| !muscle["sketch"].is_null()).collect();
    assert_eq!(sketches.len(), 4, "two heads on both sides");
    for muscle in sketches {
        assert!(muscle["name"].as_str().unwrap().contains("biceps brachii"), "{}", muscle["name"]);
        let sketch = &muscle["sketch"];
        assert_eq!((&sketch["file"], &sketch["family"]), (&"bellies.svg".into(), &"series".into()));
        assert!(sketch["error"].as_f64().unwrap() < 0.05, "{sketch}");
    }
    assert_eq!(bench.text("out.html").matches("bellies.svg: sine series").count(), 1);
}
