//! What other programs made of the same frame, and skinning written down plainly in f64 to hold
//! files and the engine against.

use crate::shared_data;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::deform::skinning::SkinMethod;
use sinew::rig::{Binding, Character, Pose};
use sinew_io::{Asset, fbx, obj};

/// A frame of an FBX file as the program that made it deforms it.
pub struct Case {
    pub fbx: &'static str,
    pub obj: &'static str,
    /// Clip and second; none for the default pose.
    pub moment: Option<(usize, f64)>,
    pub method: SkinMethod,
    /// Largest distance of a vertex.
    pub tolerance: Tolerance,
    /// Whether the OBJ has its vertices in the FBX's order.
    pub ordered: bool,
}

/// A distance in the file's units, or as a share of the shape's diagonal.
pub enum Tolerance {
    Units(f64),
    OfSize(f64),
}

const MAYA_FPS: f64 = 24.0;
const MAX_FPS: f64 = 30.0;

/// Every frame for which we have the truth. 3ds Max wrote its shapes with few digits.
#[rustfmt::skip]
pub const CASES: [Case; 9] = [
    Case { fbx: "blender_293_half_skinned_7400_binary", obj: "blender_293_half_skinned", moment: None, method: SkinMethod::Linear, tolerance: Tolerance::OfSize(1e-6), ordered: true },
    Case { fbx: "maya_dual_quaternion_7500_ascii", obj: "maya_dual_quaternion", moment: None, method: SkinMethod::DualQuaternion, tolerance: Tolerance::OfSize(1e-6), ordered: true },
    Case { fbx: "maya_dual_quaternion_scale_7500_ascii", obj: "maya_dual_quaternion_scale", moment: None, method: SkinMethod::DualQuaternion, tolerance: Tolerance::OfSize(1e-6), ordered: true },
    Case { fbx: "maya_dq_weights_7500_ascii", obj: "maya_dq_weights_10", moment: Some((0, 10.0 / MAYA_FPS)), method: SkinMethod::DualQuaternion, tolerance: Tolerance::OfSize(1e-5), ordered: true },
    Case { fbx: "maya_dq_weights_7500_binary", obj: "maya_dq_weights_18", moment: Some((0, 18.0 / MAYA_FPS)), method: SkinMethod::DualQuaternion, tolerance: Tolerance::OfSize(1e-5), ordered: true },
    Case { fbx: "max7_skin_5000_binary", obj: "max7_skin_5", moment: Some((0, 5.0 / MAX_FPS)), method: SkinMethod::Linear, tolerance: Tolerance::Units(1e-2), ordered: true },
    Case { fbx: "max7_skin_5000_binary", obj: "max7_skin_15", moment: Some((0, 15.0 / MAX_FPS)), method: SkinMethod::Linear, tolerance: Tolerance::Units(1e-2), ordered: true },
    Case { fbx: "max_transformed_skin_7500_binary", obj: "max_transformed_skin_5", moment: Some((0, 5.0 / MAX_FPS)), method: SkinMethod::DualQuaternion, tolerance: Tolerance::Units(1e-2), ordered: false },
    Case { fbx: "max_transformed_skin_7500_binary", obj: "max_transformed_skin_15", moment: Some((0, 15.0 / MAX_FPS)), method: SkinMethod::DualQuaternion, tolerance: Tolerance::Units(1e-2), ordered: false },
];

impl Case {
    /// The character and its pose at the case's moment; none where the data is absent.
    pub fn load(&self) -> Option<(Asset, Pose)> {
        let bytes = std::fs::read(shared_data::folder()?.join("fbx").join(self.fbx).with_extension("fbx")).unwrap();
        let asset = fbx::read(&bytes).unwrap();
        let mut pose = asset.character.base_pose.clone();
        if let Some((clip, seconds)) = self.moment {
            asset.character.clips[clip].sample(seconds, &asset.character.base_pose, &mut pose);
        }
        Some((asset, pose))
    }

