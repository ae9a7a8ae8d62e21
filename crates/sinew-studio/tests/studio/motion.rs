//! What a page sees of a motion that is edited.

use super::page::{Page, Received};
use serde_json::{Value, json};
use sinew::rig::{Character, Pose};
use sinew_io::gltf;

const JOINT: &str = "LeftFoot";
const FRAME: usize = 16;

fn walk(character: &Character) -> usize {
    character.clips.iter().position(|clip| clip.name == "walk").unwrap()
}

/// Seconds of a frame of the walk.
fn seconds(character: &Character, frame: usize) -> f64 {
    let clip = &character.clips[walk(character)];
    clip.range().0 + frame as f64 / sinew_tasks::motion::edit::frame_rate(clip)
}

/// Where the joint is in a frame of the source, moved.
fn place(character: &Character, by: [f64; 3]) -> [f64; 3] {
    let (mut pose, mut world) = (Pose::default(), vec![glam::DAffine3::IDENTITY; character.skeleton.len()]);
    character.clips[walk(character)].sample(seconds(character, FRAME), &character.base_pose, &mut pose);
    character.skeleton.world(&pose, &mut world);
    let joint = character.skeleton.find(JOINT).unwrap();
    (world[joint].translation + glam::DVec3::from(by)).to_array()
}

fn recipe(pins: Value) -> Value {
    json!({ "skin": { "method": "linear" }, "motion": { "range": [3, 29], "pins": pins } })
}

fn pinned(position: [f64; 3]) -> Value {
    recipe(json!([{ "joint": JOINT, "frame": FRAME, "position": position }]))
}

fn frame(page: &mut Page, recipe: &Value, seconds: f64) -> Received {
    let clip = walk(&sinew::demo::character());
    let request = json!({ "type": "frame", "key": "demo-mannequin", "clip": clip, "time": seconds, "recipe": recipe });
    page.ask(request).pop().unwrap()
}

fn motion(page: &mut Page, recipe: &Value) -> Received {
    let clip = walk(&sinew::demo::character());
    let request = json!({
        "type": "motion", "key": "demo-mannequin", "clip": clip, "recipe": recipe, "joint": JOINT, "frame": FRAME,
    });
    page.answer(request)
}

fn positions(frame: &Received) -> Vec<f32> {
    frame.floats(&frame.header["surfaces"][0]["positions"])
}

/// How far a point of three floats is from a place.
fn distance(point: &[f32], place: [f64; 3]) -> f64 {
    point.iter().zip(place).map(|(p, q)| (f64::from(*p) - q).powi(2)).sum::<f64>().sqrt()
}

fn joint_of<'a>(character: &Character, matrices: &'a [f32]) -> &'a [f32] {
    let at = 16 * character.skeleton.find(JOINT).unwrap() + 12;
    &matrices[at..at + 3]
}

#[test]
fn a_pin_moves_the_joint_that_is_played_and_nothing_when_it_is_gone() {
    let mut page = Page::new();
    let clips = page.mannequin()["clips"].clone();
    let figure = sinew::demo::character();
    let reply = &clips[walk(&figure)];
    let (rate, last) = (reply["rate"].as_f64().unwrap(), reply["last"].as_f64().unwrap());
    assert!((last / rate - (reply["end"].as_f64().unwrap() - reply["start"].as_f64().unwrap())).abs() < 1.0 / rate);
    let (here, there) = (place(&figure, [0.0; 3]), place(&figure, [0.0, 0.12, 0.0]));
    let time = seconds(&figure, FRAME);
    let before = frame(&mut page, &recipe(json!([])), time);
    assert!(before.header["source"].is_null());
    let moved = frame(&mut page, &pinned(there), time);
    let [shown, ghost] = ["joints", "source"].map(|name| moved.floats(&moved.header[name]));
    assert!(distance(joint_of(&figure, &shown), there) < 2e-3, "{:?}", joint_of(&figure, &shown));
    assert!(distance(joint_of(&figure, &ghost), here) < 1e-6);
    assert_eq!(ghost, before.floats(&before.header["joints"]));
    assert_ne!(positions(&moved), positions(&before));
    let outside = seconds(&figure, 1);
    let [a, b] = [pinned(there), recipe(json!([]))].map(|recipe| positions(&frame(&mut page, &recipe, outside)));
    assert_eq!(a, b, "frames outside the range are as they were");
    assert_eq!(positions(&frame(&mut page, &recipe(json!([])), time)), positions(&before));
}

#[test]
fn an_edit_is_sent_with_trajectories_pins_and_contacts() {
    let mut page = Page::new();
    page.mannequin();
    let figure = sinew::demo::character();
    let there = place(&figure, [0.0, 0.12, 0.0]);
    let bare = motion(&mut page, &recipe(json!([])));
    assert!(bare.header["trail"]["edited"].is_null() && bare.header["report"].is_null());
    let found: [f64; 3] = serde_json::from_value(bare.header["place"].clone()).unwrap();
    assert!(glam::DVec3::from(found).distance(place(&figure, [0.0; 3]).into()) < 1e-9);
    let reply = motion(&mut page, &pinned(there));
    assert_eq!(reply.header["range"], json!([3, 29]));
    let [source, edited] = ["source", "edited"].map(|name| reply.floats(&reply.header["trail"][name]));
    assert_eq!((source.len(), edited.len()), (3 * 27, 3 * 27));
    assert_eq!(source, bare.floats(&bare.header["trail"]["source"]));
    assert!(distance(&edited[3 * (FRAME - 3)..][..3], there) < 2e-3);
    assert!(source[..6].iter().zip(&edited[..6]).all(|(a, b)| (a - b).abs() < 1e-4), "the ends stay");
    let pin = &reply.header["report"]["pins"][0];
    assert_eq!((&pin["joint"], &pin["frame"]), (&json!(JOINT), &json!(FRAME)));
    assert!(pin["residual"].as_f64().unwrap() < 2e-3);
    // The figure walks on the spot, so its feet slide; they stand while it bends its arms.
    let curl = figure.clips.iter().position(|clip| clip.name == "elbow curl").unwrap();
    let raised = recipe(json!([{ "joint": "LeftHand", "frame": FRAME, "offset": [0.0, 0.05, 0.0] }]));
    let reply = page.answer(json!({ "type": "motion", "key": "demo-mannequin", "clip": curl, "recipe": raised }));
    let contacts = reply.header["report"]["contacts"].as_array().unwrap().len();
    let stands: Vec<[f64; 3]> = serde_json::from_value(reply.header["stands"].clone()).unwrap();
    assert!(contacts >= 2 && stands.len() == contacts, "{}", reply.header);
    assert!(stands.iter().all(|place| place[1] < 0.2), "feet stand near the ground: {stands:?}");
    assert!(reply.header["trail"].is_null());
}

