//! Contact between limbs that are apart: a hand and the chest, a thigh and the belly, arms that are crossed.
//!
//! Where two limbs overlap, the points of both go back along the way that parts them soonest. With the unit normal n of a
//! point, and the other skin at the signed distance d with the normal m, a step
//!
//! ```text
//! u = (room − d) (m − n) / |m − n|²
//! ```
//!
//! is half of what is missing where the limbs face each other; the points of the other limb do the other half. Where the
//! two normals agree, one limb lies within the other, and there is no step. Normals and distances are those of the skin
//! as it has become, so that each further pass takes half of what the ones before have left. It also takes back what is
//! too much: skin that followed its neighbours, and is farther from the other limb than its room, returns, but not beyond
//! where it began. So contacts close to a line at their lips.
//!
//! What is thin and lies deep in something thick is first moved as a whole, by its bones, until these are beyond the skin
//! of the thick one. The skin around the first steps follows as a membrane: the moves u minimise `½ uᵀ(L + a)u` with
//! `n·u ≥ need` at points in contact, solved by projected Jacobi steps from the needs.

use super::fields::Fields;
use super::joint::Joint;
use super::meeting::{Near, Strongest, push};
use super::region::rising;
use super::skin_distance::{Guess, LimbPose, MISSES, NearSkin, PosedSkin, Probe, RestSkin, TORN};
use super::yielding_bones::{BONES_ASK, YieldingBones};
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::{Limbs, WeldedSurface};
use glam::{DAffine3, DVec3};
use sinew_field::Box3;
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;

/// The room between two skins, and the band around it in which a push sets in, in radii of the thinner limb. Triangles cut
/// corners: with half of the room MakeHuman's figure has 26 instead of 3 crossings with its hand on the chest, and twice
/// as much shows as a slit.
const ROOM: f64 = 0.02;
const BAND: f64 = 0.02;

/// The passes. With three instead of four the squat of MakeHuman's figure has 23 crossings instead of 14.
const PASSES: usize = 4;

/// The distance, in radii of the thinner limb, up to which skin that was taken along too far comes back to a contact.
const LIPS: f64 = 0.2;

/// The cosine between one normal and the opposite of the other from which two limbs face each other.
const FACING: [f64; 2] = [0.0, 0.5];

/// The depth of flesh to which a push is felt around a contact, in radii of the limb.
const DEPTH: f64 = 0.35;

/// The steps of the membrane: as many rings of points around a contact can move.
const SWEEPS: usize = 8;

/// The need, in radii, from which a point is held to it in full.
const HELD: f64 = 0.03;

/// How many times the mean push around it a point can be pushed: a point alone in what is no contact must not blink.
const ALONE: f64 = 4.0;

/// Points of a task that looks for other limbs. Few, since those that find one lie together.
const POINTS_PER_TASK: usize = 64;

/// How far the motions of two limbs differ that do not move against each other.
const STILL: f64 = 1e-9;

/// Keeps limbs apart that no joint parts.
pub(super) struct Apart {
    rest: RestSkin,
    bones: YieldingBones,
    /// For each pair of limbs, the second of which is met, whether they meet.
    meets: Vec<bool>,
    /// How far each point may move, 0 to 1.
    pub freedom: Vec<f64>,
    /// `a / Σ c` of each point.
    hold: Vec<f64>,
    /// The limbs that each may meet in the frame.
    near: Vec<Vec<Near>>,
    guesses: Vec<Guess>,
    needs: Vec<DVec3>,
    moves: Vec<DVec3>,
    next: Vec<DVec3>,
    /// The points that may move in the frame.
    reached: Vec<u32>,
    is_reached: Vec<bool>,
    /// The way that each point has moved in the frame.
    moved: Vec<DVec3>,
}

