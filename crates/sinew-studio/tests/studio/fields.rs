//! What a page gets to see of an implicit skin.

use super::page::{Page, Received};
use glam::{DMat4, DVec3, Vec3};
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

fn places(reply: &Received, entry: &Value) -> Vec<[f32; 3]> {
    reply.floats(entry).chunks_exact(3).map(|place| [place[0], place[1], place[2]]).collect()
}

#[test]
fn a_frame_has_the_points_that_moved_and_those_that_touch() {
    let mut page = Page::new();
    page.mannequin();
    let off = page.answer(moment("frame", json!({ "skin": { "method": "linear" } })));
    assert!(off.header["implicit"].is_null());
    let on = page.answer(moment("frame", implicit()));
    let reply = &on.header["implicit"];
    let [moved, touching] = ["moved", "touching"].map(|key| reply[key].as_u64().unwrap());
    assert!(moved > 100 && (1..moved).contains(&touching), "{reply}");
    let mut at_rest = moment("frame", implicit());
    at_rest["clip"] = Value::Null;
    assert_eq!(page.answer(at_rest).header["implicit"], json!({ "moved": 0, "touching": 0 }));
}

#[test]
fn fields_are_sent_with_their_surface_and_a_cut() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let mut request = moment("fields", implicit());
    (request["surface"], request["cut"]) = (json!(true), json!("LeftForeArm"));
    let reply = page.answer(request);
    assert!(reply.is("fields"), "{}", reply.header);
    let limbs = reply.header["limbs"].as_array().unwrap();
    let name = |limb: &Value| opened["joints"][limb["joint"].as_u64().unwrap() as usize]["name"].clone();
    let arm = limbs.iter().find(|limb| name(limb) == "LeftForeArm").expect("the elbow has a limb");
    assert!(arm["samples"].as_u64().unwrap() >= 20 && arm["fit"].as_f64().unwrap() < 0.1, "{arm}");
    let crossings = &reply.header["crossings"];
    assert!(crossings["final"].as_u64() < crossings["base"].as_u64(), "{crossings}");

    let surface = &reply.header["surface"];
    let (positions, normals) = (places(&reply, &surface["positions"]), places(&reply, &surface["normals"]));
    let indices = reply.indices(&surface["indices"]);
    assert_eq!(positions.len(), normals.len());
    assert!(indices.len() > 3000 && indices.iter().all(|&index| (index as usize) < positions.len()));
    let size = |axis: usize| {
        let along = positions.iter().map(|place| place[axis]);
        along.clone().fold(f32::MIN, f32::max) - along.fold(f32::MAX, f32::min)
    };
    assert!((1.4..2.0).contains(&size(1)), "as tall as the figure: {}", size(1));

    let lines = reply.header["cut"]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 9);
    let half = &lines[4];
    assert_eq!(half["level"], 0.5);
    // Both are found where the density is ½, so no end of a line is farther from the surface than its cells are wide.
    let cell = 2.0 / 96.0;
    let distance = |a: &[f32; 3], b: &[f32; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt();
    let ends = places(&reply, &half["segments"]);
    assert!(ends.len() > 100);
    for end in ends.iter().step_by(37) {
        let nearest = positions.iter().map(|place| distance(end, place)).fold(f32::MAX, f32::min);
        assert!(nearest < cell, "{end:?} is {nearest} away");
    }
}

/// What takes a limb from rest to a moment, and its samples; none where the joint carries no limb.
fn samples(page: &mut Page, mut request: Value, joint: &str) -> Option<(DMat4, Vec<[f32; 6]>)> {
    (request["surface"], request["samples"]) = (json!(false), json!(joint));
    let reply = page.answer(request);
    let samples = &reply.header["samples"];
    let motion: [f64; 16] = serde_json::from_value(samples.get("motion")?.clone()).unwrap();
    Some((DMat4::from_cols_array(&motion), reply.floats(&samples["rows"]).as_chunks().0.to_vec()))
}

#[test]
fn samples_of_a_limb_are_sent_at_rest_with_its_motion() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let (bent, rows) = samples(&mut page, moment("fields", implicit()), "LeftForeArm").unwrap();
    assert!(rows.len() >= 20);
    let mut at_rest = moment("fields", implicit());
    at_rest["clip"] = Value::Null;
    let (still, same) = samples(&mut page, at_rest, "LeftForeArm").unwrap();
    assert_eq!(rows, same);
    assert!(still.abs_diff_eq(DMat4::IDENTITY, 1e-9));

    let frame = page.answer(moment("frame", implicit()));
    let world = frame.floats(&frame.header["joints"]);
    let joints = opened["joints"].as_array().unwrap();
    for name in ["LeftForeArm", "LeftHand"] {
        let joint = joints.iter().position(|joint| joint["name"] == name).unwrap();
        let rest: [f64; 16] = serde_json::from_value(joints[joint]["rest"].clone()).unwrap();
        let carried = bent.transform_point3(DVec3::from_slice(&rest[12..])).as_vec3();
        assert!(carried.distance(Vec3::from_slice(&world[16 * joint + 12..])) < 1e-5, "{name}");
    }

    let skin: Vec<Vec3> = sinew::demo::character().parts.into_iter().flat_map(|part| part.mesh.positions).collect();
    for [x, y, z, normal @ ..] in rows {
        let nearest = skin.iter().map(|place| place.distance(Vec3::new(x, y, z))).fold(f32::MAX, f32::min);
        assert!(nearest < 0.05, "a sample is {nearest} away from the skin at rest");
        assert!((Vec3::from(normal).length() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn chosen_samples_are_sent_unchanged() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let (_, mut rows) = samples(&mut page, moment("fields", implicit()), "LeftForeArm").unwrap();
    rows.remove(7);
    let mut recipe = implicit();
    recipe["implicit"]["limbs"] = json!({ "LeftForeArm": { "samples": rows } });
    let (_, chosen) = samples(&mut page, moment("fields", recipe), "LeftForeArm").unwrap();
    assert_eq!(chosen.len(), rows.len());
    assert!(chosen.as_flattened().iter().zip(rows.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6));

    let bare = opened["joints"].as_array().unwrap().iter().find(|joint| joint["weighted"] == false).unwrap();
    assert!(samples(&mut page, moment("fields", implicit()), bare["name"].as_str().unwrap()).is_none());
}

#[test]
fn what_has_no_fields_is_refused_with_a_reason() {
    let mut page = Page::new();
    page.mannequin();
    let mut off = moment("fields", json!({ "skin": { "method": "linear" } }));
    (off["surface"], off["cut"]) = (json!(false), Value::Null);
    let reply = page.answer(off).header;
    assert!(reply["type"] == "failed" && reply["message"].as_str().unwrap().contains("implicit skin"), "{reply}");
    let mut nowhere = moment("fields", implicit());
    (nowhere["surface"], nowhere["cut"]) = (json!(false), json!("Tail"));
    let reply = page.answer(nowhere).header;
    assert!(reply["message"].as_str().unwrap().contains("Tail"), "{reply}");
    let mut nowhere = moment("fields", implicit());
    (nowhere["surface"], nowhere["samples"]) = (json!(false), json!("Fin"));
    let reply = page.answer(nowhere).header;
    assert!(reply["message"].as_str().unwrap().contains("Fin"), "{reply}");
}
