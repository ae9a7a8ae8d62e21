//! The reports of a limb and of a frame.

use super::limb_field::Fit;

/// The description of a limb of the implicit skin.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LimbReport {
    /// Its joint.
    pub joint: usize,
    /// The number of its welded points.
    pub points: usize,
    /// The number of samples that its field interpolates; none if it has no field.
    pub samples: Option<usize>,
    /// How well the field fits the limb.
    pub fit: Fit,
    /// Whether the joint above it keeps its two limbs apart.
    pub has_joint: bool,
}

/// What the implicit skin did in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ImplicitFrame {
    /// Welded points that it moved.
    pub moved: usize,
    /// Those that touch another limb.
    pub touching: usize,
}
