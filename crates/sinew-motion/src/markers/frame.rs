//! The rigid motion of a cloud of points.
//!
//! The rotation R and the centre c that bring a shape s closest to points p, with weights w, minimise
//! `Σ w ‖p − c − R s‖²`. As a quaternion, R is the eigenvector of the largest eigenvalue λ of a symmetric 4 × 4 matrix
//! N of the sums `Σ w s pᵀ` (Horn 1987); λ is the largest root of `λ⁴ + c₂ λ² + c₁ λ + det N`, found by Newton's
//! iteration from above (Theobald 2005). Coplanar points have a unique best rotation too.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

/// The most Newton steps. At a double root, as of collinear points, a step halves the error, and 40 reach 1e-12.
const NEWTON_STEPS: usize = 40;

/// A position and an orientation in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RigidFrame {
    pub turn: DMat3,
    pub center: DVec3,
}

impl RigidFrame {
    pub const WORLD: Self = Self { turn: DMat3::IDENTITY, center: DVec3::ZERO };

    /// Coordinates in the frame.
    pub fn inward(&self, point: DVec3) -> DVec3 {
        self.turn.transpose() * (point - self.center)
    }

    /// Coordinates in the world.
    pub fn outward(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.center
    }

    /// The frame in which the points are closest to a shape that is centred by the same weights.
    pub fn fit(shape: &[DVec3], points: &[DVec3], weights: &[f64]) -> Self {
        let center = weighted_center(points, weights);
        let mut sums = DMat3::ZERO;
        let mut size = 0.0;
        for ((&s, &p), &w) in shape.iter().zip(points).zip(weights) {
            let p = p - center;
            sums += DMat3::from_cols(s * p.x, s * p.y, s * p.z) * w;
            size += 0.5 * w * (s.length_squared() + p.length_squared());
        }
        Self { turn: DMat3::from_quat(best_turn(sums, size)), center }
    }
}

/// The mean with weights.
pub(super) fn weighted_center(points: &[DVec3], weights: &[f64]) -> DVec3 {
    let total: f64 = weights.iter().sum();
    points.iter().zip(weights).map(|(&p, &w)| p * w).sum::<DVec3>() / total.max(f64::MIN_POSITIVE)
}

/// `sums` has the entry `Σ w s_i p_j` in row i and column j; `bound` is not below the largest eigenvalue.
fn best_turn(sums: DMat3, bound: f64) -> DQuat {
    if bound <= 0.0 {
        return DQuat::IDENTITY;
    }
    let m = sums * bound.recip();
    let s = |i: usize, j: usize| m.col(j)[i];
    let n = DMat4::from_cols(
        DVec4::new(s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)),
        DVec4::new(s(1, 2) - s(2, 1), s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2)),
        DVec4::new(s(2, 0) - s(0, 2), s(0, 1) + s(1, 0), s(1, 1) - s(0, 0) - s(2, 2), s(1, 2) + s(2, 1)),
        DVec4::new(s(0, 1) - s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1), s(2, 2) - s(0, 0) - s(1, 1)),
    );
    let squares: f64 = m.to_cols_array().iter().map(|x| x * x).sum();
    let (c2, c1, c0) = (-2.0 * squares, -8.0 * m.determinant(), n.determinant());
    let mut root = 1.0f64;
    for _ in 0..NEWTON_STEPS {
        let value = ((root * root + c2) * root + c1) * root + c0;
        let slope = (4.0 * root * root + 2.0 * c2) * root + c1;
        let step = value / slope;
        if !step.is_finite() || step.abs() < 1e-13 {
            break;
        }
        root -= step;
    }
    // Close to an eigenvalue the inverse is that eigenvector's, column by column.
    let inverse = (n - DMat4::from_diagonal(DVec4::splat(root * (1.0 + 1e-9) + 1e-12))).inverse();
    let columns = [inverse.x_axis, inverse.y_axis, inverse.z_axis, inverse.w_axis];
    let largest = columns.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let q = largest.unwrap_or(DVec4::X);
    let turn = DQuat::from_xyzw(q.y, q.z, q.w, q.x);
    if turn.is_finite() && turn.length_squared() > 0.0 { turn.normalize() } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Three points are coplanar, for which a fit by polar decomposition would fail.
        #[test]
        fn a_moved_triangle_is_found_again(
            corners in prop::array::uniform9(-1.0..1.0f64), turn in prop::array::uniform3(-3.0..3.0f64), far in -9.0..9.0f64
        ) {
            let points: Vec<DVec3> = corners.chunks(3).map(DVec3::from_slice).collect();
            let weights = [1.0, 2.0, 0.5];
            let area = (points[1] - points[0]).cross(points[2] - points[0]).length();
            prop_assume!(area > 0.05);
            let center = weighted_center(&points, &weights);
            let shape: Vec<DVec3> = points.iter().map(|&p| p - center).collect();
            let turn = DQuat::from_scaled_axis(turn.into());
            let moved: Vec<DVec3> = shape.iter().map(|&s| turn * s + DVec3::splat(far)).collect();
            let frame = RigidFrame::fit(&shape, &moved, &weights);
            for (&s, &p) in shape.iter().zip(&moved) {
                prop_assert!(frame.outward(s).distance(p) < 1e-6, "{frame:?}");
                prop_assert!(frame.inward(p).distance(s) < 1e-6);
            }
        }
    }
}
