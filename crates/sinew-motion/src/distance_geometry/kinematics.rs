//! Positions of points under hard and soft constraints.
//!
//! L13 eq. 3.7: Newton's iteration on the hard constraints `F`, with a step for the soft ones `G` that
//! leaves the hard ones alone. With Jacobians J₀ and J₁ the step δ is
//!
//! ```text
//! minimise ½ ‖G + J₁ δ‖²_W + ½ μ ‖δ‖²   so that   F + J₀ δ = 0,
//! δ = −H⁻¹ (g + J₀ᵀ λ),   H = J₁ᵀ W J₁ + μ,   g = J₁ᵀ W G,   (J₀ H⁻¹ J₀ᵀ) λ = F − J₀ H⁻¹ g,
//! ```
//!
//! which is the projection of the soft step into the null space of J₀, without a pseudo-inverse. A step
//! that makes matters worse is tried again with more damping μ, so the iteration never diverges. Last, the
//! smallest steps for the hard constraints alone bring the points onto them to rounding.
//!
//! Goals that cannot be reached become soft: when the hard constraints cannot be met together,
//! distances alone are hard, and goals come as near as they can.

use super::constraint::{Constraint, Row};
use super::contradiction;
use super::level::Level;
use super::metric::{Metric, NONE};
use super::schur::Schur;
use crate::{Error, Result};
use glam::DVec3;

/// Of the mean soft weight: the damping to begin with. It is too small to slow Newton's steps and large beside rounding
/// in f64 (1e-16).
const DAMPING: f64 = 1e-7;
/// The iteration ends after this many rejected steps in a row. The damping grows by 100 each time, so after four it
/// exceeds the soft weights and steps become short.
const MAX_REJECTED_STEPS: usize = 8;
/// The fractions of a step that the line search tries. Not tuned.
const STEP_FRACTIONS: [f64; 4] = [1.0, 0.5, 0.25, 0.1];
/// A fraction is taken if the merit falls by this share of its linear prediction (Armijo 1966). Any value below ½
/// accepts the full Newton step of a quadratic; not tuned.
const SUFFICIENT_DECREASE: f64 = 0.1;
/// The penalty of a hard error in the merit, of the largest Lagrange multiplier. The penalty is exact from one on
/// (Nocedal and Wright 2006, ch. 17); two leaves a margin.
const PENALTY_FACTOR: f64 = 2.0;
/// A merit that rises by less than this share has not risen. A sum of 10 000 terms in f64 is good to it.
const MERIT_ROUNDING: f64 = 1e-12;
/// Weight of soft constraints beside goals that cannot be reached. Goals have weight one and so dominate. Not tuned.
const WEIGHT_BESIDE_GOALS: f64 = 1e-4;

/// The result of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KinematicsOutcome {
    /// How many steps were taken.
    pub iterations: usize,
    /// The largest error of a hard constraint, in length.
    pub hard_error: f64,
    /// The root of the mean squared error of the soft constraints, in length.
    pub soft_error: f64,
    /// Whether every hard constraint is met.
    pub is_met: bool,
}

/// Points and constraints, prepared to be solved again and again.
#[derive(Debug)]
pub struct Kinematics {
    hard: Level,
    soft: Level,
    is_fixed: Vec<bool>,
    metric: Metric,
    schur: Schur,
    gradient: Vec<DVec3>,
    step: Vec<DVec3>,
    trial: Vec<DVec3>,
    forces: Vec<f64>,
    /// The same with soft goals, once they could not be reached.
    relaxed: Option<Box<Kinematics>>,
    /// An error below this share of the size counts as none.
    pub tolerance: f64,
    /// No solve takes more steps.
    pub max_iterations: usize,
}

/// Whether soft constraints count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SoftConstraints {
    Active,
    Ignored,
}

