//! Joints between two limbs that go on from one to the other, like elbows, knees, knuckles and the joints of tails.
//!
//! The plane that bisects the angle between the two bones is where the fields of two equal limbs are equal: their
//! contact surface. Points belong to the limb on whose side of it they are at rest.

use crate::welded::{Limbs, WeldedSurface};
use glam::{DAffine3, DVec3};
use sinew_geometry::curve::smoothstep;

/// The least cosine between the two bones: between a collarbone and an upper arm, the plane is no contact surface.
const STRAIGHT: f64 = 0.6;

/// The least length of the lower bone in radii: a shorter one is no limb, but a pelvis or the muzzle of a dinosaur.
const SLENDER: f64 = 1.5;

/// The fewest edges from one limb to the other.
const FEWEST_EDGES: usize = 6;

/// How far from the bones, in radii, and along them, as a share of a bone's length, the plane divides points.
const AROUND: f64 = 2.0;
const ALONG: f64 = 0.6;

/// The bend from which on points at the plane touch each other in full, in radians: at less there is nothing to slide on.
const BENT: f64 = 0.2;

/// A joint at rest. Side 0 is the limb below, side 1 the one above.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub limbs: [usize; 2],
    pub center: DVec3,
    /// Along the bones, away from the joint.
    pub directions: [DVec3; 2],
    /// The lengths of the bones.
    pub lengths: [f64; 2],
    /// The median distance of the surface from the bone where one limb goes over into the other.
    pub radius: f64,
}

impl Joint {
    /// The joint above a limb. None where the surface does not go on into that of the limb above, where that goes on
    /// into several limbs, where the bones do not go on in about one direction, or where the lower one is stubby.
    pub fn new(body: &WeldedSurface, limbs: &Limbs, limb: usize) -> Option<Self> {
        let parent = limbs.all[limb].parent.filter(|&parent| limbs.children(parent).count() == 1)?;
        let center = limbs.all[limb].head;
        let bones = [limbs.all[limb].tail() - center, limbs.all[parent].head - center];
        let directions = bones.map(DVec3::normalize_or_zero);
        let owner = |point: usize| limbs.of_point[point].map(|limb| limb as usize);
        let seam = body.edges().filter(|&(i, j)| owner(i) == Some(limb) && owner(j) == Some(parent));
        let from_bone =
            |(i, j): (usize, usize)| (0.5 * (body.rest[i] + body.rest[j]) - center).reject_from(directions[0]).length();
        let mut distances: Vec<f64> = seam.map(from_bone).collect();
        distances.sort_by(f64::total_cmp);
        let radius = distances.get(distances.len() / 2).copied().filter(|_| distances.len() >= FEWEST_EDGES)?;
        let joint = Self { limbs: [limb, parent], center, directions, lengths: bones.map(DVec3::length), radius };
        let is_straight = -directions[0].dot(directions[1]) > STRAIGHT;
        (radius > 0.0 && is_straight && joint.lengths[0] > SLENDER * radius).then_some(joint)
    }

    /// Gives the points around the joint to the limb on whose side of the plane they are.
    pub fn divide(&self, body: &WeldedSurface, limbs: &mut Limbs) {
        for (place, owner) in body.rest.iter().zip(&mut limbs.of_point) {
            let Some(side) = self.side_of(*owner) else { continue };
            let height = (place - self.center).dot(self.normal());
            let is_near = (place - self.center).reject_from(self.directions[0]).length() <= AROUND * self.radius;
            let right = usize::from(height < 0.0);
            if is_near && right != side && height.abs() < ALONG * self.lengths[right] {
                *owner = Some(self.limbs[right] as u32);
            }
        }
    }

    /// The side that a limb is on.
    pub fn side_of(&self, limb: Option<u32>) -> Option<usize> {
        self.limbs.iter().position(|&own| Some(own as u32) == limb)
    }

    /// The plane's normal at rest, towards side 0.
    pub fn normal(&self) -> DVec3 {
        (self.directions[0] - self.directions[1]).normalize_or_zero()
    }

    /// How far a place is on a side of the plane at rest.
    pub fn height(&self, side: usize, place: DVec3) -> f64 {
        towards(side, self.normal()).dot(place - self.center)
    }

    /// The joint in a pose, given what its limbs did since rest.
    pub fn posed(&self, motions: [&DAffine3; 2]) -> PosedJoint {
        let [below, above] =
            [0, 1].map(|side| motions[side].transform_vector3(self.directions[side]).normalize_or_zero());
        let unbent = motions[1].transform_vector3(self.directions[0]).normalize_or_zero();
        let volumes = motions.map(|motion| motion.matrix3.determinant().abs());
        PosedJoint {
            center: motions[0].transform_point3(self.center),
            normal: (below - above).normalize_or_zero(),
            scale: (0.5 * (volumes[0] + volumes[1])).cbrt(),
            closing: smoothstep(below.angle_between(unbent) / BENT),
        }
    }
}

/// A point at a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AtJoint {
    pub joint: u32,
    pub side: u32,
    /// How far it is on its side of the plane at rest.
    pub height: f64,
    /// The distance from the joint along the bone, in radii.
    pub along: f64,
}

/// A normal towards side 0, towards a side.
fn towards(side: usize, normal: DVec3) -> DVec3 {
    if side == 0 { normal } else { -normal }
}

impl AtJoint {
    /// e^(−(z/R)²) for the distance from the joint along the bone, and a little anywhere.
    #[inline]
    pub fn nearness(&self) -> f64 {
        (-self.along * self.along).exp() + f64::MIN_POSITIVE
    }
}

/// A joint in a pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct PosedJoint {
    pub center: DVec3,
    /// Of the bisecting plane, towards side 0.
    normal: DVec3,
    /// How many times as large as at rest the limbs are.
    pub scale: f64,
    /// How far it is bent for its two sides to touch, 0 to 1.
    pub closing: f64,
}

impl PosedJoint {
    /// How far a place is on the side of a point.
    #[inline]
    pub fn height(&self, at: &AtJoint, place: DVec3) -> f64 {
        self.up(at).dot(place - self.center)
    }

    /// The plane's normal towards the side of a point.
    #[inline]
    pub fn up(&self, at: &AtJoint) -> DVec3 {
        towards(at.side as usize, self.normal)
    }
}
