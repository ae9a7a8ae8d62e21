//! Gap filling: the positions of markers while they are lost.
//!
//! 1. Every gap for itself, from the neighbours that were seen all through it; a marker that three of them hold is
//!    brought to their distances.
//! 2. Gaps that lacked a neighbour which step 1 brought back for sure, once more.
//! 3. Frame by frame, all other lost markers are brought to the distances that hardly change.
//!
//! Gaps and frames are independent of each other within a step and are worked on in parallel.

use super::doubt::{caution, doubtful, holding};
use super::frame::RigidFrame;
use super::held::{HeldGap, hold, stretch};
use super::lengths::{Lost, Ties, passed, settle};
use super::neighborhood::Neighborhood;
use super::regression::{Guess, Regression, average};
use super::samples::{Samples, choose};
use super::views::Told;
use super::{Gap, MarkerGraph, Markers, find_gaps};
use crate::{Error, Result};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// A marker moves smoothly among its neighbours: so many places a second are guessed, the rest are between.
const KNOTS_PER_SECOND: f64 = 30.0;
/// The most that a marker is trusted which nothing holds in place.
const NOT_HELD: f64 = 0.49;
/// Where guesses decide, distances give way to this part of the body, so that places settle in few turns.
const LOOSE: f64 = 5e-5;
/// Markers are measured to this part of the body.
const MEASURED: f64 = 5e-5;
/// The least noise of what is learnt, as a part of what varies. Where distances decide in the end, all that is learnt
/// helps; where nothing corrects it, it is better to learn less and be less far off in postures never seen.
const EXACT: f64 = 1e-3;
const NOISY: f64 = 1e-2;

/// A gap that was filled.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledGap {
    /// Where.
    pub gap: Gap,
    /// The neighbours at near-constant distance that were there all the time.
    pub held_by: Vec<usize>,
    /// Whether they hold the marker in place and it is expected within 10 mm even if their distances are as far off as
    /// they ever were; otherwise what was filled is a guess.
    pub is_confident: bool,
    /// How far off each frame is expected to be, in the capture's unit.
    pub expected_errors: Vec<f32>,
    /// How far each frame can be trusted, from 0 to 1: one half where 10 mm are expected, and less than that wherever
    /// the marker is not held in place.
    pub confidence: Vec<f32>,
}

/// A capture whose gaps are filled.
#[derive(Debug, Clone, PartialEq)]
pub struct Filling {
    /// The capture. What was seen is as it was.
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
    let limit = doubtful(markers);
    let mut works: Vec<Work> = Pass::new(markers, graph, extent).all(&gaps);
    let mut known = markers.clone();
    for (gap, work) in gaps.iter().zip(&works).filter(|(_, work)| work.is_sure(limit)) {
        work.put(gap, &mut known);
    }
    let again = Pass::new(&known, graph, extent);
    let gains = |k: &usize| works[*k].held.is_none() && again.holding(&gaps[*k]).len() > works[*k].held_by.len();
    let gaining: Vec<usize> = (0..gaps.len()).filter(gains).collect();
    let redone: Vec<Work> = gaining.par_iter().map(|&k| again.guess(&gaps[k])).collect();
    gaining.into_iter().zip(redone).for_each(|(k, work)| works[k] = work);
    Ok(settled(markers, graph, &gaps, works, extent, never_seen))
}

/// What is guessed for a gap.
struct Work {
    guesses: Vec<Guess>,
    held_by: Vec<usize>,
    /// Places with expected errors, if three neighbours hold the marker.
    held: Option<Vec<(DVec3, f64)>>,
    /// By how many times the expected error a place may be off.
    stretch: f64,
    caution: f64,
}

impl Work {
    fn is_sure(&self, limit: f64) -> bool {
        self.held.as_ref().is_some_and(|places| places.iter().all(|place| self.stretch * place.1 <= limit))
    }

    /// Puts the places of a marker that is held into a capture.
    fn put(&self, gap: &Gap, markers: &mut Markers) {
        let places = self.held.iter().flatten();
        gap.frames.clone().zip(places).for_each(|(frame, place)| markers.set(frame, gap.marker, Some(place.0)));
    }
}

/// Guessing gaps from what is known.
struct Pass<'a> {
    known: &'a Markers,
    graph: &'a MarkerGraph,
    extent: f64,
    /// The error from which on a place is doubtful.
    limit: f64,
    /// For each marker, when it is not known.
    holes: Vec<Vec<Range<usize>>>,
}

impl<'a> Pass<'a> {
    fn new(known: &'a Markers, graph: &'a MarkerGraph, extent: f64) -> Self {
        let mut holes = vec![Vec::new(); known.count()];
        find_gaps(known).into_iter().for_each(|gap| holes[gap.marker].push(gap.frames));
        Self { known, graph, extent, limit: doubtful(known), holes }
    }

    fn all(&self, gaps: &[Gap]) -> Vec<Work> {
        gaps.par_iter().map(|gap| self.guess(gap)).collect()
    }

    /// Whether a marker is known in all of some frames.
    fn through(&self, frames: &Range<usize>, marker: usize) -> bool {
        let holes = &self.holes[marker];
        let next = holes.partition_point(|hole| hole.end <= frames.start);
        holes.get(next).is_none_or(|hole| hole.start >= frames.end)
    }

    /// In how many frames a marker is known.
    fn seen(&self, marker: usize) -> usize {
        self.known.frames() - self.holes[marker].iter().map(Range::len).sum::<usize>()
    }

    fn holding(&self, gap: &Gap) -> Vec<usize> {
        let caution = caution(gap, self.seen(gap.marker));
        holding(self.graph, gap, caution, self.extent, |other| self.through(&gap.frames, other))
    }

