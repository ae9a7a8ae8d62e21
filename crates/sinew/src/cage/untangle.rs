//! How are tetrahedra that were turned over put right?
//!
//! Each is drawn to the nearest place where it has its shape at rest: with `F` the map from its edges at rest to
//! those now and R the rotation nearest to F, its corners go towards `center + R (corner − center at rest)`. Corners
//! that others need elsewhere are drawn back and forth, so this is repeated until no tetrahedron is turned over, or
//! for so many rounds.

use super::filling::volume;
use super::rotation::nearest_rotation;
use glam::{DMat3, DQuat, DVec3};

/// Rounds at most.
const ROUNDS: usize = 20;

/// Of its volume at rest: a tetrahedron with less is put right.
const LEAST: f64 = 0.02;

/// How far corners go at once.
const SHARE: f64 = 0.5;

/// Puts tetrahedra right that are turned over or flat. Corners for which `hold` is nearer to one give way less. Returns
/// how many are turned over in the end.
pub(super) fn untangle(
    tetrahedra: &[[u32; 4]],
    rest: &[DVec3],
    rotations: &[DQuat],
    hold: &[f64],
    positions: &mut [DVec3],
) -> usize {
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for corners in tetrahedra {
            let [before, now] = [rest, &*positions].map(|places| corners.map(|v| places[v as usize]));
            if volume(now) > LEAST * volume(before) {
                continue;
            }
            is_changed = true;
            let center = |places: [DVec3; 4]| places.into_iter().sum::<DVec3>() / 4.0;
            let (center_before, center_now) = (center(before), center(now));
            let mut sum = DMat3::ZERO;
            for (p, q) in before.iter().zip(now) {
                let (p, q) = (*p - center_before, q - center_now);
                sum += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
            }
            let rotation = nearest_rotation(sum, rotations[corners[0] as usize]);
            for ((&vertex, p), q) in corners.iter().zip(before).zip(now) {
                let goal = center_now + rotation * (p - center_before);
                positions[vertex as usize] = q + (goal - q) * (SHARE * (1.0 - hold[vertex as usize]));
            }
        }
        if !is_changed {
            break;
        }
    }
    tetrahedra.iter().filter(|corners| volume(corners.map(|v| positions[v as usize])) <= 0.0).count()
}
