//! The time of a run on a machine that does nothing else.

use std::time::Instant;

/// The best time of a run in milliseconds, over so many seconds of runs.
pub fn best_milliseconds(seconds: f64, mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = f64::MAX;
    while begin.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e3
}
