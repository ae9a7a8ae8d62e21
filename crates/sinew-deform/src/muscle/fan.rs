//! Broad muscles as fans of narrow ones.
//!
//! A muscle such as the pectoral starts and ends along curves rather than at points. Fibres run between
//! places at even shares of both curves \[R18 §4.4.3\], each widest along the curves; n fibres of the width
//! w/√n have the volume of one of the width w.

use glam::DVec3;

/// A fibre's two ends, origin first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fibre {
    /// Where it starts and ends.
    pub ends: [DVec3; 2],
    /// The direction of each curve there; zero where it is a point.
    pub normals: [DVec3; 2],
}

/// The fibres of a fan between two curves, each given by one or more points in order.
///
/// # Panics
/// If a curve has no point.
pub fn fan(origin: &[DVec3], insertion: &[DVec3], fibres: usize) -> Vec<Fibre> {
    let fibre = |k: usize| {
        let share = (k as f64 + 0.5) / fibres as f64;
        let [(start, first), (end, last)] = [origin, insertion].map(|curve| on_curve(curve, share));
        Fibre { ends: [start, end], normals: [first, last] }
    };
    (0..fibres).map(fibre).collect()
}

/// Place and direction at a share of a curve's length.
fn on_curve(curve: &[DVec3], share: f64) -> (DVec3, DVec3) {
    let mut left = share * super::axis::length(curve);
    for pair in curve.windows(2) {
        let length = pair[0].distance(pair[1]);
        if left <= length && length > 0.0 {
            return (pair[0].lerp(pair[1], left / length), (pair[1] - pair[0]) / length);
        }
        left -= length;
    }
    let last = curve.len() - 1;
    (curve[last], (curve[last] - curve[last.saturating_sub(1)]).normalize_or_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fibres_are_spread_evenly_and_lie_along_the_curves() {
        let origin = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 3.0, 0.0)];
        let fibres = fan(&origin, &[DVec3::Z], 4);
        let starts: Vec<DVec3> = fibres.iter().map(|fibre| fibre.ends[0]).collect();
        let expected = [(0.5, 0.0), (1.0, 0.5), (1.0, 1.5), (1.0, 2.5)].map(|(x, y)| DVec3::new(x, y, 0.0));
        assert!(starts.iter().zip(expected).all(|(a, b)| a.distance(b) < 1e-12), "{starts:?}");
        assert_eq!(fibres[0].normals, [DVec3::X, DVec3::ZERO]);
        assert_eq!(fibres[3].normals[0], DVec3::Y);
        assert!(fibres.iter().all(|fibre| fibre.ends[1] == DVec3::Z));
    }
}
