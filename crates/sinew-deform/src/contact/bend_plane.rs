//! The contact plane of a bend, and the push that keeps its two sides apart.
//!
//! On the inside of a bend the skin of a limb intersects itself: beyond some angle the upper arm's side
//! reaches into the forearm's. Both sides are mirror images in the plane that halves the angle, which
//! is where soft bodies of equal stiffness would meet. So every vertex that has crossed to the other
//! side of this *contact plane* is pushed back to it, along the plane's normal, and is marked as in
//! contact; a volume correction does not move it.
//!
//! In the joint's frame ([R09 §3]: origin at the joint, e0 along the parent bone, e2 to the inside of
//! the bend θ) the plane has the normal `m = (cos θ/2, 0, sin θ/2)`, and `t = (−sin θ/2, 0, cos θ/2)`
//! points inwards along it. It goes through the *crease*, where parent and child have equal shares of
//! the weight; as weights are painted, that is not at the joint and not quite along e1, so a line over y
//! is fitted to the vertices of about equal shares, and the plane leans with it. The *level* of a vertex
//! is its distance from the crease along m: `l̄` at rest, `l` in the pose. Signs distinguish the sides, so
//! a vertex has crossed by the depth δ if `l = −sign(l̄) δ`, and
//!
//! ```text
//! l ← l + sign(l̄) A(l̄, δ) ρ(δ + 2μ)         μ = margin · |l̄| / √(R² + l̄²)
//! ```
//!
//! ρ is zero for negative arguments and `t − μ` for large ones, so that the vertex stops a margin μ
//! before the plane. The margin grows with the level at rest: the rings of a limb keep their order
//! along m where they lie upon each other, and never touch. A is one except for vertices that have crossed
//! deeply and whose side at rest is nearly undetermined; it makes the push continuous in `l̄`.
//! At rest nothing has crossed and nothing moves.
//!
//! The push has a continuous derivative in the points, the weights and the bend. It fades out on the
//! outer side of the joint, and off the limb: a bent arm does not push the chest in front of it. The contact
//! of vertices near the plane increases continuously. The cost is a few dozen operations per vertex.

use glam::DVec3;
use sinew_geometry::curve::smoothstep;
use std::f64::consts::FRAC_PI_3;

/// A vertex belongs to a side for sure if its level at rest is at least this share of its depth.
const DECIDED: f64 = 0.1;

/// A vertex is near contact if it is this close to the plane, as a share of its level at rest.
const NEAR_CONTACT: f64 = 0.2;

/// The bend from which on a crease comes into contact, and the bend where it surely is.
const CREASE: [f64; 2] = [FRAC_PI_3, 2.0 * FRAC_PI_3];

/// Distance to the outer side of the joint over which the push fades away, in radii.
const OUTER: f64 = 0.1;

/// Distances from the bone between which a vertex ceases to belong to the limb, in radii.
const LIMB: [f64; 2] = [2.0, 3.0];

/// Difference from a half up to which a share belongs to the crease.
const CREASE_SHARES: f64 = 0.2;

/// How much more the inside of a crease counts than its ends, as a power of the distance inwards.
const INSIDE: i32 = 4;

/// Variance of y, in squared radii, below which a crease is taken as level.
const LEVEL: f64 = 0.1;

/// The vertices around a joint, and the side of its bend that each belongs to.
#[derive(Debug, Clone)]
pub(crate) struct BendSides {
    /// For each vertex its share of weight in the joint's subtree.
    shares: Vec<f64>,
    /// For each vertex its distance at rest from the contact plane through the joint.
    rest: Vec<f64>,
    /// The limb's radius.
    radius: f64,
}

impl BendSides {
    /// Prepares a joint of a limb of positive radius. `rest` are points in the joint's frame at rest,
    /// where the joint is bent by `rest_bend`; `shares` are their shares of weight in the joint's
    /// subtree.
    pub fn new(rest: &[DVec3], shares: &[f64], rest_bend: f64, radius: f64) -> Self {
        let plane = Plane::new(rest_bend);
        Self { shares: shares.to_vec(), rest: rest.iter().map(|p| plane.normal.dot(*p)).collect(), radius }
    }

