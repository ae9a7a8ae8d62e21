//! The profile of a muscle from a drawn outline.
//!
//! The axis is the principal direction of the area inside the outline, from its one end to the other; the
//! radius at a place of the axis is half of what the outline encloses on the line across \[R18 §4.4.2\].
//! With radii x(s), the best width for a profile Φ of unit norm is the inner product `w = ∫Φx`, and the
//! error is `∫x² − w²`; so the best of the beta family is the one with the largest w. A [`SineSeries`] has
//! the discrete sine transform of x for its coefficients, the first few of them; fewer where these would
//! make the radius negative somewhere. [`Sketch::fitted`] takes the beta family, which is quick to evaluate, where it
//! is near enough to what was drawn.

use super::profile::{Beta, MAX_HARMONICS, Profile, ProfilePair, SineSeries};
use crate::{Error, Result};
use glam::DVec2;
use std::f64::consts::PI;
use std::fmt;

/// Places along the axis at which the outline is measured.
const SAMPLES: usize = 200;
/// The harmonics that a series is fitted with, of \[R18 fig. 4.20\].
const HARMONICS: usize = 10;
/// The rounding step of coefficients, for legibility.
const ROUNDING: f64 = 1e4;

/// An outline, measured across its axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    start: DVec2,
    end: DVec2,
    /// At the places `k/(N+1)`, k = 1…N.
    radii: Vec<f64>,
}

/// The families that profiles of sketches are of.
#[derive(Debug, Clone, PartialEq)]
pub enum FittedProfile {
    /// By α and β.
    Beta(Beta),
    /// A sum of sines.
    Series(SineSeries),
}

/// A profile that was fitted to a sketch.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The profile.
    pub profile: FittedProfile,
    /// The width that belongs to it, in the units of the sketch.
    pub width: f64,
    /// The radius of its belly, of the length of the axis.
    pub radius: f64,
    /// The root of the mean squared difference of the radii, relative to that of the radii.
    pub error: f64,
}

impl Fitted {
    /// The error of [`Fitted::error`] up to which the beta family is near enough.
    pub const NEAR_ENOUGH: f64 = 0.05;
}

impl From<FittedProfile> for Profile {
    fn from(profile: FittedProfile) -> Self {
        match profile {
            FittedProfile::Beta(beta) => Self::Beta(beta),
            FittedProfile::Series(series) => Self::Series(series),
        }
    }
}

/// To few digits, without a zero that is negative.
pub(super) fn rounded(coefficient: f64) -> f64 {
    (coefficient * ROUNDING).round() / ROUNDING + 0.0
}

/// The profile with its error, in words for people.
impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.profile {
            FittedProfile::Beta(beta) => {
                let (alpha, beta) = beta.exponents();
                write!(f, "beta profile of {alpha} and {beta}")?;
            }
            FittedProfile::Series(series) => write!(f, "sine series of {} terms", series.coefficients().len())?,
        }
        write!(f, ", {:.1} % from what is drawn", 100.0 * self.error)
    }
}

impl Sketch {
    /// Measures a closed outline, given by its corners in order. What it goes around counts as inside,
    /// however often: a line by hand crosses itself where it closes.
    pub fn new(outline: &[DVec2]) -> Result<Self> {
        if outline.len() < 3 || !outline.iter().all(|p| p.is_finite()) {
            return Err(Error::Sketch { why: "needs an outline of three or more finite points" });
        }
        let Some((center, direction)) = principal_axis(outline) else {
            return Err(Error::Sketch { why: "encloses nothing; draw a closed shape that does not cross itself" });
        };
        let along = |p: &DVec2| (p - center).dot(direction);
        let low = outline.iter().map(along).fold(f64::INFINITY, f64::min);
        let high = outline.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let mut crossings = Vec::new();
        let place = |k: usize| low + (high - low) * k as f64 / (SAMPLES + 1) as f64;
        let radii = (1..=SAMPLES).map(|k| radius_at(outline, center, direction, place(k), &mut crossings)).collect();
        Ok(Self { start: center + direction * low, end: center + direction * high, radii })
    }

    /// Where the axis starts, with y downwards: to the left, or at the top for one that is upright.
    pub fn start(&self) -> DVec2 {
        self.start
    }

    /// Where it ends.
    pub fn end(&self) -> DVec2 {
        self.end
    }

    /// The best of the beta family where that is [near enough](Fitted::NEAR_ENOUGH); otherwise a series of up to ten
    /// harmonics, if that is nearer.
    pub fn fitted(&self) -> Fitted {
        let beta = self.fit_beta();
        if beta.error <= Fitted::NEAR_ENOUGH {
            return beta;
        }
        match self.fit_series(HARMONICS) {
            Ok(series) if series.error < beta.error => series,
            _ => beta,
        }
    }

    /// The profile of the beta family that fits best.
    pub fn fit_beta(&self) -> Fitted {
        let all = (Beta::LEAST..=Beta::MOST).flat_map(|a| (Beta::LEAST..=Beta::MOST).map(move |b| Beta::new(a, b)));
        let fits = all.flatten().map(|profile| self.fit(FittedProfile::Beta(profile)));
        fits.reduce(|best, fit| if fit.width > best.width { fit } else { best }).expect("a family with members")
    }

