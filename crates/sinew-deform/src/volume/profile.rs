//! Where does a joint's correction go? γ as a product of curves in the joint's frame [R09 §3.3].
//!
//! Coordinates are in limb radii from the joint: x along the parent bone (which lies at x < 0), y along the axis
//! of the bend, z towards its inside. Gaussians are cut smoothly to compact support,
//! `g(s) = exp(−s) (1 − s/s₀)²` for `s = Σ (pᵢ/σᵢ)² < s₀`, so that a correction costs what its own region costs.
//!
//! | kind | γ |
//! |---|---|
//! | isotropic, rubber | `g(p)`; where it grows, less where the inner sides of a sharp bend face each other |
//! | muscle | `g(p + c e₀) · z⁺` |
//! | folds | `sin²(ωπx) · g(p)` |
//! | blend | `[α + (1 − α) sin²(ωπx)] · g(p) · z⁺`, `α = 1 − min(|ΔV|/ΔV_max, 1)` |
//! | curves | `X(x) · Y(y) · Z(z)`, zero beyond their ends |
//!
//! `z⁺ = z²/(z + ¼)` for z > 0 is max(z, 0) without its corner; on the far side of the joint z is measured from the far
//! bone, whose outer side would else count as the inside of a sharp bend. A straight limb has no inside; as the bend
//! becomes certain, `z⁺` comes in.

use super::options::{Profile, ProfileKind};
use glam::DVec3;
use sinew_geometry::curve::{Curve, smoothstep};
use std::f64::consts::PI;

/// `s₀`: the cut is at two σ.
const GAUSSIAN_CUT: f64 = 4.0;

/// A joint's γ.
#[derive(Debug, Clone)]
pub(super) struct ProfileShape {
    profile: Profile,
    curves: [Option<Curve>; 3],
}

/// The parameters of γ besides the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// How certain the direction of the bend is, 0 to 1.
    pub certainty: f64,
    /// Whether the surface is to grow, and not to shrink.
    pub grows: bool,
    /// The angle between the bones.
    pub bend: f64,
    /// `|ΔV|/ΔV_max`.
    pub intensity: f64,
}

impl ProfileShape {
    pub fn new(profile: Profile) -> Self {
        let curves = [0, 1, 2].map(|axis| Curve::new(&profile.curves[axis]));
        Self { profile, curves }
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The farthest distance from the joint where γ is not zero.
    pub fn reach(&self) -> f64 {
        let gaussian =
            GAUSSIAN_CUT.sqrt() * self.profile.sizes.iter().copied().fold(0.0, f64::max) + self.profile.center.abs();
        if self.profile.kind != ProfileKind::Curves {
            return gaussian;
        }
        let end = |curve: &Curve| curve.range().0.abs().max(curve.range().1.abs());
        let ends = self.curves.iter().map(|curve| curve.as_ref().map_or(gaussian, end));
        ends.map(|end| end * end).sum::<f64>().sqrt()
    }

    /// γ at a place in limb radii; `share` is the weight of what is there on the far side of the joint.
    pub fn gamma(&self, p: DVec3, share: f64, moment: Moment) -> f64 {
        let Profile { kind, center, frequency, .. } = self.profile;
        if kind == ProfileKind::Curves {
            return self.curves(p);
        }
        let gaussian = self.gaussian(p + DVec3::new(center, 0.0, 0.0));
        if gaussian == 0.0 {
            return 0.0;
        }
        let waves = || (frequency * PI * p.x).sin().powi(2);
        let inside = || {
            // Beyond the joint the inside is the far bone's own.
            let (sine, cosine) = moment.bend.sin_cos();
            let z = (p.z + share * (cosine * p.z - sine * p.x - p.z)).max(0.0);
            1.0 + moment.certainty * (z * z / (z + 0.25) - 1.0)
        };
        gaussian
            * match kind {
                ProfileKind::Isotropic | ProfileKind::Rubber | ProfileKind::Curves => {
                    if moment.grows {
                        room(p, moment.bend)
                    } else {
                        1.0
                    }
                }
                ProfileKind::Muscle => inside(),
                ProfileKind::Folds => waves(),
                ProfileKind::Blend => {
                    let alpha = 1.0 - moment.intensity.min(1.0);
                    (alpha + (1.0 - alpha) * waves()) * inside()
                }
            }
    }

    fn gaussian(&self, p: DVec3) -> f64 {
        let q = p / DVec3::from_array(self.profile.sizes);
        let s = q.length_squared();
        if s < GAUSSIAN_CUT { (-s).exp() * (1.0 - s / GAUSSIAN_CUT).powi(2) } else { 0.0 }
    }

    /// An axis without a curve has the Gaussian's.
    fn curves(&self, p: DVec3) -> f64 {
        let along = |axis: usize| match &self.curves[axis] {
            Some(curve) if p[axis] < curve.range().0 || p[axis] > curve.range().1 => 0.0,
            Some(curve) => curve.at(p[axis]),
            None => {
                let only = |k: usize| if k == axis { p[k] } else { 0.0 };
                self.gaussian(DVec3::new(only(0), only(1), only(2)))
            }
        };
        along(0) * along(1) * along(2)
    }
}

/// γ along each axis through the place where it is largest, as pairs of place in limb radii and share of that value:
/// what a profile looks like, at a bend of a right angle that is half of its largest.
pub fn profile_samples(profile: &Profile) -> [Vec<[f64; 2]>; 3] {
    const COUNT: i32 = 48;
    let shape = ProfileShape::new(profile.clone());
    let moment = Moment { certainty: 1.0, grows: false, bend: 0.5 * PI, intensity: 0.5 };
    let reach = shape.reach();
    let places = |count: i32| (-count..=count).map(move |k| reach * f64::from(k) / f64::from(count));
    let gamma = |p: DVec3| shape.gamma(p, 0.0, moment);
    let coarse = || places(COUNT / 4);
    let all = coarse().flat_map(|x| coarse().flat_map(move |y| coarse().map(move |z| DVec3::new(x, y, z))));
    let peak = all.max_by(|a, b| gamma(*a).total_cmp(&gamma(*b))).unwrap_or(DVec3::ZERO);
    let largest = gamma(peak).max(f64::MIN_POSITIVE);
    [0, 1, 2].map(|axis| {
        let at = |place: f64| {
            let mut p = peak;
            p[axis] = place;
            [place, gamma(p) / largest]
        };
        places(COUNT).map(at).collect()
    })
}

/// How much room there is to grow: on the inner side of a bend θ, little near the plane that halves it, where the two
/// sides meet.
fn room(p: DVec3, bend: f64) -> f64 {
    let sharp = smoothstep((bend - BENDS[0]) / (BENDS[1] - BENDS[0]));
    if sharp == 0.0 {
        return 1.0;
    }
    let (sine, cosine) = (0.5 * bend).sin_cos();
    let inside = smoothstep((cosine * p.z - sine * p.x) / 0.5);
    let near = 1.0 - smoothstep((cosine * p.x + sine * p.z).abs() / CLOSE_TO_PLANE);
    1.0 - sharp * inside * near
}

/// Bends between which the inner sides come to face each other.
const BENDS: [f64; 2] = [PI / 9.0, PI / 2.5];

/// The distance from the plane between the sides within which there is little room, in limb radii.
const CLOSE_TO_PLANE: f64 = 1.0;