impl Kinematics {
    /// Prepares constraints on points, of which the fixed ones do not move. Hard constraints that contradict each
    /// other whatever the points do are refused.
    pub fn new(points: usize, fixed: &[u32], hard: Vec<Constraint>, soft: Vec<(Constraint, f64)>) -> Result<Self> {
        let mut is_fixed = vec![false; points];
        for &point in fixed {
            let place = is_fixed.get_mut(point as usize);
            *place.ok_or(sinew_geometry::Error::UnknownOutOfRange { unknown: point, size: points })? = true;
        }
        let ones = vec![1.0; hard.len()];
        let hard = Level::new(hard, &ones, &is_fixed)?;
        contradiction::refuse(&hard.constraints)?;
        let (soft, weights): (Vec<_>, Vec<_>) = soft.into_iter().unzip();
        let soft = Level::new(soft, &weights, &is_fixed)?;
        let metric = Metric::new(points, &soft.ends, hard.ends.len())?;
        Ok(Self {
            schur: Schur::new(points, &hard.ends, metric.is_coupled())?,
            metric,
            gradient: vec![DVec3::ZERO; points],
            step: vec![DVec3::ZERO; points],
            trial: vec![DVec3::ZERO; points],
            forces: vec![0.0; hard.ends.len()],
            relaxed: None,
            is_fixed,
            hard,
            soft,
            tolerance: 1e-11,
            max_iterations: 60,
        })
    }

    /// The hard constraints, as they were given.
    pub fn hard(&self) -> &[Constraint] {
        &self.hard.constraints
    }

    /// The soft constraints, as they were given.
    pub fn soft(&self) -> impl ExactSizeIterator<Item = &Constraint> {
        self.soft.constraints.iter()
    }

    /// Gives a hard constraint new numbers: one of the same kind for the same points.
    pub fn set_hard(&mut self, index: usize, constraint: Constraint) -> Result<()> {
        replace(&mut self.hard.constraints, index, constraint)
    }

    /// Gives a soft constraint new numbers: one of the same kind for the same points.
    pub fn set_soft(&mut self, index: usize, constraint: Constraint) -> Result<()> {
        replace(&mut self.soft.constraints, index, constraint)
    }

    /// The hard constraints that positions do not meet, by their places in the list.
    pub fn unmet(&self, positions: &[DVec3]) -> Vec<usize> {
        let limit = self.limit(positions);
        let constraints = self.hard.constraints.iter().enumerate();
        constraints.filter(|(_, c)| c.error(positions) > limit).map(|(index, _)| index).collect()
    }

    /// Moves points from where they are to where the constraints want them. Does not allocate, but for the first
    /// time that goals cannot be reached.
    ///
    /// # Panics
    /// If there are not as many positions as points.
    pub fn solve(&mut self, positions: &mut [DVec3]) -> KinematicsOutcome {
        let mut outcome = self.descend(positions);
        let is_goal = Constraint::is_goal;
        if !outcome.is_met && self.hard.constraints.iter().any(is_goal) && !self.hard.constraints.iter().all(is_goal) {
            let iterations = outcome.iterations + self.approach(positions);
            outcome = self.outcome(positions, iterations);
        }
        outcome
    }

    /// Distances hard, goals soft.
    fn approach(&mut self, positions: &mut [DVec3]) -> usize {
        let relaxed = self.relaxed.take().map(|mut relaxed| {
            self.renew(&mut relaxed);
            relaxed
        });
        self.relaxed = relaxed.or_else(|| self.with_relaxed_goals().ok().map(Box::new));
        let most = 2 * self.max_iterations;
        self.relaxed.as_mut().map_or(0, |relaxed| {
            relaxed.max_iterations = most;
            relaxed.descend(positions).iterations
        })
    }

    fn with_relaxed_goals(&self) -> Result<Self> {
        let (goals, distances): (Vec<_>, Vec<_>) = self.hard.constraints.iter().partition(|c| c.is_goal());
        let mean = self.soft.weights.iter().sum::<f64>() / self.soft.weights.len().max(1) as f64;
        let soft = goals
            .into_iter()
            .map(|goal| (goal, 1.0))
            .chain(self.soft.weighted().map(|(c, w)| (*c, WEIGHT_BESIDE_GOALS * w / mean)));
        let fixed: Vec<u32> = (0..self.is_fixed.len() as u32).filter(|&p| self.is_fixed[p as usize]).collect();
        Self::new(self.is_fixed.len(), &fixed, distances, soft.collect())
    }

