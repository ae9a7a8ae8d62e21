//! Tracking: projection of vertices onto their iso-values.
//!
//! Projection and relaxation alternate \[R18 alg. 3.1\]: a point moves along the gradient of the composed density until
//! that is its iso-value \[R18 alg. 3.2\],
//!
//! ```text
//! x ← x − (f(x) − e) ∇f / |∇f|²
//! ```
//!
//! a step that does not come nearer is halved; then points move along the surface so that their displacements from
//! where they started agree with those of their neighbours \[R18 alg. 3.3\], which keeps the mesh even. A point that
//! follows the fields by a share aims at that share of the way from its density at the start. Where two limbs are in
//! contact the hinge has settled it, and nothing moves.

use super::bend::HingeConstraint;
use super::confidence::TrackedVertex;
use super::fields::PosedFields;
use super::model::{Posture, RestModel};
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::WeldedSurface;
use glam::{DVec3, Vec3};
use sinew_field::Sample;
use sinew_geometry::parallel::*;

/// Rounds of a cold start. A warm start has one, after relaxations.
const COLD_START_ROUNDS: usize = 3;

/// Steps towards the iso-value in each round, and in the last.
const STEPS_PER_ROUND: usize = 2;
const LAST_STEPS: usize = 6;

/// Relaxations after each round but the last, and how far each goes.
const RELAXATIONS: usize = 3;
const RELAXATION: f64 = 0.5;

/// The longest step, and the farthest from the start, in radii of the limb.
const LONGEST_STEP: f64 = 0.2;
const MAX_DISTANCE: f64 = 0.6;

/// A goal is met within this: a thousandth of a limb's radius.
const GOAL_TOLERANCE: f64 = 5e-4;

/// The increase of the distance from the iso-value from which on [`Tracking::farther`] counts a point.
const FARTHER: f64 = 0.01;

/// A tracked vertex in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrackedVertexState {
    pub vertex: TrackedVertex,
    pub constraint: HingeConstraint,
    /// How far it follows in this frame.
    share: f64,
    /// The density that it aims at.
    goal: f64,
    place: DVec3,
    normal: DVec3,
    steps: u32,
}

/// Finds the vertices that move in a pose.
pub(super) fn gather<'a>(
    model: &RestModel,
    posture: &Posture,
    tracked_vertices: impl Iterator<Item = &'a TrackedVertex>,
    states: &mut Vec<TrackedVertexState>,
) {
    states.clear();
    states.extend(tracked_vertices.filter_map(|vertex| {
        let share = vertex.confidence * posture.share(model, vertex.point as usize);
        let (vertex, constraint) = (*vertex, HingeConstraint::default());
        let still = TrackedVertexState {
            vertex,
            constraint,
            share,
            goal: 0.0,
            place: DVec3::ZERO,
            normal: DVec3::ZERO,
            steps: 0,
        };
        (share > 0.0).then_some(still)
    }));
    let each = states.par_chunks_mut(VERTICES_PER_TASK).flatten();
    each.for_each(|state| state.constraint = posture.constraint(model, state.point()));
}

impl TrackedVertexState {
    fn point(&self) -> usize {
        self.vertex.point as usize
    }

    /// The composed density at a place, without limbs that its hinges exclude.
    #[inline]
    fn composed(&self, fields: PosedFields<'_>, place: DVec3) -> Sample {
        fields.composed(self.vertex.limb as usize, self.vertex.iso, &self.constraint.excluded, place)
    }

    /// How far the density is from its iso-value, where the planes of its hinges cut off its limb.
    fn error(&self, fields: PosedFields<'_>, place: DVec3) -> f64 {
        let radius = fields.fields.all[self.vertex.limb as usize].as_ref().map_or(1.0, |field| field.radius());
        let seen = self.composed(fields, place).value - self.vertex.iso;
        self.constraint.half_spaces.cut(seen, place, radius).abs()
    }
}

/// Measurements of the tracking in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Tracking {
    /// Points that followed.
    pub points: usize,
    /// Steps that they took in all.
    pub steps: usize,
    /// The mean distance of their densities from their iso-values before.
    pub before: f64,
    /// The mean distance after.
    pub after: f64,
    /// The largest distance after.
    pub worst: f64,
    /// Points that ended farther from their iso-value than the skin had them, by more than 0.01.
    pub farther: usize,
}

