//! The geometric build-up: points from their distances to four or more placed ones.
//!
//! L13 eq. 2.17–2.20: the squared distances from a point to placed ones, `‖a‖² − 2 aᵀb_k + ‖b_k‖² = d_k²`, less
//! their mean are linear in `a`. Four points that are not in a plane determine it; more make it a least-squares
//! solve, which keeps errors from growing as points are placed upon points. The points that most placed ones
//! know come first.

use crate::{Error, Result};
use glam::{DMat3, DVec3};

/// Placed points are in a plane when their smallest spread is below this share of their largest. Its square, the ratio
/// of squared spreads, is far above rounding in f64 (1e-16).
const FLAT: f64 = 1e-5;

/// Places points one after another from known distances `(a, b, length)` to placed ones; `placed` has a
/// position for each point that is known already, four or more of them.
pub fn build_up(placed: &[Option<DVec3>], distances: &[(u32, u32, f64)]) -> Result<Vec<DVec3>> {
    let size = placed.len();
    let mut known: Vec<Vec<(u32, f64)>> = vec![Vec::new(); size];
    for &(a, b, length) in distances {
        if a.max(b) as usize >= size {
            return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: a.max(b), size }.into());
        }
        known[a as usize].push((b, length));
        known[b as usize].push((a, length));
    }
    let mut positions = placed.to_vec();
    loop {
        let support =
            |point: usize| known[point].iter().filter(|(other, _)| positions[*other as usize].is_some()).count();
        let open = (0..size).filter(|&point| positions[point].is_none());
        // Among equals the first, so that the order does not depend on anything else.
        let Some(point) = open.max_by_key(|&point| (support(point), std::cmp::Reverse(point))) else { break };
        let around = known[point].iter().filter_map(|&(other, d)| positions[other as usize].map(|p| (p, d)));
        positions[point] = Some(place(around).ok_or(Error::CannotPlace { point })?);
    }
    Ok(positions.into_iter().flatten().collect())
}

/// The point at given distances from others; none if they are fewer than four or in a plane.
fn place(around: impl Iterator<Item = (DVec3, f64)> + Clone) -> Option<DVec3> {
    let count = around.clone().count();
    if count < 4 {
        return None;
    }
    let mean = around.clone().map(|(p, _)| p).sum::<DVec3>() / count as f64;
    let right = |p: DVec3, d: f64| 0.5 * ((p - mean).length_squared() - d * d);
    let mean_right = around.clone().map(|(p, d)| right(p, d)).sum::<f64>() / count as f64;
    let (mut normal, mut pull) = (DMat3::ZERO, DVec3::ZERO);
    for (p, d) in around {
        let b = p - mean;
        normal += DMat3::from_cols(b * b.x, b * b.y, b * b.z);
        pull += b * (right(p, d) - mean_right);
    }
    // The determinant is the product of the squared spreads along the axes.
    let largest = normal.x_axis.x + normal.y_axis.y + normal.z_axis.z;
    if normal.determinant() <= (FLAT * FLAT) * largest.powi(3) / 27.0 {
        return None;
    }
    let place = mean + normal.inverse() * pull;
    place.is_finite().then_some(place)
}
