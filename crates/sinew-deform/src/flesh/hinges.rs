//! Elbows and knees.

use super::limb_radius::depth;
use crate::welded::Limbs;
use glam::DVec3;
use sinew_geometry::Winding;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::Anatomy;
use sinew_rig::anatomy::names::{Limb, Side};

/// The least sine of the bend at rest that shows where the outside is.
const LEAST_BEND: f64 = 0.03;

/// An elbow or a knee.
pub(super) struct Hinge {
    pub joint: usize,
    pub is_knee: bool,
    /// The unit vector to the outside of the bend.
    pub outwards: DVec3,
    /// The unit vector along the limb below.
    pub along: DVec3,
    /// How far the skin is from the joint on the outside.
    pub depth: f64,
}

impl Hinge {
    /// The axis about which it turns.
    pub(super) fn axis(&self) -> DVec3 {
        self.along.cross(self.outwards).normalize_or(self.along.any_orthonormal_vector())
    }
}

/// The elbows and knees of a skeleton whose rest pose shows which way they bend.
pub(super) fn hinges(limbs: &Limbs, radii: &[f64], skeleton: &Skeleton, winding: &Winding) -> Vec<Hinge> {
    let Some(anatomy) = Anatomy::of(skeleton) else { return Vec::new() };
    let hinge = |(part, side, is_knee)| {
        let joint = anatomy.limb(part, side)?;
        let index = limbs.all.iter().position(|limb| limb.joint == joint)?;
        let limb = &limbs.all[index];
        let into = (limb.head - limbs.all[limb.parent?].head).normalize_or_zero();
        let along = (limb.tail() - limb.head).normalize_or_zero();
        if into.cross(along).length() < LEAST_BEND {
            return None;
        }
        let outwards = (into - along).normalize_or_zero();
        let depth = depth(winding, limb.head, 3.0 * radii[index] * outwards).unwrap_or(radii[index]);
        Some(Hinge { joint, is_knee, outwards, along, depth })
    };
    PARTS.into_iter().filter_map(hinge).collect()
}

/// The joints at which arms and legs bend: shoulders, elbows, hips and knees.
pub(super) fn joints_of_limbs(skeleton: &Skeleton) -> Vec<usize> {
    let Some(anatomy) = Anatomy::of(skeleton) else { return Vec::new() };
    let sides = [Side::Left, Side::Right].into_iter();
    let parts =
        sides.flat_map(|side| [Limb::UpperArm, Limb::Forearm, Limb::Thigh, Limb::Calf].map(|part| (part, side)));
    parts.filter_map(|(part, side)| anatomy.limb(part, side)).collect()
}

/// The limbs below elbows and knees, and whether it is a knee.
const PARTS: [(Limb, Side, bool); 4] = [
    (Limb::Forearm, Side::Left, false),
    (Limb::Forearm, Side::Right, false),
    (Limb::Calf, Side::Left, true),
    (Limb::Calf, Side::Right, true),
];
