//! Hinge joints at rest.
//!
//! Two limbs whose surface goes on from one to the other, whose bones go on in about the same direction and are longer
//! than they are thick. [`super::bend`] has the shape of the bend.

use crate::welded::Limbs;
use crate::welded::WeldedSurface;
use glam::{DAffine3, DMat3, DVec3};
use sinew_geometry::curve::smoothstep;
use std::f64::consts::{PI, TAU};

/// Directions of a bend that are tried when a hinge is made.
pub(super) const DIRECTIONS: usize = 8;

/// The least cosine between the bones of a hinge, and the least length of the lower one in radii of the seam.
const STRAIGHT: f64 = 0.6;
const SLENDER: f64 = 1.5;

/// A joint between two limbs, as it is at rest. Side 0 is the limb below the joint, side 1 the one above.
#[derive(Debug, Clone)]
pub(super) struct Hinge {
    pub limbs: [usize; 2],
    pub center: DVec3,
    pub directions: [DVec3; 2],
    /// Two directions across each.
    pub across: [[DVec3; 2]; 2],
    /// The seam `z = s₀ + s₁ u + s₂ v` on each side.
    pub seam: [[f64; 3]; 2],
    /// The median distance of the seam from the bone.
    pub radius: f64,
    /// How far from the bone each side follows, in radii.
    pub lateral: [f64; 2],
    /// What it counts for bends in directions around the lower limb.
    pub confidence: [f64; DIRECTIONS],
    /// How far points follow the fields then.
    pub follow: [f64; DIRECTIONS],
    /// The amount of the options, 0 to 1.
    pub amount: f64,
    /// Whether it keeps the limbs apart.
    pub parts: bool,
    /// Whether points at the contact keep the field of the limb beyond it, as an operator that bulges needs.
    pub keeps_beyond: bool,
}

impl Hinge {
    /// The hinge above a limb; none where its surface does not go on into that of the limb above, or where it is no
    /// hinge: the bones must go on in about the same direction, and be longer than they are thick.
    pub fn new(body: &WeldedSurface, limbs: &mut Limbs, limb: usize) -> Option<Self> {
        let parent = limbs.all[limb].parent?;
        let (center, tail) = (limbs.all[limb].head, limbs.all[limb].tail());
        let above = limbs.all[parent].head;
        let directions = [tail - center, above - center].map(DVec3::normalize_or_zero);
        let is_chain = limbs.children(parent).count() == 1;
        let across = directions.map(|d| {
            let u = d.any_orthonormal_vector();
            [u, d.cross(u)]
        });
        let mut hinge = Self {
            limbs: [limb, parent],
            center,
            directions,
            across,
            seam: [[0.0; 3]; 2],
            radius: 0.0,
            lateral: [2.5, if is_chain { 2.5 } else { 1.3 }],
            confidence: [1.0; DIRECTIONS],
            follow: [1.0; DIRECTIONS],
            amount: 1.0,
            parts: true,
            keeps_beyond: false,
        };
        hinge.radius = hinge.seam_radius(body, limbs)?;
        let is_straight = -directions[0].dot(directions[1]) > STRAIGHT;
        let is_slender = center.distance(tail) > SLENDER * hinge.radius;
        if !(is_straight && is_slender) {
            return None;
        }
        if is_chain {
            hinge.divide(body, limbs, [center.distance(tail), center.distance(above)]);
        }
        hinge.seam = [0, 1].map(|side| hinge.fit_seam(body, limbs, side));
        Some(hinge)
    }

    /// The middles of the edges from one limb to the other.
    fn seam_edges<'a>(&self, body: &'a WeldedSurface, limbs: &'a Limbs) -> impl Iterator<Item = DVec3> + 'a {
        let [below, above] = self.limbs.map(|limb| Some(limb as u32));
        let crosses = move |&(i, j): &(usize, usize)| limbs.of_point[i] == below && limbs.of_point[j] == above;
        body.edges().filter(crosses).map(|(i, j)| 0.5 * (body.rest[i] + body.rest[j]))
    }

    fn seam_radius(&self, body: &WeldedSurface, limbs: &Limbs) -> Option<f64> {
        let d = self.directions[0];
        let from_bone = |place: DVec3| (place - self.center).reject_from(d).length();
        let mut distances: Vec<f64> = self.seam_edges(body, limbs).map(from_bone).collect();
        distances.sort_by(f64::total_cmp);
        let median = distances.get(distances.len() / 2).copied()?;
        (distances.len() >= 6 && median > 0.0 && d != DVec3::ZERO).then_some(median)
    }