    fn guess(&self, gap: &Gap) -> Work {
        let known = self.known;
        let held_by = self.holding(gap);
        let through = |other: usize| self.through(&gap.frames, other);
        let mut around =
            Neighborhood::choose(self.graph, gap.marker, known.frames(), self.extent, &self.holes, through);
        let Samples { frames, held_out } = choose(&around.usable, &gap.frames);
        around.learn(known, &frames);
        let stride = ((known.rate() / KNOTS_PER_SECOND) as usize).max(1);
        let knots: Vec<usize> = gap.frames.clone().step_by(stride).chain([gap.frames.end - 1]).collect();
        let (graph, extent) = (self.graph, self.extent);
        let by = hold(known, graph, gap, &held_by, extent);
        let told = Told { known, around: &around, marker: gap.marker, samples: &frames, knots: &knots };
        let measured = MEASURED * extent;
        let carried = told.carried(if by.is_some() { EXACT } else { NOISY });
        let nearby = Regression::new(&carried, measured);
        let mut fitted = nearby.fit(&held_out);
        let is_open = by.is_none() && !fitted.iter().any(|f| f.mean_error() <= self.limit);
        let upright = is_open.then(|| told.upright(NOISY));
        let whole = upright.as_ref().map(|view| Regression::new(view, measured));
        fitted.extend(whole.iter().flat_map(|problem| problem.fit(&held_out)));
        let inward = |(guess, frame): (&Guess, &RigidFrame)| Guess { place: frame.inward(guess.place), ..*guess };
        let local: Vec<Guess> = match average(&fitted) {
            Some(guesses) => guesses.iter().zip(&carried.frames).map(inward).collect(),
            None => vec![nearby.mean(); knots.len()],
        };
        let caution = caution(gap, self.seen(gap.marker));
        let guess = |frame: usize| {
            let Guess { place, variance } = between(&knots, &local, frame);
            Guess { place: around.frame(known, frame).outward(place), variance: variance * caution * caution }
        };
        let guesses: Vec<Guess> = gap.frames.clone().map(guess).collect();
        let held = by.map(|by| {
            let clues: Vec<usize> = graph.neighbors(gap.marker).iter().copied().filter(|&o| through(o)).collect();
            HeldGap { known, graph, gap, by, clues: &clues, guesses: &guesses, caution, extent }.places()
        });
        let stretch = by.map_or(f64::INFINITY, |by| stretch(graph, gap.marker, by, extent));
        Work { guesses, held_by, held, stretch, caution }
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

/// Brings guesses to the distances that hold, frame by frame, and puts them into the capture.
fn settled(
    markers: &Markers,
    graph: &MarkerGraph,
    gaps: &[Gap],
    works: Vec<Work>,
    extent: f64,
    never_seen: Vec<usize>,
) -> Filling {
    let mut filled = markers.clone();
    gaps.iter().zip(&works).for_each(|(gap, work)| work.put(gap, &mut filled));
    let ties: Vec<Ties> = gaps
        .iter()
        .zip(&works)
        .map(|(gap, work)| Ties::new(markers, graph, gap, work.caution, LOOSE * extent))
        .collect();
    let mut lost_in = vec![Vec::new(); markers.frames()];
    for (k, gap) in gaps.iter().enumerate().filter(|&(k, _)| works[k].held.is_none()) {
        gap.frames.clone().for_each(|frame| lost_in[frame].push(k));
    }
    let settle_frame = |frame: usize| -> Vec<(DVec3, f64)> {
        let lost = |&k: &usize| Lost {
            marker: gaps[k].marker,
            ties: &ties[k],
            passed: passed(&gaps[k], frame),
            guess: works[k].guesses[frame - gaps[k].frames.start],
        };
        let lost: Vec<Lost<'_>> = lost_in[frame].iter().map(lost).collect();
        let mut places: Vec<Option<DVec3>> = (0..markers.count()).map(|marker| filled.get(frame, marker)).collect();
        lost.iter().for_each(|l| places[l.marker] = Some(l.guess.place));
        let errors = settle(&lost, &mut places);
        lost.iter().zip(errors).map(|(l, error)| (places[l.marker].unwrap_or(l.guess.place), error)).collect()
    };
    let incomplete: Vec<usize> = (0..markers.frames()).filter(|&frame| !lost_in[frame].is_empty()).collect();
    let places: Vec<Vec<(DVec3, f64)>> = incomplete.par_iter().map(|&frame| settle_frame(frame)).collect();
    let held_error = |place: &(DVec3, f64)| place.1 as f32;
    let mut expected: Vec<Vec<f32>> =
        works.iter().map(|work| work.held.iter().flatten().map(held_error).collect()).collect();
    for (&frame, places) in incomplete.iter().zip(&places) {
        for (&k, &(place, error)) in lost_in[frame].iter().zip(places) {
            filled.set(frame, gaps[k].marker, Some(place));
            expected[k].push(error as f32);
        }
    }
    let limit = doubtful(markers);
    let report = |((gap, work), expected_errors): ((&Gap, Work), Vec<f32>)| {
        let most = if work.held.is_some() { 1.0 } else { NOT_HELD };
        let trust = |&error: &f32| (most / (1.0 + (f64::from(error) / limit).powi(2))) as f32;
        let confidence = expected_errors.iter().map(trust).collect();
        let is_confident = work.is_sure(limit);
        FilledGap { gap: gap.clone(), held_by: work.held_by, is_confident, expected_errors, confidence }
    };
    let gaps = gaps.iter().zip(works).zip(expected).map(report).collect();
    Filling { markers: filled, gaps, never_seen }
}
