//! The shape of the skin at a hinge joint: two pipes cut at a mitre.
//!
//! Two limbs that meet at a joint keep their shape like two pipes cut at a mitre: each slides along its own bone, and
//! neither passes the plane between them, which is the contact surface of two equal cylinders. With the joint's centre
//! c, a limb's direction d away from it, and the direction e across d towards the inside of the bend, a point of the
//! limb that moved rigidly with it is at `c + z d + y e + …`. On the bisecting plane of a bend by θ (0 for a straight
//! joint) is `z = y tan(θ/2)`: what lies at the seam of the limbs at rest (z = 0) has to go there, and what lies
//! farther along has to go less far, never overtaking:
//!
//! ```text
//! z' = z + q g        q = y tan(θ/2)        g = (√(z² + q²) − z) / |q|
//! ```
//!
//! which keeps the order along the bone, and `z' ≥ |q|`, so that no point passes the plane. The slide is limited to
//! `tan(θ/2) ≤ 1.2`: from there on what is too far inside is pressed outwards, onto the plane, instead. Seams that are
//! no straight cuts are a plane `z = s(…)` fitted to them, and joints that are bent at rest subtract what they
//! have there.
//!
//! On the outer side of the bend (y < 0) and away from the joint the skin stays where it is: the place found here
//! counts with a weight that fades smoothly.

use super::fields::{ExcludedLimbs, NONE_EXCLUDED};
use super::hinge::{Hinge, Member};
use crate::contact::{HalfSpace, HalfSpaces, MAX_HALF_SPACES};
use glam::{DAffine3, DVec3};
use sinew_geometry::curve::smoothstep;
use std::f64::consts::PI;

/// The largest `tan(θ/2)` by which points slide along their bone.
const MOST_SLIDE: f64 = 1.2;

/// How far inside its limb, as a share of its distance from the bone, a point follows the hinge entirely.
const EDGE: f64 = 0.3;

/// The turn of a joint in radians from which the hinge counts in full.
const FULL_TURN: f64 = 0.35;

/// `tan(θ/2)` from which it does: a straight joint has no inner side.
const FULL_TANGENT: f64 = 0.12;

/// The room between the two sides, in radii of the seam.
const ROOM: f64 = 0.01;

/// How much more room there is towards the inside of a sharp bend, where both sides are pressed flat: without it
/// triangles across the seam would lie in those.
const WEDGE: f64 = 0.05;

/// How far along its bone, in radii, the other limb is there to press against, and from where on it is not: at 140° two
/// equal pipes touch up to `tan 70° = 2.7` radii from the joint, and limbs are wider there than at their seam.
const OPPOSITE_LIMB: [f64; 2] = [3.5, 5.5];

/// How near to the plane a point touches the other limb, in radii of the seam, and the `tan(θ/2)` from which on there
/// is something to touch and from which on it counts in full: in a slight bend the inner side is not folded.
const TOUCH: f64 = 0.15;
const FOLDED: [f64; 2] = [0.6, 1.2];

impl Hinge {
    /// The hinge in a pose, given what its limbs did since rest; none where it does not matter.
    pub fn posed(&self, motions: [DAffine3; 2]) -> Option<PosedHinge> {
        let turned = |side: usize, vector: DVec3| motions[side].transform_vector3(vector);
        let rest = self.directions;
        let d = [0, 1].map(|side| turned(side, rest[side]).normalize_or_zero());
        let turn = (motions[1].inverse().transform_vector3(turned(0, rest[0]))).angle_between(rest[0]);
        let half_tangent = |[a, b]: [DVec3; 2]| (0.5 * (PI - a.angle_between(b))).tan();
        let (tangent, rest_tangent) = (half_tangent(d), half_tangent(rest));
        let between = (d[0] + d[1]).normalize_or_zero();
        let effect = smoothstep(turn / FULL_TURN) * smoothstep(tangent / FULL_TANGENT);
        if effect <= 0.0 || between == DVec3::ZERO {
            return None;
        }
        let inner = d.map(|d| between.reject_from(d).normalize_or_zero());
        let rest_inner = if rest_tangent > 0.02 {
            let between = (rest[0] + rest[1]).normalize_or_zero();
            [0, 1].map(|side| turned(side, between.reject_from(rest[side]).normalize_or_zero()))
        } else {
            [DVec3::ZERO; 2]
        };
        let towards = motions[0].inverse().transform_vector3(inner[0]);
        let [confidence, follow] = self.confidence_towards(towards);
        // Where a limb is scaled to nothing it is no number.
        (confidence > 0.0).then(|| PosedHinge {
            towards,
            center: motions[0].transform_point3(self.center),
            d,
            inner,
            rest_inner,
            rest_tangent,
            tangent,
            slide: tangent.min(MOST_SLIDE.max(rest_tangent)),
            seam: self.seam,
            across: [0, 1].map(|side| self.across[side].map(|a| turned(side, a).normalize_or_zero())),
            radius: self.radius,
            lateral: self.lateral,
            wedge: WEDGE * smoothstep((tangent - MOST_SLIDE) / 0.8),
            between,
            parts: self.parts,
            keeps_beyond: self.keeps_beyond,
            effect,
            confidence,
            follow,
        })
    }
}

