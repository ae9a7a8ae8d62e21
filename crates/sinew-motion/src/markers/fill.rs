//! Gap filling: the positions of lost markers.
//!
//! 1. Each gap is filled from the neighbours that are visible throughout it. A marker with three rigid neighbours among
//!    them is trilaterated.
//! 2. A gap is filled again if step 1 found the position of a missing neighbour with confidence.
//! 3. All other lost markers are projected, frame by frame, onto near-constant distances.
//!
//! Gaps and frames are independent of each other within a step and run in parallel.

use super::confidence::{confidence_limit, gap_variation, rigid_neighbors};
use super::frame::RigidFrame;
use super::lengths::{DistanceConstraints, LostMarker, progress, project};
use super::neighborhood::Neighborhood;
use super::regression::{Guess, Regression, average};
use super::regression_data::NeighborData;
use super::samples::{Samples, choose};
use super::trilaterated_gap::{TrilateratedGap, best_triple, worst_deviation};
use super::{Gap, MarkerGraph, Markers, find_gaps};
use crate::{Error, Result};
use glam::DVec3;
use sinew_geometry::parallel::*;
use std::ops::Range;

/// A marker moves smoothly among its neighbours: so many positions a second are guessed, the rest are interpolated. It
/// is the rate of most test captures.
const KNOTS_PER_SECOND: f64 = 30.0;
/// The largest confidence of a marker that is not trilaterated: less than one half.
const MAX_GUESS_CONFIDENCE: f64 = 0.49;
/// The least deviation of a distance where guesses decide, of the body's extent: larger ones converge in fewer sweeps.
/// 0.09 mm of a body of 1.75 m; not tuned.
const MIN_DEVIATION: f64 = 5e-5;
/// The measurement error of a marker, of the body's extent. 0.09 mm of a body of 1.75 m; not tuned.
const MEASUREMENT_ERROR: f64 = 5e-5;
/// The least noise of the regression, as a share of the variation. If distances correct the result, a close fit helps;
/// if nothing corrects it, a looser fit has smaller errors in unseen postures. Not tuned.
const CORRECTED_NOISE: f64 = 1e-3;
const UNCORRECTED_NOISE: f64 = 1e-2;

/// A gap that was filled.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledGap {
    /// The marker and the frames.
    pub gap: Gap,
    /// The neighbours at near-constant distance that are visible throughout the gap.
    pub rigid_neighbors: Vec<usize>,
    /// Whether they determine the marker's position, with an expected error of at most 10 mm even if their distances
    /// deviate as much as they ever did. Otherwise the filled positions are a guess.
    pub is_confident: bool,
    /// The expected error of each frame, in the capture's unit.
    pub expected_errors: Vec<f32>,
    /// The confidence of each frame, from 0 to 1: one half where the expected error is 10 mm, and less than one half
    /// wherever the marker is not trilaterated.
    pub confidence: Vec<f32>,
}

/// A capture whose gaps are filled.
#[derive(Debug, Clone, PartialEq)]
pub struct Filling {
    /// The capture. Measured positions are unchanged.
    pub markers: Markers,
    /// Its gaps, marker by marker.
    pub gaps: Vec<FilledGap>,
    /// Markers that were never seen and stay missing.
    pub never_seen: Vec<usize>,
}

/// Fills all gaps of a capture.
pub fn fill(markers: &Markers, graph: &MarkerGraph) -> Result<Filling> {
    if !markers.positions().iter().any(|p| p.is_finite()) {
        return Err(Error::NoMarkers { what: "none is seen in any frame" });
    }
    let mut gaps = find_gaps(markers);
    let is_lost = |gap: &Gap| gap.frames.len() == markers.frames();
    let never_seen = gaps.iter().filter(|gap| is_lost(gap)).map(|gap| gap.marker).collect();
    gaps.retain(|gap| !is_lost(gap));
    let extent = markers.extent();
    let limit = confidence_limit(markers);
    let mut guessed: Vec<GapGuess> = Pass::new(markers, graph, extent).all(&gaps);
    let mut known = markers.clone();
    for (gap, gap_guess) in gaps.iter().zip(&guessed).filter(|(_, gap_guess)| gap_guess.is_confident(limit)) {
        gap_guess.put(gap, &mut known);
    }
    let again = Pass::new(&known, graph, extent);
    let gains = |k: &usize| {
        guessed[*k].trilaterated.is_none() && again.rigid_neighbors(&gaps[*k]).len() > guessed[*k].rigid_neighbors.len()
    };
    let gaining: Vec<usize> = (0..gaps.len()).filter(gains).collect();
    let redone: Vec<GapGuess> = gaining.par_iter().map(|&k| again.guess(&gaps[k])).collect();
    gaining.into_iter().zip(redone).for_each(|(k, gap_guess)| guessed[k] = gap_guess);
    Ok(project_all(markers, graph, &gaps, guessed, extent, never_seen))
}

