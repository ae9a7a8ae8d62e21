//! The flesh that a bend squeezes out: it swells where the skin is slack, along the walls that the skin touches.
//!
//! The volume around a joint is that of the cones from the joint to the faces of its two limbs, by shares φ that end
//! before the next joint. Limbs that turn about the joint keep it, whatever they do. What is missing presses on the skin
//! near the joint from inside, and the membrane moves by the pressure p times
//!
//! ```text
//! (L + a) w = γ A n / R        γ = e^(−(z/R)²) (1 − s)
//! ```
//!
//! for the area vectors A n without what walls hold, the limb's radius R, the distance z from the joint along the bone, and
//! how taut the skin is, s. So the bottom of a crook rises between its walls. The pressure is
//! `p = m b / (b² + (ε m)² + …)` for the missing volume m and that which w brings, b: about m/b, and less where w brings less
//! than a share ε of what is missing.

use super::joint::{Joint, PosedJoint};
use crate::welded::{Limbs, WeldedSurface};
use glam::DVec3;
use sinew_geometry::Face;
use sinew_geometry::curve::smoothstep;

/// From where to where the shares of faces fade: in radii from the joint, and in shares of the bone's length along it.
const RADII: [f64; 2] = [2.0, 3.5];
const LENGTHS: [f64; 2] = [0.4, 0.8];

/// The least volume that w must bring, in cubes of the radius.
const LEAST: f64 = 0.01;

/// The volume around a joint.
pub(super) struct JointVolume {
    /// Triangles of the body with their shares.
    triangles: Vec<([u32; 3], f64)>,
    rest: f64,
    radius: f64,
}

impl JointVolume {
    pub fn new(body: &WeldedSurface, limbs: &Limbs, joint: &Joint) -> Self {
        let rising = |x: f64, [from, to]: [f64; 2]| (x - from) / (to - from);
        let share = |v: u32| {
            let side = joint.side_of(limbs.of_point[v as usize]).filter(|_| !body.is_morphed[v as usize])?;
            let from = body.rest[v as usize] - joint.center;
            let along = from.dot(joint.directions[side]) / joint.lengths[side];
            Some(1.0 - smoothstep(rising(from.length() / joint.radius, RADII).max(rising(along, LENGTHS))))
        };
        let triangle = |corners: [u32; 3]| {
            let sum = corners.into_iter().map(share).sum::<Option<f64>>()?;
            (sum > 0.0).then_some((corners, sum / 3.0))
        };
        let triangles = body.faces.iter().flat_map(Face::triangles).filter_map(triangle).collect();
        let mut volume = Self { triangles, rest: 0.0, radius: joint.radius };
        volume.rest = volume.around(joint.center, &body.rest);
        volume
    }

    /// The volume of the cones from a center.
    fn around(&self, center: DVec3, places: &[DVec3]) -> f64 {
        let cone = |(corners, share): &([u32; 3], f64)| {
            let [a, b, c] = corners.map(|v| places[v as usize] - center);
            share * a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(cone).sum()
    }

    /// The pressure, given the places of points and their moves under a pressure of one.
    pub fn pressure(&self, posed: &PosedJoint, gives_way: f64, places: &[DVec3], moves: impl Fn(u32) -> DVec3) -> f64 {
        let missing = self.rest * posed.scale.powi(3) - self.around(posed.center, places);
        let sweep = |(corners, share): &([u32; 3], f64)| {
            let [a, b, c] = corners.map(|v| places[v as usize]);
            let sum: DVec3 = corners.iter().map(|&v| moves(v)).sum();
            share * sum.dot((b - a).cross(c - a)) / 6.0
        };
        let brought: f64 = self.triangles.iter().map(sweep).sum();
        let least = LEAST * (self.radius * posed.scale).powi(3);
        let soft = brought * brought + least * least + (gives_way * missing).powi(2);
        if soft > 0.0 { missing * brought / soft } else { 0.0 }
    }
}
