//! `sinew motion`: clips listed, folders indexed and searched, and search evaluated.

use crate::bench::{Answer, Bench};
use serde_json::Value;
use sinew::demo;
use sinew_testing::shared_data;

/// The demo figure with some of its clips.
fn save(bench: &Bench, name: &str, clips: &[&str]) {
    let mut figure = demo::character();
    figure.clips.retain(|clip| clips.contains(&clip.name.as_str()));
    std::fs::create_dir_all(bench.path(name).parent().unwrap()).unwrap();
    bench.save(name, figure);
}

fn bench() -> Bench {
    let bench = Bench::new();
    save(&bench, "motions/walk.glb", &["walk"]);
    save(&bench, "motions/other.glb", &["twist", "knee bend"]);
    save(&bench, "query.glb", &["knee bend"]);
    bench
}

fn done(bench: &Bench, arguments: &[&str]) -> Answer {
    let answer = bench.run(arguments);
    assert_eq!(answer.code, Some(0), "{arguments:?}: {answer:?}");
    answer
}

fn json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.stdout).unwrap()
}

fn refused(bench: &Bench, arguments: &[&str], words: &[&str]) {
    let before = bench.listing();
    let answer = bench.run(arguments);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{arguments:?}: {answer:?}");
    for word in words {
        assert!(answer.stderr.contains(word), "{arguments:?} does not contain {word:?}: {}", answer.stderr);
    }
    assert_eq!(bench.listing(), before, "{arguments:?} left something behind");
}

#[test]
fn clips_are_listed() {
    let bench = bench();
    let printed = done(&bench, &["motion", "info", "motions/other.glb"]).stdout;
    assert!(printed.contains("clip 1 \"twist\"") && printed.contains("windows to search"), "{printed}");
    let printed = json(&done(&bench, &["motion", "info", "query.glb", "--json"]));
    assert_eq!(printed["clips"][0]["name"], "knee bend");
    assert_eq!(printed["clips"][0]["frames"], 91);
    assert!(printed["clips"][0]["problem"].is_null());
}

#[test]
fn a_folder_and_its_index_give_the_same_answers() {
    let bench = bench();
    let first = done(&bench, &["motion", "index", "motions", "-o", "motions.npz"]).stdout;
    assert!(first.contains("3 clips") && first.contains("2 files read, 0 unchanged"), "{first}");
    let second = done(&bench, &["motion", "index", "motions", "-o", "motions.npz"]).stdout;
    assert!(second.contains("0 files read, 2 unchanged"), "{second}");
    let search = |place| json(&done(&bench, &["motion", "search", "query.glb", "--in", place, "--json", "--top", "2"]));
    let found = search("motions.npz");
    assert_eq!(found, search("motions"));
    assert_eq!(found.as_array().unwrap().len(), 2);
    assert_eq!((found[0]["file"].as_str(), found[0]["clip"].as_str()), (Some("other.glb"), Some("knee bend")));
    assert!(found[0]["score"].as_f64() > Some(0.99) && found[0]["score"].as_f64() > found[1]["score"].as_f64());
    assert!(found[0]["start"].as_f64() < found[0]["end"].as_f64());
    let part = ["motion", "search", "query.glb", "--range", "0:45", "--in", "motions", "--json", "--top", "1"];
    let part = json(&done(&bench, &part));
    assert!(part[0]["end"].as_f64() < Some(1.8), "{part}");
    let text = done(&bench, &["motion", "search", "query.glb", "--in", "motions"]).stdout;
    assert!(text.lines().next().unwrap().contains("other.glb"), "{text}");
}

#[test]
fn search_is_judged_on_labelled_motions() {
    let Some(data) = shared_data::folder() else { return };
    let (folder, labels) = (data.join("mocap/cmu30"), data.join("mocap/labels.csv"));
    let arguments = ["motion", "evaluate", folder.to_str().unwrap(), "--labels", labels.to_str().unwrap()];
    let bench = Bench::new();
    let rates = json(&done(&bench, &[&arguments[..], &["--json"]].concat()));
    let keys: Vec<&str> = rates.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys.len(), 4);
    for name in ["sinew", "distances", "positions", "rotations"] {
        let keys: Vec<&String> = rates[name].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["map", "nn1"], "{name}");
        assert!(rates["sinew"]["map"].as_f64() >= rates[name]["map"].as_f64());
    }
    assert!(rates["sinew"]["nn1"].as_f64() >= Some(0.95) && rates["sinew"]["map"].as_f64() >= Some(0.95), "{rates}");
    let text = done(&bench, &arguments).stdout;
    assert!(text.contains("47 motions of 11 classes") && text.contains("rotations: class of the nearest"), "{text}");
}

