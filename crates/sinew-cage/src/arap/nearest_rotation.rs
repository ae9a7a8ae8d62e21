//! The rotation nearest to a matrix.
//!
//! The rotation R that maximises `tr(Rᵀ S)` maps rest edges to current edges best, if S is the sum of their outer products
//! (L13 eq. B.6). A small rotation vector ω changes the trace by
//!
//! ```text
//! ω·τ − ½ ωᵀ H ω,      B = S Rᵀ,   τ = axial(B − Bᵀ),   H = tr(B) − ½ (B + Bᵀ),
//! ```
//!
//! so the Newton step is `H⁻¹ τ`. Two or three steps suffice from the rotation of the last iteration. Where H is not
//! positive definite, or the trace does not grow, the step is damped (Levenberg) until it does. For almost every S only the
//! largest trace is a local maximum, so the search ends there, for reflections too.

use glam::{DMat3, DQuat, DVec3};

/// The largest number of steps; more than a few are needed only from far away.
const MAX_STEPS: usize = 60;

/// The squared step length at convergence. The remaining error is about its square, since Newton steps converge
/// quadratically, and the error of the trace is the square of that.
const CONVERGED_STEP_SQUARED: f64 = 1e-9;

/// The squared torque below which R is a stationary point. Entries are scaled to one, so rounding causes torques of
/// 1e-16.
const STATIONARY_TORQUE_SQUARED: f64 = 1e-24;

/// The first damping, relative to the matrix's largest entry. It grows by four with each rejected step, to the size of
/// the matrix in five; not tuned.
const MIN_DAMPING: f64 = 1e-3;

/// The least pivot of a positive definite matrix. Entries are scaled to one, so a smaller pivot has lost more than half
/// of its digits.
const MIN_PIVOT: f64 = 1e-9;

/// The decrease of a trace that rounding may cause. Entries are scaled to one; the nine products of a trace lose about
/// 1e-15.
const TRACE_ROUNDING: f64 = 1e-14;

/// An arbitrary rotation vector that leaves a stationary point which is no maximum.
const ESCAPE: DVec3 = DVec3::new(0.31, 0.23, 0.17);

/// The rotation nearest to a matrix, searched from `start`. Returns `start` for a matrix that is zero or not finite.
#[must_use]
pub fn nearest_rotation(matrix: DMat3, start: DQuat) -> DQuat {
    let scale = matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(scale > 0.0 && scale.is_finite()) {
        return start;
    }
    let matrix = matrix * (1.0 / scale);
    let (mut rotation, mut damping) = (start, 0.0);
    let mut rotated = matrix * DMat3::from_quat(rotation).transpose();
    for _ in 0..MAX_STEPS {
        let torque = DVec3::new(
            rotated.y_axis.z - rotated.z_axis.y,
            rotated.z_axis.x - rotated.x_axis.z,
            rotated.x_axis.y - rotated.y_axis.x,
        );
        let diagonal = DMat3::from_diagonal(DVec3::splat(trace(rotated) + damping));
        let hessian = diagonal - (rotated + rotated.transpose()) * 0.5;
        let step = match solve_positive(hessian, torque) {
            Some(step) => step.clamp_length_max(1.0),
            None if torque.length_squared() < STATIONARY_TORQUE_SQUARED => ESCAPE,
            None => {
                damping = (4.0 * damping).max(MIN_DAMPING);
                continue;
            }
        };
        let next = (DQuat::from_xyzw(0.5 * step.x, 0.5 * step.y, 0.5 * step.z, 1.0) * rotation).normalize();
        if step.length_squared() < CONVERGED_STEP_SQUARED {
            return next;
        }
        let next_rotated = matrix * DMat3::from_quat(next).transpose();
        if step != ESCAPE && trace(next_rotated) < trace(rotated) - TRACE_ROUNDING {
            damping = (4.0 * damping).max(MIN_DAMPING);
            continue;
        }
        (rotation, rotated, damping) = (next, next_rotated, 0.25 * damping);
        if damping < 0.25 * MIN_DAMPING {
            damping = 0.0;
        }
    }
    rotation
}

fn trace(matrix: DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}

/// The solution of a symmetric system by `L D Lᵀ`; none unless the matrix is positive definite with a margin.
fn solve_positive(m: DMat3, right_hand_side: DVec3) -> Option<DVec3> {
    let first = m.x_axis.x;
    let (l_yx, l_zx) = (m.x_axis.y / first, m.x_axis.z / first);
    let second = m.y_axis.y - l_yx * m.x_axis.y;
    let below = m.y_axis.z - l_zx * m.x_axis.y;
    let l_zy = below / second;
    let third = m.z_axis.z - l_zx * m.x_axis.z - l_zy * below;
    if !(first > MIN_PIVOT && second > MIN_PIVOT && third > MIN_PIVOT) {
        return None;
    }
    let y = right_hand_side.y - l_yx * right_hand_side.x;
    let z = (right_hand_side.z - l_zx * right_hand_side.x - l_zy * y) / third;
    let y = y / second - l_zy * z;
    Some(DVec3::new(right_hand_side.x / first - l_yx * y - l_zx * z, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_geometry::solve::symmetric_eigen;

    fn trace_with(matrix: DMat3, rotation: DQuat) -> f64 {
        trace(DMat3::from_quat(rotation).transpose() * matrix)
    }

    /// B. Horn, *Closed-form solution of absolute orientation using unit quaternions*, 1987: the largest trace is the
    /// largest eigenvalue of a symmetric matrix of four rows.
    fn largest_trace(s: DMat3) -> f64 {
        // Horn's S has rest vectors in its rows and current ones in its columns.
        let s = |i: usize, j: usize| s.col(i)[j];
        let rows = [
            [s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)],
            [s(1, 2) - s(2, 1), s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2)],
            [s(2, 0) - s(0, 2), s(0, 1) + s(1, 0), -s(0, 0) + s(1, 1) - s(2, 2), s(1, 2) + s(2, 1)],
            [s(0, 1) - s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1), -s(0, 0) - s(1, 1) + s(2, 2)],
        ];
        symmetric_eigen(4, |i, j| rows[i][j], 1)[0].0
    }

    proptest! {
        #[test]
        fn no_rotation_has_a_larger_trace(
            m in prop::array::uniform9(-3.0..3.0f64), q in prop::array::uniform4(-1.0..1.0f64),
        ) {
            let matrix = DMat3::from_cols_array(&m);
            let start = DQuat::from_array(q);
            prop_assume!(start.length() > 0.1);
            let found = trace_with(matrix, nearest_rotation(matrix, start.normalize()));
            let best = largest_trace(matrix);
            prop_assert!(found > best - 1e-6 * best.abs().max(1.0), "{found} of {best}");
        }
    }

    #[test]
    fn a_half_turn_is_found() {
        for axis in [DVec3::X, DVec3::Y, DVec3::new(1.0, 2.0, -1.0).normalize()] {
            let turn = DQuat::from_axis_angle(axis, std::f64::consts::PI);
            let found = nearest_rotation(DMat3::from_quat(turn), DQuat::IDENTITY);
            assert!(found.dot(turn).abs() > 1.0 - 1e-12);
        }
        assert_eq!(nearest_rotation(DMat3::ZERO, DQuat::IDENTITY), DQuat::IDENTITY);
    }
}
