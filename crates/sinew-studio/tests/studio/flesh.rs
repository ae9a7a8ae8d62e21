//! What a page gets to see of flesh: plain frames at once, coarse ones after the first job, and the flesh of the recipe by jobs.

use super::page::{Page, Received};
use glam::DQuat;
use serde_json::{Value, json};

fn page() -> Page {
    let mut page = Page::new();
    assert!(page.answer(json!({ "type": "demo", "name": "tube" })).is("opened"));
    page
}

/// The tube bent most, or a little later.
fn moment(kind: &str, recipe: &Value, later: f64) -> Value {
    let (start, end) = sinew::demo::tube().clips[0].range();
    let time = 0.5 * (start + end) + later;
    json!({ "type": kind, "key": "demo-tube", "clip": 0, "time": time, "recipe": recipe, "compare": null })
}

fn flesh(options: Value) -> Value {
    let mut recipe = json!({ "skin": { "method": "linear" }, "flesh": { "fineness": "interactive" } });
    recipe["flesh"].as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    recipe
}

/// The tube with its last joint turned.
fn bent(kind: &str, recipe: &Value, degrees: f64) -> Value {
    let joint = sinew::demo::tube().skeleton.joints()[1].name.clone();
    let turn = DQuat::from_rotation_x(degrees.to_radians()).to_array();
    json!({ "type": kind, "key": "demo-tube", "clip": null, "time": 0, "turns": { joint: turn }, "recipe": recipe, "compare": null })
}

/// The tube's page after a job has prepared coarse flesh.
fn page_with_coarse_flesh(recipe: &Value) -> Page {
    let mut page = page();
    assert!(page.answer(bent("flesh", recipe, 0.0)).is("frame"));
    page
}

fn is_live(frame: &Received) -> bool {
    frame.header["flesh"]["live"] == true
}

/// The largest distance between two shapes of the tube, in its radii.
fn apart(a: &[f32], b: &[f32]) -> f32 {
    let positions = &sinew::demo::tube().parts[0].mesh.positions;
    let radius = positions.iter().map(|p| p.x).fold(0.0, f32::max);
    let pairs = a.chunks_exact(3).zip(b.chunks_exact(3));
    pairs.map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()).fold(0.0, f32::max) / radius
}

fn positions(frame: &Received, surface: usize) -> Vec<f32> {
    frame.floats(&frame.header["surfaces"][surface]["positions"])
}

#[test]
fn frames_are_plain_until_a_job_has_made_flesh() {
    let mut page = page();
    let skin = page.answer(moment("frame", &json!({ "skin": { "method": "linear" } }), 0.0));
    let plain = page.answer(moment("frame", &flesh(json!({})), 0.0));
    assert!(plain.header["flesh"].is_null());
    assert_eq!(positions(&plain, 0), positions(&skin, 0), "nothing is prepared");

    let mut received = page.ask(moment("flesh", &flesh(json!({})), 0.0));
    let frame = received.pop().unwrap();
    assert!(frame.is("frame"), "{}", frame.header);
    assert!(received.iter().all(|message| message.is("progress")) && received.len() == 3, "its topology is known");
    assert_eq!(frame.header["surfaces"][0]["topology"], plain.header["surfaces"][0]["topology"]);
    assert_ne!(positions(&frame, 0), positions(&plain, 0));
    let report = &frame.header["flesh"];
    assert_eq!(report["live"], false);
    assert!(report["iterations"].as_u64().unwrap() > 10 && report["contacts"].as_u64().is_some(), "{report}");
    assert!((0.0..0.1).contains(&report["residual"].as_f64().unwrap()), "{report}");
    assert!((0.0..1.0).contains(&report["smallest_volume"].as_f64().unwrap()), "{report}");
    assert!((0.98..1.02).contains(&report["volume"].as_f64().unwrap()), "{report}");
    assert!((0.0..2.0).contains(&report["worst_region"]["joint"].as_f64().unwrap()), "{report}");
    assert!((0.9..1.1).contains(&report["worst_region"]["volume"].as_f64().unwrap()), "{report}");
    assert_eq!(report["warnings"], json!([]));
    let volume = |frame: &Received| frame.header["volume"]["final"].as_f64().unwrap();
    assert!(volume(&frame) > volume(&plain), "the bend does not cave in");

    let plain_again = page.answer(moment("frame", &json!({ "skin": { "method": "linear" } }), 0.0));
    assert_eq!(positions(&plain_again, 0), positions(&plain, 0), "a recipe without flesh has none");
    let again = page.answer(moment("flesh", &flesh(json!({})), 0.0));
    assert_eq!(positions(&again, 0), positions(&frame, 0), "the same pose has the same shape");
}

