//! The parameter of an operator by the angle between two gradients.
//!
//! A controller κ maps the angle θ between the gradients of two fields to an operator's parameter α
//! \[R18 §2.3.4, fig. 3.5\]. Where two limbs lie side by side their gradients agree and α is 0, a plain
//! union; where they face each other the gradients oppose and α is 1, a contact. The curve goes through
//! its knots without overshoot and is constant beyond them. It is tabulated over θ, and the angle comes from the cosine by a polynomial
//! (M. Abramowitz, I. Stegun, *Handbook of Mathematical Functions*, 4.4.45, wrong by at most
//! 7·10⁻⁵ rad), so that a look-up costs a square root and a linear interpolation.

use crate::Result;
use glam::DVec3;
use sinew_geometry::curve::{Curve, smoothstep};
use std::f64::consts::PI;

/// Cells of the table. Linear interpolation over cells of π/256 is wrong by at most 1.9e-5 of the second derivative, as
/// good as the angle (7e-5 rad).
const CELLS: usize = 256;

/// The map from the angle between two gradients to the parameter of an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Controller {
    /// α at angles from 0 to π, the last one twice.
    table: Vec<f32>,
    /// Whether all of them are 1.
    always: bool,
}

impl Default for Controller {
    /// From nothing at 45° to the full effect at 135°: what suits most joints.
    fn default() -> Self {
        Self::step(0.25 * PI, 0.75 * PI)
    }
}

impl Controller {
    /// From nothing at 90° to the full effect at 120°: for joints that bend far, such as elbows and
    /// knees.
    pub fn sharp() -> Self {
        Self::step(PI / 2.0, PI / 1.5)
    }

    /// From nothing at 90° to the full effect at 180°: a bulge only where surfaces face each other.
    pub fn bulge() -> Self {
        Self::step(PI / 2.0, PI)
    }

    /// The same effect at all angles.
    pub fn constant(alpha: f64) -> Self {
        Self::tabulate(|_| alpha)
    }

    /// Whether the effect is full at all angles.
    pub fn is_always(&self) -> bool {
        self.always
    }

    /// A curve through knots, each an angle in radians within 0 and π and the α there within 0 and 1, at
    /// least one and in the order of their angles.
    pub fn curve(knots: &[(f64, f64)]) -> Result<Self> {
        for &(angle, alpha) in knots {
            in_range("the angle of a knot", angle, PI, "0 to 3.1416 rad")?;
            in_range("the value of a knot", alpha, 1.0, "0 to 1")?;
        }
        if let Some(pair) = knots.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            let (what, range) = ("the angle of a knot", "larger than that of the knot before");
            return Err(sinew_geometry::Error::OutOfRange { what, value: pair[1].0, range }.into());
        }
        let points: Vec<[f64; 2]> = knots.iter().map(|&(angle, alpha)| [angle, alpha]).collect();
        let none = sinew_geometry::Error::OutOfRange { what: "the number of knots", value: 0.0, range: "at least 1" };
        let curve = Curve::new(&points).ok_or(none)?;
        Ok(Self::tabulate(|angle| curve.at(angle)))
    }

    /// α for the angle between two gradients, which need not be of length one. Where one of them is zero
    /// there is no angle, and the fields are taken to agree.
    #[inline]
    pub fn alpha(&self, first: DVec3, second: DVec3) -> f64 {
        let lengths = (first.length_squared() * second.length_squared()).sqrt();
        let cosine = if lengths > 0.0 { (first.dot(second) / lengths).clamp(-1.0, 1.0) } else { 1.0 };
        self.at(angle(cosine))
    }

    /// α at an angle in radians.
    #[inline]
    pub fn at(&self, angle: f64) -> f64 {
        let place = (angle * (CELLS as f64 / PI)).clamp(0.0, CELLS as f64);
        let cell = place as i32;
        let [low, high] = [0, 1].map(|k| f64::from(self.table[cell as usize + k]));
        low + (place - f64::from(cell)) * (high - low)
    }

    /// A smooth step, level at both ends.
    fn step(from: f64, to: f64) -> Self {
        Self::tabulate(|angle| smoothstep((angle - from) / (to - from)))
    }

    fn tabulate(curve: impl Fn(f64) -> f64) -> Self {
        let at = |k: usize| curve(PI * k.min(CELLS) as f64 / CELLS as f64).clamp(0.0, 1.0) as f32;
        let table: Vec<f32> = (0..CELLS + 2).map(at).collect();
        Self { always: table.iter().all(|&alpha| alpha == 1.0), table }
    }
}

