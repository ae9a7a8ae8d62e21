//! The settings that hold for all regions.

use super::options::{GammaSource, Profile, Target, VolumeMethod, VolumeOptions};
use sinew_geometry::curve::Curve;

/// The settings that hold for all regions.
pub(super) struct Settings {
    pub method: VolumeMethod,
    pub from_profile: bool,
    /// Whether all that is lost is to be given back, exactly.
    pub is_total: bool,
    /// Whether stages before may have changed the volume where no joint bends.
    pub follows_stages: bool,
    /// Whether contacts come first.
    has_contacts: bool,
    target: Option<Curve>,
}

/// The farthest that one region moves a vertex along one axis, in limb radii: first within its profile, then anywhere in the
/// region.
const STEP_LIMITS: [f64; 2] = [0.35, 0.2];

/// The same where contacts come first, which give back most: more makes spurs of low-poly heels, horns of shoulders, and
/// pushes the fingers of a fist into each other.
const STEP_LIMITS_AFTER_CONTACTS: [f64; 2] = [0.1, 0.1];

impl Settings {
    pub fn new(recipe: &VolumeOptions, follows_stages: bool) -> Self {
        let target = match &recipe.target {
            Target::Constant(share) => Curve::new(&[[0.0, *share]]),
            Target::Curve(points) => Curve::new(points),
        };
        Self {
            method: recipe.method,
            from_profile: recipe.gamma == GammaSource::Profile,
            is_total: recipe.method != VolumeMethod::Linear,
            follows_stages,
            has_contacts: recipe.contacts,
            target,
        }
    }

    /// The limits of a region with a profile.
    pub fn step_limits(&self, profile: &Profile) -> [f64; 2] {
        if self.has_contacts && !profile.is_set { STEP_LIMITS_AFTER_CONTACTS } else { STEP_LIMITS }
    }

    /// The volume to have at a time, as a share of the rest volume.
    pub fn target(&self, seconds: f64) -> f64 {
        self.target.as_ref().map_or(1.0, |curve| curve.at(seconds))
    }
}
