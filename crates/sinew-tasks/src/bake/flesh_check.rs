//! Frames in which flesh fails: tetrahedra are turned over, or bones are far from their flesh.

use sinew::Stack;
use sinew::deform::flesh::{FleshDeformer, FleshReport};

/// The largest distance between a bone and its flesh that needs no warning, in limb radii: farther away the bone is
/// outside the limb.
const FARTHEST: f64 = 1.0;

/// Counts the frames of a clip in which flesh fails.
#[derive(Debug, Default)]
pub struct FleshCheck {
    frames: usize,
    turned_over: Failures,
    yielding: Failures,
}

/// Frames that fail in one way.
#[derive(Debug, Default)]
struct Failures {
    count: usize,
    /// Seconds and measure of the worst.
    worst: Option<(f64, f64)>,
}

impl FleshCheck {
    /// Includes the last frame of a stack; one without flesh changes nothing.
    pub fn include(&mut self, stack: &Stack, seconds: f64) {
        if let Some(flesh) = stack.get::<FleshDeformer>() {
            self.include_report(&flesh.report(), seconds);
        }
    }

    fn include_report(&mut self, report: &FleshReport, seconds: f64) {
        self.frames += 1;
        if report.smallest_volume <= 0.0 {
            self.turned_over.include(-report.smallest_volume, seconds);
        }
        if report.yielded > FARTHEST {
            self.yielding.include(report.yielded, seconds);
        }
    }

    /// A sentence for each way in which frames failed.
    pub fn warnings(&self) -> Vec<String> {
        let turned_over = self.turned_over.worst.map(|(seconds, _)| {
            let frames = self.turned_over.count;
            format!(
                "flesh is turned over in {frames} of {} frames, worst at {seconds:.2} s: the skin folds through itself there",
                self.frames
            )
        });
        let yielding = self.yielding.worst.map(|(seconds, radii)| {
            let frames = self.yielding.count;
            format!(
                "bones are outside their flesh in {frames} of {} frames, worst at {seconds:.2} s, by {radii:.1} limb radii: \
                 they are driven through other limbs there",
                self.frames
            )
        });
        turned_over.into_iter().chain(yielding).collect()
    }
}

impl Failures {
    fn include(&mut self, measure: f64, seconds: f64) {
        self.count += 1;
        if self.worst.is_none_or(|(_, worst)| measure > worst) {
            self.worst = Some((seconds, measure));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(smallest_volume: f64, yielded: f64) -> FleshReport {
        FleshReport { smallest_volume, yielded, ..FleshReport::default() }
    }

    #[test]
    fn frames_that_fail_are_counted_and_the_worst_is_named() {
        let mut check = FleshCheck::default();
        let frames = [frame(0.3, 0.2), frame(-0.1, 1.0), frame(-0.4, 2.5), frame(0.0, 1.5), frame(0.9, 0.0)];
        frames.iter().zip(0..).for_each(|(report, k)| check.include_report(report, f64::from(k)));
        let warnings = check.warnings();
        assert!(warnings[0].contains("turned over in 3 of 5 frames, worst at 2.00 s"), "{warnings:?}");
        assert!(warnings[1].contains("in 2 of 5 frames, worst at 2.00 s, by 2.5 limb radii"), "{warnings:?}");
    }

    #[test]
    fn frames_that_do_not_fail_need_no_warning() {
        let mut check = FleshCheck::default();
        check.include_report(&frame(1e-3, 1.0), 0.0);
        assert_eq!(check.warnings(), Vec::<String>::new());
    }
}