/// A frame after a drag equals that of a new engine.
#[test]
fn how_a_pin_was_dragged_does_not_matter() {
    let mut page = Page::new();
    page.mannequin();
    let figure = sinew::demo::character();
    let time = seconds(&figure, FRAME - 3);
    for (step, by) in [0.0, 0.05, 0.1, 3.0, 0.1, 0.2].into_iter().enumerate() {
        let recipe = pinned(place(&figure, [by, 0.5 * by, 0.0]));
        let seen = frame(&mut page, &recipe, time);
        let mut fresh = Page::new();
        fresh.mannequin();
        assert_eq!(positions(&seen), positions(&frame(&mut fresh, &recipe, time)), "step {step}");
    }
}

#[test]
fn an_impossible_edit_is_reported_and_the_motion_still_plays() {
    let mut page = Page::new();
    page.mannequin();
    let figure = sinew::demo::character();
    let there = place(&figure, [0.0, 0.1, 0.0]);
    let time = seconds(&figure, FRAME);
    let before = positions(&frame(&mut page, &recipe(json!([])), time));
    let of = |joint: &str, frame: usize| json!({ "joint": joint, "frame": frame, "position": there });
    for (pins, words) in [
        (json!([of(JOINT, 31)]), "frame 31"),
        (json!([of(JOINT, 3)]), "5"),
        (json!([of("LeftFlipper", FRAME)]), "LeftFlipper"),
        (json!([of(JOINT, FRAME), of(JOINT, FRAME)]), "twice"),
    ] {
        let reply = motion(&mut page, &recipe(pins.clone()));
        let message = reply.header["message"].as_str().unwrap_or_default();
        assert!(reply.is("failed") && message.contains(words), "{pins}: {}", reply.header);
        let shown = frame(&mut page, &recipe(pins), time);
        assert!(shown.is("frame") && positions(&shown) == before);
        assert!(shown.header["warnings"].to_string().contains(words), "{}", shown.header["warnings"]);
    }
    for range in [json!([10, 12]), json!([3, 9000]), json!([29, 3])] {
        let recipe = json!({ "motion": { "range": range, "pins": [of(JOINT, 11)] } });
        assert!(motion(&mut page, &recipe).is("failed"), "{range}");
        let recipe = json!({ "motion": { "range": range } });
        let refused = motion(&mut page, &recipe).is("failed");
        assert_eq!(refused, range != json!([10, 12]), "{range} without pins");
    }
}

#[test]
fn files_have_the_edited_motion() {
    let mut page = Page::new();
    page.mannequin();
    let figure = sinew::demo::character();
    let there = place(&figure, [0.05, 0.12, 0.0]);
    let (recipe, clip) = (pinned(there), walk(&figure));
    let rate = sinew_tasks::motion::edit::frame_rate(&figure.clips[clip]);
    let baked = page.answer(json!({
        "type": "bake", "key": "demo-mannequin", "recipe": recipe, "clip": clip, "turns": {}, "format": "pc2", "fps": rate,
    }));
    let bytes = std::fs::read(baked.header["url"].as_str().unwrap()).unwrap();
    let cache = sinew_io::pc2::read(&bytes).unwrap();
    let sample: Vec<f32> = cache.samples().nth(FRAME).unwrap().iter().flat_map(|p| p.to_array()).collect();
    assert_eq!(sample, positions(&frame(&mut page, &recipe, seconds(&figure, FRAME))));

    let mut save = |format: &str| {
        let request = json!({
            "type": "save_motion", "key": "demo-mannequin", "recipe": recipe, "clip": clip, "format": format,
        });
        let reply = page.answer(request);
        assert_eq!(reply.header["name"].as_str().unwrap().rsplit('.').next(), Some(format), "{}", reply.header);
        let content = &reply.header["content"];
        let [at, count] = ["at", "count"].map(|name| content[name].as_u64().unwrap() as usize);
        reply.payload[at..at + count].to_vec()
    };
    let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let character = gltf::read(&save("glb"), &nothing_beside).unwrap().character;
    assert_eq!(character.clips.len(), figure.clips.len());
    assert!(glam::DVec3::from(place(&character, [0.0; 3])).distance(there.into()) < 2e-3);
    let motion = sinew_io::bvh::read(&save("bvh")).unwrap().character;
    let (mut pose, mut world) = (Pose::default(), vec![glam::DAffine3::IDENTITY; motion.skeleton.len()]);
    motion.clips[0].sample(FRAME as f64 / rate, &motion.base_pose, &mut pose);
    motion.skeleton.world(&pose, &mut world);
    let foot = world[motion.skeleton.find(JOINT).unwrap()].translation;
    assert!(foot.distance(there.into()) < 5e-3, "{foot}");
}