    /// Checks deformed positions, in the character's order, against the other program's.
    pub fn check(&self, positions: &[DVec3]) {
        let folder = shared_data::folder().unwrap();
        let bytes = std::fs::read(folder.join("fbx").join(self.obj).with_extension("obj")).unwrap();
        let truth = obj::read(&bytes).unwrap().character;
        let truth: Vec<DVec3> =
            truth.parts.iter().flat_map(|part| &part.mesh.positions).map(|p| p.as_dvec3()).collect();
        assert_eq!(positions.len(), truth.len(), "{}", self.obj);
        let nearest = |p: &DVec3, among: &[DVec3]| among.iter().map(|q| p.distance(*q)).fold(f64::MAX, f64::min);
        let error = if self.ordered {
            positions.iter().zip(&truth).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
        } else {
            let forth = positions.iter().map(|p| nearest(p, &truth));
            let back = truth.iter().map(|q| nearest(q, positions));
            forth.chain(back).fold(0.0, f64::max)
        };
        let low = truth.iter().copied().reduce(DVec3::min).unwrap();
        let high = truth.iter().copied().reduce(DVec3::max).unwrap();
        let allowed = match self.tolerance {
            Tolerance::Units(units) => units,
            Tolerance::OfSize(share) => share * low.distance(high),
        };
        println!("{}: {error:.1e}, {:.1e} of the size", self.obj, error / low.distance(high));
        assert!(error <= allowed, "{}: {error} is more than {allowed}", self.obj);
    }
}

/// World positions of every vertex of a character in a pose, in the file's order. A part with painted
/// shares goes from linear to dual quaternion by them, where the method is dual quaternion.
pub fn positions(character: &Character, pose: &Pose, method: SkinMethod) -> Vec<DVec3> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    let mut positions = Vec::new();
    for (part, morphs) in character.parts.iter().zip(character.morph_ranges()) {
        let skinning = skinning(&part.binding, &world);
        for (vertex, position) in part.mesh.positions.iter().enumerate() {
            let morphs = part.mesh.morphs.iter().zip(&pose.morphs[morphs.clone()]);
            let moved: DVec3 = morphs.map(|(m, weight)| f64::from(*weight) * m.positions[vertex].as_dvec3()).sum();
            let position = position.as_dvec3() + moved;
            let influences: Vec<(f64, DAffine3)> = part
                .binding
                .weights
                .row(vertex)
                .iter()
                .map(|influence| (f64::from(influence.weight), skinning[influence.joint as usize]))
                .collect();
            let share = match (method, &part.binding.dual_quaternion_share) {
                (SkinMethod::DualQuaternion, Some(shares)) => f64::from(shares[vertex]),
                (SkinMethod::DualQuaternion, None) => 1.0,
                _ => 0.0,
            };
            let linear = linear(&influences, position);
            let turned = if share > 0.0 { dual_quaternion(&influences, position) } else { linear };
            positions.push(linear.lerp(turned, share));
        }
    }
    positions
}

fn skinning(binding: &Binding, world: &[DAffine3]) -> Vec<DAffine3> {
    binding.joints.iter().zip(&binding.inverse_bind).map(|(&joint, inverse)| world[joint] * *inverse).collect()
}

fn linear(influences: &[(f64, DAffine3)], position: DVec3) -> DVec3 {
    influences.iter().map(|(weight, matrix)| *weight * matrix.transform_point3(position)).sum()
}

/// `M = R S` by polar decomposition; the `S` are blended linearly and applied first, the rigid parts as
/// dual quaternions, each on the side of the one with the largest weight.
fn dual_quaternion(influences: &[(f64, DAffine3)], position: DVec3) -> DVec3 {
    let largest = influences.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let reference = DQuat::from_mat3(&rotation(largest.1.matrix3));
    let mut stretch = DMat3::ZERO;
    let mut real = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    for (weight, matrix) in influences {
        let turn = rotation(matrix.matrix3);
        stretch += turn.transpose() * matrix.matrix3 * *weight;
        let mut quaternion = DQuat::from_mat3(&turn);
        if quaternion.dot(reference) < 0.0 {
            quaternion = -quaternion;
        }
        let translation = matrix.translation;
        let half = DQuat::from_xyzw(translation.x, translation.y, translation.z, 0.0) * 0.5;
        real += quaternion * *weight;
        dual += mul(half, quaternion) * *weight;
    }
    let length = real.length();
    let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
    let translation = mul(dual, real.conjugate());
    real * (stretch * position) + 2.0 * DVec3::new(translation.x, translation.y, translation.z)
}

/// Hamilton's product, also of quaternions that are not of unit length.
fn mul(a: DQuat, b: DQuat) -> DQuat {
    let (av, bv) = (DVec3::new(a.x, a.y, a.z), DVec3::new(b.x, b.y, b.z));
    let vector = a.w * bv + b.w * av + av.cross(bv);
    DQuat::from_xyzw(vector.x, vector.y, vector.z, a.w * b.w - av.dot(bv))
}

fn rotation(mut matrix: DMat3) -> DMat3 {
    for _ in 0..64 {
        matrix = (matrix + matrix.inverse().transpose()) * 0.5;
    }
    matrix
}