const ONE_FRAME: &str = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
    End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.033\n0 0 0\n";

#[test]
fn what_is_wrong_is_named() {
    let bench = bench();
    bench.write("one_frame.bvh", ONE_FRAME);
    bench.write("no_frames.bvh", ONE_FRAME.replace("Frames: 1", "Frames: 0").replace("\n0 0 0\n", "\n"));
    bench.write("nan.bvh", ONE_FRAME.replace("\n0 0 0\n", "\n0 nan 0\n"));
    bench.write("labels.csv", "file,class\nwalk.glb,walk\nmissing.glb,walk\n");
    bench.write("alone.csv", "file,class\nwalk.glb,walk\nother.glb,other\n");
    bench.write("columns.csv", "name,kind\nwalk.glb,walk\n");
    bench.write("broken.npz", "PK");
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.save("still.glb", demo::cylinder());
    let evaluate = |labels: &str, words: &[&str]| {
        refused(&bench, &["motion", "evaluate", "motions", "--labels", labels], words);
    };
    evaluate("labels.csv", &["missing.glb", "not in motions"]);
    evaluate("alone.csv", &["no class has two motions"]);
    evaluate("columns.csv", &["columns.csv", "\"file\""]);
    evaluate("none.csv", &["none.csv"]);
    refused(&bench, &["motion", "evaluate", "nowhere", "--labels", "labels.csv"], &["nowhere"]);
    let search = |query: &str, place: &str, words: &[&str]| {
        refused(&bench, &["motion", "search", query, "--in", place], words);
    };
    search("one_frame.bvh", "motions", &["one_frame.bvh"]);
    search("no_frames.bvh", "motions", &["no_frames.bvh"]);
    search("nan.bvh", "motions", &["nan.bvh"]);
    search("still.glb", "motions", &["still.glb", "no clip"]);
    search("query.glb", "nowhere", &["nowhere"]);
    search("query.glb", "empty", &["empty", "no motion"]);
    search("query.glb", "broken.npz", &["broken.npz", "sinew motion index"]);
    refused(
        &bench,
        &["motion", "search", "query.glb", "--in", "motions", "--range", "10:900"],
        &["10:900", "91 frames"],
    );
    refused(&bench, &["motion", "index", "motions", "-o", "motions.txt"], &[".npz"]);
    refused(&bench, &["motion", "index", "empty", "-o", "motions.npz"], &["no motion"]);
    refused(&bench, &["motion", "info", "still.glb"], &["no clip"]);
}

#[test]
fn an_edit_meets_its_pin_and_keeps_the_rest() {
    let bench = Bench::new();
    save(&bench, "figure.glb", &["knee bend", "twist"]);
    let pin = "LeftHand@45+=0,0.05,0.1";
    let edit = ["motion", "edit", "figure.glb", "--clip", "knee bend", "--range", "20:70", "--pin", pin];
    let printed = done(&bench, &[&edit[..], &["-o", "edited.glb", "--report", "edit.json"]].concat()).stdout;
    assert!(printed.contains("edited.glb: the pin is missed by"), "{printed}");
    let report: Value = serde_json::from_slice(&std::fs::read(bench.path("edit.json")).unwrap()).unwrap();
    assert!(report["pins"][0]["residual"].as_f64().unwrap() < 1e-6, "{report}");
    assert!(report["largest_distance_error"].as_f64().unwrap() < 1e-4 && report["warnings"] == serde_json::json!([]));
    let [before, after] = ["figure.glb", "edited.glb"].map(|file| sinew_io::load(&bench.path(file)).unwrap().character);
    let names = |character: &sinew::rig::Character| character.clips.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after));
    let hand = before.skeleton.find("LeftHand").unwrap();
    let place = |character: &sinew::rig::Character, frame: f64| {
        let mut pose = character.rest_pose();
        let clip = character.find_clip("knee bend").unwrap();
        clip.sample(clip.range().0 + frame / clip.frame_rate().unwrap(), &character.base_pose, &mut pose);
        let mut world = character.skeleton.rest_world();
        character.skeleton.world(&pose, &mut world);
        world[hand].translation
    };
    let moved = place(&after, 45.0) - place(&before, 45.0);
    assert!(moved.distance(glam::DVec3::new(0.0, 0.05, 0.1)) < 1e-4, "{moved}");
    assert!(place(&after, 10.0).distance(place(&before, 10.0)) < 1e-6);

    // The same edit from a recipe, as a motion alone.
    let recipe =
        "[motion]\nrange = [20, 70]\n[[motion.pins]]\njoint = \"LeftHand\"\nframe = 45\noffset = [0, 0.05, 0.1]\n";
    std::fs::write(bench.path("edit.sinew.toml"), recipe).unwrap();
    let edit = ["motion", "edit", "figure.glb", "--clip", "knee bend", "--recipe", "edit.sinew.toml"];
    done(&bench, &[&edit[..], &["-o", "edited.bvh"]].concat());
    assert_eq!(sinew_io::load(&bench.path("edited.bvh")).unwrap().character.clips[0].key_times().len(), 91);
}

