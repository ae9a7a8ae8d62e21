//! How the skin is strained around each point.
//!
//! With the rotation R that the joints of a point blend to, an edge e that only turns with them becomes `R e`. The strain
//! is the length of the edges around a point along that, in the mean by their conductances c:
//!
//! ```text
//! σ = Σ c (xⱼ − xᵢ)·(R eᵢⱼ) / Σ c |eᵢⱼ|²
//! ```
//!
//! It is 1 where nothing is strained, more on the outside of a bend, and less inside, where the skin is crushed.

use super::region::Region;
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::WeldedSurface;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;
use sinew_geometry::polar;

/// The strains between which skin becomes taut. Flesh gives way to compression at once and to tension late, so the middle
/// is at no strain.
const TAUT: [f64; 2] = [0.85, 1.15];

/// The rotations of joints since rest with their sizes, and those of the points around joints and next to them.
pub(super) struct Turns {
    joints: Vec<(DQuat, f64)>,
    /// Those of each point of the body.
    pub points: Vec<DMat3>,
    /// Their rotations alone.
    pub rotations: Vec<DQuat>,
    wanted: Vec<bool>,
}

impl Turns {
    pub fn new(body: &WeldedSurface, region: &Region, joints: usize) -> Self {
        let mut wanted = vec![false; body.len()];
        let next = region.around.values().iter().map(|&(point, _)| point);
        region.points.iter().copied().chain(next).for_each(|point| wanted[point as usize] = true);
        Self {
            joints: vec![(DQuat::IDENTITY, 1.0); joints],
            points: vec![DMat3::IDENTITY; body.len()],
            rotations: vec![DQuat::IDENTITY; body.len()],
            wanted,
        }
    }

    /// Takes over what joints did since rest.
    pub fn follow(&mut self, body: &WeldedSurface, motion: impl Fn(usize) -> DAffine3) {
        let Self { joints, points, rotations, wanted } = self;
        for (joint, turn) in joints.iter_mut().enumerate() {
            let matrix = motion(joint).matrix3;
            let size = matrix.determinant().abs().cbrt();
            // A joint that is scaled to nothing turns nothing.
            *turn = if size > 0.0 && size.is_finite() { (polar(matrix).0, size) } else { (DQuat::IDENTITY, 0.0) };
        }
        let joints = &*joints;
        let both = points.par_iter_mut().zip(rotations).zip(wanted).enumerate().with_min_len(VERTICES_PER_TASK);
        both.for_each(|(point, ((turn, rotation), wanted))| {
            if *wanted {
                let (blended, size) = blend(body.influences.row(point as u32), joints);
                (*turn, *rotation) = (size * DMat3::from_quat(blended), blended);
            }
        });
    }

    /// The rotation of a joint since rest.
    pub fn of_joint(&self, joint: usize) -> DQuat {
        self.joints[joint].0
    }
}

/// The rotation and size of a point, with quaternions on one side.
fn blend(row: &[(u32, f64)], joints: &[(DQuat, f64)]) -> (DQuat, f64) {
    let sized = row.iter().map(|&(joint, _)| joints[joint as usize]).find(|(_, size)| *size > 0.0);
    let Some((first, _)) = sized else { return (DQuat::IDENTITY, 1.0) };
    let (mut sum, mut size) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), 0.0);
    for &(joint, weight) in row {
        let (turn, scale) = joints[joint as usize];
        if scale == 0.0 {
            continue;
        }
        sum += turn * if turn.dot(first) < 0.0 { -weight } else { weight };
        size += weight * scale;
    }
    (sum.normalize(), size)
}

/// How taut the edges of each point of a region are, for the places of all points: 0 where it is crushed, 1 where it is
/// stretched.
pub(super) fn measure_strain(
    body: &WeldedSurface,
    region: &Region,
    turns: &[DMat3],
    places: &[DVec3],
    taut: &mut [f64],
) {
    taut.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(k, taut)| {
        let i = region.points[k] as usize;
        let (mut along, mut length) = (0.0, 0.0);
        for &(j, c) in region.around.row(k as u32) {
            let edge = turns[i] * (body.rest[j as usize] - body.rest[i]);
            along += c * (places[j as usize] - places[i]).dot(edge);
            length += c * edge.length_squared();
        }
        let strain = if length > 0.0 { along / length } else { 1.0 };
        *taut = smoothstep((strain - TAUT[0]) / (TAUT[1] - TAUT[0]));
    });
}
