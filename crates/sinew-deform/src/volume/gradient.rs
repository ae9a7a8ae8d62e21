//! The exact gradient of a volume [R09 eq. 2].
//!
//! ```text
//! ∂V/∂a = (b × c)/6                        at a vertex a of a triangle abc
//! ∂V/∂a = (b × c + c × d + b × d)/12       at a vertex a of a bilinear quad abcd, the mean of its two splits
//! ```
//!
//! The centre of a cap is the mean of its rim, so its gradient goes to the rim in equal parts.

use super::patch::{NONE, Patch};
use glam::DVec3;
use sinew_geometry::parallel::*;

/// Vertices that a task gathers. Each task writes its own vertices, so the number changes no result.
const GATHERED_PER_TASK: usize = 2048;

impl Patch {
    /// `∂V/∂p` at every movable vertex.
    pub fn gradient(&self, points: &[DVec3], gradient: &mut [DVec3]) {
        self.gather(gradient, |at| {
            self.corners_at(at).iter().map(|c| around(c, |v| points[v as usize], DVec3::cross)).sum()
        });
    }

    /// One coordinate of the gradient at every movable vertex where γ is not zero; zero elsewhere.
    pub fn gradient_along(&self, axis: usize, points: &[DVec3], gamma: &[f64], gradient: &mut [f64]) {
        match axis {
            0 => self.gradient_in_plane::<1, 2>(points, gamma, gradient),
            1 => self.gradient_in_plane::<2, 0>(points, gamma, gradient),
            _ => self.gradient_in_plane::<0, 1>(points, gamma, gradient),
        }
    }

    /// The coordinate of the gradient across the plane of two others.
    fn gradient_in_plane<const V: usize, const W: usize>(&self, points: &[DVec3], gamma: &[f64], gradient: &mut [f64]) {
        let cross = |a: DVec3, b: DVec3| a[V] * b[W] - a[W] * b[V];
        self.gather(gradient, |at| {
            if gamma.get(at) == Some(&0.0) {
                return 0.0;
            }
            self.corners_at(at).iter().map(|c| around(c, |v| points[v as usize], cross)).sum()
        });
    }

    /// Fills in what every movable vertex gathers from its corners, and its part of its caps.
    fn gather<T>(&self, out: &mut [T], at: impl Fn(usize) -> T + Sync)
    where
        T: Copy + Send + std::ops::AddAssign + std::ops::Div<f64, Output = T>,
    {
        let out = &mut out[..self.movable];
        if out.len() <= 2 * GATHERED_PER_TASK {
            out.iter_mut().enumerate().for_each(|(k, g)| *g = at(k));
        } else {
            out.par_chunks_mut(GATHERED_PER_TASK).enumerate().for_each(|(piece, out)| {
                out.iter_mut().enumerate().for_each(|(k, g)| *g = at(piece * GATHERED_PER_TASK + k));
            });
        }
        for (index, cap) in self.caps.iter().enumerate() {
            let share = at(self.movable + index) / cap.rim.len() as f64;
            for &v in cap.rim.iter().filter(|&&v| (v as usize) < self.movable) {
                out[v as usize] += share;
            }
        }
    }
}

/// The contribution of a corner to the gradient, with some form of the cross product.
#[inline(always)]
fn around<T>(&[b, c, d]: &[u32; 3], at: impl Fn(u32) -> DVec3, cross: impl Fn(DVec3, DVec3) -> T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Div<f64, Output = T>,
{
    let (b, c) = (at(b), at(c));
    if d == NONE {
        return cross(b, c) / 6.0;
    }
    let d = at(d);
    // b × c + c × d + b × d
    (cross(b, c + d) + cross(c, d)) / 12.0
}
