//! What a page gets for what it asks.

use super::page::{Page, Received};
use serde_json::{Value, json};
use sinew::Time;
use sinew_io::{Asset, Format};
use sinew_studio::OpenedCharacters;
use std::sync::Arc;

const LINEAR: &str = "linear";

fn recipe(skin: &str, volume: &str) -> Value {
    json!({ "skin": { "method": skin }, "volume": { "method": volume } })
}

/// The figure's left elbow, bent on top of the bind pose.
fn elbow(degrees: f64) -> Value {
    let half = 0.5 * degrees.to_radians();
    json!({ "LeftForeArm": [0.0, half.sin(), 0.0, half.cos()] })
}

fn frame(page: &mut Page, fields: Value) -> Vec<Received> {
    let mut request =
        json!({ "type": "frame", "key": "demo-mannequin", "clip": null, "time": 0.0, "recipe": recipe(LINEAR, "off") });
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    page.ask(request)
}

fn positions(frame: &Received, surface: usize) -> Vec<f32> {
    frame.floats(&frame.header["surfaces"][surface]["positions"])
}

#[test]
fn hello_has_the_abilities_of_the_engine() {
    let page = Page::new();
    let hello = page.received().remove(0).header;
    assert_eq!(hello["type"], "hello");
    assert_eq!(hello["can"]["bake"], true);
    assert_eq!(hello["skins"], json!(["rigid", "linear", "dual-quaternion", "centers", "direct-delta-mush"]));
    assert!(hello["recipe"]["volume"]["method"] == "off" && hello["formats"]["open"].as_array().unwrap().len() > 5);
    let without_files = Page::with(Arc::new(OpenedCharacters::default()), false).received().remove(0).header;
    assert_eq!((&without_files["can"]["bake"], &without_files["engine"]), (&json!(false), &json!("browser")));
}

#[test]
fn a_figure_opens_with_all_that_a_page_shows() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let figure = sinew::demo::character();
    assert_eq!(opened["vertices"], figure.vertex_count());
    assert_eq!(opened["joints"].as_array().unwrap().len(), figure.skeleton.len());
    assert_eq!(opened["clips"].as_array().unwrap().len(), figure.clips.len());
    let number = |name: &str| figure.skeleton.find(name).unwrap();
    assert_eq!(opened["joints"][number("LeftForeArm")]["mirror"], number("RightForeArm"));
    assert_eq!(opened["joints"][number("LeftForeArm")]["parent"], number("LeftArm"));
    let height = opened["bounds"]["max"][1].as_f64().unwrap();
    assert!((1.6..1.9).contains(&height), "{height}");
    let again = page.answer(json!({ "type": "reopen", "key": opened["key"] })).header;
    assert_eq!(again["joints"], opened["joints"]);
    assert!(page.answer(json!({ "type": "reopen", "key": "gone" })).is("failed"));
    assert!(page.answer(json!({ "type": "demo", "name": "../secret" })).is("failed"));
}

#[test]
fn a_frame_is_the_engines_surface_and_comes_after_its_topology() {
    let mut page = Page::new();
    page.mannequin();
    let reply = frame(&mut page, json!({ "clip": 0, "time": 1.0 }));
    let [topology, frame] = &reply[..] else { panic!("a topology and a frame") };
    assert!(topology.is("topology") && frame.is("frame"));
    let figure = sinew::demo::character();
    let mut recipe = sinew::recipe::Recipe::default();
    recipe.skin.method = sinew::deform::skinning::SkinMethod::Linear;
    let (mut pose, mut surface) = (sinew::rig::Pose::default(), sinew::Surface::default());
    figure.clips[0].sample(1.0, &figure.base_pose, &mut pose);
    let mut stack = sinew::Stack::new(&figure, &recipe).unwrap();
    stack.deform(&pose, Time::alone(1.0), &mut surface);
    let expected: Vec<f32> = surface.positions.iter().flat_map(|p| p.to_array()).collect();
    assert_eq!(positions(frame, 0), expected);
    assert_eq!(frame.floats(&frame.header["joints"]).len(), 16 * figure.skeleton.len());
    let indices = topology.indices(&topology.header["indices"]);
    assert_eq!(indices.len(), 6 * figure.parts[0].mesh.faces.len());
    assert!(indices.iter().all(|&index| (index as usize) < figure.vertex_count()));
    // A closed surface of quads has twice as many edges as faces.
    assert_eq!(topology.indices(&topology.header["edges"]).len(), 4 * figure.parts[0].mesh.faces.len());
}