#[test]
fn edits_that_make_no_sense_are_refused_and_missed_pins_are_reported() {
    let bench = Bench::new();
    save(&bench, "figure.glb", &["knee bend"]);
    let refuse = |extra: &[&str], words: &[&str]| {
        refused(&bench, &[&["motion", "edit", "figure.glb", "-o", "out.glb"], extra].concat(), words);
    };
    refuse(&[], &["nothing to do", "--pin"]);
    refuse(&["--pin", "LeftHnd@40=0,1,0"], &["LeftHnd", "did you mean \"LeftHand\""]);
    refuse(&["--pin", "LeftHand@9000=0,1,0"], &["LeftHand", "9000"]);
    refuse(&["--range", "10:900", "--pin", "LeftHand@40=0,1,0"], &["900", "knee bend"]);
    refuse(&["--pin", "LeftHand@40=0,1,0", "--pin", "LeftHand@40=0,2,0"], &["pinned twice in frame 40"]);
    refuse(&["--pin", "LeftHand@40=0,1,0", "--report", "out.html"], &[".json"]);
    refuse(&["--pin", "LeftHand@40=0,1,0", "--limit", "Elbow=10,10"], &["Elbow"]);
    refused(
        &bench,
        &["motion", "edit", "figure.glb", "--pin", "LeftHand@40=0,1,0", "-o", "figure.glb"],
        &["own input"],
    );
    refused(&bench, &["motion", "edit", "figure.glb", "--pin", "LeftHand@40=0,1,0", "-o", "out.obj"], &[".bvh"]);
    assert_eq!(bench.run(&["motion", "edit", "figure.glb", "--pin", "LeftHand=1,2,3", "-o", "out.glb"]).code, Some(2));
    let far = ["motion", "edit", "figure.glb", "--pin", "LeftHand@45+=0,90,0", "-o", "far.glb"];
    let answer = done(&bench, &far);
    assert!(
        answer.stderr.contains("\"LeftHand\" misses its pin in frame 45") && answer.stderr.contains("out of reach")
    );
    let two =
        ["motion", "edit", "figure.glb", "--pin", "LeftHand@45+=0,0.02,0", "--pin", "LeftForeArm@45+=0,-0.2,-0.1"];
    let answer = done(&bench, &[&two[..], &["-o", "two.glb"]].concat());
    assert!(answer.stderr.contains("contradicts the pins of"), "{}", answer.stderr);
}

#[test]
fn a_motion_goes_over_to_another_body_and_feet_stand() {
    let Some(folder) = shared_data::folder() else { return };
    let bench = Bench::new();
    save(&bench, "figure.glb", &["knee bend"]);
    let walk = folder.join("mocap/cmu30/walk__02_01.bvh");
    let walk = walk.to_str().unwrap();
    let to = ["motion", "retarget", walk, "--to", "figure.glb", "-o", "walk.glb", "--report", "walk.json"];
    let printed = done(&bench, &to);
    assert!(
        printed.stdout.contains("foot contacts slide by") && printed.stderr.contains("joints matched"),
        "{printed:?}"
    );
    let report: Value = serde_json::from_slice(&std::fs::read(bench.path("walk.json")).unwrap()).unwrap();
    let contacts = report["bodies"][0]["contacts"].as_array().unwrap();
    assert!(contacts.len() >= 4 && contacts.iter().all(|c| c["slide"].as_f64().unwrap() < 5e-3), "{report}");
    let clips = sinew_io::load(&bench.path("walk.glb")).unwrap().character.clips;
    assert_eq!(clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["walk__02_01", "knee bend"]);
    refused(&bench, &["motion", "retarget", walk, "--to", "figure.glb", "-o", "figure.glb"], &["own input"]);
    let far = ["motion", "retarget", "figure.glb", "--to", "figure.glb", "--with", walk, "--to2", "figure.glb"];
    assert_eq!(bench.run(&far).code, Some(2));
}
