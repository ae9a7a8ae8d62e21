//! Motion over time: keyed tracks, sampled at any time.
//!
//! Interpolation is glTF's: step, linear (spherical for rotations) and cubic splines with in- and
//! out-tangents. Before its first key a track has the first value, after its last key the last.

use super::{Pose, Skeleton};
use crate::limits::{MAX_FRAMES, MAX_SECONDS};
use crate::{Error, Result};
use glam::{DQuat, DVec3, Quat, Vec3};

/// The interpolation between keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// Straight, or along the shorter great arc for rotations.
    #[default]
    Linear,
    /// Hermite: each key has three values, in-tangent, value and out-tangent per second.
    CubicSpline,
}

/// Values that a track can interpolate.
pub trait Interpolate: Copy {
    /// Linear, or spherical for rotations.
    fn between(a: Self, b: Self, t: f32) -> Self;
    /// `h₀ a + h₁ out + h₂ b + h₃ in`, normalised for rotations.
    fn hermite(keys: [Self; 4], basis: [f32; 4]) -> Self;
    /// Whether every number is finite.
    fn is_finite(&self) -> bool;
    /// Whether it can be blended with others: a quaternion must not be zero.
    fn is_value(&self) -> bool {
        self.is_finite()
    }
}

impl Interpolate for f32 {
    fn between(a: Self, b: Self, t: f32) -> Self {
        a + (b - a) * t
    }
    fn hermite(keys: [Self; 4], basis: [f32; 4]) -> Self {
        keys.iter().zip(basis).map(|(k, h)| k * h).sum()
    }
    fn is_finite(&self) -> bool {
        f32::is_finite(*self)
    }
}

impl Interpolate for Vec3 {
    fn between(a: Self, b: Self, t: f32) -> Self {
        a.lerp(b, t)
    }
    fn hermite(keys: [Self; 4], basis: [f32; 4]) -> Self {
        keys.iter().zip(basis).map(|(k, h)| *k * h).sum()
    }
    fn is_finite(&self) -> bool {
        Vec3::is_finite(*self)
    }
}

impl Interpolate for Quat {
    fn between(a: Self, b: Self, t: f32) -> Self {
        a.slerp(b, t)
    }
    fn hermite(keys: [Self; 4], basis: [f32; 4]) -> Self {
        let sum = keys.iter().zip(basis).fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (k, h)| sum + *k * h);
        if sum.length_squared() > 0.0 { sum.normalize() } else { keys[0] }
    }
    fn is_finite(&self) -> bool {
        Quat::is_finite(*self)
    }
    fn is_value(&self) -> bool {
        Quat::is_finite(*self) && self.length_squared() > 0.0
    }
}

/// Keys of one property over time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Track<V> {
    /// Key times in seconds, increasing.
    pub times: Vec<f64>,
    /// A value for each key; three for a cubic spline.
    pub values: Vec<V>,
    /// The interpolation between keys.
    pub interpolation: Interpolation,
}

impl<V: Interpolate> Track<V> {
    /// A track with straight lines between its keys.
    pub fn linear(times: Vec<f64>, values: Vec<V>) -> Self {
        Self { times, values, interpolation: Interpolation::Linear }
    }

    /// The value at a time in seconds.
    pub fn sample(&self, seconds: f64) -> V {
        let value = |key: usize| match self.interpolation {
            Interpolation::CubicSpline => self.values[3 * key + 1],
            _ => self.values[key],
        };
        let next = self.times.partition_point(|&t| t <= seconds);
        if next == 0 {
            return value(0);
        }
        if next == self.times.len() {
            return value(next - 1);
        }
        let (t0, t1) = (self.times[next - 1], self.times[next]);
        let t = ((seconds - t0) / (t1 - t0)) as f32;
        match self.interpolation {
            Interpolation::Step => value(next - 1),
            Interpolation::Linear => V::between(value(next - 1), value(next), t),
            Interpolation::CubicSpline => {
                let span = (t1 - t0) as f32;
                let (t2, t3) = (t * t, t * t * t);
                let basis =
                    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)];
                let out_tangent = self.values[3 * (next - 1) + 2];
                let in_tangent = self.values[3 * next];
                V::hermite([value(next - 1), out_tangent, value(next), in_tangent], basis)
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        let per_key = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if self.times.is_empty() {
            return Err("has no keys".into());
        }
        if self.values.len() != self.times.len() * per_key {
            return Err(format!("has {} values for {} keys", self.values.len(), self.times.len()));
        }
        if !self.times.iter().all(|t| t.abs() <= MAX_SECONDS) {
            return Err(format!("has a key time that is not within {MAX_SECONDS:e} seconds"));
        }
        if let Some(k) = self.times.windows(2).position(|w| w[0] >= w[1]) {
            return Err(format!("goes back in time after key {k}"));
        }
        // The first in-tangent and the last out-tangent are unused, and files have any value there.
        let is_used = |index: usize| per_key == 1 || (index > 0 && index + 1 < self.values.len());
        let is_tangent = |index: usize| per_key == 3 && index % 3 != 1;
        let is_good = |i: usize| if is_tangent(i) { self.values[i].is_finite() } else { self.values[i].is_value() };
        if let Some(index) = (0..self.values.len()).find(|&i| is_used(i) && !is_good(i)) {
            return Err(format!("has a value at key {} that is not finite", index / per_key));
        }
        Ok(())
    }
}

