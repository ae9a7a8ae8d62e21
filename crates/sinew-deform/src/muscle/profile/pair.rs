//! The profiles of a muscle, relaxed and active.
//!
//! Between the relaxed and the active profile runs a straight line in the space of functions, which is
//! brought back to unit norm \[R18 §4.3.2\]: with the activation a
//!
//! ```text
//! Φₐ = ((1−a) Φ₀ + a Φ₁) / √F(a)        F(a) = (1−a)² + a² + 2a(1−a) ∫Φ₀Φ₁ ds
//! ```
//!
//! The integral is found once, so that any activation costs one square root.

use super::{Profile, Radius, within};
use crate::Result;

/// The profiles of a muscle without and with full activation.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfilePair {
    relaxed: Profile,
    active: Profile,
    /// `∫Φ₀Φ₁ ds`
    inner: f64,
}

/// A pair of profiles at an activation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activated {
    /// `(1−a)/√F`
    relaxed: f64,
    /// `a/√F`
    active: f64,
}

/// Places at which a profile is tried for its maximum.
const PLACES: usize = 64;

impl ProfilePair {
    /// A pair. Two profiles that are nearly opposite have nothing between them, and are refused.
    pub fn new(relaxed: impl Into<Profile>, active: impl Into<Profile>) -> Result<Self> {
        let (relaxed, active) = (relaxed.into(), active.into());
        let inner = relaxed.inner(&active);
        if inner < 0.0 {
            let what = "the overlap of a muscle's relaxed and active profile";
            return Err(sinew_geometry::Error::OutOfRange { what, value: inner, range: "at least 0" }.into());
        }
        Ok(Self { relaxed, active, inner })
    }

    /// The same profile whatever the activation.
    pub fn constant(profile: impl Into<Profile>) -> Self {
        let profile = profile.into();
        Self { relaxed: profile.clone(), active: profile, inner: 1.0 }
    }

    /// The relaxed profile.
    pub fn relaxed(&self) -> &Profile {
        &self.relaxed
    }

    /// The active profile.
    pub fn active(&self) -> &Profile {
        &self.active
    }

    /// `F(a)`, the squared norm of the straight line.
    pub fn norm_squared(&self, activation: f64) -> f64 {
        let rest = 1.0 - activation;
        rest * rest + activation * activation + 2.0 * activation * rest * self.inner
    }

    /// The weights of the two at an activation, which is clamped to 0 to 1.
    pub fn activated(&self, activation: f64) -> Activated {
        let activation = within(activation, 0.0, 1.0);
        let norm = self.norm_squared(activation).sqrt();
        Activated { relaxed: (1.0 - activation) / norm, active: activation / norm }
    }

    /// Φₐ and its slope at a place.
    #[inline]
    pub fn at(&self, activated: Activated, s: f64) -> Radius {
        let mut radius = Radius { value: 0.0, slope: 0.0 };
        for (weight, profile) in [(activated.relaxed, &self.relaxed), (activated.active, &self.active)] {
            if weight > 0.0 {
                let of_profile = profile.at(s);
                radius.value += weight * of_profile.value;
                radius.slope += weight * of_profile.slope;
            }
        }
        radius
    }

    /// The largest value of Φₐ: the best of many places, bettered by the parabola through its neighbours.
    pub fn largest(&self, activated: Activated) -> f64 {
        let value = |k: usize| self.at(activated, k as f64 / PLACES as f64).value;
        let best = (1..PLACES).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(PLACES / 2);
        let (before, peak, after) = (value(best - 1), value(best), value(best + 1));
        let (tilt, bend) = (after - before, before - 2.0 * peak + after);
        if bend < 0.0 { peak - tilt * tilt / (8.0 * bend) } else { peak }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Beta, Bump, Cubic, SineSeries, integral};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_closed_form_keeps_the_norm(
            (a0, b0, a1, b1) in (2u8..=9, 2u8..=9, 2u8..=9, 2u8..=9),
            activation in 0.0..=1.0f64,
        ) {
            let pair = ProfilePair::new(Beta::new(a0, b0).unwrap(), Beta::new(a1, b1).unwrap()).unwrap();
            let line = |s: f64| (1.0 - activation) * pair.relaxed().at(s).value + activation * pair.active().at(s).value;
            prop_assert!((pair.norm_squared(activation) - integral(|s| line(s).powi(2))).abs() < 1e-9);
            let activated = pair.activated(activation);
            prop_assert!((integral(|s| pair.at(activated, s).value.powi(2)) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn profiles_of_any_kind_can_be_paired() {
        let pair = ProfilePair::new(Bump, Cubic::new(0.3).unwrap()).unwrap();
        let activated = pair.activated(0.4);
        assert!((integral(|s| pair.at(activated, s).value.powi(2)) - 1.0).abs() < 1e-9);
        let opposite = SineSeries::new(&[0.1, -1.0]).unwrap();
        assert!(ProfilePair::new(SineSeries::new(&[0.1, 1.0]).unwrap(), opposite).is_err());
    }

    #[test]
    fn the_largest_radius_is_where_the_derivative_vanishes() {
        let pair = ProfilePair::constant(Beta::new(3, 7).unwrap());
        let exact = pair.relaxed().at(2.0 / 8.0).value;
        assert!((pair.largest(pair.activated(0.0)) - exact).abs() < 1e-4 * exact);
    }

    #[test]
    fn a_pair_at_its_ends_is_its_profiles() {
        let pair = ProfilePair::new(Beta::new(3, 3).unwrap(), Beta::new(4, 7).unwrap()).unwrap();
        for s in [0.2, 0.5, 0.9] {
            assert_eq!(pair.at(pair.activated(0.0), s), pair.relaxed().at(s));
            assert_eq!(pair.at(pair.activated(7.0), s), pair.active().at(s));
            assert_eq!(pair.at(pair.activated(f64::NAN), s), pair.relaxed().at(s));
        }
    }
}
