//! The profile of a muscle: its radius along its axis.
//!
//! A profile Φ(s), s from 0 at the origin to 1 at the insertion, is zero at both ends and has unit norm,
//!
//! ```text
//! ∫₀¹ Φ² ds = 1
//! ```
//!
//! so that a muscle of width w on a straight axis of length l has the volume π w² l, whatever the profile
//! \[R18 §4.3\]. The families are those of \[R18 §4.3.2, §4.4\]: [`Beta`], [`Cubic`], [`Bump`] and
//! [`SineSeries`], of which the plain sine is the first term. A [`ProfilePair`] goes from a relaxed to an
//! active profile and stays on the unit sphere.

mod beta;
mod bump;
mod cubic;
mod pair;
mod quadrature;
mod series;

pub use beta::Beta;
pub use bump::Bump;
pub use cubic::Cubic;
pub use pair::{Activated, ProfilePair};
pub(super) use quadrature::integral;
pub use series::{MAX_HARMONICS, SineSeries};

/// A value and its derivative along the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radius {
    /// Φ.
    pub value: f64,
    /// dΦ/ds.
    pub slope: f64,
}

/// A profile of unit norm.
#[derive(Debug, Clone, PartialEq)]
pub enum Profile {
    /// `s^(α−1) (1−s)^(β−1)`, the family that muscles are made of.
    Beta(Beta),
    /// Two cubics that meet at a peak.
    Cubic(Cubic),
    /// An infinitely smooth, symmetric bump.
    Bump(Bump),
    /// A sum of sines, as a sketch gives it.
    Series(SineSeries),
}

impl Profile {
    /// Φ and its slope at a place from 0 to 1; nothing beyond.
    #[inline]
    pub fn at(&self, s: f64) -> Radius {
        if !(0.0..=1.0).contains(&s) {
            return Radius { value: 0.0, slope: 0.0 };
        }
        match self {
            Self::Beta(profile) => profile.at(s),
            Self::Cubic(profile) => profile.at(s),
            Self::Bump(profile) => profile.at(s),
            Self::Series(profile) => profile.at(s),
        }
    }

    /// `∫ Φ Ψ ds`, from −1 to 1: in closed form between two of the beta family and between two series, by
    /// quadrature otherwise.
    pub fn inner(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Beta(a), Self::Beta(b)) => a.inner(b),
            (Self::Series(a), Self::Series(b)) => a.inner(b),
            _ => integral(|s| self.at(s).value * other.at(s).value),
        }
    }
}

/// The number of a range that is nearest to a value; the lowest for NaN.
pub(super) fn within(value: f64, low: f64, high: f64) -> f64 {
    if value >= low { value.min(high) } else { low }
}

impl From<Beta> for Profile {
    fn from(profile: Beta) -> Self {
        Self::Beta(profile)
    }
}

impl From<Cubic> for Profile {
    fn from(profile: Cubic) -> Self {
        Self::Cubic(profile)
    }
}

impl From<Bump> for Profile {
    fn from(profile: Bump) -> Self {
        Self::Bump(profile)
    }
}

impl From<SineSeries> for Profile {
    fn from(profile: SineSeries) -> Self {
        Self::Series(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all() -> Vec<Profile> {
        let mut all: Vec<Profile> =
            (2..=9).flat_map(|a| (2..=9).map(move |b| Beta::new(a, b).unwrap().into())).collect();
        all.extend([0.1, 0.35, 0.5, 0.8].map(|peak| Cubic::new(peak).unwrap().into()));
        all.push(Bump.into());
        all.push(SineSeries::sine().into());
        all.push(SineSeries::new(&[3.0, -0.7, 0.4, 0.0, 0.1]).unwrap().into());
        all
    }

    #[test]
    fn every_profile_has_unit_norm_and_ends_at_nothing() {
        for profile in all() {
            let norm = integral(|s| profile.at(s).value.powi(2));
            assert!((norm - 1.0).abs() < 1e-9, "{profile:?}: {norm}");
            for end in [0.0, 1.0, -0.1, 1.1] {
                assert!(profile.at(end).value.abs() < 1e-12, "{profile:?} at {end}");
            }
        }
    }

    #[test]
    fn inner_products_in_closed_form_are_those_of_quadrature() {
        for a in all() {
            for b in all() {
                let by_quadrature = integral(|s| a.at(s).value * b.at(s).value);
                assert!((a.inner(&b) - by_quadrature).abs() < 1e-9, "{a:?} {b:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn slopes_are_derivatives(s in 0.01..0.99f64) {
            let step = 1e-6;
            for profile in all() {
                let difference = (profile.at(s + step).value - profile.at(s - step).value) / (2.0 * step);
                prop_assert!((profile.at(s).slope - difference).abs() < 1e-4, "{:?} at {}", profile, s);
            }
        }
    }
}
