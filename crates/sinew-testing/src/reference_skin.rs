//! Skinning as one would write it on a blackboard: f64, one vertex at a time, no buffers.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::polar;
use sinew::rig::{Character, Influence, Pose};

/// World positions of every vertex by linear blend skinning: `p' = Σ wⱼ Mⱼ Aⱼ p̄` with weights that sum to one in
/// f64, the joints' world transforms `M`, inverse bind matrices `A` and the morphed rest position `p̄`.
pub fn linear(character: &Character, pose: &Pose) -> Vec<DVec3> {
    positions(character, pose, SkinMethod::Linear)
}

/// World positions of every vertex by dual quaternion skinning: the blended stretch, then the normalised sum of dual
/// quaternions with the signs of the largest weight's. A part with painted shares goes from linear to dual quaternion
/// by them.
pub fn dual_quaternion(character: &Character, pose: &Pose) -> Vec<DVec3> {
    positions(character, pose, SkinMethod::DualQuaternion)
}

/// World positions of every vertex of every part in the character's order, by [`linear`] or [`dual_quaternion`].
///
/// # Panics
/// For any other method.
pub fn positions(character: &Character, pose: &Pose, method: SkinMethod) -> Vec<DVec3> {
    assert!(matches!(method, SkinMethod::Linear | SkinMethod::DualQuaternion), "{method}");
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    let mut result = Vec::new();
    for (part, morphs) in character.parts.iter().zip(character.morph_ranges()) {
        let (mesh, binding) = (&part.mesh, &part.binding);
        let joints = binding.joints.iter().zip(&binding.inverse_bind);
        let transforms: Vec<DAffine3> = joints.map(|(&joint, bind)| world[joint] * *bind).collect();
        for (vertex, position) in mesh.positions.iter().enumerate() {
            let morphs = mesh.morphs.iter().zip(&pose.morphs[morphs.clone()]);
            let morphed: DVec3 = morphs.map(|(m, weight)| f64::from(*weight) * m.positions[vertex].as_dvec3()).sum();
            let position = position.as_dvec3() + morphed;
            let row = binding.weights.row(vertex);
            let share = match (method, &binding.dual_quaternion_share) {
                (SkinMethod::DualQuaternion, Some(shares)) => f64::from(shares[vertex]),
                (SkinMethod::DualQuaternion, None) => 1.0,
                _ => 0.0,
            };
            let linear = blend_linear(row, &transforms, position);
            let rotated = if share > 0.0 { blend_dual_quaternions(row, &transforms, position) } else { linear };
            result.push(linear.lerp(rotated, share));
        }
    }
    result
}

fn total(row: &[Influence]) -> f64 {
    row.iter().map(|influence| f64::from(influence.weight)).sum()
}

fn blend_linear(row: &[Influence], transforms: &[DAffine3], position: DVec3) -> DVec3 {
    let moved = |i: &Influence| f64::from(i.weight) * transforms[i.joint as usize].transform_point3(position);
    row.iter().map(moved).sum::<DVec3>() / total(row)
}

fn blend_dual_quaternions(row: &[Influence], transforms: &[DAffine3], position: DVec3) -> DVec3 {
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
    real * (stretch * position) + DVec3::new(t.x, t.y, t.z)
}
