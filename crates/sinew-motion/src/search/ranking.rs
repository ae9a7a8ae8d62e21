//! A ranking of matches in many motions.
//!
//! Distances of windows bound the scores and are cheaper than directions. So parts are scored from the nearest on,
//! until no other part can be among the best. The result is exact.

use super::matching::{Candidate, Match, Query};
use super::motion::MotionPart;
use sinew_geometry::parallel::*;

/// Parts that are scored between two checks of the bound. A granularity, without effect on results.
const BATCH: usize = 32;

impl Query {
    /// The `count` best matches in some motions, each with the index of its motion.
    pub fn find_best(&self, motions: &[MotionPart<'_>], count: usize) -> Vec<(usize, Match)> {
        let mut candidates: Vec<(usize, Candidate)> = motions
            .par_iter()
            .enumerate()
            .flat_map_iter(|(k, &motion)| self.candidates(motion).into_iter().map(move |candidate| (k, candidate)))
            .collect();
        // A stable sort preserves the order of equal candidates.
        candidates.sort_by(|(_, a), (_, b)| b.bound().total_cmp(&a.bound()));
        let mut best: Vec<(usize, Match)> = Vec::new();
        for batch in candidates.chunks(BATCH) {
            let least = best.get(count.wrapping_sub(1)).map_or(f64::NEG_INFINITY, |(_, last)| last.score);
            if count == 0 || batch[0].1.bound() <= least {
                break;
            }
            best.par_extend(batch.par_iter().map(|&(k, candidate)| (k, self.score(candidate, motions[k]))));
            best.sort_by(|(i, a), (j, b)| {
                b.score.total_cmp(&a.score).then((i, a.windows.start).cmp(&(j, b.windows.start)))
            });
            best.truncate(count);
        }
        best
    }
}
