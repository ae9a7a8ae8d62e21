//! The `[volume]` table: how the skin keeps its volume, and in what shape.

use sinew_settings::{Keys, choices, settings};
use std::collections::BTreeMap;

settings! {
    /// The `[volume]` table.
    pub struct VolumeOptions {
        /// How the volume that the skin loses or gains is restored.
        method: VolumeMethod = VolumeMethod::default();
        /// Where it is restored.
        gamma: GammaSource = GammaSource::default();
        /// The exponent p of `(1 - w^q)^p`, for skin weights w.
        weights_p: f64 = 2.0, above(0.0, 100.0);
        /// The exponent q of the same.
        weights_q: f64 = 2.0, above(0.0, 100.0);
        /// A painted vertex attribute, such as "_GAMMA" or "COLOR_0": its first number, 0 to 1, multiplies the
        /// correction, and where it is 0 the skin stays as it is. Empty for none.
        paint: String = String::new();
        /// For "laplacian": how much smoothness weighs against small displacements.
        smoothness: f64 = 10.0, within(0.0, 1e6);
        /// Whether the implicit skin comes before the correction, so that the two sides of a bend touch and do not cross.
        /// Not at joints whose profile is set.
        contacts: bool = true;
        /// Names of meshes that are left as they are.
        leave_out: Vec<String> = Vec::new();
        /// The volume to have, as a share of the rest volume: a number, or pairs of seconds and share, joined by a
        /// smooth curve, such as [[0.0, 1.0], [1.5, 1.1], [3.0, 1.0]] for a breath.
        target: Target = Target::Constant(1.0),
            above(0.0, 100.0), unit("times the rest volume"), places("time", -1e6, 1e6, "seconds"), noun("a target");
        /// The joint around which a target other than 1 breathes; empty for the whole surface.
        target_joint: String = String::new();
        /// The shape of the correction at every joint that has no table of its own.
        profile: ProfileOptions = ProfileOptions::default();
        /// The shape at single joints. A joint that names its own kind takes nothing from `[volume.profile]`; otherwise
        /// what it leaves out comes from there.
        joints: BTreeMap<String, ProfileOptions> = BTreeMap::new(),
            example("LeftForeArm", &["kind = \"muscle\"", "size = 1.5"]);
        /// Where the mesh is made finer.
        refine: RefineOptions = RefineOptions::default();
        /// How the correction swings.
        shake: ShakeOptions = ShakeOptions::default();
    }
}

/// The volume to have, as a share of the rest volume: constant, or a monotone cubic spline over seconds.
pub type Target = Keys;

