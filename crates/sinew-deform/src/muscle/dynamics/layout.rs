//! The layout of particles on the path of a muscle, and their masses.

use crate::muscle::axis::length;
use crate::muscle::{Muscle, MuscleField};
use glam::DVec3;

/// No particle is lighter than this share of the mean.
const LIGHTEST: f64 = 0.25;

/// The particles that are at the places of a muscle's path, as near to their shares of it as there is room.
pub(super) fn particles(muscle: &Muscle, count: usize) -> Vec<usize> {
    let total = muscle.path_length(|at| at.position);
    let last = muscle.path.len() - 1;
    let mut passed = 0.0;
    let mut particles = vec![0];
    for (place, pair) in muscle.path.windows(2).enumerate() {
        passed += pair[0].position.distance(pair[1].position);
        let wanted = (passed / total * (count - 1) as f64).round() as usize;
        let (lowest, highest) = (particles[place] + 1, count - 1 - (last - place - 1));
        particles.push(if place + 1 == last { count - 1 } else { wanted.clamp(lowest, highest) });
    }
    particles
}

/// Spreads points evenly between those that are given with their numbers.
pub(super) fn interpolate_between(held: impl Iterator<Item = (DVec3, usize)>, points: &mut [DVec3]) {
    let mut before: Option<(DVec3, usize)> = None;
    for (at, particle) in held {
        let (from, first) = before.unwrap_or((at, particle));
        let steps = (particle - first).max(1) as f64;
        for (k, point) in points[first..=particle].iter_mut().enumerate() {
            *point = from.lerp(at, k as f64 / steps);
        }
        before = Some((at, particle));
    }
}

/// Zero for attached particles; for all others by their share of the volume, which depends on the radius \[R18
/// §5.2.1\].
pub(super) fn inverse_masses(field: &MuscleField, points: &[DVec3], held: &[usize]) -> Vec<f64> {
    let total = length(points);
    let radius = |k: usize| field.radius(length(&points[..=k]) / total).value;
    let radii: Vec<f64> = (0..points.len()).map(radius).collect();
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    let weights: Vec<f64> = radii.iter().map(|radius| radius.max(LIGHTEST * mean)).collect();
    let all: f64 = weights.iter().sum();
    let inverse = |k: usize| if held.contains(&k) { 0.0 } else { all / (weights[k] * field.nominal_volume()) };
    (0..points.len()).map(inverse).collect()
}

/// A value that is given at even shares of the axis, at any share.
pub(super) fn at_share(values: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (values.len() - 1) as f64;
    let (k, last) = (place as usize, values.len() - 1);
    let (a, b) = (values[k.min(last)], values[(k + 1).min(last)]);
    a + (b - a) * (place - k as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_spread_between_what_is_held() {
        let mut points = [DVec3::ZERO; 7];
        interpolate_between(
            [(DVec3::ZERO, 0), (DVec3::X * 2.0, 4), (DVec3::new(2.0, 4.0, 0.0), 6)].into_iter(),
            &mut points,
        );
        assert_eq!(points[1], DVec3::X * 0.5);
        assert_eq!(points[4], DVec3::X * 2.0);
        assert_eq!(points[5], DVec3::new(2.0, 2.0, 0.0));
    }

    #[test]
    fn values_are_interpolated_by_share() {
        assert_eq!(
            [0.0, 0.25, 0.5, 1.0, 7.0].map(|share| at_share(&[1.0, 3.0, 4.0], share)),
            [1.0, 2.0, 3.0, 4.0, 4.0]
        );
    }
}
