//! The report of an edit.

use super::options::Pin;
use glam::DVec3;
use std::ops::RangeInclusive;

/// How an edit went, measured on the joints that the edited rotations move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EditReport {
    /// Local–global iterations.
    pub iterations: usize,
    /// The pins, in the order they were given.
    pub pins: Vec<PinReport>,
    /// The foot contacts.
    pub contacts: Vec<Contact>,
    /// `mean |‖v_i − v_j‖ / d_ij − 1|` over all segments of all frames: L13 eq. 7.5, with the one that it forgets.
    pub relative_distance_error: f64,
    /// The largest of these.
    pub largest_distance_error: f64,
    /// How often a joint was stopped by its limit, over all frames.
    pub limited: usize,
}

impl EditReport {
    /// Takes up how the distances of pairs differ between two motions.
    pub(super) fn compare_lengths(&mut self, pairs: &[(usize, usize)], before: &[Vec<DVec3>], after: &[Vec<DVec3>]) {
        let (mut sum, mut count) = (0.0, 0usize);
        self.largest_distance_error = 0.0;
        for (before, after) in before.iter().zip(after) {
            let lengths = pairs.iter().map(|&(a, b)| (before[a].distance(before[b]), after[a].distance(after[b])));
            for (wanted, found) in lengths.filter(|(wanted, _)| *wanted > 0.0) {
                let error = (found / wanted - 1.0).abs();
                sum += error;
                count += 1;
                self.largest_distance_error = self.largest_distance_error.max(error);
            }
        }
        self.relative_distance_error = sum / count.max(1) as f64;
    }
}

/// A pin and how far it was missed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PinReport {
    /// The pin.
    pub pin: Pin,
    /// The distance between where the joint is and where it was to be.
    pub residual: f64,
}

/// Frames during which a foot is planted.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The joint.
    pub joint: usize,
    /// Whether the tip of the joint's bone is planted, rather than the joint.
    pub is_tip: bool,
    /// The first and the last frame of the clip.
    pub frames: RangeInclusive<usize>,
    /// How far the edit made it slide.
    pub slide: f64,
}
