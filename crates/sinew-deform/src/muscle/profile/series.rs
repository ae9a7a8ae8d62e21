//! Profiles as sums of sines, which fit any outline \[R18 §4.4.2\].
//!
//! ```text
//! Φ(s) = Σ cᵢ sin(iπs)        ∫Φ² ds = ½ Σ cᵢ²
//! ```
//!
//! The sines are orthogonal with norm ½, which gives the second formula, in place of the one that is
//! printed there. Sums run by C. W. Clenshaw's recurrence, with one sine and one cosine in all.

use super::Radius;
use crate::Result;
use std::f64::consts::{PI, SQRT_2};

/// The most terms that a series has.
pub const MAX_HARMONICS: usize = 32;

/// A sum of sines of unit norm.
#[derive(Debug, Clone, PartialEq)]
pub struct SineSeries {
    coefficients: Box<[f64]>,
}

impl SineSeries {
    /// The series of coefficients that are scaled to unit norm; up to [`MAX_HARMONICS`] of them.
    pub fn new(coefficients: &[f64]) -> Result<Self> {
        let norm = (0.5 * coefficients.iter().map(|c| c * c).sum::<f64>()).sqrt();
        let what = "the norm of a muscle's profile";
        if !(norm.is_finite() && norm > 0.0) {
            return Err(sinew_geometry::Error::OutOfRange { what, value: norm, range: "finite and above 0" }.into());
        }
        if coefficients.len() > MAX_HARMONICS {
            let what = "the number of harmonics of a muscle's profile";
            return Err(
                sinew_geometry::Error::OutOfRange { what, value: coefficients.len() as f64, range: "1 to 32" }.into()
            );
        }
        Ok(Self { coefficients: coefficients.iter().map(|c| c / norm).collect() })
    }

    /// `√2 sin(πs)`.
    pub fn sine() -> Self {
        Self { coefficients: [SQRT_2].into() }
    }

    /// The coefficients cᵢ, the fundamental first.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    #[inline]
    pub(super) fn at(&self, s: f64) -> Radius {
        let (sine, cosine) = (PI * s).sin_cos();
        let twice = 2.0 * cosine;
        // Of the sines, and of the cosines that are their derivatives.
        let (mut value, mut slope) = ([0.0; 2], [0.0; 2]);
        for (k, c) in self.coefficients.iter().enumerate().rev() {
            value = [c + twice * value[0] - value[1], value[0]];
            slope = [c * (k + 1) as f64 + twice * slope[0] - slope[1], slope[0]];
        }
        Radius { value: value[0] * sine, slope: PI * (slope[0] * cosine - slope[1]) }
    }

    pub(super) fn inner(&self, other: &Self) -> f64 {
        0.5 * self.coefficients.iter().zip(&other.coefficients).map(|(a, b)| a * b).sum::<f64>()
    }
}
