//! Profiles after the beta distribution \[R18 eq. 4.4\].
//!
//! ```text
//! φ(α, β; s) = s^(α−1) (1−s)^(β−1) / √B(2α−1, 2β−1)        B(m, n) = (m−1)! (n−1)! / (m+n−1)!
//! ∫ φ(α₀, β₀) φ(α₁, β₁) ds = B(α₀+α₁−1, β₀+β₁−1) / √(B(2α₀−1, 2β₀−1) B(2α₁−1, 2β₁−1))
//! ```
//!
//! α and β are whole numbers from 2 to 9: below, the ends do not close; above, muscles are needles.

use super::Radius;
use crate::Result;

/// A profile by its α, how late it rises, and β, how early it falls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beta {
    alpha: u8,
    beta: u8,
    /// `1/√B(2α−1, 2β−1)`
    scale: f64,
}

impl Beta {
    /// The smallest α or β.
    pub const LEAST: u8 = 2;
    /// The largest.
    pub const MOST: u8 = 9;

    /// The profile of two whole numbers from 2 to 9.
    pub fn new(alpha: u8, beta: u8) -> Result<Self> {
        for (what, value) in [("alpha of a muscle's profile", alpha), ("beta of a muscle's profile", beta)] {
            if !(Self::LEAST..=Self::MOST).contains(&value) {
                return Err(sinew_geometry::Error::OutOfRange {
                    what,
                    value: value.into(),
                    range: "a whole number from 2 to 9",
                }
                .into());
            }
        }
        Ok(Self { alpha, beta, scale: euler(2 * alpha - 1, 2 * beta - 1).sqrt().recip() })
    }

    /// α and β.
    pub fn exponents(&self) -> (u8, u8) {
        (self.alpha, self.beta)
    }

    #[inline]
    pub(super) fn at(&self, s: f64) -> Radius {
        let (a, b) = (i32::from(self.alpha) - 1, i32::from(self.beta) - 1);
        let (from_end, rise, fall) = (1.0 - s, s.powi(a - 1), (1.0 - s).powi(b - 1));
        let body = self.scale * rise * fall;
        Radius { value: body * s * from_end, slope: body * (f64::from(a) * from_end - f64::from(b) * s) }
    }

    pub(super) fn inner(&self, other: &Self) -> f64 {
        euler(self.alpha + other.alpha - 1, self.beta + other.beta - 1) * self.scale * other.scale
    }
}

/// Euler's beta function of two whole numbers, `1/B(m, n) = m C(m+n−1, m)`.
fn euler(m: u8, n: u8) -> f64 {
    let (m, n) = (f64::from(m), f64::from(n));
    let mut binomial = 1.0;
    let mut k = 1.0;
    while k <= m {
        binomial *= (n - 1.0 + k) / k;
        k += 1.0;
    }
    1.0 / (m * binomial)
}
