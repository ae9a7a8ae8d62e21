//! Two simple shapes with published measurements.

use super::{bound, clips};
use glam::{DVec3, Vec3};
use sinew_geometry::{Face, Mesh};
use sinew_rig::{Character, Influence, Joint, Skeleton, Transform, Weights};
use std::f64::consts::TAU;

/// The tube: radius 1 and length 10 along z, 101 rings of 48 vertices, closed by caps. Joint `root` is
/// at z = 0, joint `bend` at z = 5; the weights go from one to the other as a smoothstep over
/// z = 4…6. Its clip "bend" takes `bend` from 0 to 120° and back in 3 s, towards +y.
pub fn tube() -> Character {
    let share = |p: DVec3| {
        let t = ((p.z - 4.0) / 2.0).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let mesh = closed_cylinder("tube", 1.0, [0.0, 10.0], 101, 48);
    let weights = two_joint_weights(&mesh, [0, 1], share);
    let skeleton = chain(&[("root", 0.0), ("bend", 5.0)], 10.0);
    let clips = clips::tube_clips(&skeleton);
    bound("tube", mesh, weights, skeleton, clips)
}

/// The cylinder of Rohmer's thesis, table 4.1: radius 0.1 and half-length 1 along z, 25 rings of 25
/// vertices, closed by caps. Of its joints `bottom`, `middle` and `top`, at z = −1, 0 and 1, only the
/// first and the last move the surface, in proportion to the inverse squared distance; a rotation of
/// `middle` moves `top`.
///
/// Linear skinning loses 0.17, 1.50, 4.01, 7.38 and 11.21 % of its volume at 10, 30, 50, 70 and 90°.
pub fn cylinder() -> Character {
    let [bottom, top] = [DVec3::NEG_Z, DVec3::Z];
    // 1/b² over 1/a² + 1/b², without a division by zero at the joints themselves.
    let share = |p: DVec3| {
        let (a, b) = (p.distance_squared(bottom), p.distance_squared(top));
        a / (a + b)
    };
    let mesh = closed_cylinder("cylinder", 0.1, [-1.0, 1.0], 25, 25);
    let weights = two_joint_weights(&mesh, [0, 2], share);
    bound("cylinder", mesh, weights, chain(&[("bottom", -1.0), ("middle", 0.0), ("top", 1.0)], 1.25), Vec::new())
}

/// A cylinder along z: rings of vertices from the lower end to the upper, then the centres of the two
/// caps.
fn closed_cylinder(name: &str, radius: f64, [low, high]: [f64; 2], rings: u32, around: u32) -> Mesh {
    let mut positions = Vec::with_capacity((rings * around + 2) as usize);
    for ring in 0..rings {
        let z = low + (high - low) * f64::from(ring) / f64::from(rings - 1);
        for k in 0..around {
            let (sine, cosine) = (TAU * f64::from(k) / f64::from(around)).sin_cos();
            positions.push(DVec3::new(radius * cosine, radius * sine, z).as_vec3());
        }
    }
    positions.extend([low, high].map(|z| Vec3::new(0.0, 0.0, z as f32)));
    let at = |ring: u32, k: u32| ring * around + k % around;
    let wall = (0..rings - 1).flat_map(|ring| {
        (0..around).map(move |k| Face::quad(at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)))
    });
    let centers = [rings * around, rings * around + 1];
    let caps = (0..around).flat_map(|k| {
        [
            Face::triangle(centers[0], at(0, k + 1), at(0, k)),
            Face::triangle(centers[1], at(rings - 1, k), at(rings - 1, k + 1)),
        ]
    });
    let faces = wall.chain(caps).collect();
    Mesh::new(name, positions, faces)
}

/// Weights of two joints: the second has its share, the first the rest.
fn two_joint_weights(mesh: &Mesh, joints: [u32; 2], second_share: impl Fn(DVec3) -> f64) -> Weights {
    let mut weights = Weights::with_capacity(mesh.positions.len(), 2 * mesh.positions.len());
    for position in &mesh.positions {
        let share = second_share(position.as_dvec3());
        weights.push([
            Influence { joint: joints[0], weight: (1.0 - share) as f32 },
            Influence { joint: joints[1], weight: share as f32 },
        ]);
    }
    weights
}

/// Joints in a row along z.
fn chain(joints: &[(&str, f64)], tip: f64) -> Skeleton {
    let mut before = 0.0;
    let last = joints.len() - 1;
    let joints = joints.iter().enumerate().map(|(index, &(name, z))| {
        let rest = Transform::from_translation(DVec3::new(0.0, 0.0, z - before));
        before = z;
        let tip = (index == last).then_some(DVec3::new(0.0, 0.0, tip - z));
        Joint { name: name.into(), parent: index.checked_sub(1), rest, tip, ..Joint::default() }
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a row of joints is a tree");
    skeleton
}
