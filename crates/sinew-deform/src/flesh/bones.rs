//! The shapes of bones.

use super::limb_radius::limb_radius;
use crate::welded::{Limb, Limbs};
use glam::DVec3;
use sinew_geometry::Winding;

/// The radius of the ring of six points of a layer, in radii of the bone: a disc has half of its area within 0.7.
const RING: f64 = 0.75;

/// A rigid bone of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoneShape {
    /// The joint that it follows.
    pub joint: usize,
    /// The share of the joint's turn against its parent that it takes part in: 1 for the joint's own bone, 0 for its
    /// parent's.
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
