//! The joints below and above a joint in the hierarchy.

use super::surface::PartSurface;
use sinew_rig::Skeleton;

/// The descendants of a joint, itself among them.
pub(super) fn descendants(skeleton: &Skeleton, joint: usize) -> Vec<bool> {
    let mut descendants = vec![false; skeleton.len()];
    descendants[joint] = true;
    for (index, other) in skeleton.joints().iter().enumerate() {
        descendants[index] |= other.parent.is_some_and(|parent| descendants[parent]);
    }
    descendants
}

/// The descendants and the ancestors of a joint.
pub(super) struct Ancestry {
    pub descendants: Vec<bool>,
    ancestors: Vec<bool>,
}

impl Ancestry {
    pub fn new(skeleton: &Skeleton, joint: usize) -> Self {
        let mut ancestors = vec![false; skeleton.len()];
        super::frame::ancestors(skeleton, joint).for_each(|a| ancestors[a] = true);
        Self { descendants: descendants(skeleton, joint), ancestors }
    }

    /// The weight of a vertex on the far side of the joint.
    pub fn share(&self, surface: &PartSurface, vertex: u32) -> f64 {
        surface.share(vertex, |joint| self.descendants[joint])
    }

    /// The weight of a vertex on descendants and ancestors.
    pub fn related_share(&self, surface: &PartSurface, vertex: u32) -> f64 {
        surface.share(vertex, |joint| self.descendants[joint] || self.ancestors[joint])
    }
}