    /// Gives the points around the joint to the limb on whose side of the bisecting plane they are at rest.
    fn divide(&self, body: &WeldedSurface, limbs: &mut Limbs, lengths: [f64; 2]) {
        let normal = (self.directions[0] - self.directions[1]).normalize_or_zero();
        for (place, owner) in body.rest.iter().zip(&mut limbs.of_point) {
            let Some(side) = self.limbs.iter().position(|&limb| *owner == Some(limb as u32)) else { continue };
            let from = place - self.center;
            let height = from.dot(normal);
            let is_near = from.reject_from(self.directions[0]).length() <= 2.0 * self.radius;
            let right = usize::from(height < 0.0);
            if is_near && right != side && height.abs() < 0.6 * lengths[right] {
                *owner = Some(self.limbs[right] as u32);
            }
        }
    }

    /// The plane through the seam by least squares, inclined no more than the seam determines.
    fn fit_seam(&self, body: &WeldedSurface, limbs: &Limbs, side: usize) -> [f64; 3] {
        let (mut matrix, mut right, mut count) = (DMat3::ZERO, DVec3::ZERO, 0.0);
        let [u, v] = self.across[side];
        for from in self.seam_edges(body, limbs).map(|place| place - self.center) {
            let row = DVec3::new(1.0, from.dot(u), from.dot(v));
            matrix += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
            right += row * from.dot(self.directions[side]);
            count += 1.0;
        }
        let damping = 1e-2 * self.radius * self.radius * count;
        matrix += DMat3::from_diagonal(DVec3::new(0.0, damping, damping));
        (matrix.inverse() * right).to_array()
    }

    /// The direction of a bend towards the k-th of the directions that are tried: across the lower bone, at rest.
    pub fn bend_direction(&self, k: usize) -> DVec3 {
        let (sine, cosine) = (TAU * k as f64 / DIRECTIONS as f64).sin_cos();
        cosine * self.across[0][0] + sine * self.across[0][1]
    }

    /// The motion of the lower limb in a bend by an angle towards a direction across it.
    pub fn bend(&self, direction: DVec3, angle: f64) -> DAffine3 {
        let turn = glam::DQuat::from_axis_angle(self.directions[0].cross(direction).normalize(), angle);
        DAffine3::from_translation(self.center) * DAffine3::from_quat(turn) * DAffine3::from_translation(-self.center)
    }

    /// The bend that it has at rest, 0 for a straight joint.
    pub fn rest_bend(&self) -> f64 {
        PI - self.directions[0].angle_between(self.directions[1])
    }

    /// The side that a point is on, and how far it follows this joint and no other: entirely with 95 % of its
    /// weight on the two limbs' joints, not at all with 70 %.
    pub fn membership(&self, body: &WeldedSurface, limbs: &Limbs, point: usize) -> Option<Member> {
        let side = self.limbs.iter().position(|&limb| limbs.of_point[point] == Some(limb as u32))?;
        let joints = self.limbs.map(|limb| limbs.all[limb].joint as u32);
        let row = body.influences.row(point as u32).iter();
        let share: f64 = row.filter(|(joint, _)| joints.contains(joint)).map(|(_, weight)| weight).sum();
        let weight_concentration = smoothstep((share - 0.7) / 0.25);
        let along = (body.rest[point] - self.center).dot(self.directions[0]).abs() / self.radius;
        let nearness = 1.0 - smoothstep((along - 1.5) / 1.5);
        (weight_concentration > 0.0).then_some(Member { side, weight_concentration, nearness })
    }

    /// The mean weight concentration of the points next to it.
    pub fn weight_concentration(&self, body: &WeldedSurface, limbs: &Limbs) -> f64 {
        let members = (0..body.len()).filter_map(|point| self.membership(body, limbs, point));
        let near = members.filter(|member| member.nearness > 0.5);
        let (sum, count) =
            near.fold((0.0, 0.0), |(sum, count), member| (sum + member.weight_concentration, count + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Takes away the confidence in bends towards a direction, as far as they count there.
    pub fn reject(&mut self, direction: DVec3) {
        let first = self.place_of(direction).floor() as usize;
        for k in [first, first + 1] {
            self.confidence[k % DIRECTIONS] = 0.0;
        }
    }

    /// Where a direction across the lower limb at rest lies among those that are tried.
    fn place_of(&self, direction: DVec3) -> f64 {
        let [u, v] = self.across[0];
        direction.dot(v).atan2(direction.dot(u)).rem_euclid(TAU) * DIRECTIONS as f64 / TAU
    }

    /// What it counts for a bend towards a direction across the lower limb at rest, and how far points follow the
    /// fields then.
    pub fn confidence_towards(&self, direction: DVec3) -> [f64; 2] {
        let place = self.place_of(direction);
        let (first, share) = (place.floor() as usize % DIRECTIONS, place.fract());
        let [confidence, follow] = [self.confidence, self.follow].map(|known| {
            let [low, high] = [known[first], known[(first + 1) % DIRECTIONS]];
            low + share * (high - low)
        });
        [self.amount * confidence, follow]
    }
}

/// The membership of a point in a hinge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    pub side: usize,
    /// The weight concentration: how far it follows this joint and no other.
    pub weight_concentration: f64,
    /// From 1 at the joint to 0 three radii along its bone.
    pub nearness: f64,
}
