//! The shapes of bones.

use super::limb_radius::limb_radius;
use crate::welded::{Limb, Limbs};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew_geometry::volume::signed_volume;
use sinew_geometry::{Face, Winding, polar};
use sinew_rig::Skeleton;
use std::collections::BTreeSet;

/// The radius of the ring of six points of a layer, in radii of the bone: a disc has half of its area within 0.7.
const RING: f64 = 0.75;

/// The least distance of two layers, in lengths of the bone.
const LEAST_STEP: f64 = 0.02;

/// The fewest points that hold a mesh: those of one layer. A mesh that is thinner than the layers are apart has closer ones,
/// up to so many times by half.
const FEWEST_POINTS: usize = 7;
const MOST_HALVINGS: i32 = 4;

/// The extent of a body over the radius of a limb from which on the limb is too thin to fill. A tube flattened to a
/// hundredth of its width still bends; to a thousandth, its flesh does not come to rest.
pub(super) const THINNEST_PART: usize = 5000;

/// A rigid bone of a joint.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
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
    /// A closed mesh of the character.
    Mesh {
        /// Its name.
        name: String,
        /// Its points, without copies at seams.
        points: Vec<DVec3>,
        /// Its faces over them.
        faces: Vec<Face>,
    },
}

impl BoneSolid {
    /// Points inside it; `spacing` says how far they are apart at a place. Shafts and balls have them in layers of seven, a
    /// mesh on a grid.
    pub(super) fn points(&self, spacing: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
        let (from, along, radii) = match *self {
            Self::Shaft { ends: [a, b], radii } => (a, b - a, radii),
            Self::Ball { center, radius } => (center - radius * DVec3::Z, 2.0 * radius * DVec3::Z, [radius; 2]),
            Self::Mesh { ref points, ref faces, .. } => return grid_in_mesh(points, faces, spacing),
        };
        let (length, direction) = (along.length(), along.normalize_or(DVec3::Z));
        let u = direction.any_orthonormal_vector();
        let v = direction.cross(u);
        let mut points = Vec::new();
        let mut at = 0.0;
        while at < length {
            let step = spacing(from + at * direction).max(LEAST_STEP * length).min(length - at);
            let share = (at + 0.5 * step) / length;
            let radius = match self {
                Self::Ball { radius, .. } => radius * (1.0 - (2.0 * share - 1.0).powi(2)).sqrt(),
                _ => radii[0] + share * (radii[1] - radii[0]),
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
        match self {
            Self::Shaft { ends: [a, b], radii: [r, s] } => PI * a.distance(*b) * (r * r + r * s + s * s) / 3.0,
            Self::Ball { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Mesh { points, faces, .. } => {
                faces.iter().map(|face| signed_volume(face, |v| points[v as usize])).sum::<f64>().abs()
            }
        }
    }
}

/// Points inside a closed mesh: the middles of boxes that are halved until they are no longer than the spacing there.
fn grid_in_mesh(points: &[DVec3], faces: &[Face], spacing: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let places: Vec<Vec3> = points.iter().map(|p| p.as_vec3()).collect();
    let winding = Winding::over(faces.to_vec(), (0..places.len() as u32).collect(), &places);
    let bounds = points.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
    let least = LEAST_STEP * (bounds.1 - bounds.0).max_element();
    let grid = |halvings: i32| {
        let mut inside = Vec::new();
        let mut boxes = vec![bounds];
        while let Some((low, high)) = boxes.pop() {
            let (middle, size) = (0.5 * (low + high), high - low);
            if size.max_element() > (0.5_f64.powi(halvings) * spacing(middle)).max(least) {
                let axis = size.max_position();
                let (mut end, mut start) = (high, low);
                end[axis] = middle[axis];
                start[axis] = middle[axis];
                boxes.extend([(low, end), (start, high)]);
            } else if winding.number(middle) > 0.5 {
                inside.push(middle);
            }
        }
        inside
    };
    (0..MOST_HALVINGS).map(grid).find(|inside| inside.len() >= FEWEST_POINTS).unwrap_or_else(|| grid(MOST_HALVINGS))
}

/// Where a bone goes: with its joint, or between that and the parent.
pub(super) fn bone_transform(
    bone: &BoneShape,
    skeleton: &Skeleton,
    heads: &[DVec3],
    transforms: &[DAffine3],
) -> DAffine3 {
    let own = transforms[bone.joint];
    match skeleton.joints()[bone.joint].parent {
        Some(parent) if bone.turn < 1.0 => {
            let [above, below] = [transforms[parent], own].map(|t| polar(t.matrix3));
            let turn: DQuat = above.0.slerp(below.0, bone.turn);
            let linear = DMat3::from_quat(turn) * (above.1 + bone.turn * (below.1 - above.1));
            let head = heads[bone.joint];
            DAffine3 { matrix3: linear, translation: own.transform_point3(head) - linear * head }
        }
        _ => own,
    }
}

/// How thick limbs are.
pub(super) struct LimbRadii {
    /// The radius of each limb at its joint.
    pub radii: Vec<f64>,
    /// The joints of the limbs that are too thin to fill.
    pub too_thin: BTreeSet<usize>,
}

/// The radius of each limb at its joint: across the bones that meet there.
pub(super) fn limb_radii(limbs: &Limbs, points: &[DVec3], winding: &Winding) -> LimbRadii {
    let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
    let farthest = low.distance(high);
    let mut too_thin = BTreeSet::new();
    let radius = |(limb, members): (&Limb, &Vec<u32>)| {
        let out = (limb.tail() - limb.head).normalize_or_zero();
        let into = limb.parent.map_or(DVec3::ZERO, |p| (limb.head - limbs.all[p].head).normalize_or_zero());
        let axis = (out + into).normalize_or(out).normalize_or(DVec3::Z);
        let radius = limb_radius(winding, limb.head, axis, farthest);
        if radius.is_some_and(|radius| radius * (THINNEST_PART as f64) < farthest) {
            too_thin.insert(limb.joint);
        }
        // No limb is thinner than a thousandth of the body, so that cells and springs have a size.
        radius.unwrap_or_else(|| mean_distance(limb, members, points)).max(1e-3 * farthest)
    };
    let radii = limbs.all.iter().zip(&limbs.points()).map(radius).collect();
    LimbRadii { radii, too_thin }
}

/// The mean distance of a limb's points from its bones.
fn mean_distance(limb: &Limb, members: &[u32], points: &[DVec3]) -> f64 {
    members.iter().map(|&point| limb.distance(points[point as usize])).sum::<f64>() / members.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box between two corners.
    fn box_mesh(low: DVec3, high: DVec3) -> BoneSolid {
        let corner =
            |k: u32| DVec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low } else { high }[axis]));
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        BoneSolid::Mesh {
            name: "box".into(),
            points: (0..8).map(corner).collect(),
            faces: faces.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec(),
        }
    }

