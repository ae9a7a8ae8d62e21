//! A character to bend, and skinning as one would write it on a blackboard: f64, one vertex at a time,
//! no buffers.

// Each test program uses its own share of this.
#![allow(dead_code)]

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew::geometry::{Face, Mesh, polar};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Pose, Skeleton, Weights};

/// A tube from y = −1 to 1 whose weights go linearly from one joint to the other.
pub fn rod(rings: usize, around: usize) -> Character {
    let mut positions = Vec::new();
    let mut weights = Weights::default();
    for ring in 0..rings {
        let y = -1.0 + 2.0 * ring as f32 / (rings - 1) as f32;
        for k in 0..around {
            let angle = k as f32 / around as f32 * std::f32::consts::TAU;
            positions.push(Vec3::new(0.3 * angle.cos(), y, 0.3 * angle.sin()));
            let upper = 0.5 + 0.5 * y;
            weights.push([Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]);
        }
    }
    let at = |ring: usize, k: usize| (ring * around + k % around) as u32;
    let faces = (0..rings - 1)
        .flat_map(|r| (0..around).map(move |k| (r, k)))
        .map(|(r, k)| Face::quad(at(r, k), at(r + 1, k), at(r + 1, k + 1), at(r, k + 1)))
        .collect();
    let joints = vec![
        Joint { name: "lower".into(), ..Joint::default() },
        Joint { name: "upper".into(), parent: Some(0), ..Joint::default() },
    ];
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let binding =
        Binding { joints: vec![0, 1], inverse_bind: vec![DAffine3::IDENTITY; 2], weights, dual_quaternion_share: None };
    let part = Part { node: 0, skinned: true, mesh: Mesh::new("rod", positions, faces), binding };
    Character { base_pose: skeleton.rest_pose(), skeleton, parts: vec![part], ..Character::default() }
}

/// `p' = Σ wⱼ Mⱼ bindⱼ p̄` for every vertex of every part, with weights that sum to one in f64.
pub fn linear(character: &Character, pose: &Pose) -> Vec<DVec3> {
    vertices(character, pose, |part, transforms, vertex| {
        let p = part.mesh.positions[vertex].as_dvec3();
        let row = part.binding.weights.row(vertex);
        let moved = row.iter().map(|i| f64::from(i.weight) * transforms[i.joint as usize].transform_point3(p));
        moved.sum::<DVec3>() / total(row)
    })
}

/// The blended stretch, then the normalised sum of dual quaternions, signs as the largest weight's.
pub fn dual_quaternion(character: &Character, pose: &Pose) -> Vec<DVec3> {
    vertices(character, pose, |part, transforms, vertex| {
        let p = part.mesh.positions[vertex].as_dvec3();
        let row = part.binding.weights.row(vertex);
        let largest = row.iter().fold(row[0], |a, b| {
            if (b.weight, std::cmp::Reverse(b.joint)) > (a.weight, std::cmp::Reverse(a.joint)) { *b } else { a }
        });
        let (pivot, _) = polar(transforms[largest.joint as usize].matrix3);
        let (mut real, mut dual) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        let mut stretch = DMat3::ZERO;
        for influence in row {
            let m = transforms[influence.joint as usize];
            let (rotation, s) = polar(m.matrix3);
            let weight = f64::from(influence.weight) / total(row);
            stretch += s * weight;
            let signed = weight.copysign(pivot.dot(rotation));
            let t = DQuat::from_xyzw(m.translation.x, m.translation.y, m.translation.z, 0.0);
            real += rotation * signed;
            dual += t * rotation * (0.5 * signed);
        }
        let length = real.length();
        let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
        let t = dual * real.conjugate() * 2.0;
        real * (stretch * p) + DVec3::new(t.x, t.y, t.z)
    })
}

fn total(row: &[Influence]) -> f64 {
    row.iter().map(|i| f64::from(i.weight)).sum()
}

fn vertices(character: &Character, pose: &Pose, place: impl Fn(&Part, &[DAffine3], usize) -> DVec3) -> Vec<DVec3> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    let mut result = Vec::new();
    for part in &character.parts {
        let joints = part.binding.joints.iter().zip(&part.binding.inverse_bind);
        let transforms: Vec<DAffine3> = joints.map(|(&j, bind)| world[j] * *bind).collect();
        result.extend((0..part.mesh.positions.len()).map(|vertex| place(part, &transforms, vertex)));
    }
    result
}
