//! Target vectors of segments of given lengths.
//!
//! The term `w_d Σ ‖γ_ab − (v_a − v_b)‖²` with `‖γ_ab‖ = d_ab` of Laplacian editing (L13 eq. 6.4 and 9.10), for any
//! system that it is added to. For given positions the best `γ` has the direction of its segment. Segments in a
//! row that have to be in one line share a direction u; `Σ ‖d u − e‖²` is least for
//!
//! ```text
//! u ∥ Σ d e
//! ```
//!
//! over the row (L13 eq. 9.11 has it without the normalisation). A multiplier `λ` per segment adds up what it is
//! off by: then `γ` is directed along `v_a − v_b + λ`, the solve aims at `γ − λ`, and lengths are met in the end.

use glam::DVec3;
use std::ops::Range;

/// Two vertices at a preserved distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// One end.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// The distance between them.
    pub length: f64,
}

impl Segment {
    /// From b to a.
    pub fn vector(&self, positions: &[DVec3]) -> DVec3 {
        positions[self.a as usize] - positions[self.b as usize]
    }
}

/// Segments and the vectors they aim at.
#[derive(Debug, Clone)]
pub struct SegmentGoals {
    segments: Vec<Segment>,
    weight: f64,
    goals: Vec<DVec3>,
    multipliers: Vec<DVec3>,
}

impl SegmentGoals {
    /// Segments that aim at where they are.
    pub fn new(segments: Vec<Segment>, weight: f64, positions: &[DVec3]) -> Self {
        let goals = segments.iter().map(|s| s.vector(positions)).collect();
        Self { multipliers: vec![DVec3::ZERO; segments.len()], goals, weight, segments }
    }

    /// The segments.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The vectors they aim at.
    pub fn goals(&self) -> &[DVec3] {
        &self.goals
    }

    /// Adds their term to a system over all vertices.
    pub fn add_to(&self, diagonal: &mut [f64], entries: &mut Vec<(u32, u32, f64)>) {
        for segment in &self.segments {
            diagonal[segment.a as usize] += self.weight;
            diagonal[segment.b as usize] += self.weight;
            entries.push((segment.a, segment.b, -self.weight));
        }
    }

    /// Aims each segment at a vector.
    pub fn set(&mut self, goal: impl Fn(&Segment) -> DVec3) {
        self.goals.iter_mut().zip(&self.segments).for_each(|(aim, segment)| *aim = goal(segment));
    }

    /// Aims each segment along itself.
    pub fn aim(&mut self, positions: &[DVec3]) {
        for index in 0..self.segments.len() {
            if let Some(direction) = self.direction(index..index + 1, positions) {
                self.aim_along(index..index + 1, direction);
            }
        }
    }

    /// The direction nearest to those of segments in a row, with what multipliers add; none where they cancel out.
    pub fn direction(&self, row: Range<usize>, positions: &[DVec3]) -> Option<DVec3> {
        if row.len() == 1 {
            return (self.segments[row.start].vector(positions) + self.multipliers[row.start]).try_normalize();
        }
        let segments = self.segments[row.clone()].iter().zip(&self.multipliers[row]);
        segments.map(|(s, multiplier)| (s.vector(positions) + *multiplier) * s.length).sum::<DVec3>().try_normalize()
    }

    /// Aims segments in a row along a direction.
    pub fn aim_along(&mut self, row: Range<usize>, direction: DVec3) {
        for (goal, segment) in self.goals[row.clone()].iter_mut().zip(&self.segments[row]) {
            *goal = direction * segment.length;
        }
    }

    /// Adds their pull on displacements from rest to the right-hand side.
    pub fn pull(&self, rest: &[DVec3], right: &mut [DVec3]) {
        for ((segment, goal), multiplier) in self.segments.iter().zip(&self.goals).zip(&self.multipliers) {
            let pull = (*goal - *multiplier - segment.vector(rest)) * self.weight;
            right[segment.a as usize] += pull;
            right[segment.b as usize] -= pull;
        }
    }

    /// Adds what segments are off by to their multipliers.
    pub fn press(&mut self, positions: &[DVec3]) {
        for ((multiplier, segment), goal) in self.multipliers.iter_mut().zip(&self.segments).zip(&self.goals) {
            *multiplier += segment.vector(positions) - *goal;
        }
    }

    /// Sets the multipliers to zero.
    pub fn forget(&mut self) {
        self.multipliers.fill(DVec3::ZERO);
    }

    /// `w_d Σ ‖γ − (v_a − v_b)‖²`
    pub fn energy(&self, positions: &[DVec3]) -> f64 {
        let pairs = self.segments.iter().zip(&self.goals);
        self.weight * pairs.map(|(s, goal)| s.vector(positions).distance_squared(*goal)).sum::<f64>()
    }

    /// The largest `|‖v_a − v_b‖ / d_ab − 1|`.
    pub fn largest_error(&self, positions: &[DVec3]) -> f64 {
        let error = |s: &Segment| (s.vector(positions).length() / s.length - 1.0).abs();
        self.segments.iter().map(error).fold(0.0, f64::max)
    }
}
