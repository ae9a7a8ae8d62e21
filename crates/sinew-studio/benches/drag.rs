//! How long does the skin take to follow a curve or a pin that is dragged? From the request to the message that goes
//! out.
//!
//! Every request has a recipe that was never seen, as it is while a point is dragged, of the curve of one joint or of
//! all: what depends on it is made anew, the pose is deformed, volumes are measured and the message is put together.
//! The moment is the middle of the first clip, where the demo's elbows are bent most. 33 ms is 30 frames per second. A
//! pin is dragged there with the skin alone, in a range of a second to either side.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/studio/page.rs"]
mod page;

use page::Page;
use serde_json::{Value, json};
use sinew_testing::shared_data;
use std::time::Instant;

const SAMPLES: usize = 40;

fn main() {
    println!(
        "median / worst milliseconds; one joint, all joints: a curve is dragged; play: through the clip; pin: dragged"
    );
    println!(
        "{:<26} {:>8} {:>16} {:>16} {:>16} {:>16}",
        "character", "vertices", "one joint", "all joints", "play", "pin"
    );
    let mut page = Page::new();
    measure(&mut page, "mannequin", json!({ "type": "demo", "name": "mannequin" }), &[]);
    measure(&mut page, "tube", json!({ "type": "demo", "name": "tube" }), &[]);
    let Some(data) = shared_data::folder() else { return };
    for file in ["gltf/CesiumMan.glb", "gltf/Fox.glb", "gltf/makehuman_male_cmu31.glb"] {
        let path = data.join(file);
        let bytes = std::fs::read(&path).expect("a shared character");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = json!([{ "name": name, "at": 0, "count": bytes.len() }]);
        measure(&mut page, &name, json!({ "type": "open", "files": files, "onto": null }), &bytes);
    }
}

fn measure(page: &mut Page, name: &str, request: Value, payload: &[u8]) {
    let opened = page.ask_with(request, payload).pop().expect("an answer").header;
    let clip = opened["clips"].as_array().filter(|clips| !clips.is_empty()).map(|_| 0);
    let (start, end) =
        (opened["clips"][0]["start"].as_f64().unwrap_or(0.0), opened["clips"][0]["end"].as_f64().unwrap_or(0.0));
    let mut frame = |joint: Option<&str>, curve: f64, time: f64| {
        let profile = json!({ "kind": "curves", "along": [[-2.0, 0.0], [0.0, curve], [2.0, 0.0]] });
        let mut volume = json!({ "method": "exact" });
        match joint {
            Some(joint) => volume["joints"] = json!({ joint: profile }),
            None => volume["profile"] = profile,
        }
        let recipe = json!({ "skin": { "method": "linear" }, "volume": volume });
        let begin = Instant::now();
        page.ask(json!({ "type": "frame", "key": opened["key"], "clip": clip, "time": time, "recipe": recipe }));
        1e3 * begin.elapsed().as_secs_f64()
    };
    let middle = 0.5 * (start + end);
    let joints = opened["joints"].as_array().map_or(&[][..], |joints| joints);
    let names: Vec<&str> = joints.iter().filter(|j| j["weighted"] == true).filter_map(|j| j["name"].as_str()).collect();
    let joint = names.iter().copied().find(|name| *name == "LeftForeArm").or(names.get(names.len() / 2).copied());
    frame(joint, 1.0, middle);
    let one = spread((0..SAMPLES).map(|k| frame(joint, 0.5 + 0.01 * k as f64, middle)));
    frame(None, 1.0, middle);
    let all = spread((0..SAMPLES).map(|k| frame(None, 0.5 + 0.01 * k as f64, middle)));
    let play = spread((0..SAMPLES).map(|k| frame(None, 1.0, start + (end - start) * k as f64 / SAMPLES as f64)));
    let pin = match joint {
        Some(joint) if clip.is_some() => drag_pin(page, &opened, joint),
        _ => "no clip".into(),
    };
    println!("{name:<26} {:>8} {one:>16} {all:>16} {play:>16} {pin:>16}", opened["vertices"]);
}

/// Drags a joint in the middle of the first clip.
fn drag_pin(page: &mut Page, opened: &Value, joint: &str) -> String {
    let clip = &opened["clips"][0];
    let number = |name: &str| clip[name].as_f64().unwrap_or_default();
    let (rate, last) = (number("rate"), number("last"));
    let frame = (0.5 * last).round();
    let range = [(frame - rate).max(0.0), (frame + rate).min(last)].map(|frame| frame as usize);
    let height =
        opened["bounds"]["max"][1].as_f64().unwrap_or(1.0) - opened["bounds"]["min"][1].as_f64().unwrap_or(0.0);
    spread((0..SAMPLES).map(|k| {
        let pin = json!({ "joint": joint, "frame": frame as usize, "offset": [0.0, 1e-3 * height * k as f64, 0.0] });
        let recipe = json!({ "motion": { "range": range, "pins": [pin] } });
        let time = number("start") + frame / rate;
        let begin = Instant::now();
        let reply =
            page.ask(json!({ "type": "frame", "key": opened["key"], "clip": 0, "time": time, "recipe": recipe }));
        let took = 1e3 * begin.elapsed().as_secs_f64();
        let warnings = &reply.last().expect("an answer").header["warnings"];
        assert!(warnings.as_array().is_some_and(Vec::is_empty), "{warnings}");
        took
    }))
}

/// The median and the largest.
fn spread(samples: impl Iterator<Item = f64>) -> String {
    let mut samples: Vec<f64> = samples.collect();
    samples.sort_by(f64::total_cmp);
    format!("{:.1} / {:.1}", samples[samples.len() / 2], samples[samples.len() - 1])
}
