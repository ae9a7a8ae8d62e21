//! Frames of FBX files as the programs that made them deform them: Maya, 3ds Max and Blender.

use crate::shared_data;
use glam::{DVec3, Vec3};
use sinew::deform::skinning::SkinMethod;
use sinew::rig::{Character, Pose};
use sinew_io::{Asset, fbx, obj};

/// A frame of an FBX file as the program that made it deforms it.
pub struct Case {
    /// The FBX file, without extension.
    pub fbx: &'static str,
    /// The OBJ file that the program wrote for the frame, without extension.
    pub obj: &'static str,
    /// Clip and second; none for the default pose.
    pub moment: Option<(usize, f64)>,
    /// The method the file asks for.
    pub method: SkinMethod,
    /// Largest distance of a vertex.
    pub tolerance: Tolerance,
    /// Whether the OBJ has its vertices in the FBX's order.
    pub ordered: bool,
}

/// A distance in the file's units, or as a share of the shape's diagonal.
pub enum Tolerance {
    /// In the file's units.
    Units(f64),
    /// As a share of the diagonal.
    OfSize(f64),
}

const MAYA_FPS: f64 = 24.0;
const MAX_FPS: f64 = 30.0;

/// Every frame for which the shared data has the truth. 3ds Max wrote its shapes with few digits.
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

    /// Checks deformed positions of a character, in its order, against the other program's.
    pub fn check(&self, character: &Character, positions: &[DVec3]) {
        let positions: Vec<DVec3> = character.file_order().into_iter().map(|vertex| positions[vertex]).collect();
        let folder = shared_data::folder().unwrap();
        let bytes = std::fs::read(folder.join("fbx").join(self.obj).with_extension("obj")).unwrap();
        let truth = obj::read(&bytes).unwrap().character;
        let flat: Vec<Vec3> = truth.parts.iter().flat_map(|part| &part.mesh.positions).copied().collect();
        let truth: Vec<DVec3> = truth.file_order().into_iter().map(|vertex| flat[vertex].as_dvec3()).collect();
        assert_eq!(positions.len(), truth.len(), "{}", self.obj);
        let nearest = |p: &DVec3, among: &[DVec3]| among.iter().map(|q| p.distance(*q)).fold(f64::MAX, f64::min);
        let error = if self.ordered {
            positions.iter().zip(&truth).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
        } else {
            let forth = positions.iter().map(|p| nearest(p, &truth));
            let back = truth.iter().map(|q| nearest(q, &positions));
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