/// The tracks of one joint; a property without a track has its value in the base pose.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointTracks {
    /// The joint.
    pub joint: usize,
    /// Local translation.
    pub translation: Option<Track<Vec3>>,
    /// Local rotation, unit quaternions.
    pub rotation: Option<Track<Quat>>,
    /// Local scale.
    pub scale: Option<Track<Vec3>>,
}

/// The weight of one morph target over time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MorphTrack {
    /// Index in [`Pose::morphs`].
    pub morph: usize,
    /// Its weight.
    pub weight: Track<f32>,
}

/// A named motion of a skeleton.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clip {
    /// Its name, possibly empty.
    pub name: String,
    /// Joints that move.
    pub joints: Vec<JointTracks>,
    /// Morph targets that move.
    pub morphs: Vec<MorphTrack>,
}

impl Clip {
    /// First and last key time in seconds; `(0, 0)` without tracks.
    pub fn range(&self) -> (f64, f64) {
        let mut range: Option<(f64, f64)> = None;
        let mut include = |times: &[f64]| {
            if let (Some(&first), Some(&last)) = (times.first(), times.last()) {
                range = Some(range.map_or((first, last), |(low, high)| (low.min(first), high.max(last))));
            }
        };
        for tracks in &self.joints {
            tracks.translation.iter().for_each(|t| include(&t.times));
            tracks.rotation.iter().for_each(|t| include(&t.times));
            tracks.scale.iter().for_each(|t| include(&t.times));
        }
        self.morphs.iter().for_each(|m| include(&m.weight.times));
        range.unwrap_or((0.0, 0.0))
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        let (start, end) = self.range();
        end - start
    }

    /// The key times of the track that has most of them: the clip's own frames.
    pub fn key_times(&self) -> &[f64] {
        let of_joints = self.joints.iter().flat_map(|tracks| {
            let translation = tracks.translation.as_ref().map(|track| &track.times[..]);
            let rotation = tracks.rotation.as_ref().map(|track| &track.times[..]);
            let scale = tracks.scale.as_ref().map(|track| &track.times[..]);
            [translation, rotation, scale].into_iter().flatten()
        });
        let of_morphs = self.morphs.iter().map(|track| &track.weight.times[..]);
        // The first of the longest, independent of the order of tracks.
        of_joints.chain(of_morphs).fold(&[], |longest, times| if times.len() > longest.len() { times } else { longest })
    }

    /// The clip's own frames per second, if its keys are evenly spaced within the precision of files and cover the
    /// whole clip.
    pub fn frame_rate(&self) -> Option<f64> {
        let times = self.key_times();
        let (first, last) = (*times.first()?, *times.last()?);
        let step = (last - first) / (times.len() - 1).max(1) as f64;
        let is_even = times.iter().enumerate().all(|(k, time)| (time - first - k as f64 * step).abs() <= 0.01 * step);
        (is_even && step > 0.0 && (first, last) == self.range()).then_some(1.0 / step)
    }

    /// Frame times at a rate: from the start, `start + k/fps`, up to the end inclusive. More than
    /// [`MAX_FRAMES`] are refused: such a clip has wrong key times.
    pub fn frame_times(&self, fps: f64) -> Result<impl ExactSizeIterator<Item = f64> + use<>> {
        let (start, end) = self.range();
        // A clip of n/fps seconds has its last frame at the end in spite of rounding.
        let last = ((end - start) * fps + 1e-6).floor().max(0.0) as usize;
        if last >= MAX_FRAMES {
            return Err(Error::TooManyFrames { clip: self.name.clone(), seconds: end - start, fps });
        }
        Ok((0..last + 1).map(move |k| start + k as f64 / fps))
    }

    /// The pose at a time: the base pose, with every tracked property replaced. Does not allocate
    /// when `pose` has been used with this base before.
    pub fn sample(&self, seconds: f64, base: &Pose, pose: &mut Pose) {
        pose.copy_from(base);
        for tracks in &self.joints {
            let local = &mut pose.joints[tracks.joint];
            if let Some(track) = &tracks.translation {
                local.translation = track.sample(seconds).as_dvec3();
            }
            if let Some(track) = &tracks.rotation {
                local.rotation = normalized(track.sample(seconds));
            }
            if let Some(track) = &tracks.scale {
                local.scale = track.sample(seconds).as_dvec3();
            }
        }
        for track in &self.morphs {
            pose.morphs[track.morph] = track.weight.sample(seconds);
        }
    }

