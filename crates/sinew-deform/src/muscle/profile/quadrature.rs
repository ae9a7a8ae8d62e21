//! Quadrature of smooth functions from 0 to 1.
//!
//! By Gauss and Legendre's rule of five points in each of equal pieces, which is exact for polynomials of
//! degree 9 in a piece; the profiles are smooth enough for an error below 1e-12.

const PIECES: usize = 200;
/// Places from −1 to 1 and weights.
const RULE: [(f64, f64); 5] = [
    (0.0, 128.0 / 225.0),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// `∫₀¹ f ds`.
pub(in crate::muscle) fn integral(f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 / PIECES as f64;
    let piece = |k: usize| {
        let middle = (2 * k + 1) as f64 * half;
        RULE.iter().map(|&(place, weight)| weight * f(middle + half * place)).sum::<f64>()
    };
    half * (0..PIECES).map(piece).sum::<f64>()
}
