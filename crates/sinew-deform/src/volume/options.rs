//! The `[volume]` table: how the skin keeps its volume, and in what shape.

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sinew_settings::limits::{self, Limit, checked_curve};
use std::collections::BTreeMap;

/// The `[volume]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VolumeOptions {
    /// How volume is given back.
    pub method: VolumeMethod,
    /// Where it is given back: what γ comes from.
    pub gamma: GammaSource,
    /// `p` of `γ = [1 − ω^q]^p`, for γ from skin weights [R07 §4.5].
    #[serde(deserialize_with = "limits::weights_p")]
    pub weights_p: f64,
    /// `q` of the same.
    #[serde(deserialize_with = "limits::weights_q")]
    pub weights_q: f64,
    /// A painted attribute that multiplies γ, such as `_GAMMA` or `COLOR_0`: its first number, 0 to 1. Empty
    /// for none. Where it is 0 the skin stays as it is.
    pub paint: String,
    /// κ of the method "laplacian": how much smoothness weighs against small displacements.
    #[serde(deserialize_with = "limits::smoothness")]
    pub smoothness: f64,
    /// Whether the two sides of a sharp bend are kept apart.
    pub contacts: bool,
    /// Meshes that are left as they are.
    pub leave_out: Vec<String>,
    /// The volume to have, as a share of the rest volume: a number, or pairs of seconds and share.
    pub target: Target,
    /// The joint around which a target other than 1 breathes; empty for the whole surface.
    pub target_joint: String,
    /// The shape of the correction at every joint that is not named below.
    pub profile: ProfileOptions,
    /// The shape at single joints, by name.
    pub joints: BTreeMap<String, ProfileOptions>,
    /// Where the mesh is made finer.
    pub refine: RefineOptions,
    /// How the correction swings.
    pub shake: ShakeOptions,
}

impl Default for VolumeOptions {
    fn default() -> Self {
        Self {
            method: VolumeMethod::Off,
            gamma: GammaSource::Profile,
            weights_p: 2.0,
            weights_q: 2.0,
            paint: String::new(),
            smoothness: 10.0,
            contacts: true,
            leave_out: Vec::new(),
            target: Target::Constant(1.0),
            target_joint: String::new(),
            profile: ProfileOptions::default(),
            joints: BTreeMap::new(),
            refine: RefineOptions::default(),
            shake: ShakeOptions::default(),
        }
    }
}

impl VolumeOptions {
    /// The shape at a joint. A joint that names its own kind takes nothing from `[volume.profile]`;
    /// otherwise what it leaves out comes from there.
    pub fn profile_of(&self, joint: &str) -> Profile {
        let common = &self.profile;
        match self.joints.get(joint) {
            Some(own) if own.kind.is_some() => own.resolve(&ProfileOptions::default()),
            Some(own) => own.resolve(common),
            None => common.resolve(&ProfileOptions::default()),
        }
    }
}

/// How volume is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VolumeMethod {
    /// Not at all.
    #[default]
    Off,
    /// All axes at once, to first order [R07 §4.3].
    Linear,
    /// Axis after axis, exactly [R07 §4.4, R09 §2.2].
    Exact,
    /// Along the normals, exactly [R07 §4.7].
    Normal,
    /// Along the normals and smooth over neighbours, exactly [R07 §4.8].
    Laplacian,
}

impl VolumeMethod {
    /// Every method, in the order of the help.
    pub const ALL: [Self; 5] = [Self::Off, Self::Linear, Self::Exact, Self::Normal, Self::Laplacian];

    /// The name in recipes and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Linear => "linear",
            Self::Exact => "exact",
            Self::Normal => "normal",
            Self::Laplacian => "laplacian",
        }
    }
}

impl std::fmt::Display for VolumeMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What γ comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GammaSource {
    /// The joint's profile.
    #[default]
    Profile,
    /// The skin weights on the two sides of the joint, smoothly.
    Weights,
    /// The larger of the two, as the thesis has it [R07 §4.5].
    WeightsMax,
}

