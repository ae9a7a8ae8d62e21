//! A union that is sharp on its surface alone, and one that is smooth.
//!
//! The maximum M of two densities has a crease wherever they are equal. With the smaller one m, the
//! difference `D = M − m` and a width k, the parabola that touches it at `D = k`,
//!
//! ```text
//! G = M + (k − D)₊² / 4k        = (f₁ + f₂ + k/2 + D²/2k) / 2   where D < k,
//! ```
//!
//! has none. Let the width depend on `s = f₁ + f₂ − 1`, which is zero where the surfaces cross:
//!
//! ```text
//! k = (1 − s²) a / (1 + a),        a = √(α² + (1 − α²) s²)
//! ```
//!
//! For α = 0 this is `|s| (1 − |s|)`. On the surface, where `M = ½`, it is smaller than `D = ½ − m =
//! |s|`, so that the ½ level is exactly that of the maximum; the crease is left only where the width is
//! zero, in the point (½, ½), and every other level is rounded: a clean union (the idea is A. Pasko's,
//! and L. Barthe's and A. Bernhardt's for compact supports, \[R18 §2.3.1\]). As α grows, the width at
//! the surface opens up to ½.
//!
//! Always `k ≤ 1 − |s|`. At `m = 0` that makes `k ≤ M = D`, hence `G(f, 0) = f`; and where `D < k`, `G
//! ≤ (1 + s + k)/2 ≤ 1`. As also `|k'| ≤ 1`, with `t = D/k` each derivative is at least `½ − ¼(1 − t²)
//! − ½t = ¼(1 − t)² ≥ 0`: G is monotone in both. (0, 0) and (1, 1) are corners of its domain where it
//! has no derivative; the densities themselves are level there.

use super::Combined;

#[inline]
pub(super) fn blend(alpha: f64, f1: f64, f2: f64) -> Combined {
    let s = f1 + f2 - 1.0;
    let share = 1.0 - alpha * alpha;
    let a = (alpha * alpha + share * s * s).sqrt();
    let open = 1.0 - s * s;
    let width = open * a / (1.0 + a);
    let difference = f1 - f2;
    if difference >= width {
        return Combined { value: f1, d1: 1.0, d2: 0.0 };
    }
    if -difference >= width {
        return Combined { value: f2, d1: 0.0, d2: 1.0 };
    }
    // The width is positive here, hence so is a.
    let ratio = difference / width;
    let slope = open * share * s / (a * (1.0 + a) * (1.0 + a)) - 2.0 * s * a / (1.0 + a);
    let common = 0.5 + 0.25 * slope * (1.0 - ratio * ratio);
    Combined {
        value: 0.5 * (f1 + f2) + 0.25 * (width + difference * ratio),
        d1: common + 0.5 * ratio,
        d2: common - 0.5 * ratio,
    }
}
