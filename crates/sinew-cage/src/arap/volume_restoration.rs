//! How do tetrahedra get their volumes back?
//!
//! What shapes and bones leave of the error of each volume is taken back by the smallest motion of its corners,
//! `δ_k = m_k ∇_k V (V̄ − V) / Σ m ‖∇V‖²`, one tetrahedron after another and several times over; m is zero for
//! corners that do not give way. Neighbours pass on what one of them gained too much.

use crate::tetrahedralize::volume;
use glam::DVec3;

/// Of the volume at rest: a tetrahedron gains no more at once.
const MOST: f64 = 0.3;

/// Restores the volumes that tetrahedra had at rest, in so many sweeps. Corners for which `hold` is nearer to one give
/// way less.
pub(super) fn restore_volumes(
    tetrahedra: &[[u32; 4]],
    volumes: &[f64],
    hold: &[f64],
    sweeps: usize,
    positions: &mut [DVec3],
) {
    for _ in 0..sweeps {
        for (corners, &wanted) in tetrahedra.iter().zip(volumes) {
            let now @ [a, b, c, d] = corners.map(|v| positions[v as usize]);
            let gradients = [(d - b).cross(c - b), (c - a).cross(d - a), (d - a).cross(b - a), (b - a).cross(c - a)];
            let gives = corners.map(|v| 1.0 - hold[v as usize]);
            let stiffness: f64 = gives.iter().zip(gradients).map(|(give, g)| give * g.length_squared()).sum();
            if stiffness <= 0.0 {
                continue;
            }
            let missing = (wanted - volume(now)).clamp(-MOST * wanted, MOST * wanted);
            for ((&vertex, give), gradient) in corners.iter().zip(gives).zip(gradients) {
                positions[vertex as usize] += gradient * (6.0 * missing * give / stiffness);
            }
        }
    }
}
