//! Skinning of single vertices in f64, for deformers that need to know what the skin does elsewhere than in the
//! frame's own pose. The formulas are those of the kernels.

use super::SkinMethod;
use super::centers::centers_of_rotation;
use super::delta_mush::{DeltaMush, JointMoments, outer};
use super::palette::is_rotation;
use crate::Result;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::{nearest_rotation, polar};
use sinew_rig::{Influence, Part, Skeleton};

/// The skinning transforms of some joints: `world · inverse_bind`, in the forms that are blended.
pub(crate) struct Motions {
    joints: Vec<JointMotion>,
    stretched: bool,
}

#[derive(Clone, Copy)]
struct JointMotion {
    matrix: DAffine3,
    rotation: DQuat,
    dual: DQuat,
    stretch: DMat3,
}

impl Motions {
    /// Joints that stand still.
    pub fn new(count: usize) -> Self {
        let still = JointMotion {
            matrix: DAffine3::IDENTITY,
            rotation: DQuat::IDENTITY,
            dual: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            stretch: DMat3::IDENTITY,
        };
        Self { joints: vec![still; count], stretched: false }
    }

    /// Takes over the motions of others, as many as these.
    pub fn copy_from(&mut self, other: &Self) {
        self.joints.copy_from_slice(&other.joints);
        self.stretched = other.stretched;
    }

    /// Resets the stretch of all joints; every joint in use is set again.
    pub fn begin(&mut self) {
        self.stretched = false;
    }

    /// Sets some joints. `rigid_parts` may be left out where matrices alone are blended.
    pub fn set(&mut self, matrices: impl Iterator<Item = (u32, DAffine3)>, rigid_parts: bool) {
        for (joint, matrix) in matrices {
            let (rotation, stretch) = if rigid_parts { self.parts(matrix.matrix3) } else { Default::default() };
            let half = 0.5 * matrix.translation;
            let dual = DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation;
            self.joints[joint as usize] = JointMotion { matrix, rotation, dual, stretch };
        }
    }

    fn parts(&mut self, linear: DMat3) -> (DQuat, DMat3) {
        if is_rotation(linear) {
            return (DQuat::from_mat3(&linear).normalize(), DMat3::IDENTITY);
        }
        self.stretched = true;
        polar(linear)
    }
}

/// How the motions of a vertex's joints become one, with what that needs of the vertex.
#[derive(Clone, Copy)]
pub(crate) enum PointBlend<'a> {
    Linear,
    DualQuaternion,
    /// The share of dual-quaternion against linear skinning.
    Shared(f64),
    /// The centre of rotation.
    Center(DVec3),
    /// The smoothed point, and the moments of the influences in their order.
    DirectDeltaMush(DVec3, &'a [JointMoments]),
}

/// The blends of a part's vertices.
pub(crate) struct PointSkin {
    method: SkinMethod,
    shares: Option<Vec<f32>>,
    centers: Vec<DVec3>,
    mush: Option<DeltaMush>,
}

impl PointSkin {
    pub fn new(part: &Part, skeleton: &Skeleton, method: SkinMethod) -> Result<Self> {
        let centers = match method {
            SkinMethod::Centers => centers_of_rotation(&part.mesh, &part.binding.weights),
            _ => Vec::new(),
        };
        let mush = match method {
            SkinMethod::DirectDeltaMush => Some(DeltaMush::new(part, skeleton)?),
            _ => None,
        };
        Ok(Self { method, shares: part.binding.dual_quaternion_share.clone(), centers, mush })
    }

    /// Whether only matrices are blended.
    pub fn is_linear(&self) -> bool {
        matches!(self.method, SkinMethod::Rigid | SkinMethod::Linear)
    }

