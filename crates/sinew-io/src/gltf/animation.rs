//! Animations become clips: a track per joint and property, a track per morph target.

use super::container::Source;
use super::schema::{AnimationSampler, Channel};
use crate::Problem;
use glam::{Quat, Vec3};
use sinew::rig::{Clip, Interpolation, JointTracks, MorphTrack, Track};
use std::collections::HashMap;
use std::ops::Range;

/// The targets of channels.
pub(super) struct Targets<'a> {
    /// Index in the skeleton of each node of the file.
    pub order: &'a [usize],
    /// Where the morph weights of each mesh node lie in a pose.
    pub morphs: &'a HashMap<usize, Range<usize>>,
}

/// Reads every animation. Those without a usable channel are left out with a warning.
pub(super) fn read(
    source: &Source<'_>,
    targets: &Targets<'_>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Clip>, Problem> {
    let mut clips = Vec::new();
    for (index, animation) in source.document.animations.iter().enumerate() {
        let name = animation.name.clone().unwrap_or_default();
        let label = if name.is_empty() { format!("animation {index}") } else { format!("animation \"{name}\"") };
        let mut reader =
            Reader { source, targets, clip: Clip { name, ..Clip::default() }, joints: HashMap::new(), warnings };
        for (number, channel) in animation.channels.iter().enumerate() {
            let place = format!("{label} channel {number}");
            let Some(sampler) = animation.samplers.get(channel.sampler) else {
                return Err(Problem::malformed(place, format!("there is no sampler {}", channel.sampler)));
            };
            reader.channel(channel, sampler, &place)?;
        }
        let clip = reader.clip;
        if clip.joints.is_empty() && clip.morphs.is_empty() {
            warnings.push(format!("{label} moves nothing and was left out"));
        } else {
            clips.push(clip);
        }
    }
    Ok(clips)
}

struct Reader<'a, 'b> {
    source: &'a Source<'b>,
    targets: &'a Targets<'a>,
    clip: Clip,
    /// Where the tracks of a joint lie in the clip.
    joints: HashMap<usize, usize>,
    warnings: &'a mut Vec<String>,
}

impl Reader<'_, '_> {
    fn channel(&mut self, channel: &Channel, sampler: &AnimationSampler, place: &str) -> Result<(), Problem> {
        let path = channel.target.path.as_str();
        let Some(node) = channel.target.node else {
            self.warnings.push(format!("{place} moves \"{path}\" of no node and was left out"));
            return Ok(());
        };
        let Some(&joint) = self.targets.order.get(node) else {
            return Err(Problem::malformed(place, format!("there is no node {node}")));
        };
        let Some(keys) = Keys::read(self.source, sampler, place, self.warnings)? else {
            return Ok(());
        };
        let taken = match path {
            "translation" => {
                let track = keys.track(3, place, |v| Vec3::from_slice(v))?;
                self.tracks(joint).translation.replace(track).is_some()
            }
            "rotation" => {
                let mut track = keys.track(4, place, |v| Quat::from_slice(v))?;
                normalize(&mut track);
                self.tracks(joint).rotation.replace(track).is_some()
            }
            "scale" => {
                let track = keys.track(3, place, |v| Vec3::from_slice(v))?;
                self.tracks(joint).scale.replace(track).is_some()
            }
            "weights" => self.morph_weights(node, keys, place)?,
            _ => {
                self.warnings.push(format!("{place} moves \"{path}\", which Sinew does not know, and was left out"));
                false
            }
        };
        if taken {
            self.warnings.push(format!("{place} moves the {path} of node {node} a second time; the last one counts"));
        }
        Ok(())
    }

    fn tracks(&mut self, joint: usize) -> &mut JointTracks {
        let at = *self.joints.entry(joint).or_insert_with(|| {
            self.clip.joints.push(JointTracks { joint, ..JointTracks::default() });
            self.clip.joints.len() - 1
        });
        &mut self.clip.joints[at]
    }

