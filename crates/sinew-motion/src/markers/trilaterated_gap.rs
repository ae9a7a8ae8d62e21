//! A gap of a marker whose distances to three others are known.
//!
//! Its distances to the three leave a position on either side of their plane. Both are projected onto all near-constant
//! distances. Continuity and the distances to all neighbours select the side for the whole gap: a distance of deviation
//! s costs `ln(1 + (Δ/s)²)`, which bounds the influence of an outlier.

use super::lengths::{DistanceConstraints, LostMarker, deviation, progress, refine};
use super::regression::Guess;
use super::side_path::{SideCosts, best_path};
use super::trilateration::{flatness, height_above, two_places};
use super::{Gap, MarkerGraph, Markers};
use glam::DVec3;
use std::ops::Range;

/// The least height of a usable triangle, of its length. Not tuned.
const FLAT: f64 = 0.1;
/// The three are chosen among this many neighbours. They have 20 triples, all of which are compared. Not tuned.
const CHOICE: usize = 6;
/// The number of neighbours whose distances select the side. Not tuned.
const SIDE_NEIGHBORS: usize = 12;
/// Frames on each side of a gap that continue its path. A second difference needs three values.
const ANCHORS: usize = 3;
/// The correlation time of the neighbours' errors: the costs of the frames within it count as one. Not tuned.
const CORRELATION_SECONDS: f64 = 0.3;
/// The degrees of freedom of the Student distribution of a position's distance from its guess. Not tuned.
const FREEDOM: f64 = 10.0;
/// The least margin of a side that is certain. Costs are about −2 ln of a probability, so the odds are e⁴, 55 to 1.
const DECIDED: f64 = 8.0;
/// The least deviation of a distance, of the body's extent. It is above the rounding of positions in f32 (1e-7) and
/// below measurement errors (5e-5).
const LEAST_DEVIATION: f64 = 2e-6;
/// The least usual second difference, of the body's extent. It keeps costs finite at rest. 0.35 mm of a body of 1.75 m;
/// not tuned.
const MIN_CURVATURE: f64 = 2e-4;

/// The three neighbours that determine a marker best: the triple with the least deviation of distances relative to the
/// height of its triangle. None if every triple is nearly collinear in some frame. All of `by` are known throughout the
/// gap.
pub(super) fn best_triple(
    known: &Markers,
    graph: &MarkerGraph,
    gap: &Gap,
    by: &[usize],
    extent: f64,
) -> Option<[usize; 3]> {
    let by = &by[..by.len().min(CHOICE)];
    let triples =
        (0..by.len()).flat_map(|a| (a + 1..by.len()).flat_map(move |b| (b + 1..by.len()).map(move |c| [a, b, c])));
    let looseness = |triple: [usize; 3]| {
        let flattest = gap.frames.clone().filter_map(|f| corners(known, f, triple)).map(flatness).fold(1.0, f64::min);
        let varies: f64 = triple.iter().map(|&o| deviation(graph, gap.marker, o, 1.0, LEAST_DEVIATION * extent)).sum();
        (flattest >= FLAT).then_some((varies / flattest, triple))
    };
    let usable = triples.map(|t| t.map(|k| by[k])).filter_map(looseness);
    usable.min_by(|a, b| a.0.total_cmp(&b.0)).map(|best| best.1)
}

/// The largest measured error of a marker's distances to its three neighbours, in deviations; at least one.
pub(super) fn worst_deviation(graph: &MarkerGraph, marker: usize, by: [usize; 3], extent: f64) -> f64 {
    let error =
        |other: usize| graph.pair(marker, other).range / deviation(graph, marker, other, 1.0, LEAST_DEVIATION * extent);
    by.into_iter().map(error).fold(1.0, f64::max)
}

fn corners(known: &Markers, frame: usize, by: [usize; 3]) -> Option<[DVec3; 3]> {
    let [a, b, c] = by.map(|other| known.get(frame, other));
    Some([a?, b?, c?])
}

/// A gap of a marker whose distances to three others are known.
pub(super) struct TrilateratedGap<'a> {
    pub known: &'a Markers,
    pub graph: &'a MarkerGraph,
    pub gap: &'a Gap,
    pub by: [usize; 3],
    /// Neighbours that are known throughout the gap.
    pub side_neighbors: &'a [usize],
    pub guesses: &'a [Guess],
    pub variation: f64,
    pub extent: f64,
}

