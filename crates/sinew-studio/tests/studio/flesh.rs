//! What a page gets to see of flesh: plain frames at once, and flesh by a job.

use super::page::{Page, Received};
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

fn positions(frame: &Received, surface: usize) -> Vec<f32> {
    frame.floats(&frame.header["surfaces"][surface]["positions"])
}

#[test]
fn frames_are_plain_and_a_job_adds_the_flesh() {
    let mut page = page();
    let skin = page.answer(moment("frame", &json!({ "skin": { "method": "linear" } }), 0.0));
    let plain = page.answer(moment("frame", &flesh(json!({})), 0.0));
    assert!(plain.header["flesh"].is_null());
    assert_eq!(positions(&plain, 0), positions(&skin, 0), "a frame that is dragged has no flesh");

    let mut received = page.ask(moment("flesh", &flesh(json!({})), 0.0));
    let frame = received.pop().unwrap();
    assert!(frame.is("frame"), "{}", frame.header);
    assert!(received.iter().all(|message| message.is("progress")) && received.len() == 2, "its topology is known");
    assert_eq!(frame.header["surfaces"][0]["topology"], plain.header["surfaces"][0]["topology"]);
    assert_ne!(positions(&frame, 0), positions(&plain, 0));
    let report = &frame.header["flesh"];
    assert!(report["iterations"].as_u64().unwrap() > 10 && report["contacts"].as_u64().is_some(), "{report}");
    assert!((0.0..0.1).contains(&report["residual"].as_f64().unwrap()), "{report}");
    assert!((0.0..1.0).contains(&report["smallest_volume"].as_f64().unwrap()), "{report}");
    assert!((0.98..1.02).contains(&report["volume"].as_f64().unwrap()), "{report}");
    assert!((0.0..2.0).contains(&report["worst_region"]["joint"].as_f64().unwrap()), "{report}");
    assert!((0.9..1.1).contains(&report["worst_region"]["volume"].as_f64().unwrap()), "{report}");
    assert_eq!(report["warnings"], json!([]));
    let volume = |frame: &Received| frame.header["volume"]["final"].as_f64().unwrap();
    assert!(volume(&frame) > volume(&plain), "the bend does not cave in");

    let plain_again = page.answer(moment("frame", &flesh(json!({})), 0.0));
    assert_eq!(positions(&plain_again, 0), positions(&plain, 0), "the session itself stays without flesh");
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
