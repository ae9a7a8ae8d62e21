//! Bones that yield: what is thin and lies deep in something thick is moved as a whole.
//!
//! Points along the bone of a limb are pushed out of the skin of thicker limbs until they are clear of it, and the skin
//! follows them by its weights.

use super::fields::Fields;
use super::limb_field::LimbField;
use super::meeting::{Near, Strongest, push};
use super::region::rising;
use super::skin_distance::{Guess, LimbPose, NearSkin, PosedSkin, Probe, RestSkin, TORN_FROM_BONE};
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::{Limb, Limbs};
use glam::DVec3;
use sinew_geometry::parallel::*;

/// Points along each bone that yield.
const BONE_POINTS: usize = 7;

/// The distance of bones from other skin, and the band around it, in radii of the limb.
const CLEAR: f64 = 0.6;
const BONE_BAND: f64 = 0.4;
pub(super) const BONES_ASK: f64 = CLEAR + BONE_BAND;

/// How many times as thick the other limb is, from which a bone yields to it.
const THICKER: [f64; 2] = [1.0, 1.5];

/// The distance at rest, in radii, from which it does: bones of hips and shoulders are next to the trunk.
const FREE: [f64; 2] = [1.0, 2.0];

/// The depth, in radii, at which it stops doing so: a motion that drives limbs through each other does so smoothly.
const THROUGH: [f64; 2] = [3.0, 4.5];

type BonePushes = [DVec3; BONE_POINTS];

/// The bones of all limbs.
pub(super) struct YieldingBones {
    bones: Vec<Bone>,
    pushes: Vec<BonePushes>,
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

impl YieldingBones {
    pub fn new(limbs: &Limbs, fields: &Fields) -> Self {
        let bone = |limb: &Limb| {
            let mut bone =
                Bone { head: limb.head, tail: limb.tail(), parent: limb.parent, distances: Default::default() };
            bone.distances = std::array::from_fn(|k| {
                let distance = |field: &LimbField| field.distance(bone.at(k)).value;
                fields.all.iter().map(|field| field.as_ref().map_or(f64::INFINITY, distance)).collect()
            });
            bone
        };
        Self { bones: limbs.all.iter().map(bone).collect(), pushes: vec![[DVec3::ZERO; BONE_POINTS]; limbs.all.len()] }
    }

    /// Moves limbs with bones that are in something thicker, each point as far as its freedom lets it.
    pub fn part(
        &mut self,
        pose: LimbPose<'_>,
        rest: &RestSkin,
        near: &[Vec<Near>],
        freedom: &[f64],
        places: &mut [DVec3],
    ) {
        let Self { bones, pushes } = self;
        if !push_bones(&PosedSkin { pose, rest, places }, bones, near, pushes) {
            return;
        }
        let pushes = &*pushes;
        places.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(point, place)| {
            let pushed = |&(limb, weight): &(u32, f64)| {
                weight * bones[limb as usize].push_at(&pushes[limb as usize], pose.body.rest[point])
            };
            *place += freedom[point] * rest.weights[point].iter().map(pushed).sum::<DVec3>();
        });
    }
}

/// Pushes bones out of what is thicker than their limb. Returns whether any moves.
fn push_bones(posed: &PosedSkin<'_>, bones: &[Bone], near: &[Vec<Near>], pushes: &mut [BonePushes]) -> bool {
    pushes.par_iter_mut().enumerate().with_max_len(1).for_each(|(limb, pushes)| {
        let (bone, own) = (&bones[limb], posed.radius(limb));
        let is_family = |other: usize| {
            bone.parent == Some(other) || bones[other].parent == Some(limb) || bones[other].parent == bone.parent
        };
        for (k, pushed) in pushes.iter_mut().enumerate() {
            let mut all = Strongest::default();
            for &Near { limb: other, .. } in near[limb].iter().filter(|near| !is_family(near.limb)) {
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
                    if let Some(NearSkin { distance, normal, weight }) =
                        posed.near(&probe, other, TORN_FROM_BONE, &mut Guess::default())
                    {
                        let through = 1.0 - rising(-distance / own, THROUGH);
                        let strength = yields * weight * through * push(clear - distance, BONE_BAND * own);
                        all.add(strength, strength * normal);
                    }
                }
            }
            *pushed = all.mean();
        }
    });
    pushes.iter().flatten().any(|push| *push != DVec3::ZERO)
}
