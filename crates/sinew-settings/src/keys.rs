//! One value, or values at moments of a clip.

use crate::schema::{Key, Kind};
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// One value, or values at moments of a clip as pairs of seconds and value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, or pairs of seconds and value such as [[0.0, 1.0], [1.5, 1.1]]")]
pub enum Keys {
    /// The same at all times.
    Constant(f64),
    /// A smooth curve through these points.
    Curve(Vec<[f64; 2]>),
}

impl Keys {
    /// As pairs.
    pub fn pairs(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Constant(value) => vec![[0.0, *value]],
            Self::Curve(pairs) => pairs.clone(),
        }
    }

    /// The value, if it is the same at all times.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Curve(_) => None,
        }
    }
}

impl Value for Keys {
    const KIND: Kind = Kind::Keys;

    fn check(&self, key: &Key) -> Result<(), String> {
        match self {
            Self::Constant(value) => key.check(*value),
            Self::Curve(points) => {
                let times: Vec<f64> = points.iter().map(|&[time, _]| time).collect();
                key.places.map_or(Ok(()), |places| places.check(&times))?;
                points.iter().try_for_each(|&[_, value]| key.check(value))
            }
        }
    }
}
