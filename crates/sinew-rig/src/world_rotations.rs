//! World rotations of joints since rest.
//!
//! With `O` the orthogonal factor of the parent's world matrix at rest, a local rotation `R` and its
//! rest value `R̄`, the world rotation `Q` of a joint follows from its parent's `Q_p` as
//!
//! ```text
//! Q = Q_p · O (R R̄⁻¹) Oᵀ        and back        R = Oᵀ (Q_p⁻¹ Q) O · R̄
//! ```
//!
//! `O` may mirror, so skeletons under a mirrored or scaled armature need no special case.

use crate::{Pose, Skeleton, Transform};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// The conversion of a skeleton's joints from local to world rotations and back.
#[derive(Debug, Clone)]
pub struct WorldRotations {
    joints: Vec<RestJoint>,
}

#[derive(Debug, Clone)]
struct RestJoint {
    parent: Option<usize>,
    /// Orthogonal factor of the parent's world matrix at rest.
    parent_axes: DMat3,
    rotation: DQuat,
}

impl WorldRotations {
    /// Prepares a skeleton, given its world matrices at rest.
    pub fn new(skeleton: &Skeleton, rest_world: &[DAffine3]) -> Self {
        let joints = skeleton.joints().iter().map(|joint| RestJoint {
            parent: joint.parent,
            parent_axes: joint.parent.map_or(DMat3::IDENTITY, |p| orthogonal(&rest_world[p])),
            rotation: joint.rest.rotation,
        });
        Self { joints: joints.collect() }
    }

    /// World rotations since rest of every joint of a pose.
    pub fn of_pose(&self, pose: &Pose, rotations: &mut Vec<DQuat>) {
        rotations.clear();
        for (joint, local) in self.joints.iter().zip(&pose.joints) {
            let own = conjugate(joint.parent_axes, local.rotation * joint.rotation.inverse());
            rotations.push(joint.parent.map_or(own, |p| rotations[p] * own));
        }
    }

    /// The parent's world rotation; the identity at a root.
    pub fn of_parent(&self, joint: usize, rotations: &[DQuat]) -> DQuat {
        self.joints[joint].parent.map_or(DQuat::IDENTITY, |p| rotations[p])
    }

    /// The local rotation of a joint, from the world rotations.
    pub fn local_rotation(&self, joint: usize, rotations: &[DQuat]) -> DQuat {
        let rest = &self.joints[joint];
        let own = self.of_parent(joint, rotations).inverse() * rotations[joint];
        (conjugate(rest.parent_axes.transpose(), own) * rest.rotation).normalize()
    }
}

/// `A q Aᵀ` for an orthogonal A: the axis of rotation is transformed, and reversed by a mirror.
pub fn conjugate(axes: DMat3, rotation: DQuat) -> DQuat {
    let axis = axes * DVec3::new(rotation.x, rotation.y, rotation.z) * axes.determinant().signum();
    DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
}

/// The orthogonal factor of a matrix; it mirrors if the matrix does.
pub fn orthogonal(matrix: &DAffine3) -> DMat3 {
    let Transform { rotation, scale, .. } = Transform::from_matrix(matrix);
    DMat3::from_quat(rotation) * DMat3::from_diagonal(scale.map(|s| if s < 0.0 { -1.0 } else { 1.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;

    #[test]
    fn world_rotations_match_world_matrices_and_convert_back() {
        let rest = |scale: DVec3, k: f64| Transform {
            translation: DVec3::new(k, 1.0, 0.0),
            rotation: DQuat::from_scaled_axis(DVec3::new(k, 0.3, -k)),
            scale,
        };
        let joints = vec![
            Joint { rest: rest(DVec3::new(-100.0, 100.0, 100.0), 0.4), ..Joint::default() },
            Joint { parent: Some(0), rest: rest(DVec3::ONE, 1.1), ..Joint::default() },
            Joint { parent: Some(1), rest: rest(DVec3::splat(0.5), -0.8), ..Joint::default() },
        ];
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        let rest_world = skeleton.rest_world();
        let mut pose = skeleton.rest_pose();
        for (k, local) in pose.joints.iter_mut().enumerate() {
            local.rotation = DQuat::from_scaled_axis(DVec3::new(0.5, k as f64, -0.7)) * local.rotation;
        }
        let mut world = rest_world.clone();
        skeleton.world(&pose, &mut world);
        let conversion = WorldRotations::new(&skeleton, &rest_world);
        let mut rotations = Vec::new();
        conversion.of_pose(&pose, &mut rotations);
        for joint in 0..3 {
            let expected = world[joint].matrix3 * rest_world[joint].matrix3.inverse();
            assert!(DMat3::from_quat(rotations[joint]).abs_diff_eq(expected, 1e-9), "joint {joint}");
            let local = conversion.local_rotation(joint, &rotations);
            assert!(local.dot(pose.joints[joint].rotation).abs() > 1.0 - 1e-12, "joint {joint}");
        }
    }
}