fn in_range(what: &'static str, value: f64, most: f64, range: &'static str) -> Result<()> {
    // A little more, for angles that were rounded on their way.
    if (0.0..=most * (1.0 + 1e-6)).contains(&value) {
        Ok(())
    } else {
        Err(sinew_geometry::Error::OutOfRange { what, value, range }.into())
    }
}

/// The angle whose cosine is given, within 7·10⁻⁵.
#[inline]
fn angle(cosine: f64) -> f64 {
    let c = cosine.abs();
    let acute = (1.0 - c).sqrt() * (1.570_728_8 + c * (-0.212_114_4 + c * (0.074_261_0 - c * 0.018_729_3)));
    if cosine < 0.0 { PI - acute } else { acute }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_given_controllers_rise_from_union_to_the_full_effect() {
        for (controller, from, to) in [
            (Controller::default(), 45.0, 135.0),
            (Controller::sharp(), 90.0, 120.0),
            (Controller::bulge(), 90.0, 180.0),
        ] {
            let at = |degrees: f64| controller.at(degrees.to_radians());
            assert_eq!((at(0.0), at(180.0)), (0.0, 1.0));
            assert!(at(from - 1.0) == 0.0 && at(from + 5.0) > 0.0);
            assert!(at(to - 5.0) < 1.0 && (at(to + 1.0) - 1.0).abs() < 1e-6);
            assert!((0..180).all(|degrees| at(f64::from(degrees)) <= at(f64::from(degrees + 1))));
        }
        assert!((Controller::default().at(PI / 2.0) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_length_of_a_gradient_does_not_matter_and_none_is_no_angle() {
        let controller = Controller::default();
        let (a, b) = (DVec3::new(1.0, 2.0, -1.0), DVec3::new(-1.0, 0.5, 0.3));
        assert!((controller.alpha(a, b) - controller.alpha(1e-20 * a, 1e20 * b)).abs() < 1e-12);
        assert_eq!(controller.alpha(a, DVec3::ZERO), 0.0);
    }

    #[test]
    fn knots_that_make_no_curve_are_refused() {
        for knots in [&[][..], &[(0.0, 2.0)], &[(-1.0, 0.0)], &[(1.0, 0.0), (1.0, 1.0)], &[(f64::NAN, 0.0)]] {
            assert!(Controller::curve(knots).is_err(), "{knots:?}");
        }
    }

    proptest! {
        #[test]
        fn the_polynomial_is_the_angle(cosine in -1.0..=1.0f64) {
            prop_assert!((angle(cosine) - cosine.acos()).abs() < 7e-5);
        }

        #[test]
        fn a_curve_meets_its_ends_and_stays_between_its_knots(
            steps in prop::collection::btree_set(0..=CELLS / 4, 1..6), alphas in prop::array::uniform6(0.0..=1.0f64),
        ) {
            // On nodes of the table, so that none of its cells has a knot inside.
            let angles = steps.iter().map(|&step| 4.0 * PI * step as f64 / CELLS as f64);
            let knots: Vec<_> = angles.zip(alphas).collect();
            let controller = Controller::curve(&knots).unwrap();
            prop_assert!((controller.at(0.0) - knots[0].1).abs() < 1e-6);
            prop_assert!((controller.at(PI) - knots[knots.len() - 1].1).abs() < 1e-6);
            for pair in knots.windows(2) {
                for k in 0..=20 {
                    let value = controller.at(pair[0].0 + (pair[1].0 - pair[0].0) * f64::from(k) / 20.0);
                    let (low, high) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
                    prop_assert!(value > low - 1e-6 && value < high + 1e-6);
                }
            }
        }
    }
}
