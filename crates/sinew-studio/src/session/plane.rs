//! Contour lines of a field on a plane.
//!
//! The plane is a square of cells, each cut into two triangles. The field is linear in a triangle, so that a contour is
//! one segment in it and no case is ambiguous. Neighbours share their edges, so lines have no gaps.

use glam::{DAffine3, DVec3};
use sinew::rig::{JointKind, Skeleton};

/// Cells along a side of the square.
const CELLS: usize = 128;

/// The half width of a plane, in lengths of the longer bone at its joint.
const REACH: f64 = 1.5;

/// The least sine of a bend that defines a plane.
const BENT: f64 = 0.02;

/// A square in space.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    center: DVec3,
    /// From the centre to the middles of two sides.
    sides: [DVec3; 2],
}

impl Plane {
    /// The plane of the two bones at a joint. If they are collinear it is any plane through them; none without a bone.
    pub fn of_bend(skeleton: &Skeleton, world: &[DAffine3], joint: usize) -> Option<Self> {
        let center = world[joint].translation;
        let above =
            skeleton.joints()[joint].parent.filter(|&parent| skeleton.joints()[parent].kind == JointKind::Joint);
        let above = above.map_or(DVec3::ZERO, |parent| center - world[parent].translation);
        let ends = skeleton.bones().into_iter().filter(|bone| bone.joint == joint);
        let bones = ends.map(|bone| match bone.child {
            Some(child) => world[child].translation - center,
            None => world[joint].transform_vector3(skeleton.bone_end(bone)),
        });
        let below = bones.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or_default();
        let length = above.length().max(below.length());
        let along = above.try_normalize().or_else(|| below.try_normalize())?;
        let aside = below.normalize_or_zero().reject_from_normalized(along);
        let aside = if aside.length() > BENT { aside.normalize() } else { along.any_orthonormal_vector() };
        Some(Self { center, sides: [along, aside].map(|side| REACH * length * side) })
    }

    /// Its corners, around it.
    pub fn corners(&self) -> [DVec3; 4] {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| self.at(x, y))
    }

    /// A point on it; 0 and 1 are its sides.
    fn at(&self, x: f64, y: f64) -> DVec3 {
        self.center + (2.0 * x - 1.0) * self.sides[0] + (2.0 * y - 1.0) * self.sides[1]
    }
}

/// For each level the segments of its contour, as the positions of their ends.
pub fn contours(plane: &Plane, field: impl Fn(DVec3) -> f64, levels: &[f64]) -> Vec<Vec<[f32; 6]>> {
    let side = CELLS + 1;
    let share = |k: usize| k as f64 / CELLS as f64;
    let node = |k: usize| plane.at(share(k % side), share(k / side));
    let values: Vec<f64> = (0..side * side).map(|k| field(node(k))).collect();
    let corners = (0..CELLS * CELLS).map(|cell| cell % CELLS + cell / CELLS * side);
    let triangles: Vec<[usize; 3]> =
        corners.flat_map(|k| [[k, k + 1, k + side + 1], [k, k + side + 1, k + side]]).collect();
    // From the lower node on, so that both sides of an edge compute the same position to the last bit.
    let crossing = |level: f64, p: usize, q: usize| {
        let (a, b) = (p.min(q), p.max(q));
        let crosses = (values[a] >= level) != (values[b] >= level);
        crosses.then(|| node(a).lerp(node(b), (level - values[a]) / (values[b] - values[a])))
    };
    let segment = |level: f64, [a, b, c]: [usize; 3]| {
        let mut ends = [(a, b), (b, c), (c, a)].into_iter().filter_map(|(a, b)| crossing(level, a, b));
        let [from, to] = [ends.next()?, ends.next()?].map(|end| end.as_vec3());
        Some([from.x, from.y, from.z, to.x, to.y, to.z])
    };
    levels.iter().map(|&level| triangles.iter().filter_map(|&triangle| segment(level, triangle)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use std::collections::HashMap;

    #[test]
    fn contours_of_a_ball_are_closed_circles_on_the_plane() {
        let center = DVec3::new(3.0, -2.0, 0.5);
        let plane = Plane { center, sides: [2.0 * DVec3::X, 2.0 * DVec3::new(0.0, 0.6, 0.8)] };
        let lines = contours(&plane, |place| place.distance(center), &[0.51, 1.27, 2.53]);
        for (segments, radius) in lines.iter().zip([0.51, 1.27, 2.53]) {
            let mut ends: HashMap<[u32; 3], usize> = HashMap::new();
            for place in segments.iter().flat_map(|segment| [0, 3].map(|k| Vec3::from_slice(&segment[k..]))) {
                let away = place.as_dvec3() - center;
                assert!((away.length() - radius).abs() < 2e-3, "{} is not {radius}", away.length());
                assert!(away.dot(DVec3::new(0.0, -0.8, 0.6)).abs() < 1e-6);
                *ends.entry(place.to_array().map(f32::to_bits)).or_default() += 1;
            }
            let is_cut = radius > 2.0;
            assert_eq!(ends.values().all(|&count| count == 2), !is_cut);
            assert!(segments.len() > 100);
        }
    }

    #[test]
    fn the_plane_of_a_bend_holds_both_bones() {
        let figure = sinew::demo::character();
        let elbow = figure.skeleton.find("LeftForeArm").unwrap();
        let mut pose = figure.rest_pose();
        pose.joints[elbow].rotation *= glam::DQuat::from_rotation_y(-1.2);
        let mut world = vec![DAffine3::IDENTITY; figure.skeleton.len()];
        figure.skeleton.world(&pose, &mut world);
        let plane = Plane::of_bend(&figure.skeleton, &world, elbow).unwrap();
        let normal = plane.sides[0].cross(plane.sides[1]).normalize();
        let near = [figure.skeleton.joints()[elbow].parent.unwrap(), figure.skeleton.find("LeftHand").unwrap()];
        for joint in near {
            let away = world[joint].translation - plane.center;
            assert!(away.dot(normal).abs() < 1e-9 * away.length(), "joint {joint}");
            assert!(away.length() < plane.sides[0].length());
        }
    }
}
