//! Matching of a query against all windows of a motion.
//!
//! The distance d of two parts is the mean distance of each window from the nearest window of the other part, averaged
//! over both directions; the distance of two windows is a root mean square. With the alignment a of their principal
//! directions ([`Directions`]), the score is
//!
//! `exp(-d / 0.1) √a`,
//!
//! 1 for the same motion and 0 for an unrelated one. The nearest window may be anywhere, so speed, phase and the number
//! of steps matter little. A query is compared as it is and with left and right exchanged; the higher score counts. In
//! a motion longer than the query, every part of the query's length is compared.

use super::directions::Directions;
use super::distances::squared_distances;
use super::landmarks::PAIRS;
use super::motion::{HOP_SECONDS, Motion, MotionPart, WINDOW_SECONDS};
use std::collections::VecDeque;
use std::ops::Range;

/// The distance, as a share of the path lengths along the body, at which a score is 1/e. Not tuned; with it the mean
/// average precision on the labelled motions of CMU is 0.98.
const SCALE: f64 = 0.1;
/// The most candidates in one motion. Not tuned.
const PARTS: usize = 4;

/// A motion to search for, as it is and mirrored.
#[derive(Debug)]
pub struct Query {
    sides: [(Motion, Directions); 2],
}

/// A part of a motion that is similar to the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Its windows.
    pub windows: Range<usize>,
    /// From 0 to 1.
    pub score: f64,
}

impl Match {
    /// Its start and end in seconds from the start of the motion.
    pub fn seconds(&self) -> (f64, f64) {
        let start = |window: usize| window as f64 * HOP_SECONDS;
        (start(self.windows.start), start(self.windows.end.saturating_sub(1)) + WINDOW_SECONDS)
    }
}

/// A part whose windows are near those of the query, before its directions are compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    side: usize,
    start: usize,
    length: usize,
    distance: f64,
}

impl Candidate {
    /// An upper bound of its score, as no alignment is above 1.
    pub fn bound(&self) -> f64 {
        (-self.distance / SCALE).exp()
    }
}

impl Query {
    /// Prepares a motion for a search.
    pub fn new(motion: Motion) -> Self {
        let mirrored = motion.mirrored();
        Self {
            sides: [motion, mirrored].map(|motion| {
                let directions = Directions::of(motion.whole());
                (motion, directions)
            }),
        }
    }

    /// The motion as it is and mirrored.
    pub fn sides(&self) -> [MotionPart<'_>; 2] {
        [&self.sides[0], &self.sides[1]].map(|(motion, _)| motion.whole())
    }

    /// The parts of a motion that are most similar to the query, the best first; no two overlap by more than half.
    pub fn find(&self, motion: MotionPart<'_>) -> Vec<Match> {
        let candidates = self.candidates(motion);
        let mut matches: Vec<Match> = candidates.into_iter().map(|candidate| self.score(candidate, motion)).collect();
        matches.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.windows.start.cmp(&b.windows.start)));
        matches
    }

    /// The score of the part that is most similar to the query.
    pub fn best(&self, motion: MotionPart<'_>) -> f64 {
        self.find(motion).first().map_or(0.0, |best| best.score)
    }

    /// The nearest parts of a motion by their windows alone.
    pub(super) fn candidates(&self, motion: MotionPart<'_>) -> Vec<Candidate> {
        let length = self.sides()[0].len().min(motion.len());
        if length == 0 {
            return Vec::new();
        }
        let by_side = self.sides().map(|side| part_distances(side, motion, length));
        let side = |start: usize| usize::from(by_side[1][start] < by_side[0][start]);
        let parts = (0..by_side[0].len()).map(|start| {
            let side = side(start);
            Candidate { side, start, length, distance: by_side[side][start] }
        });
        non_overlapping(parts.collect())
    }

    pub(super) fn score(&self, candidate: Candidate, motion: MotionPart<'_>) -> Match {
        let windows = candidate.start..candidate.start + candidate.length;
        let alignment = self.sides[candidate.side].1.alignment(&Directions::of(motion.part(windows.clone())));
        Match { windows, score: candidate.bound() * alignment.sqrt() }
    }
}

/// The distance from the query of every part of a length, by the part's first window.
fn part_distances(query: MotionPart<'_>, motion: MotionPart<'_>, length: usize) -> Vec<f64> {
    let (queries, targets) = (query.len(), motion.len());
    let squares = squared_distances(query.windows, motion.windows);
    let distances: Vec<f64> = squares.iter().map(|&square| (f64::from(square) / PAIRS as f64).sqrt()).collect();
    let parts = targets + 1 - length;
    let mut sums = vec![0.0; parts];
    // From the query's windows to the nearest of the part.
    for query in 0..queries {
        let column = (0..targets).map(|target| distances[target * queries + query]);
        let nearest = sliding_minima(column, length);
        sums.iter_mut().zip(nearest).for_each(|(sum, nearest)| *sum += nearest / queries as f64);
    }
    // From the part's windows to the nearest of the query.
    let nearest: Vec<f64> =
        distances.chunks_exact(queries).map(|row| row.iter().copied().fold(f64::INFINITY, f64::min)).collect();
    for (sum, part) in sums.iter_mut().zip(nearest.windows(length)) {
        *sum = 0.5 * (*sum + part.iter().sum::<f64>() / length as f64);
    }
    sums
}

/// The minimum of every `length` consecutive values.
fn sliding_minima(values: impl Iterator<Item = f64>, length: usize) -> Vec<f64> {
    let mut minima = Vec::new();
    let mut rising: VecDeque<(usize, f64)> = VecDeque::new();
    for (k, value) in values.enumerate() {
        while rising.back().is_some_and(|&(_, last)| last >= value) {
            rising.pop_back();
        }
        rising.push_back((k, value));
        if rising[0].0 + length <= k {
            rising.pop_front();
        }
        if k + 1 >= length {
            minima.push(rising[0].1);
        }
    }
    minima
}

/// The nearest parts, each at least half its length from all nearer ones.
fn non_overlapping(mut parts: Vec<Candidate>) -> Vec<Candidate> {
    parts.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.start.cmp(&b.start)));
    let mut chosen: Vec<Candidate> = Vec::new();
    for part in parts {
        if chosen.len() == PARTS {
            break;
        }
        if chosen.iter().all(|other| 2 * part.start.abs_diff(other.start) >= part.length) {
            chosen.push(part);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_slide() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        for length in 1..=values.len() {
            let expected: Vec<f64> =
                values.windows(length).map(|w| w.iter().copied().fold(f64::INFINITY, f64::min)).collect();
            assert_eq!(sliding_minima(values.into_iter(), length), expected);
        }
    }
}
