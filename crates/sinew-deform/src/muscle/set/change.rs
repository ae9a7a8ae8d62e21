//! Changes to the muscles of a set.
//!
//! A change is named by the muscle: `"soleus"` for both sides, `"left soleus"` for one, and
//! `"triceps brachii"` for all of its heads. Of several changes of one muscle, the longest name has priority. A muscle
//! that is not in the set is added to it, if the change is complete.

use super::{FARTHEST, MOST_FIBRES, MOST_PLACES, UNITS, check_series};
use super::{MuscleSet, NamedMuscle, Place, Segment, Sketched};
use crate::muscle::keys::MAX_WIDTH_FACTOR;
use crate::muscle::profile::Beta;
use crate::muscle::sketch::rounded;
use crate::muscle::{Fitted, FittedProfile, Keyed, MAX_ECCENTRICITY, Muscle, MuscleControlKeys};
use crate::{Error, Result};
use sinew_settings::{Keys, settings};

settings! {
    /// Changes of a muscle; what is left out stays as the set has it.
    pub struct MuscleChange {
        /// Whether it is taken away.
        off: bool = false, brief();
        /// Its origin: a place, or a curve.
        from: Option<Vec<Place>> = None, within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(1, MOST_PLACES);
        /// Places that it slides through.
        through: Option<Vec<Place>> = None, within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(0, MOST_PLACES);
        /// Its insertion: a place, or a curve.
        to: Option<Vec<Place>> = None, within(-FARTHEST, FARTHEST), noun("a place"), unit(UNITS), count(1, MOST_PLACES);
        /// How many fibres are spread along the curves.
        fibres: Option<usize> = None, within(1.0, MOST_FIBRES);
        /// The radius of each fibre's belly, as a share of the path's length.
        radius: Option<f64> = None, above(0.0, 1.0);
        /// α and β of the profile at rest, then when active.
        shape: Option<[u8; 4]> = None, within(Beta::LEAST as f64, Beta::MOST as f64), noun("alpha and beta");
        /// Coefficients of the profile as a sum of sines, at rest and when active, in place of α and β.
        series: Option<Vec<f64>> = None => check_series;
        /// The file in which the profile is drawn, in place of both; for the command line alone.
        sketch: Option<Sketched> = None;
        /// The part of the skin that it shapes.
        part: Option<Segment> = None;
        /// Muscles of one group keep apart.
        group: Option<String> = None;
        /// Whether others lie between it and the skin.
        deep: Option<bool> = None;
        /// How tense it is, in place of what follows from the motion.
        activation: Option<Keys> = None, within(0.0, 1.0) => |keys| check_times(keys, Keyed::Activation);
        /// How flat it is.
        eccentricity: Option<Keys> = None, within(0.0, MAX_ECCENTRICITY) => |keys| check_times(keys, Keyed::Eccentricity);
        /// A factor on the width that it has room for.
        width: Option<Keys> = None, within(0.0, MAX_WIDTH_FACTOR) => |keys| check_times(keys, Keyed::Width);
        /// How stiff it is: below 1 it shakes, the smaller the more; R18's k.
        stiffness: Option<Keys> = None, above(0.0, 1.0) => |keys| check_times(keys, Keyed::Stiffness);
    }
}

/// Keys follow each other in time.
fn check_times(keys: &Option<Keys>, keyed: Keyed) -> Result<(), String> {
    let Some(keys) = keys else { return Ok(()) };
    MuscleControlKeys::default().set(keyed, &keys.pairs()).map_err(|error| error.to_string())
}

impl Fitted {
    /// The change of a recipe with this profile, which is the same at rest and when active.
    pub fn change(&self) -> MuscleChange {
        match &self.profile {
            FittedProfile::Beta(beta) => {
                let (alpha, beta) = beta.exponents();
                MuscleChange { shape: Some([alpha, beta, alpha, beta]), ..MuscleChange::default() }
            }
            FittedProfile::Series(series) => {
                let rounded = series.coefficients().iter().copied().map(rounded);
                MuscleChange { series: Some(rounded.collect()), ..MuscleChange::default() }
            }
        }
    }
}

