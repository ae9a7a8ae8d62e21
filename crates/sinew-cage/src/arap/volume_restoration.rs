//! Restoration of tetrahedron volumes by Gauss–Seidel projection.
//!
//! The volume error of each tetrahedron is corrected by the smallest motion of its corners,
//! `δ_k = m_k ∇_k V (V̄ − V) / Σ m ‖∇V‖²`, one tetrahedron after another in several sweeps; m is zero for fixed corners.
//! Corrections propagate to neighbours from sweep to sweep.

use crate::tetrahedralize::volume;
use glam::DVec3;

/// The largest correction at once, relative to the rest volume. The correction is linear in the volume and so holds for
/// small changes only. Not tuned.
const MAX_CORRECTION: f64 = 0.3;

/// Moves tetrahedra toward their rest volumes. Corners move by `1 − fixed`.
pub(super) fn restore_volumes(
    tetrahedra: &[[u32; 4]],
    volumes: &[f64],
    fixed: &[f64],
    sweeps: usize,
    positions: &mut [DVec3],
) {
    for _ in 0..sweeps {
        for (corners, &rest_volume) in tetrahedra.iter().zip(volumes) {
            let now @ [a, b, c, d] = corners.map(|v| positions[v as usize]);
            let gradients = [(d - b).cross(c - b), (c - a).cross(d - a), (d - a).cross(b - a), (b - a).cross(c - a)];
            let mobilities = corners.map(|v| 1.0 - fixed[v as usize]);
            let denominator: f64 =
                mobilities.iter().zip(gradients).map(|(mobility, g)| mobility * g.length_squared()).sum();
            if denominator <= 0.0 {
                continue;
            }
            let correction =
                (rest_volume - volume(now)).clamp(-MAX_CORRECTION * rest_volume, MAX_CORRECTION * rest_volume);
            for ((&vertex, mobility), gradient) in corners.iter().zip(mobilities).zip(gradients) {
                positions[vertex as usize] += gradient * (6.0 * correction * mobility / denominator);
            }
        }
    }
}