impl GammaSource {
    /// Every source, in the order of the help.
    pub const ALL: [Self; 3] = [Self::Profile, Self::Weights, Self::WeightsMax];

    /// The name in recipes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Weights => "weights",
            Self::WeightsMax => "weights-max",
        }
    }
}

/// The volume to have, as a share of the rest volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Target {
    /// The same at all times.
    Constant(f64),
    /// Pairs of seconds and share, joined by a monotone cubic spline.
    Curve(Vec<[f64; 2]>),
}

/// The `[volume.profile]` table, and those of single joints. What is left out has the default of its kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProfileOptions {
    /// The ready-made shape, or "curves".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProfileKind>,
    /// Shares μ of the correction along the parent bone, along the axis of the bend, and towards its inside.
    /// They are divided by their sum.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::shares")]
    pub shares: Option<[f64; 3]>,
    /// σ: how far the correction reaches, in limb radii.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::size")]
    pub size: Option<f64>,
    /// σ along each axis, in multiples of `size`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::stretch")]
    pub stretch: Option<[f64; 3]>,
    /// How far up the parent bone the middle lies, in limb radii.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::center")]
    pub center: Option<f64>,
    /// ω: waves of the folds per limb radius.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::fold_frequency")]
    pub frequency: Option<f64>,
    /// The bend in degrees at which the kind "blend" has become all folds.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::largest_bend")]
    pub largest_bend: Option<f64>,
    /// How much of the joint's change of volume is undone, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::amount")]
    pub amount: Option<f64>,
    /// The kind "curves": γ along the parent bone, as pairs of place in limb radii and value.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::curve")]
    pub along: Option<Vec<[f64; 2]>>,
    /// γ along the axis of the bend.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::curve")]
    pub across: Option<Vec<[f64; 2]>>,
    /// γ towards the inside of the bend.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::curve")]
    pub inward: Option<Vec<[f64; 2]>>,
}

/// A ready-made shape of the correction [R09 §3.3, fig. 5].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProfileKind {
    /// The same in all directions.
    #[default]
    Isotropic,
    /// Sideways, along the axis of the bend, as a rubber tube.
    Rubber,
    /// On the inside of the bend, up the parent bone, as a biceps.
    Muscle,
    /// Waves along the parent bone.
    Folds,
    /// One bulge on the inside that becomes folds at large bends.
    Blend,
    /// The product of three free curves.
    Curves,
}

impl ProfileKind {
    /// Every kind, in the order of the help.
    pub const ALL: [Self; 6] = [Self::Isotropic, Self::Rubber, Self::Muscle, Self::Folds, Self::Blend, Self::Curves];

    /// The name in recipes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Isotropic => "isotropic",
            Self::Rubber => "rubber",
            Self::Muscle => "muscle",
            Self::Folds => "folds",
            Self::Blend => "blend",
            Self::Curves => "curves",
        }
    }

    /// The shares μ of [R09 fig. 5]; those of the blend are §4.2's.
    pub const fn shares(self) -> [f64; 3] {
        match self {
            Self::Isotropic | Self::Curves => [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0],
            Self::Rubber => [0.0, 1.0, 0.0],
            Self::Muscle | Self::Blend => [0.1, 0.1, 0.8],
            Self::Folds => [0.0, 0.5, 0.5],
        }
    }
}

/// The shape of the correction at a joint, with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The shape.
    pub kind: ProfileKind,
    /// Shares μ of the three axes; they sum to one.
    pub shares: [f64; 3],
    /// σ along each axis, in limb radii.
    pub sizes: [f64; 3],
    /// Whether somebody chose the size. Otherwise it gives way to the next joints.
    pub is_sized: bool,
    /// How far up the parent bone the middle lies, in limb radii.
    pub center: f64,
    /// ω in waves per limb radius.
    pub frequency: f64,
    /// The bend in degrees at which the blend has become all folds.
    pub largest_bend: f64,
    /// How much of the change of volume is undone.
    pub amount: f64,
    /// The free curves along the three axes, as pairs of place in limb radii and value; an empty one is a
    /// Gaussian of the profile's size.
    pub curves: [Vec<[f64; 2]>; 3],
}

