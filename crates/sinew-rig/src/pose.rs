//! The state of a skeleton.

use super::Transform;

/// One local transform per joint, and the weight of every morph target of every part in order.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Local transforms, in the skeleton's order.
    pub joints: Vec<Transform>,
    /// Morph weights: the targets of the first part, then of the next.
    pub morphs: Vec<f32>,
}

impl Pose {
    /// Copies another pose of the same skeleton without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.joints.clone_from(&other.joints);
        self.morphs.clone_from(&other.morphs);
    }
}
