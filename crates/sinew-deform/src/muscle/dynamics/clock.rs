//! The time steps of a frame.
//!
//! Steps have one length, whatever the frame rate, and lie on one grid of time; a frame takes those that
//! have come since the frame before, and what remains up to its own time is one shorter step that is shown
//! and then taken back. So a motion is the same at any frame rate, but for how well the frames sample it.

/// The length of a step in seconds.
pub(super) const STEP: f64 = 1.0 / 300.0;

/// A frame that lasts longer is simulated for this many seconds, by when anything has come to rest.
const MAX_FRAME_SECONDS: f64 = 1.0;

/// Steps closer to a frame than this share of a step are at the frame.
const STEP_TOLERANCE: f64 = 1e-6;

/// The parameters of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub seconds: f64,
    /// The share of the way between the frames at its end.
    pub share: f64,
    /// The share of its velocity that a particle keeps, `e^(−ch)`.
    pub velocity_factor: f64,
    /// R18's η.
    pub friction: f64,
}

/// How long ago the last step of the grid was at the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Clock {
    remainder: f64,
}

/// The steps of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Steps {
    /// How many there are.
    pub count: usize,
    /// The share of the way between the frames at the first of them.
    first: f64,
    /// The increment of a step.
    each: f64,
    /// The length of the shorter step at the end in seconds; zero for none.
    pub rest: f64,
}

impl Steps {
    /// The share of the way between the frames at a step, counted from zero.
    pub fn share(&self, step: usize) -> f64 {
        self.first + self.each * step as f64
    }
}

impl Clock {
    /// The steps of the next frame.
    pub fn frame(&mut self, seconds: f64) -> Steps {
        let passed = self.remainder + seconds;
        let all = (passed / STEP + STEP_TOLERANCE).floor();
        let rest = passed - all * STEP;
        let rest = if rest > STEP_TOLERANCE * STEP { rest } else { 0.0 };
        let count = all.min(MAX_FRAME_SECONDS / STEP);
        let first = ((all - count + 1.0) * STEP - self.remainder) / seconds;
        self.remainder = rest;
        Steps { count: count as usize, first, each: STEP / seconds, rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lie_on_one_grid_whatever_the_frame_rate() {
        for fps in [1.0, 24.0, 30.0, 60.0, 90.0, 120.0, 1000.0] {
            let (mut clock, mut steps) = (Clock::default(), 0);
            for frame in 0..(3.0 * fps) as usize {
                let taken = clock.frame(1.0 / fps);
                for k in 0..taken.count {
                    steps += 1;
                    let time = (frame as f64 + taken.share(k)) / fps;
                    assert!((time - steps as f64 * STEP).abs() < 1e-9, "{fps}: {time}");
                    assert!(taken.share(k) > -1e-4 && taken.share(k) < 1.0001);
                }
                assert!(taken.rest >= 0.0 && taken.rest < STEP);
            }
            assert!((f64::from(steps) - 900.0).abs() <= 1.0, "{fps}: {steps}");
        }
    }

    #[test]
    fn a_long_pause_is_simulated_for_its_end() {
        let steps = Clock::default().frame(1e6);
        assert_eq!(steps.count, 300);
        assert!((steps.share(299) - 1.0).abs() < 1e-6);
    }
}
