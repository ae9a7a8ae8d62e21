//! What a page gets to see of a cage, and of a mesh that follows one.

use super::page::{Page, Received};
use glam::Vec3;
use serde_json::{Value, json};

/// A recipe with a cage that is quickly built.
fn recipe() -> Value {
    json!({ "skin": { "method": "dual-quaternion" }, "cage": { "vertices": 240, "offset": 0.012 } })
}

fn build(page: &mut Page, recipe: &Value) -> Vec<Received> {
    page.ask(json!({ "type": "cage", "key": "demo-mannequin", "recipe": recipe }))
}

/// The figure with its elbows bent most, or at rest.
fn moment(recipe: &Value, drive: Value, is_bent: bool) -> Value {
    let figure = sinew::demo::character();
    let clip = figure.clips.iter().position(|clip| clip.name == "elbow curl").unwrap();
    let (start, end) = figure.clips[clip].range();
    let clip = if is_bent { json!(clip) } else { Value::Null };
    json!({
        "type": "frame", "key": "demo-mannequin", "clip": clip, "time": 0.5 * (start + end), "recipe": recipe, "cage": drive,
    })
}

fn by_pose() -> Value {
    json!({ "by": "pose", "joints": {}, "markers": {}, "limits": true })
}

fn by_handles(joints: Value, markers: Value) -> Value {
    json!({ "by": "handles", "joints": joints, "markers": markers, "limits": true })
}

fn places(reply: &Received, entry: &Value) -> Vec<Vec3> {
    reply.floats(entry).chunks_exact(3).map(Vec3::from_slice).collect()
}

fn surface(frame: &Received) -> Vec<Vec3> {
    places(frame, &frame.header["surfaces"][0]["positions"])
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Where a joint is in a frame.
fn joint(opened: &Value, frame: &Received, name: &str) -> Vec3 {
    let joint = opened["joints"].as_array().unwrap().iter().position(|joint| joint["name"] == name).unwrap();
    Vec3::from_slice(&frame.floats(&frame.header["joints"])[16 * joint + 12..16 * joint + 15])
}

#[test]
fn a_cage_is_sent_with_its_tetrahedra_and_frames_of_bones() {
    let mut page = Page::new();
    let opened = page.mannequin();
    let received = build(&mut page, &recipe());
    assert!(received.iter().filter(|reply| reply.is("progress")).count() > 2);
    let reply = received.last().unwrap();
    assert!(reply.is("caged"), "{}", reply.header);
    let header = &reply.header;
    let vertices = places(reply, &header["places"]);
    assert_eq!(vertices.len(), header["report"]["control_vertices"].as_u64().unwrap() as usize);
    let tetrahedra = reply.indices(&header["tetrahedra"]);
    assert_eq!(tetrahedra.len(), 4 * header["report"]["tetrahedra"].as_u64().unwrap() as usize);
    let volume = |t: &[u32]| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| vertices[t[k] as usize]);
        (b - a).cross(c - a).dot(d - a)
    };
    assert!(tetrahedra.chunks_exact(4).all(|t| volume(t) > 0.0));
    let triangles = reply.indices(&header["surface"]);
    assert!(triangles.iter().all(|&v| (v as usize) < vertices.len()));
    assert_eq!(places(reply, &header["rest"]).len(), opened["vertices"].as_u64().unwrap() as usize);
    let joints = opened["joints"].as_array().unwrap();
    let bones = header["bones"].as_array().unwrap();
    let arm =
        bones.iter().find(|bone| joints[bone["joint"].as_u64().unwrap() as usize]["name"] == "LeftForeArm").unwrap();
    assert_eq!(joints[arm["parent"].as_u64().unwrap() as usize]["name"], "LeftArm");
    assert!(arm["length"].as_f64().unwrap() > 0.1, "{arm}");

    let again = build(&mut page, &recipe());
    assert_eq!(again.len(), 1, "a built cage is sent at once");
    assert_eq!(again[0].header["report"], header["report"]);
    let mut marked = recipe();
    marked["cage"]["markers"] = json!({ "HEAD": { "joint": "Head", "along": 0.7 } });
    let marked = build(&mut page, &marked).pop().unwrap().header;
    let (before, after) = (&header["report"]["milliseconds"][0], &marked["report"]["milliseconds"][0]);
    assert_eq!(before, after, "a marker leaves the surface as it was");
    assert_eq!(marked["report"]["markers"], json!(["HEAD"]));
}

#[test]
fn the_mesh_follows_the_joints_of_a_pose_by_way_of_its_cage() {
    let mut page = Page::new();
    page.mannequin();
    let skin = page.answer(moment(&recipe(), Value::Null, true));
    let without = page.answer(moment(&recipe(), by_pose(), true));
    assert!(without.header["cage"].is_null());
    assert_eq!(surface(&skin), surface(&without), "there is no cage yet");
    build(&mut page, &recipe());
    let driven = page.answer(moment(&recipe(), by_pose(), true));
    let outcome = &driven.header["cage"]["outcome"];
    assert_eq!(outcome["inverted"], 0, "{outcome}");
    let (skin, driven) = (surface(&skin), surface(&driven));
    let mean = skin.iter().zip(&driven).map(|(a, b)| a.distance(*b)).sum::<f32>() / skin.len() as f32;
    assert!(mean > 1e-4 && mean < 0.03, "{mean} is no distance of a skin and a cage");
}