#[test]
fn the_next_moment_of_a_clip_goes_on_from_the_one_before() {
    let mut page = page();
    let recipe = flesh(json!({}));
    let iterations = |frame: Received| frame.header["flesh"]["iterations"].as_u64().unwrap();
    let first = iterations(page.answer(moment("flesh", &recipe, 0.0)));
    let next = iterations(page.answer(moment("flesh", &recipe, 1.0 / 30.0)));
    assert!(next < first / 2, "{next} iterations after {first} from the rest pose");
}

#[test]
fn bones_change_the_flesh_and_a_comparison_has_its_own() {
    let mut page = page();
    let joint = sinew::demo::tube().skeleton.joints()[1].name.clone();
    let mut bones = json!({});
    bones[joint.as_str()] = json!({ "radius": 0.8 });
    let skin = page.answer(moment("frame", &json!({ "skin": { "method": "linear" } }), 0.0));
    let mut request = moment("flesh", &flesh(json!({ "joints": bones })), 0.0);
    request["compare"] = json!({ "skin": { "method": "linear" } });
    let thick = page.answer(request);
    assert_eq!(positions(&thick, 1), positions(&skin, 0));
    let mut request = moment("flesh", &json!({ "skin": { "method": "linear" } }), 0.0);
    request["compare"] = flesh(json!({}));
    let beside = page.answer(request);
    assert!(beside.header["flesh"].is_null(), "the report is that of the recipe");
    assert_eq!(positions(&beside, 0), positions(&skin, 0));
    assert_ne!(positions(&beside, 1), positions(&skin, 0));
    assert_ne!(positions(&beside, 1), positions(&thick, 0), "a thick bone makes another shape");
}

#[test]
fn flesh_that_cannot_be_made_says_why_and_leaves_frames_and_fields_alone() {
    let mut page = page();
    let names: Vec<String> = sinew::demo::tube().parts.into_iter().map(|part| part.mesh.name).collect();
    let mut recipe = flesh(json!({ "leave_out": names }));
    recipe["implicit"] = json!({ "on": true });
    let failed = page.answer(moment("flesh", &recipe, 0.0));
    assert!(failed.is("failed") && failed.header["cancelled"] == false, "{}", failed.header);
    assert!(page.answer(moment("frame", &recipe, 0.0)).is("frame"));
    let mut fields = moment("fields", &recipe, 0.0);
    fields.as_object_mut().unwrap().remove("compare");
    fields["surface"] = json!(false);
    assert!(page.answer(fields).is("fields"));
}

