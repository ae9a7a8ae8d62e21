//! Animation stacks as clips, sampled at the file's frame rate.

use super::convert::transform;
use super::mesh::Channel;
use super::skeleton::Nodes;
use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::rig::{Clip, JointTracks, MorphTrack, Pose, Track, Transform};

/// The transforms that are read from all clips together: 100 joints for half an hour at 30 frames per
/// second have as many. Clips beyond are left out, so that a wrong length cannot fill the memory.
pub(super) const MAX_SAMPLES: f64 = 5e6;

/// What differs less than this from the base pose, relative to its size, is not animated: FBX keys are
/// `f32` while its default values are `f64`.
const STILL: f64 = 1e-6;

/// Every animation stack as a clip, with tracks for what leaves the base pose. Times are the file's.
pub(super) fn read(
    scene: &ufbx::Scene,
    nodes: &Nodes<'_>,
    channels: &[Channel<'_>],
    base: &Pose,
    warnings: &mut Vec<String>,
) -> Vec<Clip> {
    let rate = Some(scene.settings.frames_per_second).filter(|fps| (1.0..=1000.0).contains(fps)).unwrap_or(30.0);
    let tracked = (nodes.iter().count() + channels.len()) as f64;
    let mut samples_left = MAX_SAMPLES;
    let mut clips = Vec::with_capacity(scene.anim_stacks.len());
    for stack in scene.anim_stacks.iter() {
        let name = stack.element.name.to_string();
        let (begin, end) = range(stack);
        let samples = ((end - begin) * rate + 1.0) * tracked;
        if !(begin.is_finite() && samples <= samples_left) {
            warnings.push(format!("clip \"{name}\": it lasts {} s, too long to read, and was left out", end - begin));
            continue;
        }
        samples_left -= samples;
        let times = frame_times(begin, end, rate);
        clips.push(Clip {
            name,
            joints: nodes
                .iter()
                .zip(&base.joints)
                .enumerate()
                .filter_map(|(joint, (node, base))| joint_tracks(&stack.anim, node, joint, base, &times))
                .collect(),
            morphs: channels
                .iter()
                .zip(&base.morphs)
                .enumerate()
                .filter_map(|(morph, (channel, base))| morph_track(&stack.anim, channel, morph, *base, &times))
                .collect(),
        });
    }
    clips
}

/// The first and last second of a stack; of its curves if the stack has none.
fn range(stack: &ufbx::AnimStack) -> (f64, f64) {
    if stack.time_begin < stack.time_end {
        return (stack.time_begin, stack.time_end);
    }
    let values = stack.layers.iter().flat_map(|layer| layer.anim_values.iter());
    let curves = values.flat_map(|value| value.curves.iter().filter_map(|curve| curve.as_ref()));
    let keyed = curves.filter(|curve| !curve.keyframes.is_empty());
    keyed
        .fold(None, |range: Option<(f64, f64)>, curve| {
            Some(range.map_or((curve.min_time, curve.max_time), |(low, high)| {
                (low.min(curve.min_time), high.max(curve.max_time))
            }))
        })
        .unwrap_or((stack.time_begin, stack.time_begin))
}

/// `begin + k/rate` up to the end, and the end itself.
fn frame_times(begin: f64, end: f64, rate: f64) -> Vec<f64> {
    // Frame times carry rounding of about 1e-9 s; a last frame nearer than this is the end.
    let whole = ((end - begin) * rate + 1e-4).floor();
    let mut times: Vec<f64> = (0..=whole as usize).map(|k| begin + k as f64 / rate).collect();
    match times.last_mut() {
        Some(last) if end - *last > 1e-4 / rate => times.push(end),
        Some(last) => *last = end,
        None => {}
    }
    times
}

fn joint_tracks(
    anim: &ufbx::Anim,
    node: &ufbx::Node,
    joint: usize,
    base: &Transform,
    times: &[f64],
) -> Option<JointTracks> {
    let samples = times.iter().map(|&time| transform(&node.evaluate_transform(anim, time))).collect();
    tracks(joint, base, samples, times)
}

/// The tracks of a joint, of what leaves the base pose; none where nothing does.
pub(super) fn tracks(
    joint: usize,
    base: &Transform,
    mut samples: Vec<Transform>,
    times: &[f64],
) -> Option<JointTracks> {
    // Along the shorter arc from frame to frame.
    for k in 1..samples.len() {
        if samples[k - 1].rotation.dot(samples[k].rotation) < 0.0 {
            samples[k].rotation = -samples[k].rotation;
        }
    }
    let vectors = |pick: fn(&Transform) -> DVec3| {
        let still = STILL * (1.0 + pick(base).length());
        let moves = samples.iter().any(|s| !s.is_finite() || pick(s).distance(pick(base)) > still);
        moves.then(|| Track::linear(times.to_vec(), samples.iter().map(|s| pick(s).as_vec3()).collect::<Vec<Vec3>>()))
    };
    let aside = |rotation: DQuat| (rotation - base.rotation).length().min((rotation + base.rotation).length());
    let turns = samples.iter().any(|s| !s.is_finite() || aside(s.rotation) > STILL);
    let rotation = turns
        .then(|| Track::linear(times.to_vec(), samples.iter().map(|s| s.rotation.as_quat()).collect::<Vec<Quat>>()));
    let tracks = JointTracks { joint, translation: vectors(|t| t.translation), rotation, scale: vectors(|t| t.scale) };
    let moves = tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some();
    moves.then_some(tracks)
}

fn morph_track(anim: &ufbx::Anim, channel: &Channel<'_>, morph: usize, base: f32, times: &[f64]) -> Option<MorphTrack> {
    let weights: Vec<f32> =
        times.iter().map(|&time| channel.weight(channel.channel.evaluate_blend_weight(anim, time))).collect();
    let moves = weights.iter().any(|weight| *weight != base);
    moves.then(|| MorphTrack { morph, weight: Track::linear(times.to_vec(), weights) })
}