    /// Parts the two sides of a joint that is bent by an angle of 0 to π. `points` are in the joint's
    /// frame, `margin` is the distance that they keep from the plane. `contact` becomes 1 for a vertex in
    /// contact, 0 for one that has room to move.
    pub fn separate(&self, points: &mut [DVec3], bend: f64, margin: f64, contact: &mut [f64]) {
        let plane = Plane::new(bend);
        let radius = self.radius;
        let [rest_crease, crease] = self.creases(&plane, points);
        let crease_contact = smoothstep((bend - CREASE[0]) / (CREASE[1] - CREASE[0]));
        let vertices = self.rest.iter().zip(&self.shares);
        for ((point, contact), (&rest, &share)) in points.iter_mut().zip(contact).zip(vertices) {
            let rest_level = rest - rest_crease.at(point.y);
            let side = rest_level.signum();
            let rest_level = rest_level.abs();
            let depth = side * (crease.at(point.y) - plane.normal.dot(*point));
            let window = plane.window(*point, share, radius);
            let decided = smoothstep(rest_level / (DECIDED * depth.hypot(margin).max(f64::MIN_POSITIVE)));
            let margin = margin * rest_level / radius.hypot(rest_level);
            *point += side * window * decided * ramp(depth + 2.0 * margin, margin) * plane.normal;
            let near = smoothstep(1.0 + (depth + margin) / (NEAR_CONTACT * rest_level.max(f64::MIN_POSITIVE)));
            *contact = window * (crease_contact + decided * (near - crease_contact));
        }
    }

    /// The creases at rest and in the pose: lines fitted to the vertices of about equal shares, the
    /// deeper inside the bend the closer.
    fn creases(&self, plane: &Plane, points: &[DVec3]) -> [Crease; 2] {
        let vertices = || {
            points.iter().zip(&self.rest).zip(&self.shares).filter_map(|((&point, &rest), &share)| {
                let middle = (1.0 - ((share - 0.5) / CREASE_SHARES).powi(2)).max(0.0).powi(2);
                let inside = (plane.inwards.dot(point) / self.radius).max(0.0).powi(INSIDE);
                (middle > 0.0 && inside > 0.0).then(|| {
                    let weight = middle * inside * plane.window(point, share, self.radius);
                    (weight, point.y, [rest, plane.normal.dot(point)])
                })
            })
        };
        // A crease without vertices is at the joint.
        let (mut total, mut y_mean, mut means) = (1e-12, 0.0, [0.0; 2]);
        for (weight, y, levels) in vertices() {
            total += weight;
            y_mean += weight * y;
            means = [0, 1].map(|k| means[k] + weight * levels[k]);
        }
        y_mean /= total;
        means = means.map(|mean| mean / total);
        let (mut spread, mut slopes) = (LEVEL * total * self.radius.powi(2), [0.0; 2]);
        for (weight, y, levels) in vertices() {
            spread += weight * (y - y_mean).powi(2);
            slopes = [0, 1].map(|k| slopes[k] + weight * (y - y_mean) * (levels[k] - means[k]));
        }
        [0, 1].map(|k| Crease { slope: slopes[k] / spread, offset: means[k] - slopes[k] / spread * y_mean })
    }
}

/// Where a crease is along the plane's normal: a line over y.
#[derive(Clone, Copy)]
struct Crease {
    offset: f64,
    slope: f64,
}

impl Crease {
    fn at(self, y: f64) -> f64 {
        self.offset + self.slope * y
    }
}

/// The plane that halves a bend.
struct Plane {
    /// Towards the child.
    normal: DVec3,
    /// Along the plane to the inside of the bend.
    inwards: DVec3,
    /// The joint's own bone.
    bone: DVec3,
}

