//! Characters to bend.

use glam::{DAffine3, Vec3};
use sinew::geometry::{Face, Mesh};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Skeleton, Weights};

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
