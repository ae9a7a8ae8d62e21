//! Round numbers along an axis.

/// Round numbers that divide a range.
pub(crate) struct Ticks {
    first: i64,
    last: i64,
    step: f64,
}

impl Ticks {
    /// About `wanted` numbers between two ends, at a step of 1, 2 or 5 times a power of ten.
    pub fn new(low: f64, high: f64, wanted: usize) -> Self {
        let span = high - low;
        if !span.is_finite() || span <= 0.0 || wanted == 0 {
            return Self { first: 0, last: -1, step: 1.0 };
        }
        let raw = span / wanted as f64;
        let power = 10.0_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= raw * 0.999).unwrap_or(raw);
        let slack = 1e-6;
        let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
        // Far from zero a small range has no distinct round numbers.
        if !(first.abs() < 1e9 && last.abs() < 1e9) {
            return Self { first: 0, last: -1, step: 1.0 };
        }
        Self { first: first as i64, last: last as i64, step }
    }

    /// The numbers from low to high.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        (self.first..=self.last).map(|k| k as f64 * self.step)
    }

    /// A number with as many decimals as the step needs.
    pub fn label(&self, value: f64) -> String {
        if !(1e-4..1e6).contains(&self.step) {
            return format!("{value:.1e}").replace('-', "−");
        }
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{value:.decimals$}").replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        let ticks = Ticks::new(low, high, 5);
        ticks.values().map(|v| ticks.label(v)).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-20.0, 20.0), ["−20", "−10", "0", "10", "20"]);
        assert_eq!(labels(0.013, 0.029), ["0.015", "0.020", "0.025"]);
    }

    #[test]
    fn odd_ranges_have_no_ticks() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (1e15, 1e15 + 1.0)] {
            assert!(labels(low, high).is_empty());
        }
    }
}
