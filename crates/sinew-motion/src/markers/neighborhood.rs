//! The position of a marker relative to its neighbours.
//!
//! A rigid frame is fitted to the neighbours that are visible throughout a gap, with weights that fall with the square
//! of the spread of their distances. In this frame the marker moves little, and so do its neighbours; the regression
//! predicts the marker from their positions.

use super::frame::{RigidFrame, weighted_center};
use super::{MarkerGraph, Markers};
use glam::DVec3;
use std::ops::Range;

/// Neighbours to which the rigid frame is fitted. Three determine a frame, and more average errors; not tuned.
const FRAME_NEIGHBORS: usize = 8;
/// Neighbours whose positions in the rigid frame are features of the regression. Not tuned.
const FEATURE_NEIGHBORS: usize = 16;
/// Neighbours whose positions in the translating frame are features. On the test captures two mixtures over 24 do as
/// well as three over 40.
const MAX_NEIGHBORS: usize = 24;
/// A neighbour must leave this share of the frames in which the marker was seen, and at least a number of frames. Not
/// tuned.
const MIN_USABLE_SHARE: f64 = 0.3;
const MIN_USABLE_FRAMES: usize = 12;
/// The same share for neighbours beyond the [`FEATURE_NEIGHBORS`]. Not tuned.
const MIN_USABLE_SHARE_BEYOND: f64 = 0.7;
/// The least spread, of the body's extent. It keeps the weights finite. 0.2 mm of a body of 1.75 m; not tuned.
const MIN_SPREAD: f64 = 1e-4;
/// The weight of the spread among the neighbours themselves. Not tuned.
const MUTUAL_SPREAD_WEIGHT: f64 = 0.25;
/// Points count as collinear when their second extent is below this part of the largest. Not tuned.
const COLLINEAR: f64 = 1e-3;

/// The neighbours of a marker that can be used for one of its gaps.
#[derive(Debug, Clone)]
pub(super) struct Neighborhood {
    /// Best first.
    pub members: Vec<usize>,
    /// Frames in which the marker and all of them were seen.
    pub usable: Vec<usize>,
    near: usize,
    weights: Vec<f64>,
    shape: Vec<DVec3>,
    turns: bool,
}

impl Neighborhood {
    /// Chooses neighbours for a gap of a marker. `holes` lists the frames in which each marker is unknown, in order;
    /// `through` is whether a marker is known throughout the gap.
    pub fn choose(
        graph: &MarkerGraph,
        marker: usize,
        frames: usize,
        extent: f64,
        holes: &[Vec<Range<usize>>],
        through: impl Fn(usize) -> bool,
    ) -> Self {
        let inside = |usable: &[usize], hole: &Range<usize>| {
            usable.partition_point(|&f| f < hole.start)..usable.partition_point(|&f| f < hole.end)
        };
        let mut usable: Vec<usize> = (0..frames).collect();
        holes[marker].iter().rev().for_each(|hole| _ = usable.drain(hole.clone()));
        let mut least = MIN_USABLE_FRAMES.max((MIN_USABLE_SHARE * usable.len() as f64) as usize).min(usable.len());
        let mut members = Vec::new();
        for &other in graph.neighbors(marker).iter().filter(|&&other| through(other)) {
            if members.len() == MAX_NEIGHBORS {
                break;
            }
            if members.len() == FEATURE_NEIGHBORS {
                least = least.max((MIN_USABLE_SHARE_BEYOND * usable.len() as f64) as usize);
            }
            let lost: usize = holes[other].iter().map(|hole| inside(&usable, hole).len()).sum();
            if usable.len() - lost >= least {
                for hole in &holes[other] {
                    let lost = inside(&usable, hole);
                    usable.drain(lost);
                }
                members.push(other);
            }
        }
        let near = members.len().min(FRAME_NEIGHBORS);
        let weights =
            members[..near].iter().map(|&other| weight(graph, marker, other, &members[..near], extent)).collect();
        Self { members, usable, near, weights, shape: Vec::new(), turns: false }
    }

