//! Weights by inverse distance: `w_b ∝ 1/d_b^α`, with the Euclidean distance to the bone's segments.

use crate::bones::Segment;
use crate::rest_surface::RestSurface;
use glam::DVec3;
use sinew_geometry::parallel::*;
use sinew_rig::Influence;

/// The least distance, relative to the bounding box diagonal; it keeps weights finite on a bone. It is ten times the
/// rounding of positions in f32.
const MIN_DISTANCE: f64 = 1e-6;

/// The largest weights at a point, at most `influences` of them.
pub(super) fn point_weights(point: DVec3, segments: &[Segment], alpha: f64, influences: usize) -> Vec<Influence> {
    let mut nearest: Vec<(f64, u32)> = Vec::new();
    for bone in segments.chunk_by(|a, b| a.bone == b.bone) {
        let distances = bone.iter().map(|segment| segment.nearest(point).distance(point));
        nearest.push((distances.fold(f64::INFINITY, f64::min).max(MIN_DISTANCE), bone[0].bone));
    }
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.truncate(influences.max(1));
    let first = nearest.first().map_or(1.0, |&(distance, _)| distance);
    let influence =
        |&(distance, joint): &(f64, u32)| Influence { joint, weight: (first / distance).powf(alpha) as f32 };
    nearest.iter().map(influence).collect()
}

/// The largest weights at each welded vertex.
pub(super) fn weights(
    surface: &RestSurface,
    segments: &[Segment],
    alpha: f64,
    influences: usize,
) -> Vec<Vec<Influence>> {
    surface.positions().par_iter().map(|&point| point_weights(point, segments, alpha, influences)).collect()
}
