//! The rotation nearest to a matrix, in closed form but for one root.

use glam::DMat3;

/// Newton steps to the root at the most. Three or four do where the determinant is positive; a mirror, whose roots are
/// close to each other, takes up to some forty.
const MAX_STEPS: usize = 60;

/// A step, beside the root, whose square is below rounding: the next would be that small.
const SMALL_STEP: f64 = 1e-9;

/// The least gap, where that of a rotation is 1.5: of a matrix in single precision it is noise below.
const AMBIGUOUS: f64 = 1e-6;

/// The rotation Q of largest `tr(Qᵀ H)`, which is the one nearest to H. It changes continuously with H, also where the
/// determinant changes its sign, except where several rotations are as near; none is returned next to such a matrix.
///
/// With `H = Q S` and S symmetric (its trace λ, the trace of its cofactors κ, its determinant that of H), Cayley and
/// Hamilton's `S³ = λ S² − κ S + det S` and `cof H = Q cof S = Q (S² − λ S + κ)` give
///
/// ```text
/// Q = ((λ² − κ) H + λ cof H − H Hᵀ H) / (λ κ − det H)        κ = ½ (λ² − |H|²)
/// ```
///
/// and λ, the sum of the singular values with the sign of the determinant at the least, is the largest root of
/// `(λ² − |H|²)² − 8 λ det H − 4 |cof H|²` (Horn's quartic, 1987). The gap `λ κ − det H` is the product of the sums of
/// each two singular values: it vanishes where the rotation is open.
#[inline]
pub fn nearest_rotation(matrix: DMat3) -> Option<DMat3> {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
    let h = matrix * (1.0 / largest);
    let cofactor = DMat3::from_cols(h.y_axis.cross(h.z_axis), h.z_axis.cross(h.x_axis), h.x_axis.cross(h.y_axis));
    let square = |m: &DMat3| m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared();
    let (norm, cofactor_norm, determinant) = (square(&h), square(&cofactor), h.x_axis.dot(cofactor.x_axis));
    // λ² = |H|² + 2 √(|cof H|² + 2 λ det H), from a bound of λ on the side that leaves one above the root.
    let bound = if determinant > 0.0 { (3.0 * norm).sqrt() } else { 0.0 };
    let mut root = (norm + 2.0 * (cofactor_norm + 2.0 * bound * determinant).max(0.0).sqrt()).sqrt();
    for _ in 0..MAX_STEPS {
        let excess = root * root - norm;
        let slope = 4.0 * root * excess - 8.0 * determinant;
        let value = excess * excess - 8.0 * root * determinant - 4.0 * cofactor_norm;
        let step = value / slope;
        // From above the root the steps go down; one that does not is rounding, or of no number.
        if step.is_nan() || step <= 0.0 {
            break;
        }
        root -= step;
        if step < SMALL_STEP * root {
            break;
        }
    }
    let kappa = 0.5 * (root * root - norm);
    let gap = root * kappa - determinant;
    let numerator = h * (root * root - kappa) + cofactor * root - h * (h.transpose() * h);
    // A matrix of zeros or of no numbers does not pass either.
    (gap > AMBIGUOUS * norm * norm.sqrt()).then(|| numerator * (1.0 / gap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polar;
    use glam::DVec3;
    use proptest::prelude::*;

    fn is_rotation(q: DMat3) -> bool {
        (q.transpose() * q).abs_diff_eq(DMat3::IDENTITY, 1e-9) && q.determinant() > 0.0
    }

    proptest! {
        #[test]
        fn it_is_the_rotation_of_the_polar_decomposition(m in prop::array::uniform9(-3.0..3.0f64)) {
            let m = DMat3::from_cols_array(&m);
            let found = nearest_rotation(m).unwrap();
            prop_assert!(is_rotation(found), "{found}");
            if m.determinant() > 1e-3 {
                let (rotation, _) = polar(m);
                prop_assert!(found.abs_diff_eq(DMat3::from_quat(rotation), 1e-8), "{found} {rotation}");
            }
        }

        /// Whatever the signs of the stretch: that of the least follows the determinant's.
        #[test]
        fn no_turn_brings_it_nearer(
            m in prop::array::uniform9(-3.0..3.0f64), axis in prop::array::uniform3(-1.0..1.0f64), angle in -3.0..3.0f64
        ) {
            let m = DMat3::from_cols_array(&m);
            let axis = DVec3::from(axis).try_normalize().unwrap_or(DVec3::X);
            let found = nearest_rotation(m).unwrap();
            let near = |q: DMat3| (q.transpose() * m).to_cols_array();
            let trace = |q| near(q)[0] + near(q)[4] + near(q)[8];
            prop_assert!(trace(found) >= trace(DMat3::from_axis_angle(axis, angle) * found) - 1e-9);
        }

        #[test]
        fn a_flat_matrix_and_any_scale_have_one(
            angle in -3.0..3.0f64, flat in 0.01..1.0f64, scale in prop_oneof![Just(1e-30), Just(1e-6), Just(1e30)]
        ) {
            let turn = DMat3::from_rotation_y(angle) * DMat3::from_rotation_x(0.7);
            let found = nearest_rotation(turn * DMat3::from_diagonal(scale * DVec3::new(1.0, flat, 0.0))).unwrap();
            prop_assert!(found.abs_diff_eq(turn, 1e-9), "{found} {turn}");
        }
    }

    #[test]
    fn a_line_a_point_and_a_half_turn_have_none() {
        for diagonal in [DVec3::X, DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, -1.0, 1.0), DVec3::NAN] {
            assert_eq!(nearest_rotation(DMat3::from_diagonal(diagonal)), None, "{diagonal}");
        }
    }
}