    /// The series of up to so many harmonics.
    pub fn fit_series(&self, harmonics: usize) -> Result<Fitted> {
        if !(1..=MAX_HARMONICS).contains(&harmonics) {
            let what = "the number of harmonics of a muscle's profile";
            return Err(sinew_geometry::Error::OutOfRange { what, value: harmonics as f64, range: "1 to 32" }.into());
        }
        let sine = |i: usize, k: usize| (PI * (i * k) as f64 / (SAMPLES + 1) as f64).sin();
        let coefficient = |i: usize| self.radii.iter().enumerate().map(|(k, x)| x * sine(i, k + 1)).sum::<f64>();
        let mut coefficients: Vec<f64> = (1..=harmonics).map(coefficient).collect();
        let norm = coefficients.iter().map(|c| 0.5 * c * c).sum::<f64>().sqrt();
        coefficients.iter_mut().for_each(|c| *c = rounded(*c / norm));
        let value = |c: &[f64], k: usize| c.iter().enumerate().map(|(i, c)| c * sine(i + 1, k)).sum::<f64>();
        // The first sine alone is positive everywhere.
        while coefficients.len() > 1 && (1..=SAMPLES).any(|k| value(&coefficients, k) < 0.0) {
            coefficients.pop();
        }
        Ok(self.fit(FittedProfile::Series(SineSeries::new(&coefficients)?)))
    }

    fn fit(&self, profile: FittedProfile) -> Fitted {
        let step = 1.0 / (SAMPLES + 1) as f64;
        let pair = ProfilePair::constant(profile.clone());
        let of_profile = |k: usize| pair.relaxed().at((k + 1) as f64 * step).value;
        let width = step * self.radii.iter().enumerate().map(|(k, x)| x * of_profile(k)).sum::<f64>();
        let squares = step * self.radii.iter().map(|x| x * x).sum::<f64>();
        let radius = width * pair.largest(pair.activated(0.0)) / self.start.distance(self.end);
        Fitted { profile, width, radius, error: (1.0 - width * width / squares).max(0.0).sqrt() }
    }
}

/// The centre of a polygon's area and the direction in which it extends most; none without an area.
fn principal_axis(outline: &[DVec2]) -> Option<(DVec2, DVec2)> {
    // About the first corner, so that the distance from zero does not cost digits.
    let corner = |k: usize| outline[k % outline.len()] - outline[0];
    let (mut area, mut first, mut xx, mut xy, mut yy) = (0.0, DVec2::ZERO, 0.0, 0.0, 0.0);
    for k in 0..outline.len() {
        let (a, b) = (corner(k), corner(k + 1));
        let cross = a.perp_dot(b);
        area += cross / 2.0;
        first += (a + b) * (cross / 6.0);
        xx += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12.0;
        yy += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
        xy += cross * (a.x * b.y + 2.0 * (a.x * a.y + b.x * b.y) + b.x * a.y) / 24.0;
    }
    let extent = outline.iter().map(|p| p.distance_squared(outline[0])).fold(0.0, f64::max);
    if area.abs() <= 1e-9 * extent {
        return None;
    }
    let center = first / area;
    let (xx, xy, yy) =
        (xx / area - center.x * center.x, xy / area - center.x * center.y, yy / area - center.y * center.y);
    let direction = DVec2::from_angle(0.5 * (2.0 * xy).atan2(xx - yy));
    let backwards = if direction.x.abs() >= direction.y.abs() { direction.x < 0.0 } else { direction.y < 0.0 };
    Some((outline[0] + center, if backwards { -direction } else { direction }))
}