impl Apart {
    /// Limbs that meet each other but where a joint parts them. `amounts` is how much of its way each may take.
    pub fn new(
        (body, limbs, joints): (&WeldedSurface, &Limbs, &[Option<Joint>]),
        fields: &Fields,
        amounts: &[f64],
    ) -> Self {
        let count = limbs.all.len();
        let radius: Vec<f64> =
            fields.all.iter().map(|field| field.as_ref().map_or(0.0, |field| field.radius())).collect();
        let is_divided = |limb: usize, other: usize| {
            let is_parted = joints.iter().flatten().any(|joint| joint.limbs == [limb, other]);
            limbs.all[limb].parent == Some(other) && (is_parted || !fields.compositions[limb].parts)
        };
        let meet =
            |a: usize, b: usize| a != b && radius[a] > 0.0 && radius[b] > 0.0 && !is_divided(a, b) && !is_divided(b, a);
        let freedom = |point: usize| {
            let amount = limbs.of_point[point].map_or(0.0, |limb| amounts[limb as usize]);
            if body.is_morphed[point] { 0.0 } else { amount }
        };
        // With an edge e around a point, A/Σc is about e²/4 where triangles are regular, and so a/Σc is (e/d)²/2.
        let hold = |point: usize| {
            let edge = body.neighbour_mean(point as u32, |other| body.rest[point].distance(body.rest[other]));
            let radius = limbs.of_point[point].map_or(0.0, |limb| radius[limb as usize]);
            if radius > 0.0 { 0.5 * (edge / (DEPTH * radius)).powi(2) } else { 1.0 }
        };
        Self {
            bones: YieldingBones::new(limbs, fields),
            meets: (0..count * count).map(|pair| meet(pair / count, pair % count)).collect(),
            freedom: (0..body.len()).map(freedom).collect(),
            hold: (0..body.len()).map(hold).collect(),
            near: vec![Vec::with_capacity(count); count],
            guesses: vec![Guess::default(); body.len()],
            needs: vec![DVec3::ZERO; body.len()],
            moves: vec![DVec3::ZERO; body.len()],
            next: vec![DVec3::ZERO; body.len()],
            reached: Vec::with_capacity(body.len()),
            is_reached: vec![false; body.len()],
            moved: vec![DVec3::ZERO; body.len()],
            rest: RestSkin::new(body, limbs, radius),
        }
    }

    /// Moves the points of limbs that overlap. Returns whether any may have moved.
    pub fn part(&mut self, pose: LimbPose<'_>, places: &mut [DVec3]) -> bool {
        find_near(&PosedSkin { pose, rest: &self.rest, places }, &self.meets, &mut self.near);
        if self.near.iter().all(Vec::is_empty) {
            return false;
        }
        self.bones.part(pose, &self.rest, &self.near, &self.freedom, places);
        self.moved.fill(DVec3::ZERO);
        for pass in 0..PASSES {
            self.find_needs(pose, places, pass == 0);
            self.moves.copy_from_slice(&self.needs);
            if pass == 0 {
                self.reach(pose.body);
                self.spread(pose);
            }
            for ((place, moved), step) in places.iter_mut().zip(&mut self.moved).zip(&self.moves) {
                *place += *step;
                *moved += *step;
            }
        }
        true
    }

    /// How much a point of the frame deformed last touches another limb, 0 to 1.
    pub fn touch(&self, point: usize) -> f64 {
        let Some(limb) = self.rest.limb_of[point] else { return 0.0 };
        smoothstep(self.moved[point].length() / (HELD * self.rest.radius[limb as usize]).max(f64::MIN_POSITIVE))
    }

    /// Finds the step of each point out of other limbs: of all points, or of those that have moved.
    fn find_needs(&mut self, pose: LimbPose<'_>, places: &[DVec3], is_first: bool) {
        let Self { rest, near, freedom, guesses, needs, next, moved, .. } = self;
        let posed = PosedSkin { pose, rest, places };
        let (near, freedom, moved) = (&*near, &*freedom, &*moved);
        let steps = next.par_iter_mut().zip(guesses).enumerate().with_min_len(POINTS_PER_TASK);
        steps.for_each(|(point, (step, guess))| {
            let may_meet = is_first || moved[point] != DVec3::ZERO;
            let step_of = |guess| freedom[point] * self::step(&posed, near, point, moved[point], guess);
            *step = if may_meet { step_of(guess) } else { DVec3::ZERO };
        });
        let steps = &*next;
        needs.par_iter_mut().zip(steps).enumerate().with_min_len(VERTICES_PER_TASK).for_each(
            |(point, (need, step))| {
                *need = DVec3::ZERO;
                if *step != DVec3::ZERO {
                    let around: f64 = pose.body.neighbour_mean(point as u32, |other| {
                        if is_first { ALONE * steps[other].length() } else { moved[other].length() }
                    });
                    *need = step.clamp_length_max(around);
                }
            },
        );
    }