/// The guessed positions of a gap.
struct GapGuess {
    guesses: Vec<Guess>,
    rigid_neighbors: Vec<usize>,
    /// Positions with expected errors, if the marker is trilaterated.
    trilaterated: Option<Vec<(DVec3, f64)>>,
    /// The largest error of a position, as a multiple of the expected error.
    stretch: f64,
    variation: f64,
}

impl GapGuess {
    fn is_confident(&self, limit: f64) -> bool {
        self.trilaterated.as_ref().is_some_and(|places| places.iter().all(|place| self.stretch * place.1 <= limit))
    }

    /// Puts trilaterated positions into a capture.
    fn put(&self, gap: &Gap, markers: &mut Markers) {
        let places = self.trilaterated.iter().flatten();
        gap.frames.clone().zip(places).for_each(|(frame, place)| markers.set(frame, gap.marker, Some(place.0)));
    }
}

/// One pass over the gaps, from the known markers.
struct Pass<'a> {
    known: &'a Markers,
    graph: &'a MarkerGraph,
    extent: f64,
    /// The largest expected error of a confident position.
    limit: f64,
    /// For each marker, the frames in which it is unknown.
    holes: Vec<Vec<Range<usize>>>,
}

impl<'a> Pass<'a> {
    fn new(known: &'a Markers, graph: &'a MarkerGraph, extent: f64) -> Self {
        let mut holes = vec![Vec::new(); known.count()];
        find_gaps(known).into_iter().for_each(|gap| holes[gap.marker].push(gap.frames));
        Self { known, graph, extent, limit: confidence_limit(known), holes }
    }

    fn all(&self, gaps: &[Gap]) -> Vec<GapGuess> {
        gaps.par_iter().map(|gap| self.guess(gap)).collect()
    }

    /// Whether a marker is known throughout some frames.
    fn through(&self, frames: &Range<usize>, marker: usize) -> bool {
        let holes = &self.holes[marker];
        let next = holes.partition_point(|hole| hole.end <= frames.start);
        holes.get(next).is_none_or(|hole| hole.start >= frames.end)
    }

    /// The number of frames in which a marker is known.
    fn seen(&self, marker: usize) -> usize {
        self.known.frames() - self.holes[marker].iter().map(Range::len).sum::<usize>()
    }

    fn rigid_neighbors(&self, gap: &Gap) -> Vec<usize> {
        let variation = gap_variation(gap, self.seen(gap.marker));
        rigid_neighbors(self.graph, gap, variation, self.extent, |other| self.through(&gap.frames, other))
    }

    fn guess(&self, gap: &Gap) -> GapGuess {
        let known = self.known;
        let rigid_neighbors = self.rigid_neighbors(gap);
        let through = |other: usize| self.through(&gap.frames, other);
        let mut around =
            Neighborhood::choose(self.graph, gap.marker, known.frames(), self.extent, &self.holes, through);
        let Samples { frames, held_out } = choose(&around.usable, &gap.frames);
        around.learn(known, &frames);
        let stride = ((known.rate() / KNOTS_PER_SECOND) as usize).max(1);
        let knots: Vec<usize> = gap.frames.clone().step_by(stride).chain([gap.frames.end - 1]).collect();
        let (graph, extent) = (self.graph, self.extent);
        let by = best_triple(known, graph, gap, &rigid_neighbors, extent);
        let data = NeighborData { known, around: &around, marker: gap.marker, samples: &frames, knots: &knots };
        let measured = MEASUREMENT_ERROR * extent;
        let carried = data.in_rigid_frame(if by.is_some() { CORRECTED_NOISE } else { UNCORRECTED_NOISE });
        let nearby = Regression::new(&carried, measured);
        let mut fitted = nearby.fit(&held_out);
        let is_open = by.is_none() && !fitted.iter().any(|f| f.mean_error() <= self.limit);
        let upright = is_open.then(|| data.in_translating_frame(UNCORRECTED_NOISE));
        let whole = upright.as_ref().map(|view| Regression::new(view, measured));
        fitted.extend(whole.iter().flat_map(|problem| problem.fit(&held_out)));
        let inward = |(guess, frame): (&Guess, &RigidFrame)| Guess { place: frame.inward(guess.place), ..*guess };
        let local: Vec<Guess> = match average(&fitted) {
            Some(guesses) => guesses.iter().zip(&carried.frames).map(inward).collect(),
            None => vec![nearby.mean(); knots.len()],
        };
        let variation = gap_variation(gap, self.seen(gap.marker));
        let guess = |frame: usize| {
            let Guess { place, variance } = between(&knots, &local, frame);
            Guess { place: around.rigid_frame(known, frame).outward(place), variance: variance * variation * variation }
        };
        let guesses: Vec<Guess> = gap.frames.clone().map(guess).collect();
        let trilaterated = by.map(|by| {
            let others: Vec<usize> = graph.neighbors(gap.marker).iter().copied().filter(|&o| through(o)).collect();
            let side_neighbors = &others[..];
            TrilateratedGap { known, graph, gap, by, side_neighbors, guesses: &guesses, variation, extent }.places()
        });
        let stretch = by.map_or(f64::INFINITY, |by| worst_deviation(graph, gap.marker, by, extent));
        GapGuess { guesses, rigid_neighbors, trilaterated, stretch, variation }
    }
}