#[test]
fn volume_is_restored_and_reported() {
    let mut page = Page::new();
    page.mannequin();
    let share = |frame: &Received, what: &str| {
        let volume = &frame.header["volume"];
        volume[what].as_f64().unwrap() / volume["rest"].as_f64().unwrap()
    };
    let off = frame(&mut page, json!({ "turns": elbow(-120.0) })).pop().unwrap();
    assert!(share(&off, "final") < 0.999 && share(&off, "final") == share(&off, "base"));
    let on = frame(&mut page, json!({ "turns": elbow(-120.0), "recipe": recipe(LINEAR, "exact") })).pop().unwrap();
    assert!((share(&on, "final") - 1.0).abs() < 1e-6, "{}", share(&on, "final"));
    assert_eq!(share(&on, "base"), share(&off, "base"));
    assert!(!on.header["changes"].as_array().unwrap().is_empty());
}

#[test]
fn colours_and_comparisons_come_with_the_frame() {
    let mut page = Page::new();
    page.mannequin();
    let request = json!({
        "turns": elbow(-120.0), "recipe": recipe(LINEAR, "exact"), "compare": recipe(LINEAR, "off"), "color": "displacement",
    });
    let reply = frame(&mut page, request).pop().unwrap();
    let values = reply.floats(&reply.header["surfaces"][0]["values"]);
    let distance = |k: usize| {
        let [a, b] = [0, 1].map(|surface| positions(&reply, surface)[3 * k..3 * k + 3].to_vec());
        a.iter().zip(&b).map(|(x, y)| (x - y) * (x - y)).sum::<f32>().sqrt()
    };
    for k in (0..values.len()).step_by(97) {
        assert!((values[k] - distance(k)).abs() < 1e-6, "vertex {k}");
    }
    let largest = values.iter().copied().fold(0.0, f32::max);
    assert!(largest > 1e-4 && reply.header["range"][1].as_f64().unwrap() as f32 == largest);
    let volume = frame(&mut page, json!({ "turns": elbow(-120.0), "color": "volume" })).pop().unwrap();
    let changes = volume.floats(&volume.header["surfaces"][0]["values"]);
    assert!(changes.iter().any(|change| *change < -0.2), "the inside of the elbow loses");
}

#[test]
fn weights_are_those_of_the_joint() {
    let mut page = Page::new();
    page.mannequin();
    let reply = page.answer(json!({
        "type": "weights", "key": "demo-mannequin", "recipe": recipe(LINEAR, "off"), "clip": null, "joint": "LeftForeArm",
    }));
    let weights = reply.floats(&reply.header["values"]);
    assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
    assert!(weights.iter().any(|weight| *weight > 0.9));
    assert!(weights.iter().filter(|weight| **weight == 0.0).count() > weights.len() / 2);
}

/// A frame after many changes equals that of a new engine.
#[test]
fn what_was_seen_before_does_not_matter() {
    let mut page = Page::new();
    page.mannequin();
    let curves = |height: f64| {
        json!({
            "skin": { "method": LINEAR },
            "volume": {
                "method": "exact",
                "joints": { "LeftForeArm": { "kind": "curves", "along": [[-2.0, 0.0], [-0.5, height], [2.0, 0.0]] } },
            },
        })
    };
    let refined = json!({
        "skin": { "method": LINEAR }, "volume": { "method": "normal", "refine": { "steps": 1, "threshold": 0.2 } },
    });
    let steps = [
        recipe("centers", "exact"),
        curves(0.5),
        curves(0.7),
        refined.clone(),
        curves(1.4),
        recipe(LINEAR, "laplacian"),
        recipe(LINEAR, "exact"),
        refined,
        curves(0.2),
    ];
    for (k, recipe) in steps.iter().enumerate() {
        let request = json!({ "turns": elbow(-100.0), "recipe": recipe });
        let seen = frame(&mut page, request.clone()).pop().unwrap();
        let mut fresh = Page::new();
        fresh.mannequin();
        let expected = frame(&mut fresh, request).pop().unwrap();
        assert!(seen.is("frame"), "{}", seen.header);
        assert_eq!(positions(&seen, 0), positions(&expected, 0), "step {k}");
    }
}