    /// Lists the points with needs and the rings around them that the membrane can move.
    fn reach(&mut self, body: &WeldedSurface) {
        let Self { needs, reached, is_reached, .. } = self;
        reached.clear();
        reached.extend((0..body.len() as u32).filter(|&point| needs[point as usize] != DVec3::ZERO));
        is_reached.fill(false);
        reached.iter().for_each(|&point| is_reached[point as usize] = true);
        let mut inside = 0;
        for _ in 0..SWEEPS {
            let ring = inside..reached.len();
            inside = reached.len();
            for k in ring {
                for &(other, _) in body.neighbours.row(reached[k]) {
                    if !std::mem::replace(&mut is_reached[other as usize], true) {
                        reached.push(other);
                    }
                }
            }
        }
    }

    /// Takes the skin around along.
    fn spread(&mut self, pose: LimbPose<'_>) {
        let Self { rest, freedom, hold, needs, moves, next, is_reached, .. } = self;
        next.fill(DVec3::ZERO);
        for _ in 0..SWEEPS {
            let from = &*moves;
            next.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, next)| {
                if !is_reached[point] {
                    return;
                }
                let mean: DVec3 = pose.body.neighbour_mean(point as u32, |other| from[other]);
                *next = freedom[point] / (1.0 + hold[point]) * mean;
                let (need, limb) = (needs[point].length(), rest.limb_of[point]);
                if let Some(limb) = limb.filter(|_| need > 0.0) {
                    let along = needs[point] / need;
                    let short = (need - along.dot(*next)).max(0.0);
                    let radius = rest.radius[limb as usize] * pose.scales[limb as usize];
                    *next += smoothstep(need / (HELD * radius)) * short * along;
                }
            });
            std::mem::swap(moves, next);
        }
    }
}

/// Finds the limbs that may meet: those whose boxes overlap, and that move against each other.
fn find_near(posed: &PosedSkin<'_>, meets: &[bool], near: &mut [Vec<Near>]) {
    let count = near.len();
    for (limb, near) in near.iter_mut().enumerate() {
        near.clear();
        // Bones ask farthest.
        let farthest = (BONES_ASK + MISSES) * posed.rest.radius[limb];
        let own = posed.rest.around(limb, farthest).transformed(&posed.pose.motions[limb]);
        let may_meet = |other: usize| {
            let is_moved =
                || !(posed.pose.back[limb] * posed.pose.motions[other]).abs_diff_eq(DAffine3::IDENTITY, STILL);
            let are_sound = posed.pose.is_sound[limb] && posed.pose.is_sound[other];
            let bounds = || posed.rest.around(other, 0.0).transformed(&posed.pose.motions[other]);
            (meets[limb * count + other] && are_sound && is_moved())
                .then(|| Near { limb: other, bounds: bounds() })
                .filter(|near| !Box3::intersection(&own, &near.bounds).is_empty())
        };
        near.extend((0..count).filter_map(may_meet));
    }
}

/// The step of a point to where it is in no other limb.
fn step(posed: &PosedSkin<'_>, near: &[Vec<Near>], point: usize, moved: DVec3, guess: &mut Guess) -> DVec3 {
    let Some(limb) = posed.rest.limb_of[point].map(|limb| limb as usize) else { return DVec3::ZERO };
    let radius = posed.radius(limb);
    let mut normal = None;
    let mut all = Strongest::default();
    let (rest, place) = (posed.pose.body.rest[point], posed.places[point]);
    for &Near { limb: other, bounds } in &near[limb] {
        let thinner = radius.min(posed.radius(other));
        let farthest = if moved == DVec3::ZERO { ROOM + BAND } else { LIPS } * thinner;
        if !bounds.expanded(DVec3::splat(farthest)).contains(place) {
            continue;
        }
        let probe = Probe { limb, point: Some(point), rest, place, farthest };
        if let Some(NearSkin { distance, normal: across, weight }) = posed.near(&probe, other, TORN, guess) {
            let own = *normal.get_or_insert_with(|| posed.normal(point));
            let facing = rising(-own.dot(across), FACING);
            let beyond = distance - (ROOM + BAND) * thinner;
            if beyond > 0.0 {
                let fade = 1.0 - rising(distance / thinner, [0.5 * LIPS, LIPS]);
                let back = (weight * facing * fade * beyond).min(moved.length());
                all.add(back, -back * moved.normalize_or_zero());
                continue;
            }
            // Beyond its middle a limb is not deeper.
            let strength = (weight * facing * push(ROOM * thinner - distance, BAND * thinner)).min(radius);
            let slope = across - own;
            // Where limbs face each other, |slope|² is 2 at least.
            all.add(strength, strength / slope.length_squared().max(2.0) * slope);
        }
    }
    all.mean()
}