    #[inline]
    pub fn blend(&self, vertex: usize) -> PointBlend<'_> {
        if let Some(mush) = &self.mush {
            return PointBlend::DirectDeltaMush(mush.center(vertex), mush.row(vertex));
        }
        match (self.method, &self.shares) {
            (SkinMethod::DualQuaternion, None) => PointBlend::DualQuaternion,
            (SkinMethod::DualQuaternion, Some(shares)) => PointBlend::Shared(f64::from(shares[vertex])),
            // The kernels hold centres in f32.
            (SkinMethod::Centers, _) => PointBlend::Center(self.centers[vertex].as_vec3().as_dvec3()),
            _ => PointBlend::Linear,
        }
    }

    /// The influences of a vertex that count, those of its smooth mean for direct delta mush, with weights that sum to
    /// one, largest first: dual quaternions take their sign from it.
    pub fn influences(&self, vertex: usize, row: &[Influence]) -> Vec<(u32, f64)> {
        if let Some(mush) = &self.mush {
            return mush.row(vertex).iter().map(|moments| (moments.joint, moments.weight)).collect();
        }
        let mut kept: Vec<Influence> = row.to_vec();
        kept.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
        if self.method == SkinMethod::Rigid {
            kept.truncate(1);
        }
        kept.retain(|i| i.weight != 0.0);
        let total: f64 = kept.iter().map(|i| f64::from(i.weight)).sum();
        kept.iter().map(|i| (i.joint, f64::from(i.weight) / total)).collect()
    }
}

/// Where a vertex goes. `influences` are places in `motions` with weights that sum to one, the largest first.
#[inline]
pub(crate) fn skin_point(rest: DVec3, influences: &[(u32, f64)], motions: &Motions, blend: PointBlend<'_>) -> DVec3 {
    match blend {
        PointBlend::Linear => linear(rest, influences, motions),
        PointBlend::DualQuaternion => dual_quaternion(rest, influences, motions),
        PointBlend::Shared(share) => {
            linear(rest, influences, motions).lerp(dual_quaternion(rest, influences, motions), share)
        }
        PointBlend::Center(center) => {
            let (rotation, _) = blended_motion(influences, motions);
            rotation * stretched(rest - center, influences, motions) + linear(center, influences, motions)
        }
        PointBlend::DirectDeltaMush(center, moments) => delta_mush(rest, center, influences, moments, motions),
    }
}

#[inline]
fn linear(rest: DVec3, influences: &[(u32, f64)], motions: &Motions) -> DVec3 {
    influences.iter().map(|&(slot, weight)| weight * motions.joints[slot as usize].matrix.transform_point3(rest)).sum()
}

#[inline]
fn dual_quaternion(rest: DVec3, influences: &[(u32, f64)], motions: &Motions) -> DVec3 {
    let (real, dual) = blended_motion(influences, motions);
    let t = dual * real.conjugate() * 2.0;
    real * stretched(rest, influences, motions) + DVec3::new(t.x, t.y, t.z)
}

fn delta_mush(
    rest: DVec3,
    center: DVec3,
    influences: &[(u32, f64)],
    moments: &[JointMoments],
    motions: &Motions,
) -> DVec3 {
    let joints = || moments.iter().map(|m| (&motions.joints[m.joint as usize].matrix, m));
    let arms: DVec3 = joints().map(|(matrix, m)| matrix.transform_vector3(m.arm)).sum();
    let moved = linear(center, influences, motions) + arms;
    let mut h = DMat3::ZERO;
    for (matrix, m) in joints() {
        h += matrix.matrix3 * m.spread + outer(matrix.transform_point3(center) - moved, m.arm);
    }
    if motions.stretched {
        h *= influences
            .iter()
            .fold(DMat3::ZERO, |sum, &(slot, weight)| sum + motions.joints[slot as usize].stretch * weight);
    }
    let largest = || {
        influences
            .first()
            .map_or(DMat3::IDENTITY, |&(slot, _)| DMat3::from_quat(motions.joints[slot as usize].rotation))
    };
    nearest_rotation(h).unwrap_or_else(largest) * stretched(rest - center, influences, motions) + moved
}

fn blended_motion(influences: &[(u32, f64)], motions: &Motions) -> (DQuat, DQuat) {
    let Some(&(first, _)) = influences.first() else { return (DQuat::IDENTITY, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)) };
    let pivot = motions.joints[first as usize].rotation;
    let (mut real, mut dual) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    for &(slot, weight) in influences {
        let motion = &motions.joints[slot as usize];
        let weight = if pivot.dot(motion.rotation) < 0.0 { -weight } else { weight };
        real += motion.rotation * weight;
        dual += motion.dual * weight;
    }
    let scale = 1.0 / real.length();
    (real * scale, dual * scale)
}

fn stretched(rest: DVec3, influences: &[(u32, f64)], motions: &Motions) -> DVec3 {
    if !motions.stretched {
        return rest;
    }
    influences.iter().map(|&(slot, weight)| motions.joints[slot as usize].stretch * (weight * rest)).sum()
}
