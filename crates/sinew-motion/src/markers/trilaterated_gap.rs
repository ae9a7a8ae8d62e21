//! A gap of a marker whose distances to three others are known.
//!
//! Its distances to the three leave a place on either side of their plane. Both are brought to all distances that
//! hardly change, and the side is chosen for the whole gap by continuity and by the distances to all neighbours: one that
//! varies with deviation s costs `ln(1 + (Δ/s)²)`, which bounds the influence of a neighbour that
//! moves as it never did before.

use super::lengths::{DistanceConstraints, LostMarker, deviation, progress, refine};
use super::regression::Guess;
use super::side_path::{SideCosts, best_path};
use super::trilateration::{flatness, height_above, two_places};
use super::{Gap, MarkerGraph, Markers};
use glam::DVec3;
use std::ops::Range;

/// The least height of a usable triangle, of its length.
const FLAT: f64 = 0.1;
/// The three are chosen among this many neighbours.
const CHOICE: usize = 6;
/// Neighbours whose distances help to choose the side.
const CLUES: usize = 12;
/// Frames on each side of a gap that continue its path.
const ANCHORS: usize = 3;
/// The correlation time of the neighbours' errors: the costs of the frames within it count as one.
const CORRELATION_SECONDS: f64 = 0.3;
/// The distance of a place from its guess follows a distribution of Student with so many degrees of freedom.
const FREEDOM: f64 = 10.0;
/// A side is decided when the other one costs so much more.
const DECIDED: f64 = 8.0;
/// No distance is known better than this part of the body.
const LEAST_DEVIATION: f64 = 2e-6;
/// Second differences below this part of the body are usual.
const MIN_CURVATURE: f64 = 2e-4;

/// The three of some neighbours, all known through a gap, that determine a marker best: those whose distances vary least for
/// the height of their triangle. None where they are close to a line in some frame.
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
    let holding = triples.map(|t| t.map(|k| by[k])).filter_map(looseness);
    holding.min_by(|a, b| a.0.total_cmp(&b.0)).map(|best| best.1)
}

/// By how many deviations the distances of a marker to the three that hold it were off at most, if by more than one.
pub(super) fn worst_deviation(graph: &MarkerGraph, marker: usize, by: [usize; 3], extent: f64) -> f64 {
    let off =
        |other: usize| graph.pair(marker, other).range / deviation(graph, marker, other, 1.0, LEAST_DEVIATION * extent);
    by.into_iter().map(off).fold(1.0, f64::max)
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
    /// Neighbours that are known all through the gap.
    pub clues: &'a [usize],
    pub guesses: &'a [Guess],
    pub variation: f64,
    pub extent: f64,
}

/// The two places of a frame with their expected errors, and what is said of them.
struct Candidates {
    found: [(DVec3, f64); 2],
    sides: SideCosts,
}

impl TrilateratedGap<'_> {
    /// The place in each frame with the error that is expected.
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
        let clue = |&other: &usize| {
            let unit = deviation(self.graph, marker, other, self.variation, least).recip();
            (other, self.graph.pair(marker, other).length, unit)
        };
        let clues: Vec<(usize, f64, f64)> = self.clues.iter().take(CLUES).map(clue).collect();
        let mut places = vec![None; self.known.count()];
        let both = |(frame, &guess): (usize, &Guess)| {
            distances.others().for_each(|other| places[other] = self.known.get(frame, other));
            let lost = LostMarker { marker, distances: &distances, progress: progress(self.gap, frame), guess };
            let at = corners(self.known, frame, self.by).unwrap_or_default();
            let lengths = self.by.map(|other| distances.length(other, lost.progress));
            let starts = two_places(at, lengths).unwrap_or([guess.place; 2]);
            let found = starts.map(|start| refine(&lost, start, &places));
            let cost = |place: DVec3| {
                let off = |&(other, length, unit): &(usize, f64, f64)| {
                    self.known.get(frame, other).map_or(0.0, |o| ((place.distance(o) - length) * unit).powi(2).ln_1p())
                };
                let far = place.distance_squared(guess.place) / guess.variance.max(f64::MIN_POSITIVE);
                (FREEDOM * (far / FREEDOM).ln_1p() + clues.iter().map(off).sum::<f64>()) / alike
            };
            let sides = SideCosts { heights: found.map(|f| height_above(at, f.0)), costs: found.map(|f| cost(f.0)) };
            Candidates { found, sides }
        };
        self.gap.frames.clone().zip(self.guesses).map(both).collect()
    }

    /// How far the marker is above the plane of the three, where all are known.
    fn height(&self, frame: usize) -> Option<f64> {
        Some(height_above(corners(self.known, frame, self.by)?, self.known.get(frame, self.gap.marker)?))
    }

    /// The second difference of the height that is usual where it is known.
    fn usual_curvature(&self) -> f64 {
        let turn =
            |frame: usize| Some((self.height(frame - 1)? - 2.0 * self.height(frame)? + self.height(frame + 1)?).abs());
        let step = self.known.frames().div_ceil(400);
        let mut turns: Vec<f64> = (1..self.known.frames().saturating_sub(1)).step_by(step).filter_map(turn).collect();
        turns.sort_by(f64::total_cmp);
        turns.get(turns.len() / 2).copied().unwrap_or(0.0)
    }
}