impl ProfileOptions {
    /// Own values, then the common ones, then the defaults of the kind.
    pub fn resolve(&self, common: &Self) -> Profile {
        let kind = self.kind.or(common.kind).unwrap_or_default();
        let shares = self.shares.or(common.shares).unwrap_or(kind.shares());
        let total: f64 = shares.iter().sum();
        let size = self.size.or(common.size).unwrap_or(DEFAULT_SIZE);
        let curve = |own: &Option<Vec<[f64; 2]>>, common: &Option<Vec<[f64; 2]>>| {
            own.as_ref().or(common.as_ref()).cloned().unwrap_or_default()
        };
        Profile {
            kind,
            shares: shares.map(|share| share / total),
            is_sized: kind == ProfileKind::Curves || self.size.or(common.size).is_some(),
            sizes: self.stretch.or(common.stretch).unwrap_or([1.0; 3]).map(|stretch| size * stretch),
            center: self.center.or(common.center).unwrap_or(if kind == ProfileKind::Muscle { 1.0 } else { 0.0 }),
            frequency: self.frequency.or(common.frequency).unwrap_or(0.7),
            largest_bend: self.largest_bend.or(common.largest_bend).unwrap_or(120.0),
            amount: self.amount.or(common.amount).unwrap_or(1.0),
            curves: [
                curve(&self.along, &common.along),
                curve(&self.across, &common.across),
                curve(&self.inward, &common.inward),
            ],
        }
    }
}

/// σ in limb radii where nothing is said.
pub const DEFAULT_SIZE: f64 = 1.2;

/// The `[volume.refine]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RefineOptions {
    /// Steps of subdivision; 0 leaves the mesh as it is.
    #[serde(deserialize_with = "limits::steps")]
    pub steps: usize,
    /// Faces with a γ above this at a joint that bends are subdivided.
    #[serde(deserialize_with = "limits::threshold")]
    pub threshold: f64,
}

impl Default for RefineOptions {
    fn default() -> Self {
        Self { steps: 0, threshold: 0.2 }
    }
}

/// The `[volume.shake]` table: a damped oscillation of the correction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShakeOptions {
    /// Swings per second; 0 for none.
    #[serde(deserialize_with = "limits::swings")]
    pub frequency: f64,
    /// The share of critical damping: 1 does not overshoot.
    #[serde(deserialize_with = "limits::damping")]
    pub damping: f64,
}

impl Default for ShakeOptions {
    fn default() -> Self {
        Self { frequency: 0.0, damping: 0.3 }
    }
}

/// The longest clip that is thought of, in seconds.
const LONGEST: f64 = 1e6;

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TargetVisitor)
    }
}

struct TargetVisitor;

impl TargetVisitor {
    const SHARE: Limit = Limit::above_zero("a target", 100.0, " times the rest volume");
}

impl<'de> Visitor<'de> for TargetVisitor {
    type Value = Target;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a share of the rest volume, or pairs of seconds and share such as [[0.0, 1.0], [1.5, 1.1]]")
    }

    fn visit_f64<E: Error>(self, share: f64) -> Result<Target, E> {
        Self::SHARE.check(share).map(Target::Constant)
    }

    fn visit_i64<E: Error>(self, share: i64) -> Result<Target, E> {
        self.visit_f64(share as f64)
    }

    fn visit_u64<E: Error>(self, share: u64) -> Result<Target, E> {
        self.visit_f64(share as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<Target, A::Error> {
        let mut points = Vec::new();
        while let Some(point) = pairs.next_element()? {
            points.push(point);
        }
        let time = Limit::between("the time of a target", -LONGEST, LONGEST, " seconds");
        checked_curve(points, &time, &Self::SHARE, "times").map(Target::Curve)
    }
}
