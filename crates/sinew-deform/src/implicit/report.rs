//! The report of a limb: its joint, its field and its hinge.

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
    /// The share of bend directions in which the joint above it works as a hinge.
    pub hinge: f64,
}
