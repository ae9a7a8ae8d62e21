//! The linearized constraints of one priority.

use super::constraint::{Constraint, Row};
use super::metric::NONE;
use crate::{Error, Result};
use glam::DVec3;

/// Constraints of one priority with their rows.
#[derive(Debug)]
pub(super) struct Level {
    pub constraints: Vec<Constraint>,
    pub rows: Vec<Row>,
    /// The points of each row, or [`NONE`] where they do not move.
    pub ends: Vec<[u32; 2]>,
    /// A weight for each row.
    pub weights: Vec<f64>,
}

impl Level {
    pub fn new(constraints: Vec<Constraint>, weights: &[f64], is_fixed: &[bool]) -> Result<Self> {
        let size = is_fixed.len();
        let (mut ends, mut row_weights) = (Vec::new(), Vec::new());
        for (constraint, &weight) in constraints.iter().zip(weights) {
            let (a, b) = constraint.points();
            let last = a.max(b.unwrap_or(a));
            if last as usize >= size {
                return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: last, size }.into());
            }
            if !constraint.is_finite() {
                return Err(Error::Constraint { points: constraint.points() });
            }
            if !(weight.is_finite() && weight > 0.0) {
                let what = "the weight of a soft constraint";
                return Err(sinew_geometry::Error::OutOfRange { what, value: weight, range: "more than zero" }.into());
            }
            let free = |point: u32| if is_fixed[point as usize] { NONE } else { point };
            let count = constraint.row_count();
            ends.extend(std::iter::repeat_n([free(a), b.map_or(NONE, free)], count));
            row_weights.extend(std::iter::repeat_n(weight, count));
        }
        Ok(Self { rows: vec![Row::default(); ends.len()], constraints, ends, weights: row_weights })
    }

    /// The constraints, each with its weight.
    pub fn weighted(&self) -> impl Iterator<Item = (&Constraint, f64)> {
        let mut row = 0;
        self.constraints.iter().map(move |constraint| {
            let weight = self.weights[row];
            row += constraint.row_count();
            (constraint, weight)
        })
    }

    pub fn linearize(&mut self, positions: &[DVec3]) {
        let mut rows = self.rows.as_mut_slice();
        for constraint in &self.constraints {
            let (own, rest) = rows.split_at_mut(constraint.row_count());
            constraint.rows(positions, own);
            rows = rest;
        }
    }

    /// `Σ w f(r)` at positions, without taking up their rows.
    pub fn sum(&self, positions: &[DVec3], of: impl Fn(f64) -> f64) -> f64 {
        let (mut rows, mut at, mut sum) = ([Row::default(); 3], 0, 0.0);
        for constraint in &self.constraints {
            let count = constraint.row_count();
            constraint.rows(positions, &mut rows[..count]);
            let weights = &self.weights[at..at + count];
            sum += rows.iter().zip(weights).map(|(row, weight)| weight * of(row.residual)).sum::<f64>();
            at += count;
        }
        sum
    }

    pub fn largest_error(&self, positions: &[DVec3]) -> f64 {
        self.constraints.iter().map(|c| c.error(positions)).fold(0.0, f64::max)
    }

    /// Adds `Jᵀ f` to a column, with a force for each row.
    pub fn pull_back(&self, force: impl Fn(usize) -> f64, column: &mut [DVec3]) {
        for (k, (row, [a, b])) in self.rows.iter().zip(&self.ends).enumerate() {
            let pull = row.gradient * force(k);
            if *a != NONE {
                column[*a as usize] += pull;
            }
            if *b != NONE {
                column[*b as usize] -= pull;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constraint_has_its_weight_however_many_rows_it_has() {
        let at = |point| Constraint::Target { point, position: DVec3::ONE };
        let constraints = vec![at(0), Constraint::Distance { a: 0, b: 1, length: 1.0 }, at(1)];
        let level = Level::new(constraints.clone(), &[2.0, 3.0, 5.0], &[false, false]).unwrap();
        let weighted: Vec<(Constraint, f64)> = level.weighted().map(|(c, w)| (*c, w)).collect();
        assert_eq!(weighted, constraints.into_iter().zip([2.0, 3.0, 5.0]).collect::<Vec<_>>());
    }
}
