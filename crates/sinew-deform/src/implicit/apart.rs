//! Contact between limbs that are apart: a hand and the chest, a thigh and the belly, arms that are crossed.
//!
//! Where two limbs overlap, their contact is the surface on which a place is as deep in the one as in the other
//! \[R18 §2.3.4\]. For a point with the normal n that has moved by u, and the other skin at the distance d with the
//! normal m, that is where
//!
//! ```text
//! g(u) = d(x + u) − n·u = 0        ∇g = m − n
//! ```
//!
//! Points of both limbs take steps `(room − g) ∇g / |∇g|²` to it, each by itself, and so end on their own sides of one
//! surface. Where the two normals agree, one limb lies within the other, and there is no step. What is thin and lies deep
//! in something thick is first moved as a whole, by its bones, until these are beyond the skin of the thick one. The skin
//! around a contact follows as a membrane: the moves u minimise `½ uᵀ(L + a)u` with `n·u ≥ need` at points in contact,
//! solved by projected Jacobi steps from the needs.

use super::fields::Fields;
use super::joint::Joint;
use super::limb_field::LimbField;
use super::region::rising;
use super::skin_distance::{LimbPose, MISSES, NearSkin, PosedSkin, Probe, RestSkin, TORN, TORN_FROM_BONE};
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::{Limb, Limbs, WeldedSurface};
use glam::{DAffine3, DVec3};
use sinew_field::Box3;
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;

/// The room between a point and the contact, and the band around it in which a push sets in, in radii of the thinner
/// limb. Triangles cut corners: with half of both the squat of MakeHuman's figure has 80 crossings instead of 42.
const ROOM: f64 = 0.02;
const BAND: f64 = 0.06;

/// The cosine between one normal and the opposite of the other from which two limbs face each other.
const FACING: [f64; 2] = [-0.6, 0.2];

/// The depth of flesh to which a push is felt around a contact, in radii of the limb.
const DEPTH: f64 = 0.5;

/// The steps of the membrane: as many rings of points around a contact can move.
const SWEEPS: usize = 12;

/// The need, in radii, from which a point is held to it in full.
const HELD: f64 = 0.03;

/// How many times the mean push around it a point can be pushed, and the last step can be of the move around: a point
/// alone in what is no contact must not blink.
const ALONE: f64 = 2.0;
const ALONE_LAST: f64 = 0.5;

/// Points along each bone that yield.
const BONE_POINTS: usize = 7;

/// The distance of bones from other skin, and the band around it, in radii of the limb.
const CLEAR: f64 = 0.6;
const BONE_BAND: f64 = 0.4;

/// How many times as thick the other limb is, from which a bone yields to it.
const THICKER: [f64; 2] = [1.0, 1.5];

/// The distance at rest, in radii, from which it does: bones of hips and shoulders are next to the trunk.
const FREE: [f64; 2] = [1.0, 2.0];

/// The depth, in radii, at which it stops doing so: a motion that drives limbs through each other does so smoothly.
const THROUGH: [f64; 2] = [3.0, 4.5];

/// How far the motions of two limbs differ that do not move against each other.
const STILL: f64 = 1e-9;

type BonePushes = [DVec3; BONE_POINTS];

/// Keeps limbs apart that no joint parts.
pub(super) struct Apart {
    rest: RestSkin,
    bones: Vec<Bone>,
    /// For each pair of limbs, the second of which is met, whether they meet.
    meets: Vec<bool>,
    /// How far each point may move, 0 to 1.
    pub freedom: Vec<f64>,
    /// `a / Σ c` of each point.
    hold: Vec<f64>,
    /// The limbs that each may meet in the frame.
    near: Vec<Vec<usize>>,
    bone_pushes: Vec<BonePushes>,
    /// Where the skin is after bones have yielded.
    before: Vec<DVec3>,
    needs: Vec<DVec3>,
    moves: Vec<DVec3>,
    next: Vec<DVec3>,
}

/// The bone of a limb at rest.
struct Bone {
    head: DVec3,
    tail: DVec3,
    parent: Option<usize>,
    /// For each of its points the distance of each limb.
    distances: [Vec<f64>; BONE_POINTS],
}

impl Bone {
    fn at(&self, k: usize) -> DVec3 {
        self.head.lerp(self.tail, k as f64 / (BONE_POINTS - 1) as f64)
    }

    /// How much the bone's pushes move a place that moves with it.
    fn push_at(&self, pushes: &BonePushes, rest: DVec3) -> DVec3 {
        let along = self.tail - self.head;
        let share = (rest - self.head).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        let at = share.clamp(0.0, 1.0) * (BONE_POINTS - 1) as f64;
        let k = (at as usize).min(BONE_POINTS - 2);
        pushes[k].lerp(pushes[k + 1], at - k as f64)
    }
}

/// How far a place must move that is a distance short of its room: not at all from a band before it, and smoothly.
fn push(short: f64, band: f64) -> f64 {
    let into = (short + band).clamp(0.0, 2.0 * band);
    short.max(band) - band + into * into / (4.0 * band)
}

