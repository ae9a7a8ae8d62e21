//! Shares by distance alone: `w_b ∝ 1/d_b^α`, with the distance to the bone's segment.

use crate::bones::Segment;
use crate::rest_surface::RestSurface;
use glam::DVec3;
use rayon::prelude::*;
use sinew_rig::Influence;

/// The least distance that counts, of the diagonal of the surface's box.
const NEAREST: f64 = 1e-6;

/// The largest shares of a point, `influences` of them at most.
pub(super) fn shares(point: DVec3, segments: &[Segment], alpha: f64, influences: usize) -> Vec<Influence> {
    let mut nearest: Vec<(f64, u32)> = Vec::new();
    for bone in segments.chunk_by(|a, b| a.bone == b.bone) {
        let distances = bone.iter().map(|segment| segment.nearest(point).distance(point));
        nearest.push((distances.fold(f64::INFINITY, f64::min).max(NEAREST), bone[0].bone));
    }
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.truncate(influences.max(1));
    let first = nearest.first().map_or(1.0, |&(distance, _)| distance);
    let share = |&(distance, joint): &(f64, u32)| Influence { joint, weight: (first / distance).powf(alpha) as f32 };
    nearest.iter().map(share).collect()
}

/// The largest shares of each welded vertex.
pub(super) fn weights(
    surface: &RestSurface,
    segments: &[Segment],
    alpha: f64,
    influences: usize,
) -> Vec<Vec<Influence>> {
    surface.positions().par_iter().map(|&point| shares(point, segments, alpha, influences)).collect()
}