#[test]
fn mistakes_in_a_recipe_are_reported_and_nothing_breaks() {
    let mut page = Page::new();
    page.mannequin();
    for bad in [
        json!({ "skin": { "method": "plastic" } }),
        json!({ "volume": { "smoothness": -1.0 } }),
        json!({ "volume": { "profile": { "shares": [0.0, 0.0, 0.0] } } }),
        json!({ "volume": { "profile": { "along": [[1.0, 0.0], [0.0, 1.0]] } } }),
        json!("no recipe at all"),
    ] {
        let reply = frame(&mut page, json!({ "recipe": bad })).pop().unwrap();
        assert!(reply.is("failed") && reply.header["message"].as_str().unwrap().contains("recipe"), "{}", reply.header);
    }
    for (field, value) in
        [("clip", json!(99)), ("turns", json!({ "LeftForeArm": [0.0, 0.0, 0.0, 0.0] })), ("key", json!("x"))]
    {
        assert!(frame(&mut page, json!({ field: value })).pop().unwrap().is("failed"), "{field}");
    }
    assert!(frame(&mut page, json!({})).pop().unwrap().is("frame"));
}

#[test]
fn recipes_and_poses_survive_as_text() {
    let mut page = Page::new();
    page.mannequin();
    let sent =
        json!({ "volume": { "method": "exact", "joints": { "LeftForeArm": { "kind": "muscle", "size": 1.5 } } } });
    let text = page.answer(json!({ "type": "write_recipe", "recipe": sent })).header["text"].clone();
    let read = page.answer(json!({ "type": "read_recipe", "text": text })).header["recipe"].clone();
    assert_eq!(read["volume"]["joints"], sent["volume"]["joints"]);
    let wrong = page.answer(json!({ "type": "read_recipe", "text": "[skin]\nmethod = \"wax\"\n" }));
    assert!(wrong.is("failed") && wrong.header["message"].as_str().unwrap().contains("line 2"), "{}", wrong.header);

    let pose = json!({ "type": "write_pose", "key": "demo-mannequin", "recipe": {}, "clip": null, "time": 0.0, "turns": elbow(-75.0) });
    let text = page.answer(pose).header["text"].clone();
    let turns =
        page.answer(json!({ "type": "read_pose", "key": "demo-mannequin", "text": text })).header["turns"].clone();
    let turn: Vec<f64> = serde_json::from_value(turns["LeftForeArm"].clone()).unwrap();
    let expected: Vec<f64> = serde_json::from_value(elbow(-75.0)["LeftForeArm"].clone()).unwrap();
    assert!(turn.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{turn:?}");
}

#[test]
fn a_motion_is_played_on_the_character_it_is_dropped_on() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let figure = Asset::new(sinew::demo::character(), Format::Glb);
    let bvh = sinew_io::bvh::write(&figure).unwrap();
    let alone = page.open("walk.bvh", &bvh, None);
    assert!(alone.is("failed") && alone.header["message"].as_str().unwrap().contains("character first"));
    let carried = page.open("walk.bvh", &bvh, opened["key"].as_str()).header;
    assert_eq!(carried["type"], "opened");
    let clips = opened["clips"].as_array().unwrap().len();
    assert_eq!(carried["added_clip"], clips);
    assert_ne!(carried["key"], opened["key"]);
    let reply = frame(&mut page, json!({ "key": carried["key"], "clip": clips, "time": 0.5 })).pop().unwrap();
    assert!(reply.is("frame"), "{}", reply.header);
}

