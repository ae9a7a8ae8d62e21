//! The surfaces of a rigged character in world space, with weights over one list of joints.

use super::WeightedSurface;
use glam::{DAffine3, Vec3};
use sinew_geometry::Face;
use sinew_rig::rest_surface::{WorldSurface, joined, world_surfaces};
use sinew_rig::{Character, Influence, Part, Weights};

/// The joints with a character's weights, and their inverse bind matrices for meshes in world space.
#[derive(Clone)]
pub(super) struct RigJoints {
    /// In increasing order.
    pub joints: Vec<usize>,
    pub inverse_bind: Vec<DAffine3>,
}

impl RigJoints {
    /// All but joints with a singular rest transform, which cannot carry a mesh.
    pub fn new(source: &Character) -> Self {
        let world = source.skeleton.rest_world();
        let mut joints: Vec<usize> = source.parts.iter().flat_map(|part| part.binding.joints.iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        let bind = |joint: usize| Some((joint, world[joint].inverse())).filter(|(_, bind)| bind.is_finite());
        let (joints, inverse_bind) = joints.into_iter().filter_map(bind).unzip();
        Self { joints, inverse_bind }
    }
}

/// One part, or all of them joined. Faces without weights are dropped.
pub(super) struct RigSurface {
    pub positions: Vec<Vec3>,
    pub faces: Vec<Face>,
    weights: Weights,
    dual_quaternion_share: Option<Vec<f32>>,
}

impl RigSurface {
    pub fn of_parts(source: &Character, rig: &RigJoints) -> Vec<Self> {
        let has_shares = source.parts.iter().any(|part| part.binding.dual_quaternion_share.is_some());
        let surface = |(part, placed): (&Part, WorldSurface)| {
            let WorldSurface { positions, mut faces } = placed;
            let slots: Vec<Option<usize>> =
                part.binding.joints.iter().map(|joint| rig.joints.binary_search(joint).ok()).collect();
            let carried =
                |i: &Influence| slots[i.joint as usize].map(|slot| Influence { joint: slot as u32, weight: i.weight });
            let mut weights = Weights::with_capacity(positions.len(), 4 * positions.len());
            part.binding.weights.rows().for_each(|row| weights.push(row.iter().filter_map(carried)));
            faces.retain(|face| face.corners().iter().all(|&v| weights.row(v as usize).iter().any(|i| i.weight > 0.0)));
            // Parts without shares are skinned by dual quaternions alone.
            let shares = || part.binding.dual_quaternion_share.clone().unwrap_or_else(|| vec![1.0; positions.len()]);
            let dual_quaternion_share = has_shares.then(shares);
            Self { positions, faces, weights, dual_quaternion_share }
        };
        source.parts.iter().zip(world_surfaces(source)).map(surface).collect()
    }

    pub fn joined(parts: &[Self]) -> Self {
        let count = parts.iter().map(|part| part.positions.len()).sum();
        let mut weights = Weights::with_capacity(count, 4 * count);
        parts.iter().flat_map(|part| part.weights.rows()).for_each(|row| weights.push(row.iter().copied()));
        let shares: Vec<f32> =
            parts.iter().filter_map(|part| part.dual_quaternion_share.as_deref()).flatten().copied().collect();
        let (positions, faces) = joined(parts.iter().map(|part| (&part.positions[..], &part.faces[..])));
        Self { positions, faces, weights, dual_quaternion_share: (!shares.is_empty()).then_some(shares) }
    }

    pub fn view(&self) -> WeightedSurface<'_> {
        WeightedSurface {
            positions: &self.positions,
            faces: &self.faces,
            weights: &self.weights,
            dual_quaternion_share: self.dual_quaternion_share.as_deref(),
        }
    }
}
