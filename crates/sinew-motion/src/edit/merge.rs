//! Merging edited frames back into their clip.
//!
//! Keys outside the range stay as they are; inside there is one per frame. A spline's tangents would reach
//! across the border, so splines become straight lines between frames, over the whole clip.

use super::source::Source;
use glam::{Quat, Vec3};
use sinew_rig::{Clip, Interpolate, Interpolation, JointTracks, Pose, Track, Transform};

/// The clip with the poses of the range in it.
pub(super) fn merged(clip: &Clip, source: &Source, poses: &[Pose], fps: f64) -> Clip {
    let mut merged = clip.clone();
    let joints = poses.first().map_or(0, |pose| pose.joints.len());
    for joint in 0..joints {
        let changes = |same: fn(&Transform, &Transform) -> bool| {
            poses.iter().zip(&source.poses).any(|(a, b)| !same(&a.joints[joint], &b.joints[joint]))
        };
        let turned = changes(|a, b| a.rotation == b.rotation);
        let moved = changes(|a, b| a.translation == b.translation);
        if !turned && !moved {
            continue;
        }
        let index = merged.joints.iter().position(|tracks| tracks.joint == joint).unwrap_or_else(|| {
            merged.joints.push(JointTracks { joint, ..JointTracks::default() });
            merged.joints.len() - 1
        });
        let frames = Frames { clip, source, fps };
        let before = &source.poses[0].joints[joint];
        if turned {
            let values: Vec<Quat> = poses.iter().map(|pose| pose.joints[joint].rotation.as_quat()).collect();
            let track = merged.joints[index].rotation.take();
            merged.joints[index].rotation = Some(frames.splice(track, before.rotation.as_quat(), values));
        }
        if moved {
            let values: Vec<Vec3> = poses.iter().map(|pose| pose.joints[joint].translation.as_vec3()).collect();
            let track = merged.joints[index].translation.take();
            merged.joints[index].translation = Some(frames.splice(track, before.translation.as_vec3(), values));
        }
    }
    merged
}

struct Frames<'a> {
    clip: &'a Clip,
    source: &'a Source,
    fps: f64,
}

impl Frames<'_> {
    /// A track with new values in the range. What had no track was constant.
    fn splice<V: Interpolate>(&self, track: Option<Track<V>>, constant: V, values: Vec<V>) -> Track<V> {
        let times = &self.source.times;
        let (first, last) = (times[0], times[times.len() - 1]);
        let (start, end) = self.clip.range();
        let track = match track {
            Some(track) if track.interpolation == Interpolation::Linear => track,
            Some(track) => {
                let count = ((end - start) * self.fps + 1e-6).floor() as usize;
                let all: Vec<f64> = (0..=count).map(|k| start + k as f64 / self.fps).collect();
                let values = all.iter().map(|&t| track.sample(t)).collect();
                Track::linear(all, values)
            }
            None => Track::linear(vec![start], vec![constant]),
        };
        // Half a frame: keys of the source may be off their frames by rounding.
        let margin = 0.5 / self.fps;
        let before = track.times.partition_point(|&t| t < first - margin);
        let after = track.times.partition_point(|&t| t <= last + margin);
        let mut spliced = Track::linear(track.times[..before].to_vec(), track.values[..before].to_vec());
        spliced.times.extend(times);
        spliced.values.extend(values);
        if after == track.times.len() && last + margin < end {
            // The last value is constant beyond the end of the track.
            let held = track.sample(end);
            spliced.times.push(last + 1.0 / self.fps);
            spliced.values.push(held);
        }
        spliced.times.extend(&track.times[after..]);
        spliced.values.extend(&track.values[after..]);
        spliced
    }
}
