//! Projection of guessed positions onto the distances that hardly change.
//!
//! For the lost markers of a frame, all at once, the most probable positions x given guesses μ of variance σ² and
//! distances d of variance s² to others, lost or not, minimise
//!
//! ```text
//! Σ_i ‖x_i − μ_i‖²/σ_i² + Σ_ij (‖x_i − x_j‖ − d_ij)²/s_ij²,
//! ```
//!
//! marker by marker with Newton's steps on the linearised distances. A distance that never varied is met almost
//! exactly, as L13's constraints are; a distance that varied may deviate as much as elsewhere. The deviation of a
//! distance at both ends of the gap is interpolated linearly between them.

use super::regression::Guess;
use super::{Gap, MarkerGraph, Markers};
use glam::{DMat3, DVec3};

/// The spread is half of nine tenths of the values: so many standard deviations of a normal distribution.
const SPREAD_DEVIATIONS: f64 = 1.645;
/// The most distance constraints of a lost marker. Three determine a position, and more average errors; not tuned.
const MAX_DISTANCES: usize = 8;
/// The most sweeps over the lost markers of a frame. A bound on time; sweeps end earlier at convergence.
const MAX_SWEEPS: usize = 40;
/// The most Newton steps from a nearby position. A bound on time; steps end earlier at convergence.
const MAX_NEWTON_STEPS: usize = 8;
/// Steps below this part of the expected error end the iteration. 2 % of the expected error do not show; not tuned.
const STEP_TOLERANCE: f64 = 0.02;

/// Distances of a lost marker to others during its gap.
#[derive(Debug, Clone)]
pub(super) struct DistanceConstraints(Vec<DistanceConstraint>);

#[derive(Debug, Clone, Copy)]
struct DistanceConstraint {
    other: usize,
    /// At the first and at the last frame of the gap.
    lengths: [f64; 2],
    weight: f64,
}

impl DistanceConstraints {
    /// The near-constant distances of a marker, with deviations of at least `least`.
    pub fn new(markers: &Markers, graph: &MarkerGraph, gap: &Gap, variation: f64, least: f64) -> Self {
        let near = graph.neighbors(gap.marker).iter().filter(|&&o| graph.pair(gap.marker, o).is_near_constant);
        let constraint = |&other: &usize| {
            let pair = graph.pair(gap.marker, other);
            let length_at = |frame: Option<usize>| {
                let frame = frame.filter(|&f| f < markers.frames())?;
                let length = markers.get(frame, gap.marker)?.distance(markers.get(frame, other)?);
                // A large deviation is an outlier and is not interpolated.
                ((length - pair.length).abs() <= 2.0 * pair.spread + least).then_some(length)
            };
            let (before, after) = (length_at(gap.frames.start.checked_sub(1)), length_at(Some(gap.frames.end)));
            let lengths = [before.or(after).unwrap_or(pair.length), after.or(before).unwrap_or(pair.length)];
            DistanceConstraint {
                other,
                lengths,
                weight: deviation(graph, gap.marker, other, variation, least).powi(-2),
            }
        };
        Self(near.take(MAX_DISTANCES).map(constraint).collect())
    }

    /// The other markers.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|constraint| constraint.other)
    }

    /// The distance to another marker at a progress through the gap; not a number without a constraint.
    pub fn length(&self, other: usize, progress: f64) -> f64 {
        self.0
            .iter()
            .find(|constraint| constraint.other == other)
            .map_or(f64::NAN, |constraint| constraint.length(progress))
    }
}

impl DistanceConstraint {
    fn length(&self, progress: f64) -> f64 {
        self.lengths[0] + (self.lengths[1] - self.lengths[0]) * progress
    }
}

/// The progress through a gap in a frame, from 0 to 1.
pub(super) fn progress(gap: &Gap, frame: usize) -> f64 {
    (frame - gap.frames.start + 1) as f64 / (gap.frames.len() + 1) as f64
}

/// The deviation of a distance: `variation` times the measured one, but at least `least`.
pub(super) fn deviation(graph: &MarkerGraph, a: usize, b: usize, variation: f64, least: f64) -> f64 {
    (variation * graph.pair(a, b).spread / SPREAD_DEVIATIONS).max(least)
}