/// Half of what an outline goes around on the line across the axis at a place. Crossings are places on that line, with
/// the direction in which the outline passes.
fn radius_at(outline: &[DVec2], center: DVec2, direction: DVec2, place: f64, crossings: &mut Vec<(f64, i32)>) -> f64 {
    crossings.clear();
    for (k, from) in outline.iter().enumerate() {
        let (a, b) = (from - center, outline[(k + 1) % outline.len()] - center);
        let (before, behind) = (a.dot(direction) - place, b.dot(direction) - place);
        if (before <= 0.0) != (behind <= 0.0) {
            let passes = if before <= 0.0 { 1 } else { -1 };
            crossings.push((direction.perp_dot(a.lerp(b, before / (before - behind))), passes));
        }
    }
    crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut turns, mut inside) = (0, 0.0);
    for pair in crossings.windows(2) {
        turns += pair[0].1;
        if turns != 0 {
            inside += pair[1].0 - pair[0].0;
        }
    }
    0.5 * inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat2;

    /// The outline of a profile on an axis of length 4 that is turned and moved.
    fn outline(profile: &Profile, width: f64, turn: f64) -> Vec<DVec2> {
        let side = |k: usize, sign: f64| {
            let s = k as f64 / 400.0;
            DMat2::from_angle(turn) * DVec2::new(4.0 * s, sign * width * profile.at(s).value) + DVec2::new(70.0, -30.0)
        };
        (0..400).map(|k| side(k, -1.0)).chain((1..=400).rev().map(|k| side(k, 1.0))).collect()
    }

    #[test]
    fn a_drawn_beta_profile_is_found_again() {
        for (alpha, beta) in [(2, 2), (3, 3), (4, 7), (9, 4)] {
            let drawn = Profile::from(Beta::new(alpha, beta).unwrap());
            let sketch = Sketch::new(&outline(&drawn, 0.3, 0.7)).unwrap();
            assert!((sketch.start().distance(sketch.end()) - 4.0).abs() < 1e-3);
            let fitted = sketch.fit_beta();
            assert_eq!(Profile::from(fitted.profile.clone()), drawn, "{alpha} {beta}");
            assert!((fitted.width - 0.3).abs() < 1e-4 && fitted.error < 0.01, "{fitted:?}");
        }
    }

    #[test]
    fn a_series_fits_what_the_beta_family_cannot() {
        // Two bellies, as in R18 fig. 4.18.
        let drawn = Profile::from(SineSeries::new(&[1.0, 0.0, 0.6]).unwrap());
        let sketch = Sketch::new(&outline(&drawn, 0.2, -0.4)).unwrap();
        let (beta, series) = (sketch.fit_beta(), sketch.fit_series(10).unwrap());
        assert!(series.error < 0.02 && beta.error > 5.0 * series.error, "{} {}", series.error, beta.error);
        assert!((series.width - 0.2).abs() < 1e-3);
        let profile = Profile::from(series.profile);
        for k in 0..=100 {
            assert!(profile.at(f64::from(k) / 100.0).value >= -1e-9);
        }
    }

    #[test]
    fn the_beta_family_is_taken_where_it_is_near_enough() {
        let drawn = |coefficients: &[f64]| Profile::from(SineSeries::new(coefficients).unwrap());
        let fitted = |profile: &Profile| Sketch::new(&outline(profile, 0.3, 0.2)).unwrap().fitted();
        let spindle = fitted(&Beta::new(3, 5).unwrap().into());
        assert_eq!(spindle.profile, FittedProfile::Beta(Beta::new(3, 5).unwrap()));
        assert_eq!(spindle.change().shape, Some([3, 5, 3, 5]));
        let pair = ProfilePair::constant(spindle.profile.clone());
        let belly = 0.3 * pair.largest(pair.activated(0.0)) / 4.0;
        assert!((spindle.radius - belly).abs() < 1e-3, "{spindle:?} {belly}");
        assert_eq!(spindle.to_string().split(',').next(), Some("beta profile of 3 and 5"));
        let bellies = fitted(&drawn(&[1.0, 0.0, 0.6]));
        assert!(matches!(&bellies.profile, FittedProfile::Series(_)) && bellies.error < 0.02, "{bellies}");
        let again = SineSeries::new(&bellies.change().series.unwrap()).unwrap();
        assert!((Profile::from(again).inner(&bellies.profile.clone().into()) - 1.0).abs() < 1e-6);
        assert!(bellies.to_string().contains("sine series of 10 terms"), "{bellies}");
    }

    #[test]
    fn the_axis_starts_to_the_left_or_at_the_top() {
        let drawn = Profile::from(Beta::new(3, 6).unwrap());
        for (turn, late) in [(0.3, false), (-0.3, false), (1.5, false), (1.65, false), (3.0, true), (-1.5, true)] {
            let expected = if late { Beta::new(6, 3) } else { Beta::new(3, 6) }.unwrap();
            assert_eq!(
                Sketch::new(&outline(&drawn, 0.3, turn)).unwrap().fitted().profile,
                FittedProfile::Beta(expected),
                "{turn}"
            );
        }
    }

    #[test]
    fn an_outline_may_go_around_twice() {
        let once = outline(&Beta::new(3, 5).unwrap().into(), 0.3, 0.2);
        let [single, double] = [once.clone(), [once.clone(), once].concat()].map(|it| Sketch::new(&it).unwrap());
        assert!(single.radii.iter().zip(&double.radii).all(|(a, b)| (a - b).abs() < 1e-9));
    }

    #[test]
    fn a_square_is_a_full_width_and_bad_outlines_are_refused() {
        let square = [(0.0, 0.0), (8.0, 0.0), (8.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
        let sketch = Sketch::new(&square).unwrap();
        assert!(sketch.radii.iter().all(|r| (r - 0.5).abs() < 1e-12));
        assert!(sketch.start().distance(DVec2::new(0.0, 0.5)) < 1e-12);
        assert!(Sketch::new(&square[..2]).is_err());
        assert!(Sketch::new(&[DVec2::ZERO, DVec2::X, DVec2::X * 2.0]).is_err());
        assert!(Sketch::new(&[DVec2::ZERO, DVec2::NAN, DVec2::X]).is_err());
        assert!(sketch.fit_series(0).is_err());
    }
}
