//! How thick the flesh is around a place.

use glam::DVec3;
use sinew_geometry::Winding;

/// Rays across a limb.
const RAYS: usize = 24;

/// The median distance from a place to the skin across an axis; none outside of the flesh.
pub(super) fn limb_radius(winding: &Winding, place: DVec3, axis: DVec3, farthest: f64) -> Option<f64> {
    let u = axis.any_orthonormal_vector();
    let v = axis.cross(u);
    let mut distances: Vec<f64> = (0..RAYS)
        .filter_map(|k| {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / RAYS as f64).sin_cos();
            depth(winding, place, farthest * (cosine * u + sine * v))
        })
        .collect();
    if distances.len() < RAYS / 2 {
        return None;
    }
    distances.sort_by(f64::total_cmp);
    Some(distances[distances.len() / 2])
}

/// The distance from a place to the skin along a way; none if that does not leave the flesh first.
pub(super) fn depth(winding: &Winding, place: DVec3, way: DVec3) -> Option<f64> {
    let mut found = Vec::new();
    winding.segment_intersections(place, place + way, &mut found);
    found.first().filter(|hit| !hit.enters).map(|hit| hit.parameter * way.length())
}
