//! Which values may a person set? Each key is read through one of these functions, so that a value out of
//! range is an error at its own line.

use serde::de::{Deserialize, Deserializer, Error};

/// The values that a key may have.
pub struct Limit {
    key: &'static str,
    lowest: Lowest,
    highest: f64,
    /// With a space before it; may be empty.
    unit: &'static str,
}

pub enum Lowest {
    /// This one is the lowest.
    At(f64),
    /// All are above this one.
    Above(f64),
}

impl Limit {
    pub const fn between(key: &'static str, lowest: f64, highest: f64, unit: &'static str) -> Self {
        Self { key, lowest: Lowest::At(lowest), highest, unit }
    }

    pub const fn above_zero(key: &'static str, highest: f64, unit: &'static str) -> Self {
        Self { key, lowest: Lowest::Above(0.0), highest, unit }
    }

    pub fn check<E: Error>(&self, value: f64) -> Result<f64, E> {
        let Self { key, highest, unit, .. } = self;
        let (high_enough, range) = match self.lowest {
            Lowest::At(lowest) => (value >= lowest, format!("from {lowest} to {highest}{unit}")),
            Lowest::Above(lowest) => (value > lowest, format!("above {lowest} and at most {highest}{unit}")),
        };
        if high_enough && value <= *highest {
            return Ok(value);
        }
        Err(E::custom(format!("{key} must be {range}, not {value}")))
    }

    /// Reads a number; `T` is `f64`, or an option of it for keys with a default of their kind.
    fn number<'de, D: Deserializer<'de>, T: From<f64>>(&self, deserializer: D) -> Result<T, D::Error> {
        self.check(f64::deserialize(deserializer)?).map(T::from)
    }

    fn three<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<[f64; 3], D::Error> {
        let values = <[f64; 3]>::deserialize(deserializer)?;
        values.iter().try_for_each(|&value| self.check(value).map(drop))?;
        Ok(values)
    }
}

/// The largest frame rate that a recipe or a command may ask for.
pub const MAX_FPS: f64 = 1000.0;

/// Whether a frame rate is above zero and at most [`MAX_FPS`].
pub fn is_frame_rate(fps: f64) -> bool {
    fps > 0.0 && fps <= MAX_FPS
}

pub fn frame_rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("fps", MAX_FPS, "").number(deserializer)
}

/// The largest reach, and the farthest place, that a profile may have in limb radii.
const FARTHEST: f64 = 100.0;
const RADII: &str = " limb radii";

pub fn stay<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("stay", 0.0, 1e6, "").number(deserializer)
}

pub fn half_turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("an angle", 0.0, 180.0, " degrees").number(deserializer)
}

pub fn weights_p<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("weights_p", 100.0, "").number(deserializer)
}

pub fn weights_q<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("weights_q", 100.0, "").number(deserializer)
}

pub fn smoothness<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("smoothness", 0.0, 1e6, "").number(deserializer)
}

/// Shares are divided by their sum, which therefore must not be zero.
pub fn shares<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f64; 3]>, D::Error> {
    let shares = Limit::between("a share", 0.0, 1e6, "").three(deserializer)?;
    if shares.iter().sum::<f64>() > 0.0 {
        return Ok(Some(shares));
    }
    Err(D::Error::custom("one of the three shares must be above 0"))
}

pub fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::above_zero("size", FARTHEST, RADII).number(deserializer)
}

pub fn stretch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f64; 3]>, D::Error> {
    Limit::above_zero("stretch", 100.0, "").three(deserializer).map(Some)
}

pub fn center<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::between("center", -FARTHEST, FARTHEST, RADII).number(deserializer)
}

pub fn fold_frequency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::between("frequency", 0.0, 100.0, " waves per limb radius").number(deserializer)
}

pub fn largest_bend<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::above_zero("largest_bend", 180.0, " degrees").number(deserializer)
}

pub fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::between("amount", 0.0, 1.0, "").number(deserializer)
}

pub fn amount_of_muscles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("amount", 0.0, 1.0, "").number(deserializer)
}

pub fn auto<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("auto", 0.0, 1.0, "").number(deserializer)
}

pub fn muscle_stiffness<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Limit::above_zero("stiffness", 1.0, "").number(deserializer)
}

pub fn muscle_damping<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("damping", 1.0, "").number(deserializer)
}

pub fn friction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("friction", 0.0, 1.0, "").number(deserializer)
}

/// The most subdivision that is allowed: every step has four times the faces.
pub const MAX_STEPS: usize = 4;

pub fn steps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let steps = i64::deserialize(deserializer)?;
    match usize::try_from(steps) {
        Ok(steps) if steps <= MAX_STEPS => Ok(steps),
        _ => Err(D::Error::custom(format!("steps must be from 0 to {MAX_STEPS}, not {steps}"))),
    }
}

pub fn threshold<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("threshold", 0.0, 1.0, "").number(deserializer)
}

