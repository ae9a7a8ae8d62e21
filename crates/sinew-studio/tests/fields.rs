//! What a page gets to see of an implicit skin.

mod page;

use page::{Page, Told};
use serde_json::{Value, json};

/// The figure with its elbows bent most.
fn moment(kind: &str, recipe: Value) -> Value {
    let figure = sinew::demo::character();
    let clip = figure.clips.iter().position(|clip| clip.name == "elbow curl").unwrap();
    let (start, end) = figure.clips[clip].range();
    json!({
        "type": kind, "key": "demo-mannequin", "clip": clip, "time": 0.5 * (start + end), "recipe": recipe,
    })
}

fn implicit() -> Value {
    json!({ "skin": { "method": "linear" }, "implicit": { "on": true } })
}

fn places(told: &Told, entry: &Value) -> Vec<[f32; 3]> {
    told.floats(entry).chunks_exact(3).map(|place| [place[0], place[1], place[2]]).collect()
}

#[test]
fn a_frame_says_how_well_points_follow() {
    let mut page = Page::new();
    page.mannequin();
    let off = page.answer(moment("frame", json!({ "skin": { "method": "linear" } })));
    assert!(off.header["implicit"].is_null());
    let on = page.answer(moment("frame", implicit()));
    let told = &on.header["implicit"];
    assert!(told["points"].as_u64().unwrap() > 0, "{told}");
    assert!(told["after"].as_f64().unwrap() < told["before"].as_f64().unwrap(), "{told}");
}

#[test]
fn fields_are_told_with_their_surface_and_a_cut() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let mut request = moment("fields", implicit());
    (request["surface"], request["cut"]) = (json!(true), json!("LeftForeArm"));
    let told = page.answer(request);
    assert!(told.is("fields"), "{}", told.header);
    let limbs = told.header["limbs"].as_array().unwrap();
    let name = |limb: &Value| opened["joints"][limb["joint"].as_u64().unwrap() as usize]["name"].clone();
    let arm = limbs.iter().find(|limb| name(limb) == "LeftForeArm").expect("the elbow has a limb");
    assert!(arm["samples"].as_u64().unwrap() >= 20 && arm["fit"].as_f64().unwrap() < 0.1, "{arm}");
    let crossings = &told.header["crossings"];
    assert!(crossings["final"].as_u64() < crossings["base"].as_u64(), "{crossings}");

    let surface = &told.header["surface"];
    let (positions, normals) = (places(&told, &surface["positions"]), places(&told, &surface["normals"]));
    let indices = told.indices(&surface["indices"]);
    assert_eq!(positions.len(), normals.len());
    assert!(indices.len() > 3000 && indices.iter().all(|&index| (index as usize) < positions.len()));
    let size = |axis: usize| {
        let along = positions.iter().map(|place| place[axis]);
        along.clone().fold(f32::MIN, f32::max) - along.fold(f32::MAX, f32::min)
    };
    assert!((1.4..2.0).contains(&size(1)), "as tall as the figure: {}", size(1));

    let lines = told.header["cut"]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 9);
    let half = &lines[4];
    assert_eq!(half["level"], 0.5);
    // Both are found where the density is ½, so no end of a line is farther from the surface than its cells are wide.
    let cell = 2.0 / 96.0;
    let distance = |a: &[f32; 3], b: &[f32; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt();
    let ends = places(&told, &half["segments"]);
    assert!(ends.len() > 100);
    for end in ends.iter().step_by(37) {
        let nearest = positions.iter().map(|place| distance(end, place)).fold(f32::MAX, f32::min);
        assert!(nearest < cell, "{end:?} is {nearest} away");
    }
}

#[test]
fn what_has_no_fields_is_refused_with_a_reason() {
    let mut page = Page::new();
    page.mannequin();
    let mut off = moment("fields", json!({ "skin": { "method": "linear" } }));
    (off["surface"], off["cut"]) = (json!(false), Value::Null);
    let told = page.answer(off).header;
    assert!(told["type"] == "failed" && told["message"].as_str().unwrap().contains("implicit skin"), "{told}");
    let mut nowhere = moment("fields", implicit());
    (nowhere["surface"], nowhere["cut"]) = (json!(false), json!("Tail"));
    let told = page.answer(nowhere).header;
    assert!(told["message"].as_str().unwrap().contains("Tail"), "{told}");
}
