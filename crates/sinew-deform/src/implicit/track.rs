//! How do points get back to their iso-values?
//!
//! By turns \[R18 alg. 3.1\]: a point moves along the gradient of what it sees until it sees its iso-value
//! \[R18 alg. 3.2\],
//!
//! ```text
//! x ← x − (f(x) − e) ∇f / |∇f|²
//! ```
//!
//! a step that does not come nearer is halved; then points move along the surface so that their displacements from
//! where they started agree with those of their neighbours \[R18 alg. 3.3\], which keeps the mesh even. A point that
//! follows the fields by a share aims at that share of the way from what it saw at first. Where two limbs are in
//! contact the hinge has settled it, and nothing moves.

use super::anatomy::{Anatomy, Posture};
use super::bend::Hold;
use super::fields::PosedFields;
use super::trust::Follower;
use crate::welded::WeldedSurface;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_field::Sample;

/// Rounds from scratch. From the frame before it is one, after relaxations.
const ROUNDS: usize = 3;

/// Steps towards the iso-value in each round, and in the last.
const STEPS: usize = 2;
const LAST_STEPS: usize = 6;

/// Relaxations after each round but the last, and how far each goes.
const RELAXATIONS: usize = 3;
const RELAXED: f64 = 0.5;

/// The longest step, and the farthest from the start, in radii of the limb.
const LONGEST_STEP: f64 = 0.2;
const FARTHEST: f64 = 0.6;

/// A goal is met within this: a thousandth of a limb's radius.
const MET: f64 = 5e-4;

/// A point is no farther from its iso-value than another within this.
const NEAR: f64 = 0.01;

/// Points that one thread takes at a time.
const PIECE: usize = 256;

/// A follower in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walker {
    pub follower: Follower,
    pub hold: Hold,
    /// How far it follows in this frame.
    share: f64,
    /// What it aims to see.
    goal: f64,
    place: DVec3,
    normal: DVec3,
    steps: u32,
}

/// Finds those that move in a pose.
pub(super) fn gather<'a>(
    anatomy: &Anatomy,
    posture: &Posture,
    followers: impl Iterator<Item = &'a Follower>,
    walkers: &mut Vec<Walker>,
) {
    walkers.clear();
    walkers.extend(followers.filter_map(|follower| {
        let share = follower.trust * posture.share(anatomy, follower.point as usize);
        let (follower, hold) = (*follower, Hold::default());
        let still = Walker { follower, hold, share, goal: 0.0, place: DVec3::ZERO, normal: DVec3::ZERO, steps: 0 };
        (share > 0.0).then_some(still)
    }));
    let each = walkers.par_chunks_mut(PIECE).flatten();
    each.for_each(|walker| walker.hold = posture.hold(anatomy, walker.point()));
}

impl Walker {
    fn point(&self) -> usize {
        self.follower.point as usize
    }

    /// What it sees at a place, but for limbs that its hinges keep it from.
    #[inline]
    fn seen(&self, fields: PosedFields<'_>, place: DVec3) -> Sample {
        fields.seen(self.follower.limb as usize, self.follower.iso, &self.hold.mates, place)
    }

    /// How far what it sees is from its iso-value, where the planes of its hinges cut off its limb.
    fn error(&self, fields: PosedFields<'_>, place: DVec3) -> f64 {
        let radius = fields.fields.all[self.follower.limb as usize].as_ref().map_or(1.0, |field| field.radius());
        let seen = self.seen(fields, place).value - self.follower.iso;
        self.hold.cut(seen, place, radius).abs()
    }
}

/// What following the fields came to in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tracking {
    /// Points that followed.
    pub points: usize,
    /// Steps that they took in all.
    pub steps: usize,
    /// The mean distance of what they saw from their iso-values before.
    pub before: f64,
    /// The mean distance after.
    pub after: f64,
    /// The largest distance after.
    pub worst: f64,
    /// Points that ended farther from their iso-value than the skin had them, by more than 0.01.
    pub farther: usize,
}

