//! The quality of search on motions whose classes are known.
//!
//! Every motion is the query once, and all others are ranked. Search is compared with baselines: single principal
//! directions of distances, positions and rotations.

pub use super::labels::{Label, find, read};

use crate::{Error, Result, find as lookup};
use serde::{Serialize, Serializer};
use sinew::motion::search::baseline::{self, Representation};
use sinew::motion::search::{Motion, Query, Rates};
use sinew::rig::Character;
use std::collections::BTreeMap;

/// The classes of labelled motions.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    /// The names of the classes, in order.
    pub names: Vec<String>,
    /// The class of each motion.
    pub of_motions: Vec<usize>,
}

impl Classes {
    /// The classes of labels; an error if no class has two motions.
    pub fn new(labels: &[Label]) -> Result<Self> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        labels.iter().for_each(|label| *counts.entry(&label.class).or_default() += 1);
        if counts.values().all(|&count| count < 2) {
            return Err(Error::NoClassOfTwo);
        }
        let names: Vec<String> = counts.keys().map(|name| name.to_string()).collect();
        let class = |label: &Label| names.iter().position(|name| *name == label.class).unwrap_or_default();
        let of_motions = labels.iter().map(class).collect();
        Ok(Self { names, of_motions })
    }
}

/// A motion, described for search and for the baselines.
pub struct Described {
    motion: Motion,
    query: Query,
    directions: [Vec<f64>; 3],
}

impl Described {
    /// Describes the first clip of a character.
    pub fn new(character: &Character) -> Result<Self> {
        let clip = lookup::clip(character, None)?;
        let motion = Motion::of(&character.skeleton, &character.base_pose, clip, None)?;
        let direction =
            |representation| baseline::direction(&character.skeleton, &character.base_pose, clip, representation);
        let [distances, positions, rotations] = Representation::ALL.map(direction);
        Ok(Self { query: Query::new(motion.clone()), motion, directions: [distances?, positions?, rotations?] })
    }
}

/// The rates of search and of the baselines. As JSON each has the share of motions whose nearest one is of the same class
/// (`nn1`) and the mean average precision (`map`).
#[derive(Debug, Serialize)]
pub struct Evaluation {
    /// Search.
    #[serde(serialize_with = "summary")]
    pub sinew: Rates,
    /// Principal directions of distances.
    #[serde(serialize_with = "summary")]
    pub distances: Rates,
    /// Principal directions of positions.
    #[serde(serialize_with = "summary")]
    pub positions: Rates,
    /// Principal directions of rotations.
    #[serde(serialize_with = "summary")]
    pub rotations: Rates,
}

impl Evaluation {
    /// Evaluates search on motions, in the order of their classes.
    pub fn new(motions: &[Described], classes: &Classes) -> Self {
        let rates = |similarity: &dyn Fn(&Described, &Described) -> f64| {
            Rates::of(&classes.of_motions, classes.names.len(), |a, b| similarity(&motions[a], &motions[b]))
        };
        let by_direction = |k: usize| rates(&|a, b| baseline::similarity(&a.directions[k], &b.directions[k]));
        Self {
            sinew: rates(&|a, b| a.query.best(b.motion.whole())),
            distances: by_direction(0),
            positions: by_direction(1),
            rotations: by_direction(2),
        }
    }

    /// The rates with their names.
    pub fn named(&self) -> [(&'static str, &Rates); 4] {
        let Self { sinew, distances, positions, rotations } = self;
        [("sinew", sinew), ("distances", distances), ("positions", positions), ("rotations", rotations)]
    }
}

fn summary<S: Serializer>(rates: &Rates, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Pair {
        nn1: f64,
        map: f64,
    }
    Pair { nn1: rates.nn1, map: rates.map }.serialize(serializer)
}