impl MuscleChange {
    /// Whether a change of this name is about a muscle, whose full name has its side, and a number if it is one
    /// of several fibres.
    pub fn concerns(name: &str, full_name: &str) -> bool {
        let whole = |muscle: &str| {
            let bare = muscle.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
            [muscle, bare]
                .iter()
                .any(|muscle| muscle.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(',')))
        };
        let of_side = ["left ", "right "].iter().find_map(|side| full_name.strip_prefix(side));
        whole(full_name) || of_side.is_some_and(whole)
    }

    /// This change, overridden by the keys of another.
    pub fn overridden_by(self, other: &Self) -> Self {
        let Self { from, through, to, fibres, radius, part, group, deep, .. } = other.clone();
        let Self { activation, eccentricity, width, stiffness, .. } = other.clone();
        let Self { shape, series, sketch, .. } =
            if other.profile_keys().next().is_some() { other.clone() } else { self.clone() };
        Self {
            off: self.off || other.off,
            from: from.or(self.from),
            through: through.or(self.through),
            to: to.or(self.to),
            fibres: fibres.or(self.fibres),
            radius: radius.or(self.radius),
            shape,
            series,
            sketch,
            part: part.or(self.part),
            group: group.or(self.group),
            deep: deep.or(self.deep),
            activation: activation.or(self.activation),
            eccentricity: eccentricity.or(self.eccentricity),
            width: width.or(self.width),
            stiffness: stiffness.or(self.stiffness),
        }
    }

    /// The keys with a profile, of which there may be one.
    fn profile_keys(&self) -> impl Iterator<Item = &'static str> {
        let keys =
            [("shape", self.shape.is_some()), ("series", self.series.is_some()), ("sketch", self.sketch.is_some())];
        keys.into_iter().filter_map(|(key, is_said)| is_said.then_some(key))
    }

    /// Refuses what contradicts itself.
    pub(crate) fn check(&self, muscle: &str) -> Result<()> {
        let keys: Vec<&str> = self.profile_keys().collect();
        if keys.len() > 1 {
            let why = format!("has a profile in {}; keep one of them", keys.join(" and "));
            return Err(Error::Muscle { muscle: muscle.into(), why });
        }
        Ok(())
    }

    /// The profile fitted to the sketch of a change of this name, if it has one.
    fn drawn(&self, name: &str) -> Result<Option<&Fitted>> {
        self.sketch.as_ref().map(|sketch| sketch.known(name)).transpose()
    }

    /// A muscle after a change of this name.
    fn applied(&self, name: &str, muscle: &mut NamedMuscle) -> Result<()> {
        let Self { from, through, to, fibres, radius, part, group, deep, .. } = self.clone();
        muscle.from = from.unwrap_or(std::mem::take(&mut muscle.from));
        muscle.through = through.unwrap_or(std::mem::take(&mut muscle.through));
        muscle.to = to.unwrap_or(std::mem::take(&mut muscle.to));
        muscle.fibres = fibres.unwrap_or(muscle.fibres);
        muscle.radius = radius.unwrap_or(muscle.radius);
        let drawn = self.drawn(name)?.map(Fitted::change);
        let Self { shape, series, .. } = drawn.as_ref().unwrap_or(self);
        if shape.is_some() || series.is_some() {
            muscle.shape = shape.unwrap_or(muscle.shape);
            muscle.series.clone_from(series);
        }
        muscle.part = part.unwrap_or(muscle.part);
        muscle.group = group.or(muscle.group.take());
        muscle.deep = deep.unwrap_or(muscle.deep);
        let constant = |keys: &Option<Keys>| keys.as_ref().and_then(Keys::constant);
        muscle.eccentricity = constant(&self.eccentricity).unwrap_or(muscle.eccentricity);
        muscle.stiffness = constant(&self.stiffness).unwrap_or(muscle.stiffness);
        Ok(())
    }

    /// Changes what a fitted muscle has beside its path.
    pub fn apply_to(&self, muscle: &mut Muscle) {
        let constant = |keys: &Option<Keys>| keys.as_ref().and_then(Keys::constant);
        muscle.shape.width *= constant(&self.width).unwrap_or(1.0);
        muscle.stiffness = constant(&self.stiffness).unwrap_or(muscle.stiffness);
    }

    /// The keys over time.
    pub fn control_keys(&self) -> Result<MuscleControlKeys> {
        let mut keys = MuscleControlKeys::default();
        if let Some(activation) = &self.activation {
            keys.set(Keyed::Activation, &activation.pairs())?;
        }
        let curves = [
            (Keyed::Eccentricity, &self.eccentricity),
            (Keyed::Width, &self.width),
            (Keyed::Stiffness, &self.stiffness),
        ];
        for (keyed, curve) in curves {
            if let Some(Keys::Curve(pairs)) = curve {
                keys.set(keyed, pairs)?;
            }
        }
        Ok(keys)
    }

    /// A muscle that is not in the set, by a change of this name for one side. Its radius may be that of its sketch.
    fn muscle(&self, name: &str, side: &str) -> Result<NamedMuscle> {
        let refused = || {
            let why = "is not in the set; correct its name, or give it from, to, radius and part to add it";
            Error::Muscle { muscle: name.into(), why: why.into() }
        };
        let drawn = self.drawn(name)?;
        let mut muscle = NamedMuscle {
            name: name.strip_prefix(side).unwrap_or(name).into(),
            from: self.from.clone().ok_or_else(refused)?,
            to: self.to.clone().ok_or_else(refused)?,
            radius: self.radius.or(drawn.map(|fitted| fitted.radius)).ok_or_else(refused)?,
            part: self.part.ok_or_else(refused)?,
            ..NamedMuscle::default()
        };
        self.applied(name, &mut muscle)?;
        Ok(muscle)
    }
}

impl MuscleSet {
    /// The sets of the left and the right side with changes, by their names; the later of two counts.
    pub fn changed<'a>(&self, changes: impl Iterator<Item = (&'a String, &'a MuscleChange)>) -> Result<[Self; 2]> {
        let mut sides = [self.clone(), self.clone()];
        for (name, change) in changes {
            let mut is_known = false;
            for (set, side) in sides.iter_mut().zip(["left", "right"]) {
                let is_about = |muscle: &NamedMuscle| MuscleChange::concerns(name, &format!("{side} {}", muscle.name));
                is_known |= set.muscles.iter().any(is_about);
                set.muscles.retain(|muscle| !(change.off && is_about(muscle)));
                let mut about = set.muscles.iter_mut().filter(|muscle| is_about(muscle));
                about.try_for_each(|muscle| change.applied(name, muscle))?;
            }
            if is_known {
                continue;
            }
            for (set, side) in sides.iter_mut().zip(["left ", "right "]) {
                let other = if side == "left " { "right " } else { "left " };
                if !name.starts_with(other) {
                    set.muscles.push(change.muscle(name, side)?);
                }
            }
        }
        for muscle in sides.iter().flat_map(|set| &set.muscles) {
            muscle.check()?;
        }
        Ok(sides)
    }
}