/// The mean of pushes, in which strong ones count most: continuous where one overtakes another.
#[derive(Default)]
struct Strongest {
    sum: DVec3,
    total: f64,
}

impl Strongest {
    fn add(&mut self, strength: f64, push: DVec3) {
        let weight = strength.powi(3);
        self.sum += weight * push;
        self.total += weight;
    }

    fn mean(&self) -> DVec3 {
        if self.total > 0.0 { self.sum / self.total } else { DVec3::ZERO }
    }
}

impl Apart {
    /// Limbs that meet each other but where a joint parts them. `joined` tells of a limb whether it is one with the limb
    /// above, `amounts` how much of its way each may take.
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
        let bone = |limb: &Limb| {
            let mut bone =
                Bone { head: limb.head, tail: limb.tail(), parent: limb.parent, distances: Default::default() };
            bone.distances = std::array::from_fn(|k| {
                let distance = |field: &LimbField| field.distance(bone.at(k)).value;
                fields.all.iter().map(|field| field.as_ref().map_or(f64::INFINITY, distance)).collect()
            });
            bone
        };
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
            bones: limbs.all.iter().map(bone).collect(),
            meets: (0..count * count).map(|pair| meet(pair / count, pair % count)).collect(),
            freedom: (0..body.len()).map(freedom).collect(),
            hold: (0..body.len()).map(hold).collect(),
            near: vec![Vec::with_capacity(count); count],
            bone_pushes: vec![[DVec3::ZERO; BONE_POINTS]; count],
            before: vec![DVec3::ZERO; body.len()],
            needs: vec![DVec3::ZERO; body.len()],
            moves: vec![DVec3::ZERO; body.len()],
            next: vec![DVec3::ZERO; body.len()],
            rest: RestSkin::new(body, limbs, radius),
        }
    }

    /// Moves the points of limbs that overlap. Returns whether any may have moved.
    pub fn part(&mut self, pose: LimbPose<'_>, places: &mut [DVec3]) -> bool {
        let Self { rest, bones, meets, freedom, hold, near, bone_pushes, before, needs, moves, next } = self;
        let rest = &*rest;
        let body = pose.body;
        find_near(&PosedSkin { pose, rest, places }, meets, near);
        if near.iter().all(Vec::is_empty) {
            return false;
        }
        before.copy_from_slice(places);
        if yield_bones(&PosedSkin { pose, rest, places }, bones, near, bone_pushes) {
            let pushes = &*bone_pushes;
            before.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, place)| {
                let pushed = |&(limb, weight): &(u32, f64)| {
                    weight * bones[limb as usize].push_at(&pushes[limb as usize], body.rest[point])
                };
                *place += freedom[point] * rest.weights[point].iter().map(pushed).sum::<DVec3>();
            });
        }
        let posed = PosedSkin { pose, rest, places: before };
        let (near, freedom) = (&*near, &*freedom);
        next.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, need)| {
            *need = freedom[point] * step(&posed, near, point, DVec3::ZERO);
            if *need != DVec3::ZERO {
                *need += freedom[point] * step(&posed, near, point, *need);
            }
        });
        let alone = &*next;
        needs.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, need)| {
            let around: f64 = body.neighbour_mean(point as u32, |other| alone[other].length());
            *need = alone[point].clamp_length_max(ALONE * around);
        });
        moves.copy_from_slice(needs);
        for _ in 0..SWEEPS {
            let from = &*moves;
            next.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, next)| {
                let mean: DVec3 = body.neighbour_mean(point as u32, |other| from[other]);
                *next = freedom[point] / (1.0 + hold[point]) * mean;
                let (need, limb) = (needs[point].length(), rest.limb_of[point]);
                if let Some(limb) = limb.filter(|_| need > 0.0) {
                    let along = needs[point] / need;
                    let short = (need - along.dot(*next)).max(0.0);
                    *next += smoothstep(need / (HELD * posed.radius(limb as usize))) * short * along;
                }
            });
            std::mem::swap(moves, next);
        }
        let moves = &*moves;
        next.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, next)| {
            *next = moves[point];
            if *next != DVec3::ZERO {
                let around: f64 = body.neighbour_mean(point as u32, |other| moves[other].length());
                *next += (freedom[point] * step(&posed, near, point, *next)).clamp_length_max(ALONE_LAST * around);
            }
        });
        places.iter_mut().zip(&*before).zip(next).for_each(|((place, before), moved)| *place = *before + *moved);
        true
    }

    /// How much a point of the frame deformed last touches another limb, 0 to 1.
    pub fn touch(&self, point: usize) -> f64 {
        let Some(limb) = self.rest.limb_of[point] else { return 0.0 };
        smoothstep(self.needs[point].length() / (HELD * self.rest.radius[limb as usize]).max(f64::MIN_POSITIVE))
    }
}

