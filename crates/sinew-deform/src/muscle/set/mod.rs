//! Sets of muscles by their names.
//!
//! A set is a text that people can read and change: for each muscle where it starts and ends, in shares of
//! the bones it is attached to, and how thick it is ([`MuscleSet::humanoid`], [`MuscleSet::quadruped`]). It
//! is written for one side and mirrored. [`MuscleSet::fit`] puts it into any skeleton whose joints are known
//! by their names, and between its bones and its skin.

mod change;
mod fat;
mod fit;
mod segment;
mod sketched;

pub use change::MuscleChange;
pub use fat::NamedFat;
pub use fit::FittedSet;
pub(super) use segment::anatomy;
pub use segment::{Segment, SegmentFrame};
pub use sinew_settings::Keys;
pub use sketched::Sketched;

use super::MAX_ECCENTRICITY;
use super::profile::{Beta, Profile, ProfilePair, SineSeries};
use crate::{Error, Result};
use serde::Deserialize;
use sinew_settings::settings;

/// A place on a segment, by shares of its units.
pub type Place = (Segment, f64, f64, f64);

/// Muscles of one side of a body.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuscleSet {
    /// The muscles.
    #[serde(rename = "muscle", default)]
    pub muscles: Vec<NamedMuscle>,
    /// The fat.
    #[serde(rename = "fat", default)]
    pub fats: Vec<NamedFat>,
}

settings! {
    /// A muscle of a set.
    pub struct NamedMuscle {
        /// Its name.
        name: String = String::new(), required();
        /// Its origin: a place, or a curve.
        from: Vec<Place> = Vec::new(), required(), within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(1, MOST_PLACES);
        /// Places that it slides through.
        through: Vec<Place> = Vec::new(), within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(0, MOST_PLACES);
        /// Its insertion: a place, or a curve.
        to: Vec<Place> = Vec::new(), required(), within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(1, MOST_PLACES);
        /// How many fibres are spread along the curves.
        fibres: usize = 1, within(1.0, MOST_FIBRES);
        /// The radius of each fibre's belly, as a share of the path's length.
        radius: f64 = 0.1, required(), above(0.0, 1.0);
        /// How flat it is; it is widest along its curves, and along the skin where these are points.
        eccentricity: f64 = 0.0, within(0.0, MAX_ECCENTRICITY);
        /// α and β of the profile at rest, then when active.
        shape: [u8; 4] = [3, 3, 4, 5], within(Beta::LEAST as f64, Beta::MOST as f64), noun("alpha and beta");
        /// Coefficients of the profile as a sum of sines, at rest and when active, in place of α and β.
        series: Option<Vec<f64>> = None => check_series;
        /// The part of the skin that it shapes.
        part: Segment = Segment::default(), required();
        /// Muscles of one group keep apart.
        group: Option<String> = None;
        /// Whether others lie between it and the skin.
        deep: bool = false;
        /// How tense it is: R18's k.
        stiffness: f64 = 0.9, above(0.0, 1.0);
    }
}

/// The most fibres of a muscle.
const MOST_FIBRES: f64 = 16.0;
/// The most places of a curve, or that a muscle slides through.
const MOST_PLACES: usize = 8;
/// What the numbers of a place are.
const UNITS: &str = "units of its segment";
/// No place is farther from its segment than so many of its units.
const FARTHEST: f64 = 4.0;
/// Places at which the profile of a series must not be below nothing, and how far it may be, as coefficients are rounded.
const SERIES_PLACES: u32 = 200;
const BELOW: f64 = 1e-3;

/// A profile has no radius below nothing.
fn check_series(series: &Option<Vec<f64>>) -> Result<(), String> {
    let Some(coefficients) = series else { return Ok(()) };
    let profile = Profile::from(SineSeries::new(coefficients).map_err(|error| error.to_string())?);
    let mut places = (0..=SERIES_PLACES).map(|k| f64::from(k) / f64::from(SERIES_PLACES));
    match places.find(|&place| profile.at(place).value < -BELOW) {
        Some(place) => {
            let text = "a series must be nowhere below 0; make the first coefficient larger, it is at";
            Err(format!("{text} {place} of the length"))
        }
        None => Ok(()),
    }
}

impl MuscleSet {
    /// The muscles of a human body.
    pub fn humanoid() -> Self {
        Self::from_toml(include_str!("humanoid.toml")).expect("a set that the tests read")
    }

    /// The muscles of a body on four legs.
    pub fn quadruped() -> Self {
        Self::from_toml(include_str!("quadruped.toml")).expect("a set that the tests read")
    }

    /// Reads a set; the error names the line, or the muscle.
    pub fn from_toml(text: &str) -> Result<Self> {
        let set: Self = toml::from_str(text).map_err(|error| Error::Recipe(error.to_string()))?;
        for (k, muscle) in set.muscles.iter().enumerate() {
            if set.muscles[..k].iter().any(|other| other.name == muscle.name) {
                let why = "is there twice; rename or remove one".into();
                return Err(Error::Muscle { muscle: muscle.name.clone(), why });
            }
            muscle.check()?;
        }
        Ok(set)
    }
}

impl NamedMuscle {
    /// Refuses a muscle that starts where it ends.
    fn check(&self) -> Result<()> {
        if self.from == self.to && self.from.len() == 1 {
            let why = "has no length; move its origin and insertion apart".into();
            return Err(Error::Muscle { muscle: self.name.clone(), why });
        }
        Ok(())
    }

    fn profiles(&self) -> Result<ProfilePair> {
        if let Some(coefficients) = &self.series {
            return Ok(ProfilePair::constant(SineSeries::new(coefficients)?));
        }
        let [a0, b0, a1, b1] = self.shape;
        ProfilePair::new(Beta::new(a0, b0)?, Beta::new(a1, b1)?)
    }
}