/// The two positions of a frame with their expected errors, and the heights and costs of the sides.
struct Candidates {
    found: [(DVec3, f64); 2],
    sides: SideCosts,
}

impl TrilateratedGap<'_> {
    /// The position in each frame with its expected error.
    pub fn places(&self) -> Vec<(DVec3, f64)> {
        let candidates = self.candidates();
        let sides: Vec<SideCosts> = candidates.iter().map(|c| c.sides).collect();
        let Range { start, end } = self.gap.frames;
        let mut before: Vec<f64> =
            (start.saturating_sub(ANCHORS)..start).rev().map_while(|frame| self.height(frame)).collect();
        before.reverse();
        let last = (end + ANCHORS).min(self.known.frames());
        let after: Vec<f64> = (end..last).map_while(|frame| self.height(frame)).collect();
        let usual = self.usual_curvature() + MIN_CURVATURE * self.extent;
        let take = |(candidates, (side, margin)): (&Candidates, (usize, f64))| {
            let (place, expected) = candidates.found[side];
            let doubt = if margin < DECIDED { place.distance(candidates.found[1 - side].0) } else { 0.0 };
            (place, expected.max(doubt))
        };
        candidates.iter().zip(best_path(&sides, &before, &after, usual)).map(take).collect()
    }

    fn candidates(&self) -> Vec<Candidates> {
        let least = LEAST_DEVIATION * self.extent;
        let distances = DistanceConstraints::new(self.known, self.graph, self.gap, self.variation, least);
        let alike = (CORRELATION_SECONDS * self.known.rate()).max(1.0);
        let marker = self.gap.marker;
        let neighbor = |&other: &usize| {
            let unit = deviation(self.graph, marker, other, self.variation, least).recip();
            (other, self.graph.pair(marker, other).length, unit)
        };
        let neighbors: Vec<(usize, f64, f64)> = self.side_neighbors.iter().take(SIDE_NEIGHBORS).map(neighbor).collect();
        let mut places = vec![None; self.known.count()];
        let both = |(frame, &guess): (usize, &Guess)| {
            distances.others().for_each(|other| places[other] = self.known.get(frame, other));
            let lost = LostMarker { marker, distances: &distances, progress: progress(self.gap, frame), guess };
            let at = corners(self.known, frame, self.by).unwrap_or_default();
            let lengths = self.by.map(|other| distances.length(other, lost.progress));
            let starts = two_places(at, lengths).unwrap_or([guess.place; 2]);
            let found = starts.map(|start| refine(&lost, start, &places));
            let cost = |place: DVec3| {
                let error = |&(other, length, unit): &(usize, f64, f64)| {
                    self.known.get(frame, other).map_or(0.0, |o| ((place.distance(o) - length) * unit).powi(2).ln_1p())
                };
                let far = place.distance_squared(guess.place) / guess.variance.max(f64::MIN_POSITIVE);
                (FREEDOM * (far / FREEDOM).ln_1p() + neighbors.iter().map(error).sum::<f64>()) / alike
            };
            let sides = SideCosts { heights: found.map(|f| height_above(at, f.0)), costs: found.map(|f| cost(f.0)) };
            Candidates { found, sides }
        };
        self.gap.frames.clone().zip(self.guesses).map(both).collect()
    }

    /// The height of the marker above the plane of the three, if all are known.
    fn height(&self, frame: usize) -> Option<f64> {
        Some(height_above(corners(self.known, frame, self.by)?, self.known.get(frame, self.gap.marker)?))
    }

    /// The median second difference of the measured height.
    fn usual_curvature(&self) -> f64 {
        let second_difference =
            |frame: usize| Some((self.height(frame - 1)? - 2.0 * self.height(frame)? + self.height(frame + 1)?).abs());
        let step = self.known.frames().div_ceil(400);
        let frames = (1..self.known.frames().saturating_sub(1)).step_by(step);
        let mut differences: Vec<f64> = frames.filter_map(second_difference).collect();
        differences.sort_by(f64::total_cmp);
        differences.get(differences.len() / 2).copied().unwrap_or(0.0)
    }
}
