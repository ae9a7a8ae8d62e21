//! The settings that hold for all regions.

use super::options::{GammaSource, Target, VolumeMethod, VolumeOptions};
use sinew_geometry::curve::Curve;

/// The settings that hold for all regions.
pub(super) struct Settings {
    pub method: VolumeMethod,
    pub from_profile: bool,
    /// Whether all that is lost is to be given back, exactly.
    pub is_total: bool,
    target: Option<Curve>,
}

impl Settings {
    pub fn new(recipe: &VolumeOptions) -> Self {
        let target = match &recipe.target {
            Target::Constant(share) => Curve::new(&[[0.0, *share]]),
            Target::Curve(points) => Curve::new(points),
        };
        Self {
            method: recipe.method,
            from_profile: recipe.gamma == GammaSource::Profile,
            is_total: recipe.method != VolumeMethod::Linear,
            target,
        }
    }

    /// The volume to have at a time, as a share of the rest volume.
    pub fn target(&self, seconds: f64) -> f64 {
        self.target.as_ref().map_or(1.0, |curve| curve.at(seconds))
    }
}