    /// Checks that tracks have increasing, finite keys and name joints and morphs that exist.
    pub fn check(&self, skeleton: &Skeleton, morphs: usize) -> Result<()> {
        let fail = |what, target: &str, why| Error::Track { clip: self.name.clone(), what, target: target.into(), why };
        for tracks in &self.joints {
            let Some(joint) = skeleton.joints().get(tracks.joint) else {
                let what = format!("a track of clip \"{}\"", self.name);
                return Err(Error::JointOutOfRange { what, joint: tracks.joint, count: skeleton.len() });
            };
            let check = |what, result: Option<Result<(), String>>| match result {
                Some(Err(why)) => Err(fail(what, &joint.name, why)),
                _ => Ok(()),
            };
            check("translation", tracks.translation.as_ref().map(Track::check))?;
            check("rotation", tracks.rotation.as_ref().map(Track::check))?;
            check("scale", tracks.scale.as_ref().map(Track::check))?;
        }
        for track in &self.morphs {
            let target = format!("morph target {}", track.morph);
            if track.morph >= morphs {
                return Err(fail("weight", &target, format!("names a target that is not among the {morphs}")));
            }
            track.weight.check().map_err(|why| fail("weight", &target, why))?;
        }
        Ok(())
    }

    /// A clip of whole poses, one per time.
    pub fn from_poses(name: impl Into<String>, times: &[f64], poses: &[Pose]) -> Self {
        let joint_count = poses.first().map_or(0, |p| p.joints.len());
        let track = |pick: fn(&super::Transform) -> DVec3, joint: usize| {
            Track::linear(times.to_vec(), poses.iter().map(|p| pick(&p.joints[joint]).as_vec3()).collect())
        };
        let joints = (0..joint_count)
            .map(|joint| {
                let rotations = poses.iter().map(|p| p.joints[joint].rotation.as_quat()).collect();
                let scale = track(|t| t.scale, joint);
                JointTracks {
                    joint,
                    translation: Some(track(|t| t.translation, joint)),
                    rotation: Some(Track::linear(times.to_vec(), rotations)),
                    scale: scale.values.iter().any(|s| *s != Vec3::ONE).then_some(scale),
                }
            })
            .collect();
        Self { name: name.into(), joints, morphs: Vec::new() }
    }
}

fn normalized(rotation: Quat) -> DQuat {
    let rotation = rotation.as_dquat();
    if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_met_and_ends_hold() {
        let track = Track::linear(vec![1.0, 2.0, 4.0], vec![0.0f32, 10.0, 0.0]);
        let at = |t| track.sample(t);
        assert_eq!([at(0.0), at(1.0), at(1.5), at(2.0), at(3.0), at(4.0), at(9.0)], [0., 0., 5., 10., 5., 0., 0.]);
    }

    #[test]
    fn step_holds_until_the_next_key() {
        let track = Track { interpolation: Interpolation::Step, ..Track::linear(vec![0.0, 1.0], vec![1.0f32, 2.0]) };
        assert_eq!([track.sample(0.999), track.sample(1.0)], [1.0, 2.0]);
    }

    #[test]
    fn a_spline_reproduces_a_cubic() {
        let cubic = |t: f32| 2.0 * t * t * t - t * t + 3.0 * t - 1.0;
        let slope = |t: f32| 6.0 * t * t - 2.0 * t + 3.0;
        let times = vec![0.0, 0.5, 2.0];
        let values = times.iter().map(|&t| t as f32).flat_map(|t| [slope(t), cubic(t), slope(t)]).collect();
        let track = Track { times, values, interpolation: Interpolation::CubicSpline };
        for k in 0..=20 {
            let t = k as f32 * 0.1;
            assert!((track.sample(f64::from(t)) - cubic(t)).abs() < 1e-4, "at {t}");
        }
    }

    #[test]
    fn a_bake_covers_the_clip_inclusively() {
        let clip = |end: f64| Clip {
            morphs: vec![MorphTrack { morph: 0, weight: Track::linear(vec![0.5, end], vec![0.0, 1.0]) }],
            ..Clip::default()
        };
        assert_eq!(clip(1.5).frame_times(30.0).unwrap().len(), 31);
        let times: Vec<f64> = clip(1.26).frame_times(4.0).unwrap().collect();
        assert_eq!(times, [0.5, 0.75, 1.0, 1.25]);
        for end in [1e5, 1e30, f64::INFINITY] {
            assert!(matches!(clip(end).frame_times(30.0), Err(Error::TooManyFrames { .. })), "{end}");
        }
    }

    #[test]
    fn tangents_that_lead_somewhere_must_be_finite() {
        let spline = |values: Vec<f32>| {
            Track { times: vec![0.0, 1.0], values, interpolation: Interpolation::CubicSpline }.check()
        };
        assert_eq!(spline(vec![f32::NAN, 1.0, 0.0, 0.0, 2.0, f32::NAN]), Ok(()));
        assert!(spline(vec![0.0, 1.0, f32::NAN, 0.0, 2.0, 0.0]).is_err());
        assert!(spline(vec![0.0, 1.0, 0.0, f32::NAN, 2.0, 0.0]).is_err());
    }
}