#[test]
fn a_joint_that_is_held_takes_the_body_along() {
    let mut page = Page::new();
    let opened = page.mannequin();
    build(&mut page, &recipe());
    let rest = page.answer(moment(&recipe(), by_handles(json!({}), json!({})), true));
    assert!(rest.header["cage"]["outcome"].is_null(), "nothing is held");
    let bound = page.answer(moment(&recipe(), Value::Null, false));
    assert!(farthest(&surface(&rest), &surface(&bound)) < 1e-5);

    let at = |name: &str| joint(&opened, &rest, name);
    let hand = at("LeftHand") + Vec3::new(-0.1, 0.1, 0.1);
    let mut held = json!({ "LeftHand": hand.to_array() });
    for name in ["Hips", "Head", "RightHand", "LeftToeBase", "RightToeBase"] {
        held[name] = json!(at(name).to_array());
    }
    let dragged = page.answer(moment(&recipe(), by_handles(held.clone(), json!({})), true));
    assert!(joint(&opened, &dragged, "LeftHand").distance(hand) < 0.02, "{}", dragged.header["cage"]);
    assert!(joint(&opened, &dragged, "Hips").distance(at("Hips")) < 0.02);
    assert!(dragged.header["cage"]["outcome"]["bone_error"].as_f64().unwrap() < 1e-3);

    let back = page.answer(moment(&recipe(), by_handles(json!({}), json!({})), true));
    assert_eq!(surface(&back), surface(&rest));
    let again = page.answer(moment(&recipe(), by_handles(held, json!({})), true));
    assert_eq!(surface(&again), surface(&dragged), "from rest on, the document alone decides");
}

#[test]
fn markers_of_the_recipe_are_handles() {
    let mut page = Page::new();
    page.mannequin();
    let mut recipe = recipe();
    recipe["cage"]["markers"] = json!({ "HEAD": { "joint": "Head", "along": 0.7 }, "LHAND": { "joint": "LeftHand" } });
    let reply = build(&mut page, &recipe).pop().unwrap();
    let vertices = places(&reply, &reply.header["places"]);
    let markers = reply.header["markers"].as_array().unwrap();
    assert_eq!((markers[0]["label"].as_str(), markers[1]["label"].as_str()), (Some("HEAD"), Some("LHAND")));
    let vertex = markers[1]["vertex"].as_u64().unwrap() as usize;
    let place = vertices[vertex] + Vec3::Y * 0.1;
    let frame = page.answer(moment(&recipe, by_handles(json!({}), json!({ "LHAND": place.to_array() })), true));
    let moved = places(&frame, &frame.header["cage"]["places"]);
    assert!(moved[vertex].distance(place) < 0.02, "{}", frame.header["cage"]["outcome"]);
}

#[test]
fn limits_hold_a_joint_back_until_they_are_switched_off() {
    let mut page = Page::new();
    let opened = page.mannequin();
    build(&mut page, &recipe());
    let mut recipe = recipe();
    let none = json!([0.0, 0.0]);
    recipe["cage"]["limits"] = json!({ "LeftForeArm": { "bend": none, "sideways": none, "twist": none } });
    let mut drive = by_pose();
    let angle = |frame: &Received| {
        let [shoulder, elbow, hand] = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| joint(&opened, frame, name));
        (elbow - shoulder).angle_between(hand - elbow)
    };
    let told_by_cage = |drive: &Value| {
        let mut drive = drive.clone();
        drive["by"] = json!("handles");
        drive
    };
    let rest = page.answer(moment(&recipe, told_by_cage(&drive), false));
    let at = |name: &str| joint(&opened, &rest, name).to_array();
    let mut hand = at("LeftHand");
    hand[0] -= 0.25;
    hand[2] += 0.2;
    drive["joints"] = json!({ "LeftHand": hand, "LeftArm": at("LeftArm"), "Hips": at("Hips"), "Head": at("Head") });
    let limited = page.answer(moment(&recipe, told_by_cage(&drive), false));
    drive["limits"] = json!(false);
    let free = page.answer(moment(&recipe, told_by_cage(&drive), false));
    let straight = angle(&rest);
    assert!((angle(&limited) - straight).abs() < 0.05, "{} from {straight}", angle(&limited));
    assert!((angle(&free) - straight).abs() > 0.4, "{} from {straight}", angle(&free));
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let mut page = Page::new();
    page.mannequin();
    let mut unknown = recipe();
    unknown["cage"]["markers"] = json!({ "TAIL": { "joint": "Tail" } });
    let reply = build(&mut page, &unknown).pop().unwrap().header;
    let is_refused_with =
        |reply: &Value, words: &str| reply["type"] == "failed" && reply["message"].as_str().unwrap().contains(words);
    assert!(is_refused_with(&reply, "TAIL"), "{reply}");
    build(&mut page, &recipe());
    let reply = page.answer(moment(&recipe(), by_handles(json!({ "Tail": [0, 0, 0] }), json!({})), true)).header;
    assert!(is_refused_with(&reply, "no joint \"Tail\""), "{reply}");
    let mut limited = recipe();
    limited["cage"]["limits"] = json!({ "Hips": { "bend": [0.0, 1.0] } });
    let reply = page.answer(moment(&limited, by_pose(), true)).header;
    assert!(is_refused_with(&reply, "Hips"), "{reply}");
}