/// Finds the limbs that may meet: those whose boxes overlap, and that move against each other.
fn find_near(posed: &PosedSkin<'_>, meets: &[bool], near: &mut [Vec<usize>]) {
    let count = near.len();
    for (limb, near) in near.iter_mut().enumerate() {
        near.clear();
        // Bones ask farthest.
        let farthest = (CLEAR + BONE_BAND + MISSES) * posed.rest.radius[limb];
        let own = posed.rest.around(limb, farthest).transformed(&posed.pose.motions[limb]);
        let may_meet = |other: usize| {
            let is_moved =
                || !(posed.pose.back[limb] * posed.pose.motions[other]).abs_diff_eq(DAffine3::IDENTITY, STILL);
            let overlaps = || {
                let other = posed.rest.around(other, 0.0).transformed(&posed.pose.motions[other]);
                !Box3::intersection(&own, &other).is_empty()
            };
            meets[limb * count + other]
                && posed.pose.is_sound[limb]
                && posed.pose.is_sound[other]
                && is_moved()
                && overlaps()
        };
        near.extend((0..count).filter(|&other| may_meet(other)));
    }
}

/// Pushes bones out of what is thicker than their limb. Returns whether any moves.
fn yield_bones(posed: &PosedSkin<'_>, bones: &[Bone], near: &[Vec<usize>], pushes: &mut [BonePushes]) -> bool {
    pushes.par_iter_mut().enumerate().with_max_len(1).for_each(|(limb, pushes)| {
        let (bone, own) = (&bones[limb], posed.radius(limb));
        let is_family = |other: usize| {
            bone.parent == Some(other) || bones[other].parent == Some(limb) || bones[other].parent == bone.parent
        };
        for (k, push) in pushes.iter_mut().enumerate() {
            let mut all = Strongest::default();
            for &other in near[limb].iter().filter(|&&other| !is_family(other)) {
                let at_rest = posed.pose.scales[other] * bone.distances[k][other];
                let yields = rising(posed.radius(other) / own, THICKER) * rising(at_rest / own, FREE);
                if yields > 0.0 {
                    let clear = (CLEAR * own).min(at_rest);
                    let (rest, farthest) = (bone.at(k), clear + BONE_BAND * own);
                    let probe = Probe {
                        limb,
                        point: None,
                        rest,
                        place: posed.pose.motions[limb].transform_point3(rest),
                        farthest,
                    };
                    if let Some(NearSkin { distance, normal, weight }) = posed.near(&probe, other, TORN_FROM_BONE) {
                        let through = 1.0 - rising(-distance / own, THROUGH);
                        let strength = yields * weight * through * self::push(clear - distance, BONE_BAND * own);
                        all.add(strength, strength * normal);
                    }
                }
            }
            *push = all.mean();
        }
    });
    pushes.iter().flatten().any(|push| *push != DVec3::ZERO)
}

/// The step of a point that has moved to where it is in no other limb.
fn step(posed: &PosedSkin<'_>, near: &[Vec<usize>], point: usize, moved: DVec3) -> DVec3 {
    let Some(limb) = posed.rest.limb_of[point].map(|limb| limb as usize) else { return DVec3::ZERO };
    if near[limb].is_empty() {
        return DVec3::ZERO;
    }
    let radius = posed.radius(limb);
    let probe = |farthest| Probe {
        limb,
        point: Some(point),
        rest: posed.pose.body.rest[point],
        place: posed.places[point] + moved,
        farthest,
    };
    let mut normal = None;
    let mut all = Strongest::default();
    for &other in &near[limb] {
        let thinner = radius.min(posed.radius(other));
        let found = posed.near(&probe((ROOM + BAND) * thinner), other, TORN);
        if let Some(NearSkin { distance, normal: across, weight }) = found {
            let own = *normal.get_or_insert_with(|| posed.normal(point));
            // Beyond its middle a limb is not deeper.
            let short = ROOM * thinner - (distance - own.dot(moved).max(-radius));
            let facing = rising(-own.dot(across), FACING);
            let strength = (weight * facing * push(short, BAND * thinner)).min(radius);
            let slope = across - own;
            // Where limbs face each other, |slope|² is .8 at least.
            all.add(strength, strength / slope.length_squared().max(0.8) * slope);
        }
    }
    all.mean()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The push is 0 up to the band, the whole way beyond it, and goes over with its slope.
    #[test]
    fn a_push_sets_in_smoothly() {
        assert_eq!([-2.0, -1.0, 0.0, 1.0, 3.0].map(|short| push(short, 1.0)), [0.0, 0.0, 0.25, 1.0, 3.0]);
        for short in [-1.0, 1.0] {
            let slope = |side: f64| (push(short + side * 1e-6, 1.0) - push(short, 1.0)) / (side * 1e-6);
            assert!((slope(1.0) - slope(-1.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn the_strongest_push_wins_without_a_jump() {
        let mean = |strengths: [f64; 2]| {
            let mut all = Strongest::default();
            all.add(strengths[0], strengths[0] * DVec3::X);
            all.add(strengths[1], strengths[1] * DVec3::Y);
            all.mean()
        };
        assert_eq!(mean([1.0, 0.0]), DVec3::X);
        assert!(mean([1.0, 0.3]).distance(DVec3::X) < 0.05);
        assert!(mean([1.0, 1.0 - 1e-9]).distance(mean([1.0 - 1e-9, 1.0])) < 1e-8);
        assert_eq!(mean([0.0, 0.0]), DVec3::ZERO);
    }
}
