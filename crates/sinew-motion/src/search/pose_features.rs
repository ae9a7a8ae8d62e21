//! Features of a pose that do not depend on size, position and heading.
//!
//! For every pair of landmarks, the distance divided by the length of the path between them along the bones. For every
//! landmark, the height divided by the length of a leg. Only differences of heights count, so the height of the ground
//! does not matter.

use super::landmarks::{self, LANDMARKS, Lengths, PAIRS, limb_length};
use crate::retarget::near_axis;
use crate::{Error, Result};
use glam::{DAffine3, DVec3};
use sinew_geometry::parallel::*;
use sinew_rig::{Clip, Pose, Skeleton};

/// Samples per second. Windows and hops are whole numbers of samples, 8 and 4. Not tuned.
pub(super) const RATE: f64 = 16.0;
/// Numbers per sample: distances, then heights.
pub(super) const FEATURES: usize = PAIRS + LANDMARKS;
/// Samples per task of a thread. A granularity, without effect on results.
const RUN: usize = 256;

/// The features of a clip between two times in seconds, one row per sample.
pub(super) fn sample(skeleton: &Skeleton, base: &Pose, clip: &Clip, span: (f64, f64)) -> Result<Vec<[f64; FEATURES]>> {
    let body = Body::new(skeleton)?;
    let count = sample_count(clip, span)?;
    let mut features = vec![[0.0; FEATURES]; count];
    features.par_chunks_mut(RUN).enumerate().try_for_each(|(run, chunk)| {
        let mut pose = Pose::default();
        let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
        chunk.iter_mut().enumerate().try_for_each(|(k, features)| -> Result<()> {
            let seconds = span.0 + (run * RUN + k) as f64 / RATE;
            clip.sample(seconds, base, &mut pose);
            skeleton.world(&pose, &mut world);
            *features =
                body.features(&world).ok_or_else(|| Error::MotionNotFinite { clip: clip.name.clone(), seconds })?;
            Ok(())
        })
    })?;
    Ok(features)
}

fn sample_count(clip: &Clip, (start, end): (f64, f64)) -> Result<usize> {
    // A clip of n samples has its last one at the end in spite of rounding.
    let last = ((end - start) * RATE + 1e-6).floor();
    if last >= sinew_rig::MAX_FRAMES as f64 {
        return Err(sinew_rig::Error::TooManyFrames { clip: clip.name.clone(), seconds: end - start, fps: RATE }.into());
    }
    match last as usize {
        0 => Err(Error::MotionTooShort { clip: clip.name.clone(), seconds: end - start, least: 1.0 / RATE }),
        last => Ok(last + 1),
    }
}

/// A skeleton's landmarks and its lengths at rest.
struct Body {
    joints: [usize; LANDMARKS],
    lengths: Lengths,
    up: DVec3,
}

impl Body {
    fn new(skeleton: &Skeleton) -> Result<Self> {
        let joints = landmarks::joints(skeleton)?;
        let rest = skeleton.rest_world();
        let lengths = Lengths::of(&joints.map(|joint| rest[joint].translation));
        let no_length = || sinew_rig::Error::NoLandmark { part: "limb that has a length at rest".into() }.into();
        let up = lengths.upwards.try_normalize().ok_or_else(no_length)?;
        let has_lengths = lengths.leg > 0.0 && lengths.paths.iter().all(|path| *path > 0.0);
        if !has_lengths {
            return Err(no_length());
        }
        Ok(Self { joints, lengths, up: near_axis(up) })
    }

    /// The features of a pose; none if they are not finite.
    fn features(&self, world: &[DAffine3]) -> Option<[f64; FEATURES]> {
        let places = self.joints.map(|joint| world[joint].translation);
        // An armature may be scaled in the motion and not at rest.
        let scale = limb_length(&places) / self.lengths.limbs;
        let mut features = [0.0; FEATURES];
        for (k, (a, b)) in landmarks::pairs().into_iter().enumerate() {
            features[k] = places[a].distance(places[b]) / (scale * self.lengths.paths[k]);
        }
        for (feature, place) in features[PAIRS..].iter_mut().zip(places) {
            *feature = place.dot(self.up) / (scale * self.lengths.leg);
        }
        features.iter().all(|feature| feature.is_finite()).then_some(features)
    }
}
