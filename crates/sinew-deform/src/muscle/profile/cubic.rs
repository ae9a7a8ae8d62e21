//! Two cubics that meet at a peak \[R18 §4.4.1\].
//!
//! With the peak at p the profile is `h(s/p)` before and `h((1−s)/(1−p))` behind it, `h(t) = 3t² − 2t³`,
//! level at the ends and at the peak. As `∫h² = 9/5 − 2 + 4/7 = 13/35` on both sides, the norm does not
//! depend on the peak.

use super::Radius;
use crate::Result;

/// A profile by its peak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cubic {
    peak: f64,
}

impl Cubic {
    /// The profile whose peak is at a share of the axis.
    pub fn new(peak: f64) -> Result<Self> {
        if !(peak > 0.0 && peak < 1.0) {
            let what = "the peak of a muscle's profile";
            return Err(sinew_geometry::Error::OutOfRange { what, value: peak, range: "between 0 and 1" }.into());
        }
        Ok(Self { peak })
    }

    #[inline]
    pub(super) fn at(&self, s: f64) -> Radius {
        let scale = (35.0f64 / 13.0).sqrt();
        let (t, rate) =
            if s < self.peak { (s / self.peak, self.peak) } else { ((1.0 - s) / (1.0 - self.peak), self.peak - 1.0) };
        Radius { value: scale * t * t * (3.0 - 2.0 * t), slope: scale * 6.0 * t * (1.0 - t) / rate }
    }
}