/// Moves vertices towards their iso-values. `places` are the positions of all points, and `start` are their positions
/// after the hinges; `is_warm` is whether the positions continue the frame before.
pub(super) fn track(
    body: &WeldedSurface,
    fields: PosedFields<'_>,
    states: &mut [TrackedVertexState],
    skinned: &[Vec3],
    start: &[DVec3],
    places: &mut [DVec3],
    is_warm: bool,
) {
    states.par_chunks_mut(VERTICES_PER_TASK).flatten().for_each(|state| {
        let point = state.point();
        state.goal = state.vertex.iso;
        let left = 1.0 - state.share * (1.0 - state.constraint.pressed);
        if left > 0.0 {
            let lack = left * (state.composed(fields, start[point]).value - state.vertex.iso);
            let is_free = state.constraint.pressed <= 0.0;
            let most = if is_free { state.error(fields, skinned[point].as_dvec3()) } else { f64::INFINITY };
            state.goal += lack.clamp(-most, most);
        }
        state.steps = 0;
    });
    if is_warm {
        relax_all(body, states, start, places);
    }
    let rounds = if is_warm { 1 } else { COLD_START_ROUNDS };
    for round in 0..rounds {
        let is_last = round + 1 == rounds;
        let now = &*places;
        states.par_chunks_mut(VERTICES_PER_TASK).flatten().for_each(|state| {
            let point = state.point();
            project(fields, state, now[point], start[point], if is_last { LAST_STEPS } else { STEPS_PER_ROUND });
        });
        take_over(states, places);
        if !is_last {
            relax_all(body, states, start, places);
        }
    }
}

/// Relaxes all vertices along the surface.
fn relax_all(body: &WeldedSurface, states: &mut [TrackedVertexState], start: &[DVec3], places: &mut [DVec3]) {
    for _ in 0..RELAXATIONS {
        let now = &*places;
        states.par_chunks_mut(VERTICES_PER_TASK).flatten().for_each(|state| relax(body, state, now, start));
        take_over(states, places);
    }
}

fn take_over(states: &[TrackedVertexState], places: &mut [DVec3]) {
    states.iter().for_each(|state| places[state.point()] = state.place);
}

/// Moves a point along the surface towards the displacement of those around it.
fn relax(body: &WeldedSurface, state: &mut TrackedVertexState, now: &[DVec3], start: &[DVec3]) {
    let point = state.point();
    let mean = body.neighbour_mean(state.vertex.point, |j| now[j] - start[j]);
    let lack = mean - (now[point] - start[point]);
    let along = lack - lack.dot(state.normal) * state.normal;
    state.place = now[point] + RELAXATION * state.share * along;
}

/// Moves a point some steps towards its goal.
fn project(fields: PosedFields<'_>, state: &mut TrackedVertexState, from: DVec3, start: DVec3, most: usize) {
    let radius = fields.fields.all[state.vertex.limb as usize].as_ref().map_or(0.0, |field| field.radius());
    let mut place = from;
    let mut sample = state.composed(fields, place);
    for _ in 0..most {
        let lack = sample.value - state.goal;
        let steepness = sample.gradient.length_squared();
        if lack.abs() <= GOAL_TOLERANCE || steepness * radius * radius < 1e-3 {
            break;
        }
        let whole = (-lack / steepness * sample.gradient).clamp_length_max(LONGEST_STEP * radius);
        let nearer = [1.0, 0.5, 0.25, 0.125].into_iter().find_map(|part| {
            state.steps += 1;
            let next = state.composed(fields, place + part * whole);
            ((next.value - state.goal).abs() < lack.abs()).then_some((place + part * whole, next))
        });
        let Some(next) = nearer else { break };
        (place, sample) = next;
    }
    state.normal = sample.gradient.normalize_or_zero();
    state.place = state.constraint.half_spaces.clamp(start + (place - start).clamp_length_max(MAX_DISTANCE * radius));
}

/// The result: the distances of points from their iso-values after the skin and now.
pub(super) fn measure(
    fields: PosedFields<'_>,
    states: &[TrackedVertexState],
    skinned: &[Vec3],
    places: &[DVec3],
) -> Tracking {
    let mut tracking = Tracking { points: states.len(), ..Tracking::default() };
    for state in states {
        let point = state.point();
        let [before, after] = [skinned[point].as_dvec3(), places[point]].map(|place| state.error(fields, place));
        tracking.before += before / states.len() as f64;
        tracking.after += after / states.len() as f64;
        tracking.worst = tracking.worst.max(after);
        tracking.farther += usize::from(after > before + FARTHER);
        tracking.steps += state.steps as usize;
    }
    tracking
}