    /// Finds the mean shape of the neighbours over some frames.
    pub fn learn(&mut self, markers: &Markers, frames: &[usize]) {
        let Some(&first) = frames.first() else { return };
        let points = self.points(markers, first);
        let center = weighted_center(&points, &self.weights);
        self.shape = points.iter().map(|&p| p - center).collect();
        self.turns = spans_a_plane(&self.shape, &self.weights, COLLINEAR);
        if !self.turns {
            return;
        }
        let mut sum = vec![DVec3::ZERO; self.near];
        for &frame in frames {
            let points = self.points(markers, frame);
            let fitted = RigidFrame::fit(&self.shape, &points, &self.weights);
            sum.iter_mut().zip(&points).for_each(|(s, &p)| *s += fitted.inward(p));
        }
        self.shape = sum.into_iter().map(|s| s / frames.len() as f64).collect();
    }

    /// The rigid frame of the nearest neighbours.
    pub fn rigid_frame(&self, markers: &Markers, frame: usize) -> RigidFrame {
        let points = self.points(markers, frame);
        match self.turns {
            true => RigidFrame::fit(&self.shape, &points, &self.weights),
            false if points.is_empty() => RigidFrame::WORLD,
            false => RigidFrame { center: weighted_center(&points, &self.weights), ..RigidFrame::WORLD },
        }
    }

    /// The frame that translates with all neighbours and does not rotate.
    pub fn translating_frame(&self, markers: &Markers, frame: usize) -> RigidFrame {
        let seen = self.members.iter().filter_map(|&other| markers.get(frame, other));
        let center = seen.sum::<DVec3>() / self.members.len().max(1) as f64;
        RigidFrame { center, ..RigidFrame::WORLD }
    }

    /// The positions of the first `count` neighbours in a frame of theirs, best first.
    pub fn features(
        &self,
        markers: &Markers,
        frame: usize,
        count: usize,
        carried: &RigidFrame,
        features: &mut Vec<f64>,
    ) {
        for &other in &self.members[..count] {
            let place = markers.get(frame, other).unwrap_or(carried.center);
            features.extend(carried.inward(place).to_array());
        }
    }

    /// Numbers of neighbours: those of the rigid frame, those that are features in it, and all.
    pub fn counts(&self) -> [usize; 3] {
        [self.near, self.members.len().min(FEATURE_NEIGHBORS), self.members.len()]
    }

    fn points(&self, markers: &Markers, frame: usize) -> Vec<DVec3> {
        let seen = |&other: &usize| markers.get(frame, other).unwrap_or_default();
        self.members[..self.near].iter().map(seen).collect()
    }
}

/// The weight of a neighbour, large if it moves rigidly with the marker and with the other neighbours. A neighbour at
/// constant distance may still rotate about the marker, which shows in its distances to the others.
fn weight(graph: &MarkerGraph, marker: usize, other: usize, members: &[usize], extent: f64) -> f64 {
    let mut spreads: Vec<f64> = members.iter().filter(|&&m| m != other).map(|&m| graph.pair(other, m).spread).collect();
    spreads.retain(|spread| spread.is_finite());
    spreads.sort_by(f64::total_cmp);
    let among = spreads.get(spreads.len() / 2).copied().unwrap_or(0.0);
    let floor = MIN_SPREAD * extent;
    (graph.pair(marker, other).spread.powi(2) + MUTUAL_SPREAD_WEIGHT * among * among + floor * floor).recip()
}

/// Whether centred points are not all on a line: the second of their extents is more than a part of the first.
pub(super) fn spans_a_plane(shape: &[DVec3], weights: &[f64], part: f64) -> bool {
    let weighted = || shape.iter().zip(weights).map(|(&s, &w)| s * w.sqrt());
    let Some(longest) = weighted().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())) else {
        return false;
    };
    let Some(axis) = longest.try_normalize() else { return false };
    let beside = weighted().map(|s| s.reject_from_normalized(axis).length()).fold(0.0, f64::max);
    beside > part * longest.length()
}