pub fn swings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("frequency", 0.0, 100.0, " swings per second").number(deserializer)
}

pub fn damping<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("damping", 10.0, "").number(deserializer)
}

/// A free curve of a profile: pairs of place and value.
pub fn curve<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<[f64; 2]>>, D::Error> {
    let place = Limit::between("the place of a curve's point", -FARTHEST, FARTHEST, RADII);
    let value = Limit::between("the value of a curve's point", 0.0, 1000.0, "");
    let points = checked_curve(Vec::deserialize(deserializer)?, &place, &value, "places")?;
    Ok(Some(points))
}

/// The samples that a limb's field may have.
pub const SAMPLES: std::ops::RangeInclusive<usize> = 10..=200;

pub fn samples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let samples = i64::deserialize(deserializer)?;
    let (least, most) = (SAMPLES.start(), SAMPLES.end());
    match usize::try_from(samples) {
        Ok(samples) if SAMPLES.contains(&samples) => Ok(samples),
        _ => Err(D::Error::custom(format!("samples must be from {least} to {most}, not {samples}"))),
    }
}

/// Samples of a limb that somebody chose: points with normals that are some.
pub fn limb_samples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<[f64; 6]>, D::Error> {
    let samples: Vec<[f64; 6]> = Vec::deserialize(deserializer)?;
    if !(samples.is_empty() || (FEWEST_SAMPLES..=MOST_SAMPLES).contains(&samples.len())) {
        let count = samples.len();
        return Err(D::Error::custom(format!("a limb has {FEWEST_SAMPLES} to {MOST_SAMPLES} samples, not {count}")));
    }
    for (k, sample) in samples.iter().enumerate() {
        let is_one = sample.iter().all(|x| x.is_finite()) && sample[3..].iter().any(|&x| x != 0.0);
        if !is_one {
            let text = "is no point with a normal: x, y, z and a direction that is not 0";
            return Err(D::Error::custom(format!("sample {k} {text}")));
        }
    }
    Ok(samples)
}

/// How many samples somebody can choose for a limb: fewer tell no shape.
const FEWEST_SAMPLES: usize = 4;
const MOST_SAMPLES: usize = 400;

/// Reads a whole number within a range.
fn whole<'de, D: Deserializer<'de>>(
    key: &'static str,
    range: std::ops::RangeInclusive<usize>,
    deserializer: D,
) -> Result<usize, D::Error> {
    let value = i64::deserialize(deserializer)?;
    match usize::try_from(value) {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => Err(D::Error::custom(format!("{key} must be from {} to {}, not {value}", range.start(), range.end()))),
    }
}

/// The vertices that a cage may have.
pub const CAGE_VERTICES: std::ops::RangeInclusive<usize> = 8..=100_000;

pub fn cage_vertices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    whole("vertices", CAGE_VERTICES, deserializer)
}

pub fn cage_offset<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("offset", 0.5, " of the mesh's diagonal").number(deserializer)
}

pub fn joint_detail<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("joint_detail", 1.0, 10.0, "").number(deserializer)
}

pub fn pull<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("pull", 1e6, "").number(deserializer)
}

pub fn bones<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("bones", 1e6, "").number(deserializer)
}

pub fn release_exponent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::above_zero("release_exponent", 100.0, "").number(deserializer)
}

pub fn volume_sweeps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    whole("volume_sweeps", 0..=1000, deserializer)
}

pub fn iterations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    whole("iterations", 1..=10_000, deserializer)
}

pub fn along<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Limit::between("along", 0.0, 1.0, "").number(deserializer)
}

/// Two angles with zero between them.
pub fn range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
    let [low, high] = <[f64; 2]>::deserialize(deserializer)?;
    Limit::between("the least of a range", -180.0, 0.0, " degrees").check(low)?;
    Limit::between("the most of a range", 0.0, 180.0, " degrees").check(high)?;
    Ok([low, high])
}

/// The curve of a controller: pairs of an angle in degrees and the effect there.
pub fn controller_curve<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<[f64; 2]>>, D::Error> {
    let angle = Limit::between("the angle of a curve's point", 0.0, 180.0, " degrees");
    let value = Limit::between("the value of a curve's point", 0.0, 1.0, "");
    let points = checked_curve(Vec::deserialize(deserializer)?, &angle, &value, "angles")?;
    Ok(Some(points))
}

/// Points from left to right, at least one.
pub fn checked_curve<E: Error>(points: Vec<[f64; 2]>, x: &Limit, y: &Limit, what: &str) -> Result<Vec<[f64; 2]>, E> {
    if points.is_empty() {
        return Err(E::custom("a curve needs at least one point"));
    }
    for &[place, value] in &points {
        x.check(place)?;
        y.check(value)?;
    }
    match points.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
        Some(pair) => {
            let (before, after) = (pair[0][0], pair[1][0]);
            Err(E::custom(format!("the {what} of a curve must increase, but {after} comes after {before}")))
        }
        None => Ok(points),
    }
}
