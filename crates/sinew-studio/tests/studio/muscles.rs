//! What a page gets to see of muscles, and what it can set.

use super::page::{Page, Received};
use glam::{DMat4, DVec3, Vec3};
use serde_json::{Value, json};

const BICEPS: &str = "left biceps brachii, long head";
const FPS: f64 = 30.0;

fn muscles(of: Value) -> Value {
    let mut recipe = json!({ "skin": { "method": "linear" }, "muscles": { "set": "humanoid" } });
    for (key, value) in of.as_object().unwrap() {
        recipe["muscles"][key] = value.clone();
    }
    recipe
}

fn changed(name: &str, change: Value) -> Value {
    muscles(json!({ "muscle": { name: change } }))
}

/// A moment of the figure's walk with its muscles.
fn moment(recipe: &Value, seconds: f64) -> Value {
    let clips = sinew::demo::character().clips;
    let clip = clips.iter().position(|clip| clip.name == "walk").unwrap();
    json!({
        "type": "frame", "key": "demo-mannequin", "clip": clip, "time": seconds, "recipe": recipe, "muscles": true,
    })
}

fn places(reply: &Received, entry: &Value) -> Vec<Vec3> {
    reply.floats(entry).chunks_exact(3).map(Vec3::from_slice).collect()
}

fn shape(frame: &Received) -> Vec<Vec3> {
    places(frame, &frame.header["muscles"]["shape"]["positions"])
}

/// The frame at the start of the walk, and the description of the muscles before it.
fn start(page: &mut Page, recipe: &Value) -> (Received, Received) {
    let mut reply = page.ask(moment(recipe, 0.0));
    let frame = reply.pop().unwrap();
    assert!(frame.is("frame"), "{}", frame.header);
    let musculature =
        reply.into_iter().find(|message| message.is("musculature")).expect("a description of the muscles");
    (musculature, frame)
}

fn find<'a>(musculature: &'a Received, name: &str) -> &'a Value {
    let muscles = musculature.header["muscles"].as_array().unwrap();
    muscles.iter().find(|muscle| muscle["name"] == name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array(serde_json::from_value(value.clone()).unwrap())
}

/// What takes shares of the segment of a muscle's origin to the bind pose.
fn from_shares(musculature: &Received, name: &str) -> DMat4 {
    let muscle = find(musculature, name);
    let side = usize::from(muscle["side"] == "right");
    let segment = muscle["from"][0][0].as_str().unwrap();
    let columns: [f64; 16] =
        serde_json::from_value(musculature.header["segments"][side][segment]["from_shares"].clone()).unwrap();
    DMat4::from_cols_array(&columns)
}