impl Plane {
    fn new(bend: f64) -> Self {
        let (half_sine, half_cosine) = (0.5 * bend).sin_cos();
        let (sine, cosine) = bend.sin_cos();
        Self {
            normal: DVec3::new(half_cosine, 0.0, half_sine),
            inwards: DVec3::new(-half_sine, 0.0, half_cosine),
            bone: DVec3::new(cosine, 0.0, sine),
        }
    }

    /// One on the inner side of the limb, zero on its outer side and off the limb.
    fn window(&self, point: DVec3, share: f64, radius: f64) -> f64 {
        let inner = smoothstep(1.0 + self.inwards.dot(point) / (OUTER * radius));
        let [from_parent, from_child] = [DVec3::X, self.bone].map(|bone| point.reject_from_normalized(bone).length());
        let from_bone = (from_parent + share * (from_child - from_parent)) / radius;
        inner * (1.0 - smoothstep((from_bone - LIMB[0]) / (LIMB[1] - LIMB[0])))
    }
}

/// Zero up to 0, `t − width` from `2 width` on, a parabola in between.
fn ramp(t: f64, width: f64) -> f64 {
    if t <= 0.0 {
        0.0
    } else if t < 2.0 * width {
        t * t / (4.0 * width)
    } else {
        t - width
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skinning::{SkinMethod, SkinOptions};
    use crate::{Stack, StackOptions};
    use glam::{DAffine3, DMat3, DQuat, Vec3};
    use proptest::prelude::*;
    use sinew_demo as demo;
    use sinew_geometry::{SelfIntersections, Topology, Winding};
    use sinew_rig::{Character, Pose};
    use sinew_rig::{Surface, Time};
    use std::f64::consts::PI;

    const METHODS: [SkinMethod; 2] = [SkinMethod::Linear, SkinMethod::DualQuaternion];

    /// A joint of a character of one part whose rest frames are parallel to the world.
    struct Limb<'a> {
        character: &'a Character,
        joint: usize,
        /// The end of the joint's bone, in its frame.
        end: DVec3,
        /// Where the bone bends to.
        inside: DVec3,
        winding: Winding,
        intersections: SelfIntersections,
    }

    /// A bent limb, in the world.
    struct Bent {
        base: Vec<Vec3>,
        parted: Vec<Vec3>,
        contact: Vec<f64>,
    }

    impl<'a> Limb<'a> {
        fn new(character: &'a Character, joint: &str, end: DVec3, inside: DVec3) -> Self {
            let mesh = &character.parts[0].mesh;
            let topology = Topology::new(&mesh.positions, &mesh.faces);
            Self {
                character,
                joint: character.skeleton.find(joint).unwrap(),
                end,
                inside,
                winding: Winding::new(&topology, &mesh.positions),
                intersections: SelfIntersections::new(&topology, &mesh.positions),
            }
        }

        fn tube(tube: &'a Character) -> Self {
            Self::new(tube, "bend", 5.0 * DVec3::Z, DVec3::Y)
        }

        /// Penetrating vertices and intersections.
        fn count(&mut self, positions: &[Vec3]) -> [usize; 2] {
            self.winding.follow(positions);
            [self.winding.penetrating().len(), self.intersections.count(positions)]
        }

        /// The joint's frame from world matrices, and its bend.
        fn frame(&self, world: &[DAffine3]) -> (DAffine3, f64) {
            let parent = self.character.skeleton.joints()[self.joint].parent.unwrap();
            let center = world[self.joint].translation;
            let e0 = (center - world[parent].translation).normalize();
            let bone = world[self.joint].transform_vector3(self.end).normalize();
            let e1 = bone.cross(e0).try_normalize().unwrap_or_else(|| self.inside.cross(e0).normalize());
            let e2 = e0.cross(e1);
            (DAffine3::from_mat3_translation(DMat3::from_cols(e0, e1, e2), center), bone.dot(e2).atan2(bone.dot(e0)))
        }

        /// Shares of weight in the joint's subtree.
        fn shares(&self) -> Vec<f64> {
            let joints = self.character.skeleton.joints();
            let mut is_inside: Vec<bool> = (0..joints.len()).map(|j| j == self.joint).collect();
            for (index, joint) in joints.iter().enumerate() {
                is_inside[index] |= joint.parent.is_some_and(|parent| is_inside[parent]);
            }
            let binding = &self.character.parts[0].binding;
            let rows = binding.weights.rows().map(|row| {
                let inside = row.iter().filter(|i| is_inside[binding.joints[i.joint as usize]]);
                inside.map(|i| f64::from(i.weight)).sum()
            });
            rows.collect()
        }

        /// The skin with the bone bent further by an angle, before and after its sides are parted.
        fn bent(&self, method: SkinMethod, degrees: f64) -> Bent {
            let options = StackOptions { skin: SkinOptions { method }, ..StackOptions::default() };
            let mut stack = Stack::new(self.character, options).unwrap();
            let mut skin = |pose: &Pose| {
                let mut surface = Surface::default();
                stack.deform(pose, Time::default(), &mut surface);
                let (frame, bend) = self.frame(stack.world());
                let back = frame.inverse();
                let points: Vec<DVec3> =
                    surface.positions.iter().map(|p| back.transform_point3(p.as_dvec3())).collect();
                (surface.positions, points, frame, bend)
            };
            let mut pose = self.character.rest_pose();
            let (_, rest, _, rest_bend) = skin(&pose);
            let axis = self.end.cross(self.inside).normalize();
            pose.joints[self.joint].rotation = DQuat::from_axis_angle(axis, degrees.to_radians());
            let (base, mut points, frame, bend) = skin(&pose);

            let shares = self.shares();
            let mixed = rest.iter().zip(&shares).filter(|(_, share)| (0.01..0.99).contains(*share));
            let mut radii: Vec<f64> = mixed.map(|(p, _)| p.reject_from_normalized(DVec3::X).length()).collect();
            radii.sort_by(f64::total_cmp);
            let radius = radii[radii.len() / 2];
            let mut contact = vec![0.0; points.len()];
            BendSides::new(&rest, &shares, rest_bend, radius).separate(&mut points, bend, 0.01 * radius, &mut contact);
            let parted = points.iter().map(|p| frame.transform_point3(*p).as_vec3()).collect();
            Bent { base, parted, contact }
        }
    }

    #[test]
    fn a_bent_tube_does_not_touch_itself() {
        let tube = demo::tube();
        let mut limb = Limb::tube(&tube);
        for method in METHODS {
            for degrees in [90.0, 120.0, 150.0, 170.0] {
                let bent = limb.bent(method, degrees);
                let (base, parted) = (limb.count(&bent.base), limb.count(&bent.parted));
                assert!(base[0] > 100 && base[1] > 50, "{method:?} at {degrees}°: {base:?}");
                assert_eq!(parted, [0, 0], "{method:?} at {degrees}°");
                let in_contact = bent.contact.iter().filter(|c| **c > 0.99).count();
                assert!(in_contact > base[0] / 2 && in_contact < 2 * base[0], "{in_contact} in contact, {base:?}");
            }
        }
    }

    #[test]
    fn elbows_and_knees_of_the_figure_do_not_touch_themselves() {
        let figure = demo::character();
        let rest = figure.skeleton.rest_world();
        let at = |name: &str| rest[figure.skeleton.find(name).unwrap()].translation;
        for (joint, end, inside) in [("LeftForeArm", "LeftHand", DVec3::Z), ("RightLeg", "RightFoot", DVec3::NEG_Z)] {
            let mut limb = Limb::new(&figure, joint, at(end) - at(joint), inside);
            for method in METHODS {
                let bent = limb.bent(method, 135.0);
                assert!(limb.count(&bent.base)[0] > 20, "{joint}, {method:?}");
                assert_eq!(limb.count(&bent.parted), [0, 0], "{joint}, {method:?}");
            }
        }
    }

    /// Up to 60° the tube does not cross; only its crease comes near the plane.
    #[test]
    fn what_does_not_cross_stays() {
        let tube = demo::tube();
        let limb = Limb::tube(&tube);
        for method in METHODS {
            for degrees in [0.0, 10.0, 30.0, 60.0] {
                let bent = limb.bent(method, degrees);
                let moved = bent.base.iter().zip(&bent.parted).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(moved < 1e-5, "{method:?} at {degrees}°: {moved}");
                let most = bent.contact.iter().copied().fold(0.0, f64::max);
                assert!(most < if degrees < 45.0 { 1e-3 } else { 0.9 }, "{method:?} at {degrees}°: {most}");
            }
        }
    }

    /// The innermost line of the tube: towards the child along the limb is towards the child across the
    /// plane.
    #[test]
    fn rings_keep_their_order() {
        let tube = demo::tube();
        let limb = Limb::tube(&tube);
        for method in METHODS {
            let bent = limb.bent(method, 150.0);
            let normal = Plane::new(150f64.to_radians()).normal;
            // The frame's e0 is the world's z, its e2 the world's y.
            let level = |p: &Vec3| normal.x * (f64::from(p.z) - 5.0) + normal.z * f64::from(p.y);
            let line = |positions: &[Vec3]| positions[12..101 * 48].iter().step_by(48).map(level).collect::<Vec<_>>();
            assert!(!line(&bent.base).is_sorted());
            assert!(line(&bent.parted).is_sorted_by(|a, b| *b > a - 1e-6));
        }
    }

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from)
    }

    proptest! {
        /// A small step of a point, its share or the bend makes a small step of the result.
        #[test]
        fn the_push_is_continuous_and_never_leads_across(
            rest in prop::collection::vec(point(), 8), posed in prop::collection::vec(point(), 8),
            shares in prop::collection::vec(0.0..=1.0f64, 8), bend in 0.0..=PI, step in point(),
        ) {
            const STEP: f64 = 1e-7;
            let run = |rest: &[DVec3], posed: &[DVec3], shares: &[f64], bend: f64| {
                let (mut points, mut contact) = (posed.to_vec(), vec![0.0; 8]);
                BendSides::new(rest, shares, 0.0, 1.0).separate(&mut points, bend, 0.01, &mut contact);
                (points, contact)
            };
            let (parted, contact) = run(&rest, &posed, &shares, bend);
            prop_assert!(parted.iter().all(|p| p.is_finite()));
            prop_assert!(contact.iter().all(|c| (0.0..=1.0).contains(c)));
            let across = Plane::new(bend).normal;
            for (before, after) in posed.iter().zip(&parted) {
                prop_assert!((*after - *before).cross(across).length() < 1e-9, "pushed along the normal");
            }
            let nudge = |points: &[DVec3]| points.iter().map(|p| *p + STEP * step).collect::<Vec<_>>();
            let nudged_shares: Vec<f64> = shares.iter().map(|s| (s + STEP * step.x).clamp(0.0, 1.0)).collect();
            let nudged_bend = (bend + STEP * step.y).clamp(0.0, PI);
            for (other, what) in [
                (run(&nudge(&rest), &posed, &shares, bend), "rest"),
                (run(&rest, &nudge(&posed), &shares, bend), "pose"),
                (run(&rest, &posed, &nudged_shares, bend), "shares"),
                (run(&rest, &posed, &shares, nudged_bend), "bend"),
            ] {
                let moved = parted.iter().zip(&other.0).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
                // Where the two sides begin to touch it is steep: slopes of 1e4 were seen.
                prop_assert!(moved < 1e5 * STEP, "{what}: {moved}");
            }
        }
    }
}
