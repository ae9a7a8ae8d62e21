//! Keys of muscle controls over time.
//!
//! Activation, eccentricity, width and stiffness can each be given at moments of a clip; between them a
//! curve that never swings beyond its keys, before the first and behind the last the value stays.

use super::{MAX_ECCENTRICITY, MuscleControl};
use crate::Result;
use sinew_geometry::curve::Curve;

/// The most that the width of a muscle may be multiplied by.
pub(super) const MAX_WIDTH_FACTOR: f64 = 10.0;

/// Values at moments, as pairs of seconds and value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MuscleControlKeys {
    activation: Option<Curve>,
    eccentricity: Option<Curve>,
    width: Option<Curve>,
    stiffness: Option<Curve>,
}

/// The quantity of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyed {
    /// From 0, relaxed, to 1.
    Activation,
    /// How flat sections are.
    Eccentricity,
    /// A factor on the width.
    Width,
    /// How tense fibres are.
    Stiffness,
}

impl MuscleControlKeys {
    /// Sets the keys of one value, in order of time; none takes them away.
    pub fn set(&mut self, keyed: Keyed, keys: &[[f64; 2]]) -> Result<()> {
        let (what, range, lowest, highest) = match keyed {
            Keyed::Activation => ("the activation at a key", "0 to 1", 0.0, 1.0),
            Keyed::Eccentricity => ("the eccentricity at a key", "0 to 0.99", 0.0, MAX_ECCENTRICITY),
            Keyed::Width => ("the width at a key", "0 to 10", 0.0, MAX_WIDTH_FACTOR),
            Keyed::Stiffness => ("the stiffness at a key", "above 0 and up to 1", f64::MIN_POSITIVE, 1.0),
        };
        for (k, &[seconds, value]) in keys.iter().enumerate() {
            if !(lowest..=highest).contains(&value) {
                return Err(sinew_geometry::Error::OutOfRange { what, value, range }.into());
            }
            let is_later = k == 0 || seconds > keys[k - 1][0];
            if !(seconds.is_finite() && is_later) {
                let (what, range) = ("the time of a key", "finite and later than that of the key before");
                return Err(sinew_geometry::Error::OutOfRange { what, value: seconds, range }.into());
            }
        }
        let curve = Curve::new(keys);
        match keyed {
            Keyed::Activation => self.activation = curve,
            Keyed::Eccentricity => self.eccentricity = curve,
            Keyed::Width => self.width = curve,
            Keyed::Stiffness => self.stiffness = curve,
        }
        Ok(())
    }

    /// Changes what has keys to what it is at a moment.
    pub fn apply(&self, seconds: f64, control: &mut MuscleControl) {
        let at = |curve: &Option<Curve>| curve.as_ref().map(|curve| curve.at(seconds));
        control.activation = at(&self.activation).unwrap_or(control.activation);
        control.eccentricity = at(&self.eccentricity).or(control.eccentricity);
        control.width = at(&self.width).unwrap_or(control.width);
        control.stiffness = at(&self.stiffness).or(control.stiffness);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_met_and_what_has_none_stays() {
        let mut keys = MuscleControlKeys::default();
        keys.set(Keyed::Activation, &[[0.0, 0.0], [1.0, 1.0], [2.0, 0.2]]).unwrap();
        let mut control = MuscleControl { width: 1.3, ..MuscleControl::default() };
        keys.apply(1.0, &mut control);
        assert_eq!((control.activation, control.width, control.stiffness), (1.0, 1.3, None));
        keys.apply(9.0, &mut control);
        assert_eq!(control.activation, 0.2);
        keys.set(Keyed::Stiffness, &[[0.0, 0.4]]).unwrap();
        keys.set(Keyed::Activation, &[]).unwrap();
        keys.apply(0.0, &mut control);
        assert_eq!((control.activation, control.stiffness), (0.2, Some(0.4)));
    }

    #[test]
    fn keys_that_contradict_each_other_are_refused() {
        let mut keys = MuscleControlKeys::default();
        for bad in [&[[0.0, 1.5]][..], &[[0.0, 0.1], [0.0, 0.2]], &[[1.0, 0.1], [0.5, 0.2]], &[[f64::NAN, 0.1]]] {
            assert!(keys.set(Keyed::Activation, bad).is_err(), "{bad:?}");
        }
        assert!(keys.set(Keyed::Stiffness, &[[0.0, 0.0]]).is_err());
        assert!(keys.set(Keyed::Eccentricity, &[[0.0, 1.0]]).is_err());
        assert_eq!(keys, MuscleControlKeys::default());
    }
}