    /// Gives the same with goals that yield the numbers that constraints have now.
    fn renew(&self, relaxed: &mut Self) {
        let distances = self.hard.constraints.iter().filter(|c| !c.is_goal());
        relaxed.hard.constraints.iter_mut().zip(distances).for_each(|(old, new)| *old = *new);
        let goals = self.hard.constraints.iter().filter(|c| c.is_goal());
        let soft = goals.chain(&self.soft.constraints);
        relaxed.soft.constraints.iter_mut().zip(soft).for_each(|(old, new)| *old = *new);
    }

    fn descend(&mut self, positions: &mut [DVec3]) -> KinematicsOutcome {
        let limit = self.tolerance * self.size(positions);
        let mut iterations = self.iterate(positions, limit, SoftConstraints::Active);
        if self.hard.largest_error(positions) > limit {
            iterations += self.iterate(positions, limit, SoftConstraints::Ignored);
        }
        self.outcome(positions, iterations)
    }

    fn outcome(&self, positions: &[DVec3], iterations: usize) -> KinematicsOutcome {
        let hard_error = self.hard.largest_error(positions);
        let is_met = hard_error <= self.limit(positions);
        KinematicsOutcome { iterations, hard_error, soft_error: self.soft_error(positions), is_met }
    }

    fn iterate(&mut self, positions: &mut [DVec3], limit: f64, soft_constraints: SoftConstraints) -> usize {
        let mean_weight = self.soft.weights.iter().sum::<f64>() / self.soft.weights.len().max(1) as f64;
        let is_alone = soft_constraints == SoftConstraints::Ignored || self.soft.rows.is_empty();
        // Without soft constraints, the damping is the whole metric, and its unit does not matter.
        let least = if is_alone { 1.0 } else { DAMPING * mean_weight };
        let (mut iterations, mut damping, mut hard_weight) = (0, least, 0.0);
        while iterations < self.max_iterations {
            if is_alone && self.hard.largest_error(positions) <= limit {
                break;
            }
            self.hard.linearize(positions);
            self.soft.linearize(positions);
            if soft_constraints == SoftConstraints::Ignored {
                self.soft.rows.fill(Row::default());
            }
            let Some(length) = self.step(positions, (least, &mut damping), is_alone, &mut hard_weight) else { break };
            positions.copy_from_slice(&self.trial);
            iterations += 1;
            if length <= limit {
                break;
            }
        }
        iterations
    }

    /// Finds a step from the linearized constraints that betters the merit, and leaves where it leads in
    /// `trial`. Returns the largest motion of a point.
    fn step(
        &mut self,
        positions: &[DVec3],
        (least, damping): (f64, &mut f64),
        is_alone: bool,
        hard_weight: &mut f64,
    ) -> Option<f64> {
        for rejected in 0..MAX_REJECTED_STEPS {
            if self.direction(*damping, rejected == 0).is_ok() {
                let largest_force = self.forces.iter().map(|f| f.abs()).fold(0.0, f64::max);
                *hard_weight = if is_alone { 0.0 } else { hard_weight.max(PENALTY_FACTOR * largest_force) };
                let (merit, slope) = (self.merit(positions, *hard_weight), self.slope(*hard_weight));
                let length = self.step.iter().map(|s| s.length()).fold(0.0, f64::max);
                for share in STEP_FRACTIONS {
                    for ((trial, position), step) in self.trial.iter_mut().zip(positions).zip(&self.step) {
                        *trial = *position + *step * share;
                    }
                    let next = self.merit(&self.trial, *hard_weight);
                    if next <= merit * (1.0 + MERIT_ROUNDING) + SUFFICIENT_DECREASE * share * slope {
                        *damping = (*damping * 0.01).max(least);
                        return Some(share * length);
                    }
                }
            }
            *damping *= 100.0;
        }
        None
    }

