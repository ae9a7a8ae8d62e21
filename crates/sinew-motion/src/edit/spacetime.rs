//! The graph over all frames of a range.
//!
//! L13 section 7.3: every point is tied to its neighbours in the body and to itself in the frames before and after, with
//! weights (eq. 7.3)
//!
//! ```text
//! w_ij = 1 in the body,      w_ij = (1 + α exp(−β d_ij² / d_max²)) (fps/30)² in time,
//! ```
//!
//! so that points which move little, such as feet on the ground, keep their place. The last factor makes
//! a result independent of the frame rate. Differences are rotated with the postures that are pinned as a whole
//! (eq. 7.4): between them the rotations are spherical averages.

use super::skeleton_points::SkeletonPoints;
use crate::Result;
use crate::laplacian_editing::{Graph, Segment};
use glam::{DMat3, DQuat, DVec3};
use sinew_geometry::polar;

/// The frame rate at which eq. 7.3 is as printed. It is the rate of most test motions.
const PRINTED_FPS: f64 = 30.0;

/// The graph of a range of frames; vertex `frame · points + point`.
pub(super) fn graph(
    skeleton_points: &SkeletonPoints,
    frames: &[Vec<DVec3>],
    fps: f64,
    alpha: f64,
    beta: f64,
) -> Result<Graph> {
    let count = skeleton_points.len();
    let vertex = |frame: usize, point: usize| (frame * count + point) as u32;
    let squared = |frame: usize, point: usize| frames[frame][point].distance_squared(frames[frame + 1][point]);
    let steps = || (0..frames.len() - 1).flat_map(|frame| (0..count).map(move |point| (frame, point)));
    let longest = steps().map(|(f, p)| squared(f, p)).fold(f64::MIN_POSITIVE, f64::max);
    let (mut edges, mut weights) = (Vec::new(), Vec::new());
    for frame in 0..frames.len() {
        edges.extend(skeleton_points.pairs.iter().map(|&(a, b)| (vertex(frame, a), vertex(frame, b))));
    }
    weights.resize(edges.len(), 1.0);
    let rate = (fps / PRINTED_FPS).powi(2);
    for (frame, point) in steps() {
        edges.push((vertex(frame, point), vertex(frame + 1, point)));
        weights.push((1.0 + alpha * (-beta * squared(frame, point) / longest).exp()) * rate);
    }
    Graph::new(frames.len() * count, edges, weights)
}

/// The segments of all frames, as long as they are there; none where both ends are fixed.
pub(super) fn segments(
    skeleton_points: &SkeletonPoints,
    frames: &[Vec<DVec3>],
    is_fixed: impl Fn(usize) -> bool,
) -> Vec<Segment> {
    let count = skeleton_points.len();
    let all = frames.iter().enumerate().flat_map(|(frame, positions)| {
        skeleton_points.pairs.iter().map(move |&(a, b)| {
            let length = positions[a].distance(positions[b]);
            Segment { a: (frame * count + a) as u32, b: (frame * count + b) as u32, length }
        })
    });
    all.filter(|s| s.length > 0.0 && !(is_fixed(s.a as usize) && is_fixed(s.b as usize))).collect()
}

/// The rotation that takes points to others best, where three or more of them are not in a line.
pub(super) fn group_rotation(pairs: &[(DVec3, DVec3)]) -> Option<DQuat> {
    let count = pairs.len() as f64;
    if pairs.len() < 3 {
        return None;
    }
    let from = pairs.iter().map(|p| p.0).sum::<DVec3>() / count;
    let to = pairs.iter().map(|p| p.1).sum::<DVec3>() / count;
    let mut covariance = DMat3::ZERO;
    let mut spread = DMat3::ZERO;
    for (p, q) in pairs {
        let (p, q) = (*p - from, *q - to);
        covariance += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
        spread += DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    }
    // Points in a plane have a covariance of rank two; its cofactors give the third direction.
    let cofactors = DMat3::from_cols(
        covariance.y_axis.cross(covariance.z_axis),
        covariance.z_axis.cross(covariance.x_axis),
        covariance.x_axis.cross(covariance.y_axis),
    );
    let size = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
    let (area, scale) = (cofactors.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs())), size * size);
    if area.is_nan() || area <= 1e-6 * scale {
        return None;
    }
    let (rotation, _) = polar(covariance + cofactors * (1.0 / size));
    Some(rotation)
}

/// A rotation for each frame between those of pinned postures; ends that are not given are as the source.
pub(super) fn rotations_between(frames: usize, mut groups: Vec<(usize, DQuat)>, ends: (bool, bool)) -> Vec<DQuat> {
    if ends.0 {
        groups.insert(0, (0, DQuat::IDENTITY));
    }
    if ends.1 {
        groups.push((frames - 1, DQuat::IDENTITY));
    }
    let at = |frame: usize| {
        let next = groups.partition_point(|(f, _)| *f <= frame);
        match (next.checked_sub(1).map(|k| groups[k]), groups.get(next)) {
            (Some((f, a)), Some(&(g, b))) => a.slerp(b, (frame - f) as f64 / (g - f).max(1) as f64),
            (Some((_, rotation)), None) | (None, Some(&(_, rotation))) => rotation,
            (None, None) => DQuat::IDENTITY,
        }
    };
    (0..frames).map(at).collect()
}
