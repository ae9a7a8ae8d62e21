//! A motion, prepared for comparison.
//!
//! The features of its samples, summarised in windows of half a second at intervals of a quarter of a second. A window
//! has the mean of each distance, its standard deviation, and its trend: with u from -1 to 1 over the window, the mean
//! of `u x`. The trend distinguishes sitting down from standing up, which differ in nothing else.

use super::landmarks::{LANDMARKS, MIRRORED, PAIRS, mirrored_pairs};
use super::pose_features::{FEATURES, RATE, sample};
use crate::Result;
use sinew_rig::{Clip, Pose, Skeleton};
use std::ops::Range;

/// Length of a window. About a step of a walk, and eight samples; not tuned.
pub const WINDOW_SECONDS: f64 = 0.5;
/// The interval from the start of a window to the start of the next. Half a window, so that any moment is in two.
pub const HOP_SECONDS: f64 = 0.25;
/// Numbers of a window: means, deviations and trends of all distances.
pub const WINDOW: usize = 3 * PAIRS;
/// Heights of a window: means and trends of all landmarks.
pub const HEIGHTS: usize = 2 * LANDMARKS;

/// A motion as windows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    windows: Vec<f32>,
    heights: Vec<f32>,
}

/// Consecutive windows of a motion.
#[derive(Debug, Clone, Copy)]
pub struct MotionPart<'a> {
    /// [`WINDOW`] numbers each.
    pub windows: &'a [f32],
    /// [`HEIGHTS`] numbers each.
    pub heights: &'a [f32],
}

impl Motion {
    /// A whole clip of a skeleton, or the span between two times in seconds. Joints without a track have the base pose.
    pub fn of(skeleton: &Skeleton, base: &Pose, clip: &Clip, span: Option<(f64, f64)>) -> Result<Self> {
        let samples = sample(skeleton, base, clip, span.unwrap_or_else(|| clip.range()))?;
        let [length, hop] = [WINDOW_SECONDS, HOP_SECONDS].map(|seconds| (seconds * RATE) as usize);
        let mut motion = Self::default();
        for start in (0..=samples.len().saturating_sub(length + 1)).step_by(hop) {
            motion.add_window(&samples[start..samples.len().min(start + length + 1)]);
        }
        Ok(motion)
    }

    fn add_window(&mut self, samples: &[[f64; FEATURES]]) {
        let count = samples.len() as f64;
        // Deviations from the first sample lose fewer digits of features that hardly change.
        let (mut sum, mut squares, mut trend) = ([0.0; FEATURES], [0.0; FEATURES], [0.0; FEATURES]);
        for (k, sample) in samples.iter().enumerate() {
            let u = 2.0 * k as f64 / (count - 1.0) - 1.0;
            for feature in 0..FEATURES {
                let x = sample[feature] - samples[0][feature];
                sum[feature] += x;
                squares[feature] += x * x;
                trend[feature] += u * x;
            }
        }
        let mean = |feature: usize| (samples[0][feature] + sum[feature] / count) as f32;
        let trend = |feature: usize| (trend[feature] / count) as f32;
        let deviation = |feature: usize| {
            let variance = squares[feature] / count - (sum[feature] / count).powi(2);
            variance.max(0.0).sqrt() as f32
        };
        self.windows.extend((0..PAIRS).map(mean).chain((0..PAIRS).map(deviation)).chain((0..PAIRS).map(trend)));
        self.heights.extend((PAIRS..FEATURES).map(mean).chain((PAIRS..FEATURES).map(trend)));
    }

    /// All its windows.
    pub fn whole(&self) -> MotionPart<'_> {
        MotionPart { windows: &self.windows, heights: &self.heights }
    }

    /// The same motion by a body with left and right exchanged.
    pub fn mirrored(&self) -> Self {
        let permuted = |values: &[f32], order: &[usize]| -> Vec<f32> {
            values.chunks_exact(order.len()).flat_map(|block| order.iter().map(|&k| block[k])).collect()
        };
        Self { windows: permuted(&self.windows, &mirrored_pairs()), heights: permuted(&self.heights, &MIRRORED) }
    }
}

impl<'a> MotionPart<'a> {
    /// The number of windows.
    pub fn len(&self) -> usize {
        (self.windows.len() / WINDOW).min(self.heights.len() / HEIGHTS)
    }

    /// Whether it has no windows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of its windows.
    pub fn part(self, range: Range<usize>) -> Self {
        Self {
            windows: &self.windows[WINDOW * range.start..WINDOW * range.end],
            heights: &self.heights[HEIGHTS * range.start..HEIGHTS * range.end],
        }
    }
}
