//! Bones in the flesh.
//!
//! The bones that the reference simulations have: shafts of 0.25 to 0.3 limb radii that end 0.55 radii before the joint,
//! in the joint a ball of 0.2 radii that turns by half, and a small kneecap or tip of the elbow.

use super::limb_radius::limb_radius;
use super::options::FleshOptions;
use crate::welded::{Limb, Limbs};
use glam::DVec3;
use sinew_geometry::Winding;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::Anatomy;
use sinew_rig::anatomy::names::{Limb as AnatomyLimb, Side};

/// The radius of a shaft, in limb radii.
const SHAFT: f64 = 0.275;

/// Where a shaft ends before a joint, in limb radii; in a short bone this share of its length at most.
const END: f64 = 0.55;
const LONGEST_END: f64 = 0.35;

/// The radius of the ball in a joint, in limb radii.
const BALL: f64 = 0.2;

/// The share of the joint's turn that a kneecap takes part in, and its distance from the joint in limb radii. The mean
/// distance of MakeHuman's knee at 90° from simulated flesh is .018 limb radii without one and .014 with it.
const KNEECAP: (f64, f64) = (0.5, 0.5);

/// The same for the tip of the elbow, which is a part of the forearm: .013 without and .011 with it.
const OLECRANON: (f64, f64) = (1.0, 0.4);

/// The radius of the ring of six points of a layer, in radii of the bone: a disc has half of its area within 0.7.
const RING: f64 = 0.75;

/// A rigid bone of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoneShape {
    /// The joint that it follows.
    pub joint: usize,
    /// The share of the joint's turn against its parent that it takes part in: 1 for the joint's own bone.
    pub turn: f64,
    /// Its shape at rest.
    pub solid: BoneSolid,
    /// The radius of the limb around it.
    pub limb_radius: f64,
    /// How far it yields: 1 for a bone.
    pub softness: f64,
}

/// The shape of a bone, in the world at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BoneSolid {
    /// A tapered cylinder with flat ends.
    Shaft {
        /// The middle of its ends.
        ends: [DVec3; 2],
        /// The radii there.
        radii: [f64; 2],
    },
    /// A ball.
    Ball {
        /// Its middle.
        center: DVec3,
        /// Its radius.
        radius: f64,
    },
}

impl BoneSolid {
    /// Points inside it, in layers of seven; `spacing` says how far layers are apart at a place.
    pub(super) fn points(&self, spacing: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
        let (from, along, radii) = match *self {
            Self::Shaft { ends: [a, b], radii } => (a, b - a, radii),
            Self::Ball { center, radius } => (center - radius * DVec3::Z, 2.0 * radius * DVec3::Z, [radius; 2]),
        };
        let (length, direction) = (along.length(), along.normalize_or(DVec3::Z));
        let u = direction.any_orthonormal_vector();
        let v = direction.cross(u);
        let mut points = Vec::new();
        let mut at = 0.0;
        while at < length {
            let step = spacing(from + at * direction).max(0.02 * length).min(length - at);
            let share = (at + 0.5 * step) / length;
            let radius = match self {
                Self::Shaft { .. } => radii[0] + share * (radii[1] - radii[0]),
                Self::Ball { radius, .. } => radius * (1.0 - (2.0 * share - 1.0).powi(2)).sqrt(),
            };
            let middle = from + share * along;
            points.push(middle);
            points.extend((0..6).map(|k| {
                let (sine, cosine) = (f64::from(k) * std::f64::consts::FRAC_PI_3).sin_cos();
                middle + RING * radius * (cosine * u + sine * v)
            }));
            at += step;
        }
        points
    }

