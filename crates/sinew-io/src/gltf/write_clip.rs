//! Clips as glTF animations.
//!
//! glTF animates all morph targets of a mesh by one sampler and has no time before zero: tracks of one mesh
//! are merged, and a clip that begins earlier is moved to begin at zero.

use super::output::{Output, Usage};
use serde_json::{Value, json};
use sinew::rig::{Character, Clip, Interpolation, Track};
use std::ops::Range;

/// Adds a clip; `joints` and `parts` have the node of each joint and of each part's mesh.
pub(super) fn add(output: &mut Output, character: &Character, clip: &Clip, joints: &[usize], parts: &[Option<usize>]) {
    let (start, _) = clip.range();
    let mut writer = Writer { output, shift: (-start).max(0.0), channels: Vec::new(), samplers: Vec::new() };
    for tracks in &clip.joints {
        let node = joints[tracks.joint];
        if let Some(track) = &tracks.translation {
            writer.channel(node, "translation", &Keys::of(track, |v| v.to_array()));
        }
        if let Some(track) = &tracks.rotation {
            writer.channel(node, "rotation", &Keys::of(track, |q| q.to_array()));
        }
        if let Some(track) = &tracks.scale {
            writer.channel(node, "scale", &Keys::of(track, |v| v.to_array()));
        }
    }
    for (range, node) in character.morph_ranges().into_iter().zip(parts) {
        if let (Some(node), Some(keys)) = (node, merged(clip, &range, &character.base_pose.morphs)) {
            writer.channel(*node, "weights", &keys);
        }
    }
    let Writer { channels, samplers, .. } = writer;
    if channels.is_empty() {
        return;
    }
    let mut animation = json!({ "channels": channels, "samplers": samplers });
    if !clip.name.is_empty() {
        animation["name"] = clip.name.clone().into();
    }
    output.animations.push(animation);
}

/// A track as numbers: `width` to a value, three values to a key of a spline.
struct Keys {
    times: Vec<f64>,
    values: Vec<f32>,
    width: usize,
    interpolation: Interpolation,
}

impl Keys {
    fn of<V: Copy, const WIDTH: usize>(track: &Track<V>, numbers: impl Fn(V) -> [f32; WIDTH]) -> Self {
        let values = track.values.iter().flat_map(|&v| numbers(v)).collect();
        Self { times: track.times.clone(), values, width: WIDTH, interpolation: track.interpolation }
    }
}

/// The tracks of a part's morph targets as one; none if no target moves. Targets that do not move
/// hold their base weight. Tracks with different keys meet at the union of their times.
fn merged(clip: &Clip, range: &Range<usize>, base: &[f32]) -> Option<Keys> {
    let find = |morph| clip.morphs.iter().find(|m| m.morph == morph).map(|m| &m.weight);
    let tracks: Vec<Option<&Track<f32>>> = range.clone().map(find).collect();
    let first = *tracks.iter().flatten().next()?;
    let agree = tracks.iter().flatten().all(|t| t.times == first.times && t.interpolation == first.interpolation);
    let held = |target: usize| base[range.start + target];
    let (times, values, interpolation) = if agree {
        let spline = first.interpolation == Interpolation::CubicSpline;
        let value = |row: usize, (target, track): (usize, &Option<&Track<f32>>)| match track {
            Some(track) => track.values[row],
            None if spline && row % 3 != 1 => 0.0,
            None => held(target),
        };
        let rows = (0..first.values.len()).flat_map(|row| tracks.iter().enumerate().map(move |t| value(row, t)));
        (first.times.clone(), rows.collect(), first.interpolation)
    } else {
        let mut times: Vec<f64> = tracks.iter().flatten().flat_map(|t| t.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let sample = |seconds: f64| {
            tracks.iter().enumerate().map(move |(k, track)| track.map_or_else(|| held(k), |t| t.sample(seconds)))
        };
        let values = times.iter().flat_map(|&t| sample(t)).collect();
        (times, values, Interpolation::Linear)
    };
    Some(Keys { times, values, width: range.len(), interpolation })
}

/// An animation under construction.
struct Writer<'a> {
    output: &'a mut Output,
    shift: f64,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Writer<'_> {
    fn channel(&mut self, node: usize, path: &str, keys: &Keys) {
        let times: Vec<f32> = keys.times.iter().map(|t| (t + self.shift) as f32).collect();
        // Keys that are distinct in f64 may fall together in f32, where the last one counts.
        let kept: Vec<usize> = (0..times.len()).filter(|&k| times.get(k + 1) != Some(&times[k])).collect();
        let per_key = keys.values.len() / keys.times.len().max(1);
        let values: Vec<f32> =
            kept.iter().flat_map(|&k| &keys.values[k * per_key..(k + 1) * per_key]).copied().collect();
        let times: Vec<f32> = kept.iter().map(|&k| times[k]).collect();
        if times.is_empty() {
            return;
        }
        // An accessor of weights has scalars, whatever their number to a key.
        let width = if path == "weights" { 1 } else { keys.width };
        let mut sampler = json!({
            "input": self.output.floats_with_bounds(&times, 1, Usage::Data),
            "output": self.output.floats(&values, width, Usage::Data),
        });
        match keys.interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => sampler["interpolation"] = "STEP".into(),
            Interpolation::CubicSpline => sampler["interpolation"] = "CUBICSPLINE".into(),
        }
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(sampler);
    }
}
