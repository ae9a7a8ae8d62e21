//! The positions of a clip's joints in each frame of the range that is edited.

use crate::{Error, Result};
use glam::DAffine3;
use sinew_rig::{Clip, Pose, Skeleton};
use std::ops::RangeInclusive;

/// The fewest frames that can be edited: two at each end hold position and velocity, and between them something must be
/// left to move.
pub const LEAST_FRAMES: usize = 5;

/// Poses and world matrices of the frames of a range.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The number of the first frame in the clip.
    pub first: usize,
    /// Seconds of each frame.
    pub times: Vec<f64>,
    pub poses: Vec<Pose>,
    /// A matrix per joint for one frame after another.
    world: Vec<DAffine3>,
    joints: usize,
    /// Whether the range begins or ends with the clip.
    pub is_start: bool,
    pub is_end: bool,
}

impl Source {
    pub fn new(skeleton: &Skeleton, base: &Pose, clip: &Clip, fps: f64, range: &RangeInclusive<usize>) -> Result<Self> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the frame rate",
                value: fps,
                range: "more than zero",
            }
            .into());
        }
        clip.check(skeleton, base.morphs.len())?;
        let all = clip.frame_times(fps)?;
        let count = all.len();
        let (first, last) = (*range.start(), *range.end());
        if last >= count || last < first || last - first + 1 < LEAST_FRAMES {
            return Err(Error::FrameRange { clip: clip.name.clone(), first, last, count, least: LEAST_FRAMES });
        }
        let times: Vec<f64> = all.skip(first).take(last - first + 1).collect();
        let joints = skeleton.len();
        let mut world = vec![DAffine3::IDENTITY; joints * times.len()];
        let mut poses = Vec::with_capacity(times.len());
        for (frame, &seconds) in times.iter().enumerate() {
            let mut pose = Pose::default();
            clip.sample(seconds, base, &mut pose);
            skeleton.world(&pose, &mut world[frame * joints..(frame + 1) * joints]);
            poses.push(pose);
        }
        if let Some(at) = world.iter().position(|matrix| !matrix.is_finite()) {
            return Err(sinew_rig::Error::JointNotFinite { joint: skeleton.joints()[at % joints].name.clone() }.into());
        }
        Ok(Self { first, times, poses, world, joints, is_start: first == 0, is_end: last + 1 == count })
    }

    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// World matrices of all joints in a frame of the range.
    pub fn world(&self, frame: usize) -> &[DAffine3] {
        &self.world[frame * self.joints..(frame + 1) * self.joints]
    }
}