/// Moves walkers towards their iso-values. `places` are those of all points, and `start` is where the walkers' hinges
/// have them; `is_on` says that the places continue the frame before.
pub(super) fn track(
    body: &WeldedSurface,
    fields: PosedFields<'_>,
    walkers: &mut [Walker],
    skinned: &[Vec3],
    start: &[DVec3],
    places: &mut [DVec3],
    is_on: bool,
) {
    walkers.par_chunks_mut(PIECE).flatten().for_each(|walker| {
        let point = walker.point();
        walker.goal = walker.follower.iso;
        let left = 1.0 - walker.share * (1.0 - walker.hold.pressed);
        if left > 0.0 {
            let lack = left * (walker.seen(fields, start[point]).value - walker.follower.iso);
            let is_free = walker.hold.pressed <= 0.0;
            let most = if is_free { walker.error(fields, skinned[point].as_dvec3()) } else { f64::INFINITY };
            walker.goal += lack.clamp(-most, most);
        }
        walker.steps = 0;
    });
    if is_on {
        relax_all(body, walkers, start, places);
    }
    let rounds = if is_on { 1 } else { ROUNDS };
    for round in 0..rounds {
        let is_last = round + 1 == rounds;
        let now = &*places;
        walkers.par_chunks_mut(PIECE).flatten().for_each(|walker| {
            let point = walker.point();
            project(fields, walker, now[point], start[point], if is_last { LAST_STEPS } else { STEPS });
        });
        take_over(walkers, places);
        if !is_last {
            relax_all(body, walkers, start, places);
        }
    }
}

/// Moves all walkers along the surface, some times.
fn relax_all(body: &WeldedSurface, walkers: &mut [Walker], start: &[DVec3], places: &mut [DVec3]) {
    for _ in 0..RELAXATIONS {
        let now = &*places;
        walkers.par_chunks_mut(PIECE).flatten().for_each(|walker| relax(body, walker, now, start));
        take_over(walkers, places);
    }
}

fn take_over(walkers: &[Walker], places: &mut [DVec3]) {
    walkers.iter().for_each(|walker| places[walker.point()] = walker.place);
}

/// Moves a point along the surface towards the displacement of those around it.
fn relax(body: &WeldedSurface, walker: &mut Walker, now: &[DVec3], start: &[DVec3]) {
    let point = walker.point();
    let around = body.neighbours.row(walker.follower.point).iter();
    let mean: DVec3 = around.map(|&(j, share)| share * (now[j as usize] - start[j as usize])).sum();
    let lack = mean - (now[point] - start[point]);
    let along = lack - lack.dot(walker.normal) * walker.normal;
    walker.place = now[point] + RELAXED * walker.share * along;
}

/// Takes a point some steps towards what it aims to see.
fn project(fields: PosedFields<'_>, walker: &mut Walker, from: DVec3, start: DVec3, most: usize) {
    let radius = fields.fields.all[walker.follower.limb as usize].as_ref().map_or(0.0, |field| field.radius());
    let mut place = from;
    let mut sample = walker.seen(fields, place);
    for _ in 0..most {
        let lack = sample.value - walker.goal;
        let steepness = sample.gradient.length_squared();
        if lack.abs() <= MET || steepness * radius * radius < 1e-3 {
            break;
        }
        let whole = (-lack / steepness * sample.gradient).clamp_length_max(LONGEST_STEP * radius);
        let nearer = [1.0, 0.5, 0.25, 0.125].into_iter().find_map(|part| {
            walker.steps += 1;
            let next = walker.seen(fields, place + part * whole);
            ((next.value - walker.goal).abs() < lack.abs()).then_some((place + part * whole, next))
        });
        let Some(next) = nearer else { break };
        (place, sample) = next;
    }
    walker.normal = sample.gradient.normalize_or_zero();
    walker.place = walker.hold.clamp(start + (place - start).clamp_length_max(FARTHEST * radius));
}

/// What it came to: how far points are from their iso-values where the skin had them and where they are now.
pub(super) fn measure(fields: PosedFields<'_>, walkers: &[Walker], skinned: &[Vec3], places: &[DVec3]) -> Tracking {
    let mut tracking = Tracking { points: walkers.len(), ..Tracking::default() };
    for walker in walkers {
        let point = walker.point();
        let [before, after] = [skinned[point].as_dvec3(), places[point]].map(|place| walker.error(fields, place));
        tracking.before += before / walkers.len() as f64;
        tracking.after += after / walkers.len() as f64;
        tracking.worst = tracking.worst.max(after);
        tracking.farther += usize::from(after > before + NEAR);
        tracking.steps += walker.steps as usize;
    }
    tracking
}
