//! Which values may a muscle of a set have? Each key is read through one of these functions, so that a value
//! out of range is an error at its own line.

use super::Place;
use crate::muscle::MAX_ECCENTRICITY;
use crate::muscle::profile::{Beta, Profile, SineSeries};
use serde::de::{Deserialize, Deserializer, Error};

/// The most fibres of a muscle.
const MOST_FIBRES: usize = 16;
/// The most places of a curve, or that a muscle slides through.
const MOST_PLACES: usize = 8;
/// No place is farther from its segment than so many of its units.
const MAX_DISTANCE: f64 = 4.0;

pub(super) fn places<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Place>, D::Error> {
    let places = Vec::<Place>::deserialize(deserializer)?;
    if places.len() > MOST_PLACES {
        return Err(D::Error::custom(format!("there may be {MOST_PLACES} places, not {}", places.len())));
    }
    match places
        .iter()
        .flat_map(|&(_, a, b, c)| [a, b, c])
        .find(|share| !(-MAX_DISTANCE..=MAX_DISTANCE).contains(share))
    {
        Some(share) => {
            Err(D::Error::custom(format!("a place must be within {MAX_DISTANCE} of its segment, not at {share}")))
        }
        None => Ok(places),
    }
}

pub(super) fn curve<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Place>, D::Error> {
    let places = places(deserializer)?;
    if places.is_empty() {
        return Err(D::Error::custom("an origin or insertion must have at least one place"));
    }
    Ok(places)
}

pub(super) fn fibres<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let count = usize::deserialize(deserializer)?;
    if !(1..=MOST_FIBRES).contains(&count) {
        return Err(D::Error::custom(format!("fibres must be from 1 to {MOST_FIBRES}, not {count}")));
    }
    Ok(count)
}

/// A number above zero and up to one.
pub(super) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if !(value > 0.0 && value <= 1.0) {
        return Err(D::Error::custom(format!("it must be above 0 and at most 1, not {value}")));
    }
    Ok(value)
}

pub(super) fn eccentricity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if !(0.0..=MAX_ECCENTRICITY).contains(&value) {
        return Err(D::Error::custom(format!("eccentricity must be from 0 to {MAX_ECCENTRICITY}, not {value}")));
    }
    Ok(value)
}

pub(super) fn shape<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 4], D::Error> {
    let shape = <[u8; 4]>::deserialize(deserializer)?;
    let range = Beta::LEAST..=Beta::MOST;
    match shape.iter().find(|&value| !range.contains(value)) {
        Some(value) => {
            Err(D::Error::custom(format!("alpha and beta must be from {} to {}, not {value}", Beta::LEAST, Beta::MOST)))
        }
        None => Ok(shape),
    }
}

/// Places at which the profile of a series must not be below nothing, and how far it may be, as coefficients are rounded.
const SERIES_PLACES: u32 = 200;
const BELOW: f64 = 1e-3;

pub(super) fn some_series<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<f64>>, D::Error> {
    let coefficients = Vec::<f64>::deserialize(deserializer)?;
    let profile = Profile::from(SineSeries::new(&coefficients).map_err(D::Error::custom)?);
    let mut places = (0..=SERIES_PLACES).map(|k| f64::from(k) / f64::from(SERIES_PLACES));
    match places.find(|&place| profile.at(place).value < -BELOW) {
        Some(place) => {
            let text = "a series must be nowhere below 0; make the first coefficient larger, it is at";
            Err(D::Error::custom(format!("{text} {place} of the length")))
        }
        None => Ok(Some(coefficients)),
    }
}

/// The largest radius of fat, in units of its segment.
const LARGEST_RADIUS: f64 = 2.0;

pub(super) fn radii<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 3], D::Error> {
    let radii = <[f64; 3]>::deserialize(deserializer)?;
    match radii.iter().find(|radius| !(**radius > 0.0 && **radius <= LARGEST_RADIUS)) {
        Some(radius) => {
            Err(D::Error::custom(format!("a radius must be above 0 and at most {LARGEST_RADIUS}, not {radius}")))
        }
        None => Ok(radii),
    }
}