    /// What steps must better: `½ Σ w r²` of the soft rows and the weighted sum of the hard `|r|`, which is exact, or
    /// half the squares of the hard rows where they are alone.
    fn merit(&self, positions: &[DVec3], hard_weight: f64) -> f64 {
        if hard_weight == 0.0 {
            return self.hard.sum(positions, |r| 0.5 * r * r);
        }
        self.soft.sum(positions, |r| 0.5 * r * r) + hard_weight * self.hard.sum(positions, f64::abs)
    }

    /// How fast the merit falls along the step, from the rows.
    fn slope(&self, hard_weight: f64) -> f64 {
        let at = |point: u32| if point == NONE { DVec3::ZERO } else { self.step[point as usize] };
        let changes = |level: &Level, factor: fn(f64) -> f64| -> f64 {
            let rows = level.rows.iter().zip(&level.ends).zip(&level.weights);
            rows.map(|((row, [a, b]), w)| w * factor(row.residual) * row.gradient.dot(at(*a) - at(*b))).sum()
        };
        if hard_weight == 0.0 {
            return changes(&self.hard, |r| r);
        }
        changes(&self.soft, |r| r) + hard_weight * changes(&self.hard, |r| if r == 0.0 { 0.0 } else { r.signum() })
    }

    /// δ for a damping, into `step`.
    fn direction(&mut self, damping: f64, is_first: bool) -> Result<(), sinew_geometry::solve::NotPositiveDefinite> {
        let Self { hard, soft, metric, schur, gradient, step, forces, .. } = self;
        metric.set(&soft.rows, &soft.ends, &soft.weights, damping)?;
        schur.set(&hard.rows, &hard.ends, metric, is_first)?;
        gradient.fill(DVec3::ZERO);
        soft.pull_back(|k| soft.weights[k] * soft.rows[k].residual, gradient);
        step.copy_from_slice(gradient);
        metric.solve(step);
        let at = |point: u32, column: &[DVec3]| if point == NONE { DVec3::ZERO } else { column[point as usize] };
        for ((force, row), [a, b]) in forces.iter_mut().zip(&hard.rows).zip(&hard.ends) {
            *force = row.residual - row.gradient.dot(at(*a, step) - at(*b, step));
        }
        schur.solve(forces);
        hard.pull_back(|k| forces[k], gradient);
        step.copy_from_slice(gradient);
        metric.solve(step);
        step.iter_mut().for_each(|value| *value = -*value);
        Ok(())
    }

    fn soft_error(&self, positions: &[DVec3]) -> f64 {
        let errors = self.soft.constraints.iter().map(|c| c.error(positions).powi(2));
        (errors.sum::<f64>() / self.soft.constraints.len().max(1) as f64).sqrt()
    }

    /// Errors up to this are none: what no step can better is met as well as rounding allows.
    fn limit(&self, positions: &[DVec3]) -> f64 {
        self.tolerance.max(1e-9) * self.size(positions)
    }

    /// How large things are: the longest of the lengths and the extent of the points.
    fn size(&self, positions: &[DVec3]) -> f64 {
        let constraints = self.hard.constraints.iter().chain(&self.soft.constraints);
        let longest = constraints.map(Constraint::length).fold(0.0, f64::max);
        let low = positions.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = positions.iter().copied().reduce(DVec3::max).unwrap_or_default();
        longest.max((high - low).max_element())
    }
}

fn replace(constraints: &mut [Constraint], index: usize, constraint: Constraint) -> Result<()> {
    let size = constraints.len();
    let place =
        constraints.get_mut(index).ok_or(sinew_geometry::Error::UnknownOutOfRange { unknown: index as u32, size })?;
    let is_same = std::mem::discriminant(place) == std::mem::discriminant(&constraint)
        && place.points() == constraint.points()
        && place.row_count() == constraint.row_count();
    if !is_same || !constraint.is_finite() {
        return Err(Error::Constraint { points: constraint.points() });
    }
    *place = constraint;
    Ok(())
}