/// Dragged there, back, or jumped to: a pose has one shape, and a jump is plain until the flesh has caught up.
#[test]
fn coarse_flesh_follows_a_drag_and_catches_up_after_a_jump() {
    let recipe = flesh(json!({}));
    let mut page = page_with_coarse_flesh(&recipe);
    let mut shape_at = |degrees: f64| {
        let frame = page.answer(bent("frame", &recipe, degrees));
        is_live(&frame).then(|| positions(&frame, 0))
    };
    let skin = self::page().answer(bent("frame", &json!({ "skin": { "method": "linear" } }), 40.0));
    let mut degrees = 0.0;
    let mut drag_to = |to: f64| loop {
        degrees += f64::clamp(to - degrees, -4.0, 4.0);
        let shape = shape_at(degrees).expect("flesh in every frame of a drag");
        if degrees == to {
            return shape;
        }
    };
    let there = drag_to(40.0);
    assert!(apart(&there, &positions(&skin, 0)) > 0.03, "flesh is not the skin");
    drag_to(60.0);
    let back = drag_to(40.0);
    assert!(apart(&there, &back) < 0.02, "{}", apart(&there, &back));
    drag_to(-60.0);
    assert!(shape_at(40.0).is_none(), "a jump of 100°");
    assert!(shape_at(40.0).is_none(), "there are 55° left");
    let jumped = shape_at(40.0).expect("flesh that has caught up");
    assert!(apart(&there, &jumped) < 0.02, "{}", apart(&there, &jumped));
}

#[test]
fn coarse_flesh_is_that_of_the_recipe() {
    let recipe = flesh(json!({}));
    let mut page = page_with_coarse_flesh(&recipe);
    let joint = sinew::demo::tube().skeleton.joints()[1].name.clone();
    let thick = flesh(json!({ "joints": { joint: { "radius": 0.8 } } }));
    assert!(is_live(&page.answer(bent("frame", &recipe, 20.0))));
    assert!(!is_live(&page.answer(bent("frame", &thick, 20.0))), "a change of the bones is not prepared");
    assert!(!is_live(&page.answer(bent("frame", &recipe, 20.0))), "the flesh before was dropped");
    page.answer(bent("flesh", &thick, 20.0));
    let frame = page.answer(bent("frame", &thick, 20.0));
    assert!(is_live(&frame));
    let mut exact = thick.clone();
    exact["volume"] = json!({ "method": "exact" });
    let restored = page.answer(bent("frame", &exact, 20.0));
    assert!(is_live(&restored), "the volume has a stage of its own");
    let lost = |frame: &Received| {
        let volume = |which: &str| frame.header["volume"][which].as_f64().unwrap();
        (volume("final") / volume("rest") - 1.0).abs()
    };
    assert!(lost(&restored) < 1e-6 && lost(&frame) > 1e-5, "{} and {}", lost(&restored), lost(&frame));
}

#[test]
fn a_coarse_recipe_is_coarse_at_rest_too() {
    let recipe = flesh(json!({ "fineness": "coarse" }));
    let mut page = page();
    let at_rest = page.answer(bent("flesh", &recipe, 30.0));
    assert!(at_rest.header["flesh"]["iterations"].as_u64().unwrap() > 0 && !is_live(&at_rest));
    let live = page.answer(bent("frame", &recipe, 30.0));
    assert!(is_live(&live));
    let distance = apart(&positions(&live, 0), &positions(&at_rest, 0));
    assert!(distance > 0.0 && distance < 0.02, "{distance}");
}

#[test]
fn a_clip_plays_with_coarse_flesh_and_a_comparison_has_its_own() {
    let recipe = flesh(json!({ "shake": { "frequency": 3.0 } }));
    let plain = json!({ "skin": { "method": "linear" } });
    let mut page = page();
    let frame = |kind: &str, seconds: f64| {
        let mut request = moment(kind, &plain, seconds);
        request["compare"] = recipe.clone();
        request["playing"] = json!(kind == "frame");
        request
    };
    page.answer(frame("flesh", 0.0));
    for k in 0..6 {
        let answer = page.answer(frame("frame", 0.05 * f64::from(k)));
        assert!(answer.header["flesh"].is_null(), "the report is that of the recipe");
        let distance = apart(&positions(&answer, 0), &positions(&answer, 1));
        assert_eq!(distance > 0.02, k > 1, "{distance}: it catches up with the bend first");
    }
}