impl VolumeOptions {
    /// Whether contacts come before the correction. Who sets a profile or weights for all joints has the shape that these
    /// give to the skin.
    pub(crate) fn needs_contacts(&self) -> bool {
        let is_free = self.gamma == GammaSource::Profile && !self.profile.is_set();
        self.method != VolumeMethod::Off && self.contacts && is_free
    }

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

choices! {
    /// How volume is restored [R07 §4.3, §4.4, §4.7, §4.8; R09 §2.2].
    pub enum VolumeMethod = Off {
        /// Not at all.
        Off = "off",
        /// All axes at once, to first order, with the profiles below.
        Linear = "linear",
        /// Axis after axis, exactly, with the profiles below.
        Exact = "exact",
        /// Along the normals, exactly.
        Normal = "normal",
        /// Along the normals and smooth over neighbours, exactly.
        Laplacian = "laplacian",
    }
}

choices! {
    /// Where volume is restored: the source of γ [R07 §4.5].
    pub enum GammaSource = Profile {
        /// By the profile of the joint.
        Profile = "profile",
        /// By `(1 - w^q)^p` of the skin weights on the two sides of the joint, smoothly.
        Weights = "weights",
        /// By the same of the larger of the two weights.
        WeightsMax = "weights-max",
    }
}

settings! {
    /// The `[volume.profile]` table, and those of single joints. What is left out has the default of its kind.
    pub struct ProfileOptions {
        /// Its ready-made shape, or "curves".
        kind: Option<ProfileKind> = None;
        /// Shares μ of the correction along the parent bone, along the axis of the bend, and towards its inside: they
        /// are divided by their sum.
        shares: Option<[f64; 3]> = None, within(0.0, 1e6), noun("a share") => check_shares;
        /// How far the correction reaches. Left out, it reaches less where the next joint is near.
        size: Option<f64> = None, above(0.0, FARTHEST), unit("limb radii");
        /// The reach along each of these axes, in multiples of `size`.
        stretch: Option<[f64; 3]> = None, above(0.0, 100.0);
        /// How far up the parent bone the middle lies.
        center: Option<f64> = None, within(-FARTHEST, FARTHEST), unit("limb radii");
        /// For "folds" and "blend": the frequency of the folds.
        frequency: Option<f64> = None, within(0.0, 100.0), unit("waves per limb radius");
        /// For "blend": the bend at which it has become all folds.
        largest_bend: Option<f64> = None, above(0.0, 180.0), unit("degrees");
        /// The share of the joint's change of volume that is restored.
        amount: Option<f64> = None, within(0.0, 1.0);
        /// For "curves": pairs of place from the joint and γ, along the parent bone. For a curve that is left out the
        /// size decides.
        along: Option<Vec<[f64; 2]>> = None,
            places("place", -FARTHEST, FARTHEST, "limb radii"), within(0.0, 1000.0), shown(HILL);
        /// For "curves": the same along the axis of the bend.
        across: Option<Vec<[f64; 2]>> = None,
            places("place", -FARTHEST, FARTHEST, "limb radii"), within(0.0, 1000.0), shown(HILL);
        /// For "curves": the same towards the inside of the bend.
        inward: Option<Vec<[f64; 2]>> = None,
            places("place", -FARTHEST, FARTHEST, "limb radii"), within(0.0, 1000.0), shown(HILL);
    }
}

/// The largest reach, and the farthest place, of a profile in limb radii.
const FARTHEST: f64 = 100.0;

/// A curve to begin with.
const HILL: &str = "[[-1.5, 0.0], [0.0, 1.0], [1.5, 0.0]]";

/// Shares are divided by their sum, which therefore must not be zero.
fn check_shares(shares: &Option<[f64; 3]>) -> Result<(), String> {
    match shares {
        Some(shares) if shares.iter().sum::<f64>() <= 0.0 => Err("one of the three shares must be above 0".into()),
        _ => Ok(()),
    }
}

choices! {
    /// A ready-made shape of the correction [R09 §3.3, fig. 5].
    pub enum ProfileKind = Isotropic {
        /// The same in all directions.
        Isotropic = "isotropic",
        /// Sideways, along the axis of the bend, as a rubber tube.
        Rubber = "rubber",
        /// On the inside of the bend, up the parent bone, as a biceps.
        Muscle = "muscle",
        /// Waves along the parent bone.
        Folds = "folds",
        /// One bulge on the inside that becomes folds at large bends.
        Blend = "blend",
        /// The product of three free curves.
        Curves = "curves",
    }
}

impl ProfileKind {
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
    /// Whether somebody set it. Otherwise contacts have most of the volume in place already.
    pub is_set: bool,
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
    /// Whether it says anything.
    pub(crate) fn is_set(&self) -> bool {
        *self != Self::default()
    }

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
            is_set: [self, common].into_iter().any(ProfileOptions::is_set),
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

/// The default σ, in limb radii.
pub const DEFAULT_SIZE: f64 = 1.2;

settings! {
    /// The `[volume.refine]` table.
    pub struct RefineOptions {
        /// Steps of subdivision around the joints that bend; 0 leaves the mesh as it is. Every step has four times the
        /// faces.
        steps: usize = 0, within(0.0, 4.0);
        /// Faces are subdivided where the correction's weight passes this.
        threshold: f64 = 0.2, within(0.0, 1.0);
    }
}

settings! {
    /// The `[volume.shake]` table: a damped oscillation of the correction.
    pub struct ShakeOptions {
        /// How often the correction swings after a stop; 0 for not at all.
        frequency: f64 = 0.0, within(0.0, 100.0), unit("swings per second");
        /// The share of critical damping: small swings long, 1 does not overshoot.
        damping: f64 = 0.3, above(0.0, 10.0);
    }
}
