//! Sets of muscles by their names.
//!
//! A set is a text that people can read and change: for each muscle where it starts and ends, in shares of
//! the bones it is attached to, and how thick it is ([`MuscleSet::humanoid`], [`MuscleSet::quadruped`]). It
//! is written for one side and mirrored. [`MuscleSet::fit`] puts it into any skeleton whose joints are known
//! by their names, and between its bones and its skin.

mod change;
mod fat;
mod fit;
mod limits;
mod segment;
mod sketched;

pub use change::{Keys, MuscleChange};
pub use fat::NamedFat;
pub use fit::FittedSet;
pub(super) use segment::anatomy;
pub use segment::{Segment, SegmentFrame};
pub use sketched::Sketched;

use super::profile::{Beta, ProfilePair, SineSeries};
use crate::{Error, Result};
use serde::Deserialize;

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

/// A muscle of a set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedMuscle {
    /// Its name.
    pub name: String,
    /// Its origin: a place, or a curve.
    #[serde(deserialize_with = "limits::curve")]
    pub from: Vec<Place>,
    /// Places that it slides through.
    #[serde(default, deserialize_with = "limits::places")]
    pub through: Vec<Place>,
    /// Its insertion: a place, or a curve.
    #[serde(deserialize_with = "limits::curve")]
    pub to: Vec<Place>,
    /// How many fibres are spread along the curves.
    #[serde(default = "one", deserialize_with = "limits::fibres")]
    pub fibres: usize,
    /// The radius of each fibre's belly, of the length of the path.
    #[serde(deserialize_with = "limits::share")]
    pub radius: f64,
    /// How flat it is; it is widest along its curves, and along the skin where these are points.
    #[serde(default, deserialize_with = "limits::eccentricity")]
    pub eccentricity: f64,
    /// α and β of the profile at rest, then when active.
    #[serde(default = "usual_shape", deserialize_with = "limits::shape")]
    pub shape: [u8; 4],
    /// Coefficients of the profile as a sum of sines, at rest and when active, in place of α and β.
    #[serde(default, deserialize_with = "limits::some_series")]
    pub series: Option<Vec<f64>>,
    /// The part of the skin that it shapes.
    pub part: Segment,
    /// Muscles of one group keep apart.
    #[serde(default)]
    pub group: Option<String>,
    /// Whether others lie between it and the skin.
    #[serde(default)]
    pub deep: bool,
    /// R18's k.
    #[serde(default = "usual_stiffness", deserialize_with = "limits::share")]
    pub stiffness: f64,
}

fn one() -> usize {
    1
}

fn usual_shape() -> [u8; 4] {
    [3, 3, 4, 5]
}

fn usual_stiffness() -> f64 {
    0.9
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