    #[test]
    fn a_mesh_is_filled_with_points() {
        let solid = box_mesh(DVec3::new(1.0, 2.0, 3.0), DVec3::new(2.0, 4.0, 7.0));
        assert!((solid.volume() - 8.0).abs() < 1e-9);
        assert_eq!(solid.points(|_| 0.5).len(), 64);
        // Fine at one end, coarse at the other.
        let points = solid.points(|place| 0.25 * (place.z - 2.0));
        let count = |range: std::ops::Range<f64>| points.iter().filter(|p| range.contains(&p.z)).count();
        assert!(count(3.0..4.0) > 8 * count(6.0..7.0) && count(6.0..7.0) > 0, "{points:?}");
        assert!(
            points.iter().all(|p| p.cmpgt(DVec3::new(1.0, 2.0, 3.0)).all() && p.cmplt(DVec3::new(2.0, 4.0, 7.0)).all())
        );
    }

    /// A splinter across the grid has points too.
    #[test]
    fn a_thin_mesh_is_held() {
        let BoneSolid::Mesh { name, mut points, faces } = box_mesh(DVec3::splat(-0.05), DVec3::splat(0.05)) else {
            unreachable!()
        };
        points.iter_mut().for_each(|p| *p += 10.0 * p.x * DVec3::ONE);
        let solid = BoneSolid::Mesh { name, points, faces };
        assert!(solid.points(|_| 1.0).len() >= FEWEST_POINTS);
    }
}
