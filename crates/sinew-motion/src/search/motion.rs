//! A motion, prepared for comparison.
//!
//! The features of its moments, summed up in windows of half a second, each a quarter of a second after the one
//! before. A window has the mean of each distance, its standard deviation, and its trend: with u from -1 to 1 over the
//! window, the mean of `u x`. The trend tells sitting down from standing up, which differ in nothing else.

use super::landmarks::{LANDMARKS, MIRRORED, PAIRS, mirrored_pairs};
use super::pose_features::{FEATURES, RATE, sample};
use crate::Result;
use sinew_rig::{Clip, Pose, Skeleton};
use std::ops::Range;

/// Length of a window.
pub const WINDOW_SECONDS: f64 = 0.5;
/// From the start of a window to that of the next.
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

/// Windows of a motion in a row.
#[derive(Debug, Clone, Copy)]
pub struct MotionPart<'a> {
    /// [`WINDOW`] numbers each.
    pub windows: &'a [f32],
    /// [`HEIGHTS`] numbers each.
    pub heights: &'a [f32],
}

impl Motion {
    /// A clip of a skeleton, which stands in the base pose where the clip says nothing; all of it, or what lies
    /// between two times in seconds.
    pub fn of(skeleton: &Skeleton, base: &Pose, clip: &Clip, span: Option<(f64, f64)>) -> Result<Self> {
        let moments = sample(skeleton, base, clip, span.unwrap_or_else(|| clip.range()))?;
        let [length, hop] = [WINDOW_SECONDS, HOP_SECONDS].map(|seconds| (seconds * RATE) as usize);
        let mut motion = Self::default();
        for start in (0..=moments.len().saturating_sub(length + 1)).step_by(hop) {
            motion.add_window(&moments[start..moments.len().min(start + length + 1)]);
        }
        Ok(motion)
    }

    fn add_window(&mut self, moments: &[[f64; FEATURES]]) {
        let count = moments.len() as f64;
        // A deviation from the first moment keeps the digits of what hardly changes.
        let (mut sum, mut squares, mut trend) = ([0.0; FEATURES], [0.0; FEATURES], [0.0; FEATURES]);
        for (k, moment) in moments.iter().enumerate() {
            let u = 2.0 * k as f64 / (count - 1.0) - 1.0;
            for feature in 0..FEATURES {
                let x = moment[feature] - moments[0][feature];
                sum[feature] += x;
                squares[feature] += x * x;
                trend[feature] += u * x;
            }
        }
        let mean = |feature: usize| (moments[0][feature] + sum[feature] / count) as f32;
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
    /// How many windows it has.
    pub fn len(&self) -> usize {
        (self.windows.len() / WINDOW).min(self.heights.len() / HEIGHTS)
    }

    /// Whether it has none.
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