/// A lost marker of a frame: the distances of its gap, the progress through the gap from 0 to 1, and its guess.
pub(super) struct LostMarker<'a> {
    pub marker: usize,
    pub distances: &'a DistanceConstraints,
    pub progress: f64,
    pub guess: Guess,
}

/// Moves the lost markers of a frame. `places` has the positions of all markers; none without even a guess. Returns the
/// expected error of each lost marker.
pub(super) fn project(lost: &[LostMarker<'_>], places: &mut [Option<DVec3>]) -> Vec<f64> {
    let mut errors = vec![0.0; lost.len()];
    for _ in 0..MAX_SWEEPS {
        let mut farthest = 0.0f64;
        for (lost, error) in lost.iter().zip(&mut errors) {
            let Some(place) = places[lost.marker] else { continue };
            let (moved, expected) = step(lost, place, places);
            let moved = lost.within_reach(moved);
            places[lost.marker] = Some(moved);
            farthest = farthest.max(moved.distance(place) / expected.max(f64::MIN_POSITIVE));
            *error = expected;
        }
        if farthest < STEP_TOLERANCE {
            break;
        }
    }
    errors
}

/// A Newton step of a marker among the others, halved until the energy does not increase, with the expected error.
fn step(lost: &LostMarker<'_>, place: DVec3, places: &[Option<DVec3>]) -> (DVec3, f64) {
    let sure = lost.guess.variance.max(f64::MIN_POSITIVE).recip();
    let mut curvature = DMat3::from_diagonal(DVec3::splat(sure));
    let mut slope = (place - lost.guess.place) * sure;
    for (constraint, other, length) in lost.known_distances(places) {
        let Some(direction) = (place - other).try_normalize() else { continue };
        let outer = DMat3::from_cols(direction * direction.x, direction * direction.y, direction * direction.z);
        curvature += outer * constraint.weight;
        slope += direction * (place.distance(other) - length) * constraint.weight;
    }
    let inverse = curvature.inverse();
    let trace = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
    let newton = inverse * slope;
    if !(newton.is_finite() && trace.is_finite()) {
        return (place, (3.0 * lost.guess.variance).sqrt());
    }
    let now = lost.cost(place, places);
    let shares = [1.0, 0.5, 0.25, 0.125, 0.03].into_iter();
    let better = shares.map(|share| place - share * newton).find(|&moved| lost.cost(moved, places) <= now);
    (better.unwrap_or(place), trace.max(0.0).sqrt())
}

/// Moves one marker from a nearby position to its most probable one, with the expected error there.
pub(super) fn refine(lost: &LostMarker<'_>, start: DVec3, places: &[Option<DVec3>]) -> (DVec3, f64) {
    let mut place = start;
    let mut expected = 0.0;
    for _ in 0..MAX_NEWTON_STEPS {
        let before = place;
        (place, expected) = step(lost, before, places);
        if place.distance(before) < STEP_TOLERANCE * expected {
            break;
        }
    }
    (place, expected)
}

impl LostMarker<'_> {
    /// Limits the distance of a position from the guess to the expected error. If the guess is close to the middle of
    /// its neighbours, positions on every side meet the distances, and frames would choose different sides.
    fn within_reach(&self, place: DVec3) -> DVec3 {
        let reach = (3.0 * self.guess.variance).sqrt();
        self.guess.place + (place - self.guess.place).clamp_length_max(reach)
    }

    fn known_distances(&self, places: &[Option<DVec3>]) -> impl Iterator<Item = (&DistanceConstraint, DVec3, f64)> {
        self.distances.0.iter().filter_map(move |constraint| {
            Some((constraint, places[constraint.other]?, constraint.length(self.progress)))
        })
    }

    fn cost(&self, place: DVec3, places: &[Option<DVec3>]) -> f64 {
        let far = place.distance_squared(self.guess.place) / self.guess.variance.max(f64::MIN_POSITIVE);
        let off = |(constraint, other, length): (&DistanceConstraint, DVec3, f64)| {
            constraint.weight * (place.distance(other) - length).powi(2)
        };
        far + self.known_distances(places).map(off).sum::<f64>()
    }
}