/// A cubic through the knots on both sides, with the slopes between their neighbours.
fn between(knots: &[usize], guesses: &[Guess], frame: usize) -> Guess {
    let upper = knots.partition_point(|&k| k < frame).max(1).min(knots.len() - 1);
    let lower = upper.saturating_sub(1);
    let (start, end) = (knots[lower] as f64, knots[upper] as f64);
    if end <= start {
        return guesses[upper];
    }
    let slope = |k: usize| {
        let (before, after) = (k.saturating_sub(1), (k + 1).min(knots.len() - 1));
        let apart = knots[after] - knots[before];
        if apart == 0 { DVec3::ZERO } else { (guesses[after].place - guesses[before].place) / apart as f64 }
    };
    let (length, t) = (end - start, (frame as f64 - start) / (end - start));
    let (p, q) = (guesses[lower].place, guesses[upper].place);
    let (u, v) = (slope(lower) * length, slope(upper) * length);
    let place = p + t * u + t * t * (3.0 * (q - p) - 2.0 * u - v) + t * t * t * (2.0 * (p - q) + u + v);
    Guess { place, variance: guesses[lower].variance * (1.0 - t) + guesses[upper].variance * t }
}

/// Projects guesses onto the near-constant distances, frame by frame, and puts them into the capture.
fn project_all(
    markers: &Markers,
    graph: &MarkerGraph,
    gaps: &[Gap],
    guessed: Vec<GapGuess>,
    extent: f64,
    never_seen: Vec<usize>,
) -> Filling {
    let mut filled = markers.clone();
    gaps.iter().zip(&guessed).for_each(|(gap, gap_guess)| gap_guess.put(gap, &mut filled));
    let distances: Vec<DistanceConstraints> = gaps
        .iter()
        .zip(&guessed)
        .map(|(gap, gap_guess)| {
            DistanceConstraints::new(markers, graph, gap, gap_guess.variation, MIN_DEVIATION * extent)
        })
        .collect();
    let mut lost_in = vec![Vec::new(); markers.frames()];
    for (k, gap) in gaps.iter().enumerate().filter(|&(k, _)| guessed[k].trilaterated.is_none()) {
        gap.frames.clone().for_each(|frame| lost_in[frame].push(k));
    }
    let project_frame = |frame: usize| -> Vec<(DVec3, f64)> {
        let lost = |&k: &usize| LostMarker {
            marker: gaps[k].marker,
            distances: &distances[k],
            progress: progress(&gaps[k], frame),
            guess: guessed[k].guesses[frame - gaps[k].frames.start],
        };
        let lost: Vec<LostMarker<'_>> = lost_in[frame].iter().map(lost).collect();
        let mut places: Vec<Option<DVec3>> = (0..markers.count()).map(|marker| filled.get(frame, marker)).collect();
        lost.iter().for_each(|l| places[l.marker] = Some(l.guess.place));
        let errors = project(&lost, &mut places);
        lost.iter().zip(errors).map(|(l, error)| (places[l.marker].unwrap_or(l.guess.place), error)).collect()
    };
    let incomplete: Vec<usize> = (0..markers.frames()).filter(|&frame| !lost_in[frame].is_empty()).collect();
    let places: Vec<Vec<(DVec3, f64)>> = incomplete.par_iter().map(|&frame| project_frame(frame)).collect();
    let expected_error = |place: &(DVec3, f64)| place.1 as f32;
    let mut expected: Vec<Vec<f32>> =
        guessed.iter().map(|gap_guess| gap_guess.trilaterated.iter().flatten().map(expected_error).collect()).collect();
    for (&frame, places) in incomplete.iter().zip(&places) {
        for (&k, &(place, error)) in lost_in[frame].iter().zip(places) {
            filled.set(frame, gaps[k].marker, Some(place));
            expected[k].push(error as f32);
        }
    }
    let limit = confidence_limit(markers);
    let report = |((gap, gap_guess), expected_errors): ((&Gap, GapGuess), Vec<f32>)| {
        let most = if gap_guess.trilaterated.is_some() { 1.0 } else { MAX_GUESS_CONFIDENCE };
        let from_error = |&error: &f32| (most / (1.0 + (f64::from(error) / limit).powi(2))) as f32;
        let confidence = expected_errors.iter().map(from_error).collect();
        let is_confident = gap_guess.is_confident(limit);
        let rigid_neighbors = gap_guess.rigid_neighbors;
        FilledGap { gap: gap.clone(), rigid_neighbors, is_confident, expected_errors, confidence }
    };
    let gaps = gaps.iter().zip(guessed).zip(expected).map(report).collect();
    Filling { markers: filled, gaps, never_seen }
}