    /// One track for each target of the node's mesh; true if there were some already.
    fn morph_weights(&mut self, node: usize, keys: Keys, place: &str) -> Result<bool, Problem> {
        let range = self.targets.morphs.get(&node).cloned().unwrap_or(0..0);
        if range.is_empty() {
            self.warnings.push(format!("{place} moves morph targets that node {node} does not have and was left out"));
            return Ok(false);
        }
        let before = self.clip.morphs.len();
        self.clip.morphs.retain(|track| !range.contains(&track.morph));
        let taken = self.clip.morphs.len() < before;
        let width = range.len();
        keys.check(width, place)?;
        for (target, morph) in range.enumerate() {
            let values = keys.values.chunks_exact(width).map(|v| v[target]).collect();
            let weight = Track { times: keys.times.clone(), values, interpolation: keys.interpolation };
            self.clip.morphs.push(MorphTrack { morph, weight: without_repeats(weight) });
        }
        Ok(taken)
    }
}

/// A sampler's numbers.
struct Keys {
    times: Vec<f64>,
    values: Vec<f32>,
    interpolation: Interpolation,
}

impl Keys {
    /// Reads a sampler; none with a warning if it has no keys.
    fn read(
        source: &Source<'_>,
        sampler: &AnimationSampler,
        place: &str,
        warnings: &mut Vec<String>,
    ) -> Result<Option<Self>, Problem> {
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => return Err(Problem::malformed(place, format!("there is no interpolation \"{other}\""))),
        };
        let times = source.array_of::<f32>(sampler.input, place, &[1], None)?.values;
        if times.is_empty() {
            warnings.push(format!("{place} has no keys and was left out"));
            return Ok(None);
        }
        if times.windows(2).any(|w| w[0] == w[1]) {
            warnings.push(format!("{place} has several keys at one time; the last one counts"));
        }
        let values = source.array::<f32>(sampler.output, place)?.values;
        let times = times.into_iter().map(f64::from).collect();
        Ok(Some(Self { times, values, interpolation }))
    }

    fn per_key(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    fn check(&self, width: usize, place: &str) -> Result<(), Problem> {
        let (found, needed) =
            (self.values.len(), self.times.len().saturating_mul(self.per_key()).saturating_mul(width));
        if found == needed {
            return Ok(());
        }
        Err(Problem::malformed(
            place,
            format!("{} keys need {needed} numbers, but there are {found}", self.times.len()),
        ))
    }

    fn track<V: Copy>(self, width: usize, place: &str, value: impl Fn(&[f32]) -> V) -> Result<Track<V>, Problem> {
        self.check(width, place)?;
        let values = self.values.chunks_exact(width).map(value).collect();
        Ok(without_repeats(Track { times: self.times, values, interpolation: self.interpolation }))
    }
}

/// The track with the last of several keys at one time.
fn without_repeats<V: Copy>(mut track: Track<V>) -> Track<V> {
    if track.times.windows(2).all(|w| w[0] != w[1]) {
        return track;
    }
    let per_key = track.values.len() / track.times.len();
    let keep: Vec<usize> =
        (0..track.times.len()).filter(|&k| track.times.get(k + 1) != Some(&track.times[k])).collect();
    track.values = keep.iter().flat_map(|&k| track.values[k * per_key..(k + 1) * per_key].to_vec()).collect();
    track.times = keep.iter().map(|&k| track.times[k]).collect();
    track
}

/// Makes rotations unit quaternions. Tangents of a spline are none; what is unit but for the last
/// bits stays as it is, and what has no length is left for the clip's own check.
fn normalize(track: &mut Track<Quat>) {
    let (first, step) = if track.interpolation == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
    for value in track.values.iter_mut().skip(first).step_by(step) {
        let length = value.length_squared();
        if (length - 1.0).abs() > 4.0 * f32::EPSILON && length > 0.0 {
            *value = value.normalize();
        }
    }
}