#[test]
fn files_are_read_with_what_lies_beside_them_and_nothing_else() {
    let mut page = Page::new();
    let gltf = json!({
        "asset": { "version": "2.0" }, "buffers": [{ "byteLength": 36, "uri": "buffers/corners.bin" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }], "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    })
    .to_string();
    let alone = page.open("a.gltf", gltf.as_bytes(), None);
    assert!(alone.is("failed"), "{}", alone.header);
    let corners: Vec<u8> = [0f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
    let payload = [gltf.as_bytes(), &corners].concat();
    let files = json!([
        { "name": "a.gltf", "at": 0, "count": gltf.len() }, { "name": "corners.bin", "at": gltf.len(), "count": corners.len() },
    ]);
    let reply = page.ask_with(json!({ "type": "open", "files": files, "onto": null }), &payload).pop().unwrap();
    assert!(reply.is("opened") && reply.header["vertices"] == 3, "{}", reply.header);
    let leaving = gltf.replace("buffers/corners.bin", "../../../../etc/hostname");
    assert!(
        page.open("a.gltf", leaving.as_bytes(), None).header["message"].as_str().unwrap().contains("leaves its folder")
    );
    let outside = json!([{ "name": "a.glb", "at": 10, "count": u64::MAX }]);
    assert!(page.answer(json!({ "type": "open", "files": outside, "onto": null })).is("failed"));
    assert!(page.answer(json!({ "type": "open", "files": [], "onto": null })).is("failed"));
    assert!(page.open("a.txt", b"hello", None).header["message"].as_str().unwrap().contains("txt"));
}

#[test]
fn a_bake_is_the_file_that_the_program_writes() {
    let mut page = Page::new();
    page.mannequin();
    let mut request = json!({
        "type": "bake", "key": "demo-mannequin", "recipe": recipe(LINEAR, "off"), "clip": 0, "turns": {}, "format": "pc2", "fps": 10.0,
    });
    let reply = page.ask(request.clone());
    assert!(reply[..reply.len() - 1].iter().all(|t| t.is("progress")) && reply.len() > 10);
    let baked = &reply[reply.len() - 1].header;
    assert_eq!(baked["type"], "baked");
    let bytes = std::fs::read(baked["url"].as_str().unwrap()).unwrap();
    assert_eq!(baked["bytes"], bytes.len());
    let cache = sinew_io::pc2::read(&bytes).unwrap();
    let last = frame(&mut page, json!({ "clip": 0, "time": 1.0 })).pop().unwrap();
    let sample: Vec<f32> = cache.samples().nth(10).unwrap().iter().flat_map(|p| p.to_array()).collect();
    assert_eq!(sample, positions(&last, 0));
    request["format"] = json!("exe");
    assert!(page.answer(request.clone()).is("failed"));
    request["format"] = json!("pc2");
    request["fps"] = json!(-3);
    assert!(page.answer(request).is("failed"));
    let mut without_files = Page::with(Arc::new(OpenedCharacters::default()), false);
    without_files.mannequin();
    let refused = without_files.answer(json!({
        "type": "bake", "key": "demo-mannequin", "recipe": {}, "clip": 0, "turns": {}, "format": "pc2", "fps": 10.0,
    }));
    assert!(refused.is("failed"));
}

#[test]
fn a_plot_measures_the_clip() {
    let mut page = Page::new();
    page.mannequin();
    let reply = page.answer(json!({
        "type": "plot", "key": "demo-mannequin", "recipe": recipe(LINEAR, "exact"), "clip": 0, "turns": {},
    }));
    let numbers = |name: &str| -> Vec<f64> { serde_json::from_value(reply.header[name].clone()).unwrap() };
    let (rest, base, last) = (numbers("rest"), numbers("base"), numbers("final"));
    assert_eq!(numbers("times").len(), rest.len());
    assert!(base.iter().zip(&rest).any(|(base, rest)| base / rest < 0.998));
    assert!(last.iter().zip(&rest).all(|(last, rest)| (last / rest - 1.0).abs() < 1e-5));
}

#[test]
fn a_binding_becomes_another_character() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let request = json!({
        "type": "bind", "key": opened["key"], "skeleton": "own", "method": "distance", "influences": 3,
    });
    let reply = page.ask(request);
    let bound = &reply[reply.len() - 1].header;
    assert_eq!(bound["type"], "bound", "{bound}");
    assert!(reply.iter().any(|t| t.is("progress")));
    assert_eq!(bound["report"]["vertices"], bound["report"]["weighted"]);
    let again = page.answer(json!({ "type": "reopen", "key": bound["key"] })).header;
    assert_eq!(again["vertices"], opened["vertices"]);
    assert_ne!(again["key"], opened["key"]);
    let shape = json!({ "turns": elbow(-90.0), "key": bound["key"] });
    let authored = frame(&mut page, json!({ "turns": elbow(-90.0) })).pop().unwrap();
    let bound = frame(&mut page, shape).pop().unwrap();
    assert_ne!(positions(&authored, 0), positions(&bound, 0));
}

#[test]
fn a_profile_is_shown_with_nothing_left_open() {
    let mut page = Page::new();
    for kind in ["isotropic", "rubber", "muscle", "folds", "blend", "curves"] {
        let recipe = json!({ "volume": { "method": "exact", "profile": { "kind": kind } } });
        let reply = page.answer(json!({ "type": "profile", "recipe": recipe, "joint": "any" })).header;
        let samples: Vec<Vec<[f64; 2]>> = serde_json::from_value(reply["samples"].clone()).unwrap();
        assert_eq!((&reply["kind"], samples.len()), (&json!(kind), 3));
        for axis in samples {
            let largest = axis.iter().map(|sample| sample[1]).fold(0.0, f64::max);
            assert!((0.9..=1.1).contains(&largest), "{kind}: {largest}");
            assert!(axis[0][1] < 0.01 && axis[axis.len() - 1][1] < 0.01, "{kind} ends");
        }
    }
}