/// A hinge in a pose.
#[derive(Debug, Clone)]
pub(super) struct PosedHinge {
    /// The direction of the bend across the lower limb, as that is at rest.
    pub towards: DVec3,
    center: DVec3,
    d: [DVec3; 2],
    inner: [DVec3; 2],
    rest_inner: [DVec3; 2],
    /// `tan(θ/2)` at rest and now, and as far as points slide.
    rest_tangent: f64,
    tangent: f64,
    slide: f64,
    seam: [[f64; 3]; 2],
    across: [[DVec3; 2]; 2],
    radius: f64,
    lateral: [f64; 2],
    /// The slope by which the two sides part towards the inside of the bend, and its direction.
    wedge: f64,
    between: DVec3,
    parts: bool,
    keeps_beyond: bool,
    /// How much of it the joint's turn asks for.
    effect: f64,
    confidence: f64,
    /// How far points follow the fields.
    follow: f64,
}

/// The effect of a hinge on a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slide {
    /// How much it counts, more than 0.
    pub weight: f64,
    /// From where the point's limb carries it.
    pub offset: DVec3,
    /// Where the other limb begins.
    pub plane: HalfSpace,
    /// Whether the point is pressed onto the plane, 0 to 1.
    pub pressed: f64,
}

impl PosedHinge {
    /// How far a point around it follows the fields.
    #[inline]
    pub fn follow(&self, member: Member) -> f64 {
        member.weight_concentration * member.nearness * self.effect * self.confidence * self.follow
    }

    /// The slide of a point, whose limb alone would move it to `rigid`.
    #[inline]
    pub fn slide(&self, Member { side, weight_concentration, .. }: Member, rigid: DVec3) -> Option<Slide> {
        let d = self.d[side];
        let from = rigid - self.center;
        let y = from.dot(self.inner[side]);
        if y <= 0.0 || !self.parts {
            return None;
        }
        let z = from.dot(d);
        let flat = from - z * d;
        let rho = flat.length();
        let [s0, su, sv] = self.seam[side];
        let [u, v] = self.across[side];
        let seam = s0 + su * flat.dot(u) + sv * flat.dot(v);
        let height = z - seam;
        let reach = y * self.tangent.min(6.0) + 2.5 * rho;
        let along = 1.0 - smoothstep((height / reach - 0.55) / 0.45);
        let sideways = 1.0 - ((rho / self.radius - self.lateral[side]) / 0.6).clamp(0.0, 1.0);
        let weight =
            smoothstep(y / (EDGE * rho)) * self.effect * along * sideways * self.confidence * weight_concentration;
        if weight <= 0.0 {
            return None;
        }
        let at_rest = flat.dot(self.rest_inner[side]) * self.rest_tangent;
        let (odd, kept) = (seam - at_rest, 1.0 - self.effect);
        let q = y * self.slide - at_rest - (1.0 - kept) * odd;
        let above = height.max(0.0);
        let g = if q.abs() > 1e-12 * self.radius { (above.hypot(q) - above) / q.abs() } else { 1.0 };
        let slid = z + q * g;
        let slack = kept * odd + height.min(0.0);
        let pressed_y = y.min(((slid - slack) / self.tangent).max(0.0));
        let room = ROOM * self.radius + slack.min(0.0);
        let normal = (self.d[side] - self.d[1 - side]).normalize() - self.wedge * self.between;
        let near = 1.0 - smoothstep((slid / self.radius - OPPOSITE_LIMB[0]) / (OPPOSITE_LIMB[1] - OPPOSITE_LIMB[0]));
        let share = near * (2.0 * weight).min(1.0);
        Some(Slide {
            weight,
            offset: (slid - z) * d + near * (pressed_y - y) * self.inner[side],
            plane: HalfSpace {
                point: self.center + room * normal,
                normal: normal.normalize(),
                weight: share,
                touch_distance: TOUCH * self.radius,
                touch_weight: smoothstep((self.tangent - FOLDED[0]) / (FOLDED[1] - FOLDED[0])),
            },
            pressed: share * smoothstep((y - pressed_y) / (0.1 * rho)),
        })
    }
}

/// The constraint of a vertex's hinges.
#[derive(Debug, Clone, Copy)]
pub(super) struct HingeConstraint {
    pub half_spaces: HalfSpaces,
    /// Limbs that the half-spaces keep the vertex from.
    pub excluded: ExcludedLimbs,
    /// Whether the vertex is pressed onto a plane, 0 to 1: then it ignores the fields.
    pub pressed: f64,
}

impl Default for HingeConstraint {
    fn default() -> Self {
        Self { half_spaces: HalfSpaces::default(), excluded: NONE_EXCLUDED, pressed: 0.0 }
    }
}

/// Moves a point to its position by its hinges. `skinned` is its skinned position, `rigid` that of its limb alone;
/// `hinges` are its hinges, each with the limb on the other side.
#[inline]
pub(super) fn settle<'a>(
    skinned: DVec3,
    rigid: DVec3,
    hinges: impl Iterator<Item = (&'a PosedHinge, Member, usize)>,
) -> (DVec3, HingeConstraint) {
    let mut constraint = HingeConstraint::default();
    let (mut left, mut offset) = (1.0, DVec3::ZERO);
    let mut count = 0;
    for (hinge, member, opposite) in hinges {
        if let Some(slide) = hinge.slide(member, rigid)
            && count < MAX_HALF_SPACES
        {
            left *= 1.0 - slide.weight;
            offset += slide.weight * slide.offset;
            constraint.pressed = f64::max(constraint.pressed, slide.pressed);
            constraint.half_spaces.0[count] = slide.plane;
            constraint.excluded[count] =
                (opposite as u32, if hinge.keeps_beyond { 0.0 } else { (2.0 * slide.weight).min(1.0) });
            count += 1;
        }
    }
    (constraint.half_spaces.clamp(rigid.lerp(skinned, left) + offset), constraint)
}