#[test]
fn muscles_are_described_once_and_drawn_in_every_frame() {
    let mut page = Page::new();
    page.mannequin();
    let recipe = muscles(json!({}));
    let (musculature, frame) = start(&mut page, &recipe);
    let names: Vec<&str> = musculature.header["muscles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|muscle| muscle["name"].as_str().unwrap())
        .collect();
    assert!(names.len() >= 100, "{}", names.len());
    for name in &names {
        let other = name.replacen("left ", "right ", 1);
        assert!(names.contains(&other.as_str()), "{name} has no partner");
    }

    let seen = &frame.header["muscles"];
    assert_eq!(seen["musculature"], musculature.header["musculature"]);
    let activations = frame.floats(&seen["activations"]);
    let vertices = musculature.header["vertices"].as_u64().unwrap() as usize;
    let (positions, normals) = (shape(&frame), places(&frame, &seen["shape"]["normals"]));
    assert_eq!(positions.len(), vertices * activations.len());
    assert_eq!(positions.len(), normals.len());
    assert!(positions.iter().all(|place| place.is_finite()) && normals.iter().all(|n| n.is_finite()));
    assert!(musculature.indices(&musculature.header["indices"]).iter().all(|&index| (index as usize) < vertices));
    let mut meshes: Vec<u64> = names
        .iter()
        .flat_map(|name| {
            find(&musculature, name)["meshes"].as_array().unwrap().iter().map(|mesh| mesh.as_u64().unwrap())
        })
        .collect();
    meshes.sort_unstable();
    assert!(meshes.into_iter().eq(0..activations.len() as u64), "every mesh belongs to one muscle");

    let mut later = moment(&recipe, 1.0 / FPS);
    let reply = page.ask(later.clone());
    assert!(
        reply.len() == 1 && reply[0].header["muscles"]["musculature"] == seen["musculature"],
        "they are described once"
    );
    assert_ne!(shape(&reply[0]), positions, "they move with the body");
    later["muscles"] = json!(false);
    assert!(page.answer(later).header["muscles"]["shape"].is_null());
    let off = json!({ "skin": { "method": "linear" } });
    assert!(page.answer(moment(&off, 0.0)).header["muscles"].is_null());
}

#[test]
fn settings_are_described_and_omitted_muscles_listed() {
    let mut page = Page::new();
    page.mannequin();
    let (musculature, _) = start(&mut page, &muscles(json!({ "stiffness": 0.4 })));
    let plain = find(&musculature, BICEPS).clone();
    assert_eq!((&plain["off"], &plain["activation"], &plain["width"]), (&json!(false), &Value::Null, &json!(1.0)));
    assert_eq!(plain["stiffness"], 0.4);

    let change = json!({ "activation": 0.7, "width": 1.2, "shape": [3, 3, 6, 6], "eccentricity": 0.3 });
    let (musculature, frame) = start(&mut page, &changed(BICEPS, change));
    let biceps = find(&musculature, BICEPS);
    assert_eq!((&biceps["activation"], &biceps["width"]), (&json!(0.7), &json!(1.2)));
    assert_eq!((&biceps["shape"], &biceps["eccentricity"]), (&json!([3, 3, 6, 6]), &json!(0.3)));
    let mesh = biceps["meshes"][0].as_u64().unwrap() as usize;
    assert!((frame.floats(&frame.header["muscles"]["activations"])[mesh] - 0.7).abs() < 1e-6);
    assert!(find(&musculature, "right biceps brachii, long head")["activation"].is_null());

    let (musculature, _) = start(&mut page, &changed(BICEPS, json!({ "off": true })));
    let gone = find(&musculature, BICEPS);
    assert!(gone["off"] == true && gone["meshes"].as_array().unwrap().is_empty(), "{gone}");
    assert_eq!(find(&musculature, "right biceps brachii, long head")["off"], false);
}

#[test]
fn an_origin_stays_where_it_is_put_and_its_partner_goes_to_the_mirror_image() {
    let mut page = Page::new();
    page.mannequin();
    // A short way into the arm from where the origin is, so that fitting has nothing to draw in.
    let (musculature, _) = start(&mut page, &muscles(json!({})));
    let before = vector(&find(&musculature, BICEPS)["ends"]["from"][0]["position"]);
    let after = before + DVec3::new(0.0, -0.03, 0.0);
    let shares = from_shares(&musculature, BICEPS).inverse().transform_point3(after);
    let segment = find(&musculature, BICEPS)["from"][0][0].clone();
    let change = json!({ "from": [[segment, shares.x, shares.y, shares.z]] });
    let names = [BICEPS, "right biceps brachii, long head"];
    let both = muscles(json!({ "muscle": { names[0]: change, names[1]: change } }));
    let (musculature, _) = start(&mut page, &both);
    let [left, right] = names.map(|name| vector(&find(&musculature, name)["ends"]["from"][0]["position"]));
    assert!(left.distance(after) < 0.5 * before.distance(after), "{left} is not {after}");
    assert!(right.distance(left * DVec3::new(-1.0, 1.0, 1.0)) < 5e-3, "{left} and {right}");
    assert_eq!(find(&musculature, BICEPS)["from"], find(&musculature, names[1])["from"]);
}

#[test]
fn a_clip_that_is_played_shakes_and_a_jump_comes_to_rest() {
    let recipe = muscles(json!({ "stiffness": 0.1 }));
    let last = 15;
    let played = || {
        let mut page = Page::new();
        page.mannequin();
        let frames = (0..=last).map(|k| page.ask(moment(&recipe, f64::from(k) / FPS)).pop().unwrap());
        (shape(&frames.last().unwrap()), page)
    };
    let ((once, mut page), (again, _)) = (played(), played());
    assert_eq!(once, again, "a clip that is played is the same every time");
    let jumped = |page: &mut Page| {
        page.answer(moment(&recipe, 0.0));
        shape(&page.answer(moment(&recipe, f64::from(last) / FPS)))
    };
    let (first, second) = (jumped(&mut page), jumped(&mut page));
    assert_eq!(first, second, "a place that somebody jumps to does not depend on what was before");
    let mut slowly = moment(&recipe, f64::from(last) / FPS);
    slowly["playing"] = json!(true);
    page.answer(moment(&recipe, 0.0));
    let slow = shape(&page.answer(slowly));
    let apart = once.iter().zip(&slow).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(apart < 1e-5, "half a second in one frame is as good as in many: {apart}");
    let farthest = once.iter().zip(&first).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(farthest > 1e-3, "loose muscles lag behind by {farthest}");
}

#[test]
fn a_muscle_that_cannot_be_is_refused_by_name_and_the_next_recipe_is_taken() {
    let mut page = Page::new();
    page.mannequin();
    let (_, before) = start(&mut page, &muscles(json!({})));
    let reply = page.answer(moment(&changed(BICEPS, json!({ "width": 9.0 })), 0.0)).header;
    let message = reply["message"].as_str().unwrap_or_else(|| panic!("{reply}"));
    assert!(message.contains(BICEPS) && message.contains("narrower"), "{message}");
    let after = page.answer(moment(&muscles(json!({})), 0.0));
    assert_eq!(shape(&before), shape(&after));
    let reply = page.answer(moment(&muscles(json!({ "set": "mine.toml" })), 0.0)).header;
    assert!(reply["message"].as_str().unwrap().contains("mine.toml"), "{reply}");
}

/// Two bellies around the middle of a page.
fn bellies() -> Vec<[f64; 2]> {
    let side = |k: u32, sign: f64| {
        let angle = std::f64::consts::PI * f64::from(k) / 60.0;
        [20.0 + 200.0 * f64::from(k) / 60.0, 50.0 + 20.0 * sign * (angle.sin() + 0.6 * (3.0 * angle).sin())]
    };
    (0..60).map(|k| side(k, -1.0)).chain((1..=60).rev().map(|k| side(k, 1.0))).collect()
}

#[test]
fn a_profile_is_fitted_to_what_was_drawn_and_a_muscle_takes_it() {
    let mut page = Page::new();
    page.mannequin();
    let sketch = page.answer(json!({ "type": "sketch", "drawn": { "outline": bellies() } })).header;
    assert_eq!((&sketch["type"], &sketch["shape"]), (&json!("sketch"), &Value::Null));
    assert!(
        sketch["error"].as_f64().unwrap() < 0.03 && sketch["about"].as_str().unwrap().contains("series"),
        "{sketch}"
    );
    assert!((sketch["radius"].as_f64().unwrap() - 0.1).abs() < 0.03, "{sketch}");
    assert_eq!(sketch["outline"].as_array().unwrap().len(), bellies().len());
    let (musculature, drawn) = start(&mut page, &changed(BICEPS, json!({ "series": sketch["series"] })));
    assert_eq!(find(&musculature, BICEPS)["series"], sketch["series"]);
    let (_, before) = start(&mut page, &muscles(json!({})));
    let apart = shape(&drawn).iter().zip(&shape(&before)).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(apart > 2e-3, "the muscle moved by {apart}");
}

#[test]
fn a_sketch_in_a_file_is_fitted_and_bad_ones_are_answered_by_a_sentence() {
    let mut page = Page::new();
    // Payloads are padded, as on the wire.
    let mut ask = |file: &str| {
        let slice = json!({ "name": "a.svg", "at": 0, "count": file.len() });
        let payload = [file.as_bytes(), &[0; 3]].concat();
        page.ask_with(json!({ "type": "sketch", "drawn": { "file": slice } }), &payload).pop().unwrap().header
    };
    let parabola = ask("<svg><path d=\"M0 0Q50 20 100 0Q50 -20 0 0z\"/></svg>");
    assert_eq!((&parabola["shape"], &parabola["series"]), (&json!([2, 2, 2, 2]), &Value::Null));
    for (file, words) in [("", "is empty"), ("<svg/>", "no closed shape"), ("GIF89a", "no PNG")] {
        assert!(ask(file)["message"].as_str().unwrap().contains(words), "{file}");
    }
    let reply = page.answer(json!({ "type": "sketch", "drawn": { "outline": [[0, 0], [1, 0]] } })).header;
    assert!(reply["message"].as_str().unwrap().contains("three or more"), "{reply}");
    let reply = page.answer(moment(&changed(BICEPS, json!({ "sketch": "a.svg" })), 0.0)).header;
    assert!(reply["message"].as_str().is_some(), "{reply}");
}
