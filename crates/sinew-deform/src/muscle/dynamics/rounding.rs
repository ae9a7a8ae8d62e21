//! Rounding of the axis where a muscle turns sharply.
//!
//! A place that a muscle is led through holds one particle, and there the chain turns as sharply as a string over
//! an edge. Flesh does not: where an axis turns within less than the muscle's radius, the muscle folds into
//! itself on the inner side and loses volume. So the axis that is shown is smoothed over about the radius r of
//! the muscle, and is the curve x that for the chain p minimises
//!
//! ```text
//! ∫ |x − p|² + r² |x′|²
//! ```
//!
//! with the ends held: a tridiagonal system for each coordinate. That smooths by `e^(−|t|/r) / 2r`, so that a
//! corner that turns by τ has the curvature `sin(τ/2) / (r cos²(τ/2))` at its tip. What is straight stays
//! straight, and tendons, which are thin, stay where they are.

use crate::muscle::axis::length;
use glam::DVec3;

/// Links count as no shorter than this share of the mean.
const MIN_LINK_LENGTH: f64 = 1e-3;

/// Rounds a chain by the radius at each share of its length. The ratios are working space.
pub(super) fn round(chain: &[DVec3], radius: impl Fn(f64) -> f64, ratios: &mut [f64], rounded: &mut [DVec3]) {
    let last = chain.len() - 1;
    rounded.copy_from_slice(chain);
    let total = length(chain);
    if total <= 0.0 {
        return;
    }
    let link = |k: usize| chain[k].distance(chain[k + 1]).max(MIN_LINK_LENGTH * total / last as f64);
    let mut passed = 0.0;
    let mut spring = |k: usize| {
        let middle = passed + 0.5 * link(k);
        passed += link(k);
        radius((middle / total).min(1.0)).powi(2) / link(k)
    };
    ratios[0] = 0.0;
    let mut before = spring(0);
    for k in 1..last {
        let behind = spring(k);
        let own = 0.5 * (link(k - 1) + link(k));
        let pivot = own + before * (1.0 - ratios[k - 1]) + behind;
        rounded[k] = (own * chain[k] + before * rounded[k - 1]) / pivot;
        ratios[k] = behind / pivot;
        before = behind;
    }
    for k in (1..last).rev() {
        let next = rounded[k + 1];
        rounded[k] += ratios[k] * next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(chain: &[DVec3], radius: f64) -> Vec<DVec3> {
        let mut rounded = vec![DVec3::ZERO; chain.len()];
        round(chain, |_| radius, &mut vec![0.0; chain.len()], &mut rounded);
        rounded
    }

    #[test]
    fn a_straight_chain_stays() {
        let chain: Vec<DVec3> = (0..30).map(|k| DVec3::new(1.0, 2.0, -3.0) * f64::from(k * k)).collect();
        for (a, b) in chain.iter().zip(rounded(&chain, 50.0)) {
            assert!(a.reject_from(DVec3::new(1.0, 2.0, -3.0)).distance(b.reject_from(chain[1])) < 1e-9, "{a} {b}");
        }
        let even: Vec<DVec3> = (0..30).map(|k| DVec3::X * f64::from(k)).collect();
        for (a, b) in even.iter().zip(rounded(&even, 5.0)) {
            assert!(a.distance(b) < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn a_corner_turns_as_slowly_as_the_radius_asks() {
        let radius = 5.0;
        let arm = |k: i32| if k < 0 { DVec3::X * f64::from(k) } else { DVec3::Y * f64::from(k) };
        let chain: Vec<DVec3> = (-40..=40).map(arm).collect();
        let rounded = rounded(&chain, radius);
        assert_eq!((rounded[0], rounded[80]), (chain[0], chain[80]));
        let sharpest = rounded
            .windows(3)
            .map(|p| (p[1] - p[0]).angle_between(p[2] - p[1]) / (0.5 * p[0].distance(p[2])))
            .fold(0.0, f64::max);
        let expected = std::f64::consts::SQRT_2 / radius;
        assert!((sharpest / expected - 1.0).abs() < 0.02, "{sharpest} {expected}");
        // The tip is off by the mean distance, r, along both arms: (r/2, r/2).
        let cut = rounded[40].length() / radius;
        assert!((cut - std::f64::consts::FRAC_1_SQRT_2).abs() < 0.02, "{cut}");
    }

    #[test]
    fn a_chain_without_length_or_radius_stays() {
        assert_eq!(rounded(&[DVec3::ONE; 5], 1.0), [DVec3::ONE; 5]);
        let bent = [DVec3::ZERO, DVec3::X, DVec3::ONE];
        assert_eq!(rounded(&bent, 0.0), bent);
    }
}
