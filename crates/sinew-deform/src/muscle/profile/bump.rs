//! The exponential bump \[R18 §4.4.1\], `exp(−1/(4s(1−s)))`, all of whose derivatives are zero at the ends.

use super::Radius;

/// The symmetric bump of unit norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bump;

/// `1/√(∫ exp(−1/(2s(1−s))) ds)`, which has no closed form.
const SCALE: f64 = 3.876_578_783_627_597_3;

impl Bump {
    #[inline]
    pub(super) fn at(&self, s: f64) -> Radius {
        let product = s * (1.0 - s);
        if product <= 0.0 {
            return Radius { value: 0.0, slope: 0.0 };
        }
        let value = SCALE * (-0.25 / product).exp();
        Radius { value, slope: value * 0.25 * (1.0 - 2.0 * s) / (product * product) }
    }
}