    /// Its volume.
    pub(super) fn volume(&self) -> f64 {
        use std::f64::consts::PI;
        match *self {
            Self::Shaft { ends: [a, b], radii: [r, s] } => PI * a.distance(b) * (r * r + r * s + s * s) / 3.0,
            Self::Ball { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
        }
    }
}

/// The radius of each limb at its joint: across the bones that meet there.
pub(super) fn limb_radii(limbs: &Limbs, points: &[DVec3], winding: &Winding) -> Vec<f64> {
    let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
    let farthest = low.distance(high);
    let members = limbs.points();
    limbs
        .all
        .iter()
        .zip(&members)
        .map(|(limb, members)| {
            let out = (limb.tail() - limb.head).normalize_or_zero();
            let into = limb.parent.map_or(DVec3::ZERO, |p| (limb.head - limbs.all[p].head).normalize_or_zero());
            let axis = (out + into).normalize_or(out).normalize_or(DVec3::Z);
            let radius = limb_radius(winding, limb.head, axis, farthest);
            // No limb is thinner than a thousandth of the body, so that cells and springs have a size.
            radius.unwrap_or_else(|| mean_distance(limb, members, points)).max(1e-3 * farthest)
        })
        .collect()
}

/// The mean distance of a limb's points from its bones.
fn mean_distance(limb: &Limb, members: &[u32], points: &[DVec3]) -> f64 {
    members.iter().map(|&point| limb.distance(points[point as usize])).sum::<f64>() / members.len().max(1) as f64
}

/// The bones of a body.
pub(super) fn bones(limbs: &Limbs, radii: &[f64], skeleton: &Skeleton, options: &FleshOptions) -> Vec<BoneShape> {
    let mut bones = Vec::new();
    let hinges = hinges(limbs, skeleton);
    for (index, limb) in limbs.all.iter().enumerate() {
        let own = options.joints.get(&skeleton.joints()[limb.joint].name).cloned().unwrap_or_default();
        let radius = radii[index];
        let mut add = |turn, solid, limb_radius| {
            bones.push(BoneShape { joint: limb.joint, turn, solid, limb_radius, softness: own.softness });
        };
        for &tail in &limb.tails {
            let length = tail.distance(limb.head);
            let below = limbs.children(index).find(|&child| limbs.all[child].head.distance(tail) < 1e-6 * length);
            let tail_radius = below.map_or(radius, |child| radii[child]);
            let end = |radius: f64| (END * radius / length).min(LONGEST_END);
            let along = tail - limb.head;
            let offset = DVec3::from(own.offset);
            let ends = [limb.head + end(radius) * along + offset, tail - end(tail_radius) * along + offset];
            let share = own.radius.unwrap_or(SHAFT);
            add(1.0, BoneSolid::Shaft { ends, radii: [share * radius, share * tail_radius] }, radius.min(tail_radius));
        }
        if limb.parent.is_some() {
            add(0.5, BoneSolid::Ball { center: limb.head, radius: BALL * radius }, radius);
        }
        if let Some(hinge) = hinges.iter().find(|hinge| hinge.joint == limb.joint) {
            let (turn, at) = if hinge.is_knee { KNEECAP } else { OLECRANON };
            add(
                turn,
                BoneSolid::Ball { center: limb.head + at * radius * hinge.outwards, radius: BALL * radius },
                radius,
            );
        }
    }
    bones
}

/// An elbow or a knee.
struct Hinge {
    joint: usize,
    is_knee: bool,
    /// The unit vector to the outside of the bend.
    outwards: DVec3,
}

/// The least sine of the bend at rest that shows where the outside is.
const LEAST_BEND: f64 = 0.03;

/// The elbows and knees of a skeleton whose rest pose shows which way they bend.
fn hinges(limbs: &Limbs, skeleton: &Skeleton) -> Vec<Hinge> {
    let Some(anatomy) = Anatomy::of(skeleton) else { return Vec::new() };
    let outwards = |joint: usize| {
        let limb = limbs.all.iter().find(|limb| limb.joint == joint)?;
        let into = (limb.head - limbs.all[limb.parent?].head).normalize_or_zero();
        let out = (limb.tail() - limb.head).normalize_or_zero();
        (into.cross(out).length() > LEAST_BEND).then(|| (into - out).normalize_or_zero())
    };
    let parts = [(AnatomyLimb::Forearm, false), (AnatomyLimb::Calf, true)];
    let sides =
        parts.into_iter().flat_map(|(part, is_knee)| [Side::Left, Side::Right].map(|side| (part, side, is_knee)));
    let hinge = |(part, side, is_knee)| {
        let joint = anatomy.limb(part, side)?;
        Some(Hinge { joint, is_knee, outwards: outwards(joint)? })
    };
    sides.filter_map(hinge).collect()
}
