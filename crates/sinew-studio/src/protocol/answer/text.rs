//! Recipes, poses and profiles.

use crate::protocol::Turns;
use serde::Serialize;
use sinew::recipe::{ProfileKind, Recipe};

/// A text for people.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Text {
    /// The text.
    pub text: String,
}

/// A recipe that was read.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedRecipe {
    /// The recipe with all defaults.
    #[cfg_attr(test, ts(type = "Recipe"))]
    pub recipe: Box<Recipe>,
}

/// A pose that was read.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PoseTurns {
    /// Rotations from rest.
    pub turns: Turns,
}

/// A joint's volume profile with all defaults filled in. Axes: along the parent bone, across it (the axis of the bend),
/// inward.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResolvedProfile {
    /// The shape.
    #[cfg_attr(test, ts(type = "ProfileKind"))]
    pub kind: ProfileKind,
    /// The shares of the axes, which sum to one.
    pub shares: [f64; 3],
    /// The size along each axis, in limb radii.
    pub sizes: [f64; 3],
    /// The middle along the parent bone, in limb radii.
    pub center: f64,
    /// Waves per limb radius.
    pub frequency: f64,
    /// The bend in degrees at which the blend is all folds.
    pub largest_bend: f64,
    /// The share of the volume that is restored.
    pub amount: f64,
    /// The free curve of each axis: pairs of position in limb radii and value.
    pub curves: [Vec<[f64; 2]>; 3],
    /// γ along each axis: pairs of position in limb radii and value.
    pub samples: [Vec<[f64; 2]>; 3],
}
