//! Which rotation is nearest to a matrix?
//!
//! The rotation R that makes `tr(Rᵀ S)` largest takes edges at rest to edges now, if S is the sum of their outer
//! products (L13 eq. B.6). Turning R on by a small vector ω changes the trace by
//!
//! ```text
//! ω·τ − ½ ωᵀ H ω,      B = S Rᵀ,   τ = axial(B − Bᵀ),   H = tr(B) − ½ (B + Bᵀ),
//! ```
//!
//! so Newton's step is `H⁻¹ τ`. From the rotation of the last time that takes two or three steps. Where H is not
//! positive definite, or the trace does not grow, the step is damped (K. Levenberg's way) until it does; only the largest
//! trace is a maximum for almost every S, so that is where it ends, also for matrices that mirror.

use glam::{DMat3, DQuat, DVec3};

/// Steps at most; more than a few are needed only from far away.
const STEPS: usize = 60;

/// A squared step after which there is nothing left to do: what remains is about its square, and the trace is off by the
/// square of that.
const STILL: f64 = 1e-9;

/// A squared torque that is none.
const LEVEL: f64 = 1e-24;

/// The first damping, of the matrix's largest entry.
const LEAST_DAMPING: f64 = 1e-3;

/// A pivot of a matrix that is positive definite.
const LEAST_PIVOT: f64 = 1e-9;

/// What a trace may fall by from rounding.
const ROUNDING: f64 = 1e-14;

/// The turn that leaves a place where the trace is level, but not largest.
const KICK: DVec3 = DVec3::new(0.31, 0.23, 0.17);

/// The rotation nearest to a matrix, found from another. A matrix that is zero or not finite leaves it as it is.
pub fn nearest_rotation(matrix: DMat3, start: DQuat) -> DQuat {
    let scale = matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(scale > 0.0 && scale.is_finite()) {
        return start;
    }
    let matrix = matrix * (1.0 / scale);
    let (mut rotation, mut damping) = (start, 0.0);
    let mut turned = matrix * DMat3::from_quat(rotation).transpose();
    for _ in 0..STEPS {
        let torque = DVec3::new(
            turned.y_axis.z - turned.z_axis.y,
            turned.z_axis.x - turned.x_axis.z,
            turned.x_axis.y - turned.y_axis.x,
        );
        let diagonal = DMat3::from_diagonal(DVec3::splat(trace(turned) + damping));
        let hessian = diagonal - (turned + turned.transpose()) * 0.5;
        let step = match solve_positive(hessian, torque) {
            Some(step) => step.clamp_length_max(1.0),
            None if torque.length_squared() < LEVEL => KICK,
            None => {
                damping = (4.0 * damping).max(LEAST_DAMPING);
                continue;
            }
        };
        let next = (DQuat::from_xyzw(0.5 * step.x, 0.5 * step.y, 0.5 * step.z, 1.0) * rotation).normalize();
        if step.length_squared() < STILL {
            return next;
        }
        let next_turned = matrix * DMat3::from_quat(next).transpose();
        if step != KICK && trace(next_turned) < trace(turned) - ROUNDING {
            damping = (4.0 * damping).max(LEAST_DAMPING);
            continue;
        }
        (rotation, turned, damping) = (next, next_turned, 0.25 * damping);
        if damping < 0.25 * LEAST_DAMPING {
            damping = 0.0;
        }
    }
    rotation
}

fn trace(matrix: DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}

/// The solution of a symmetric system by `L D Lᵀ`; none unless the matrix is positive definite, by some margin.
fn solve_positive(m: DMat3, right: DVec3) -> Option<DVec3> {
    let first = m.x_axis.x;
    let (l_yx, l_zx) = (m.x_axis.y / first, m.x_axis.z / first);
    let second = m.y_axis.y - l_yx * m.x_axis.y;
    let below = m.y_axis.z - l_zx * m.x_axis.y;
    let l_zy = below / second;
    let third = m.z_axis.z - l_zx * m.x_axis.z - l_zy * below;
    if !(first > LEAST_PIVOT && second > LEAST_PIVOT && third > LEAST_PIVOT) {
        return None;
    }
    let y = right.y - l_yx * right.x;
    let z = (right.z - l_zx * right.x - l_zy * y) / third;
    let y = y / second - l_zy * z;
    Some(DVec3::new(right.x / first - l_yx * y - l_zx * z, y, z))
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
        // Horn's S has the rest in its rows and what it becomes in its columns.
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
