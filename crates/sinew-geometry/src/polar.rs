//! Rotation and stretch of a matrix.

use glam::{DMat3, DQuat, DVec3};

/// The polar decomposition `M = R S` with a rotation `R` and a symmetric stretch `S`.
///
/// `S` is positive semi-definite, except that a mirrored matrix (negative determinant) has the mirror
/// in `S`, since `R` must be a rotation. Directions that `M` collapses leave `R` open; it is completed
/// to a rotation.
pub fn polar(m: DMat3) -> (DQuat, DMat3) {
    let axes = eigenvectors(m.transpose() * m);
    // The roots of the eigenvalues, without what squaring loses of small ones.
    let stretch: [f64; 3] = std::array::from_fn(|k| (m * axes.col(k)).length());
    let largest = stretch.into_iter().fold(0.0, f64::max);
    let images: [Option<DVec3>; 3] =
        std::array::from_fn(|k| (stretch[k] > COLLAPSED * largest).then(|| m * axes.col(k) / stretch[k]));
    // With all three images present their handedness is the matrix's own; completed ones are made right-handed.
    let mut basis = complete(images, axes.determinant());
    let mut sign = 1.0;
    if basis.determinant() * axes.determinant() < 0.0 {
        basis = -basis;
        sign = -1.0;
    }
    let rotation = DQuat::from_mat3(&(basis * axes.transpose())).normalize();
    let diagonal = DMat3::from_diagonal(DVec3::from(stretch) * sign);
    (rotation, axes * diagonal * axes.transpose())
}

/// Stretches below this part of the largest are taken as zero. An axis is good to 1e-16 of the others, so that the image of
/// one that collapses less still has eight digits.
const COLLAPSED: f64 = 1e-8;

/// Fills missing columns of an orthonormal basis so that its determinant has the given sign.
fn complete(columns: [Option<DVec3>; 3], sign: f64) -> DMat3 {
    let sign = sign.signum();
    let (x, y, z) = match columns {
        [Some(x), Some(y), Some(z)] => (x, y, z),
        [Some(x), Some(y), None] => (x, y, x.cross(y) * sign),
        [Some(x), None, Some(z)] => (x, z.cross(x) * sign, z),
        [None, Some(y), Some(z)] => (y.cross(z) * sign, y, z),
        [Some(x), None, None] => {
            let (y, z) = x.any_orthonormal_pair();
            (x, y, x.cross(y).dot(z).signum() * sign * z)
        }
        [None, Some(y), None] => {
            let (z, x) = y.any_orthonormal_pair();
            (x, y, x.cross(y).dot(z).signum() * sign * z)
        }
        [None, None, Some(z)] => {
            let (x, y) = z.any_orthonormal_pair();
            (x, y * x.cross(y).dot(z).signum() * sign, z)
        }
        [None, None, None] => (DVec3::X * sign, DVec3::Y, DVec3::Z),
    };
    DMat3::from_cols(x, y, z)
}

/// Orthonormal eigenvectors (as columns) of a symmetric matrix by Jacobi rotations.
fn eigenvectors(mut a: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..16 {
        let off = [(0, 1), (0, 2), (1, 2)].map(|(p, q)| (p, q, a.col(q)[p]));
        let scale = (0..3).map(|k| a.col(k)[k].abs()).fold(f64::MIN_POSITIVE, f64::max);
        if off.iter().all(|(_, _, v)| v.abs() <= 1e-16 * scale) {
            break;
        }
        for (p, q, _) in off {
            let value = a.col(q)[p];
            if value == 0.0 {
                continue;
            }
            let theta = 0.5 * (a.col(q)[q] - a.col(p)[p]) / value;
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            let mut rotation = DMat3::IDENTITY;
            rotation.col_mut(p)[p] = c;
            rotation.col_mut(q)[q] = c;
            rotation.col_mut(q)[p] = s;
            rotation.col_mut(p)[q] = -s;
            a = rotation.transpose() * a * rotation;
            axes *= rotation;
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(m: DMat3) -> Result<(), TestCaseError> {
        let (rotation, stretch) = polar(m);
        let scale = m.to_cols_array().into_iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        prop_assert!((rotation.length() - 1.0).abs() < 1e-12);
        prop_assert!((DMat3::from_quat(rotation) * stretch).abs_diff_eq(m, 1e-7 * scale), "{m} {rotation} {stretch}");
        prop_assert!(stretch.abs_diff_eq(stretch.transpose(), 1e-12 * scale));
        Ok(())
    }

    proptest! {
        #[test]
        fn any_matrix_is_rotation_times_stretch(m in prop::array::uniform9(-3.0..3.0f64)) {
            check(DMat3::from_cols_array(&m))?;
        }

        #[test]
        fn so_is_one_that_nearly_collapses(
            m in prop::array::uniform9(-3.0..3.0f64), logarithms in prop::array::uniform3(-9.0..0.0f64)
        ) {
            let m = DMat3::from_cols_array(&m);
            check(m * DMat3::from_diagonal(DVec3::from(logarithms.map(|l| 10f64.powf(l)))) * m.transpose())?;
        }

        #[test]
        fn so_is_a_collapsed_one(
            angle in -3.0..3.0f64, s in prop::array::uniform3(prop_oneof![Just(0.0), Just(-2.0), 0.1..3.0f64])
        ) {
            let turn = DMat3::from_rotation_y(angle) * DMat3::from_rotation_x(0.7);
            check(turn * DMat3::from_diagonal(s.into()))?;
            check(turn * DMat3::from_diagonal(s.into()) * turn.transpose())?;
        }
    }
}
