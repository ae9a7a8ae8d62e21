//! The `[muscles]` table: which muscles are under the skin, what holds for all of them, and what is different
//! about single ones.

use crate::muscle::{DynamicsOptions, MuscleChange, MuscleSet, NamedFat, Sketched};
use crate::{Error, Result};
use serde::Deserialize;
use sinew_settings::settings;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;

settings! {
    /// The `[muscles]` table.
    pub struct MuscleOptions {
        /// Which muscles are under the skin: "off", "humanoid", "quadruped", or the file of a set, seen from this one.
        set: String = MuscleOptions::OFF.into();
        /// The share of the muscles' effect that the skin shows.
        amount: f64 = 1.0, within(0.0, 1.0);
        /// How much the motion itself tenses muscles that have no keys.
        auto: f64 = 1.0, within(0.0, 1.0);
        /// How tense all muscles are that have no stiffness of their own: less shakes more. Left out, it is that of the
        /// set.
        stiffness: Option<f64> = None, above(0.0, 1.0), shown("0.9");
        /// The share of its velocity that a muscle keeps in 1/300 s.
        damping: f64 = DynamicsOptions::default().damping, above(0.0, 1.0);
        /// The share of its sliding over a bone that a muscle loses in 1/300 s.
        friction: f64 = DynamicsOptions::default().friction, within(0.0, 1.0);
        /// Whether the skin is kept from passing through itself where muscles swell.
        contacts: bool = true;
        /// Names of meshes that are left as they are.
        leave_out: Vec<String> = Vec::new();
        /// Names of closed meshes that are bones: muscles slide over them in place of capsules.
        bones: Vec<String> = Vec::new();
        /// Changes of single muscles, on both sides or with "left " or "right " before the name: activation, width (a
        /// factor), eccentricity and stiffness as one value or as pairs of seconds and value; off = true, or from,
        /// through, to, fibres, radius, shape, series, part, group and deep as in the file of a set; or sketch =
        /// "biceps.svg", an SVG or PNG file beside this one in which its profile is drawn.
        muscle: BTreeMap<String, MuscleChange> = BTreeMap::new(),
            example("biceps brachii", &["activation = [[0.0, 0.0], [1.5, 1.0]]", "width = 1.1"]);
        /// Fat beside that of the set: an ellipsoid that swings, with half its lengths along, to the front and out.
        fat: Vec<NamedFat> = Vec::new(),
            example("", &[
                "name = \"belly\"",
                "at = [\"lumbar\", 0.3, 0.45, 0.0]",
                "radii = [0.25, 0.3, 0.5]",
                "stiffness = 0.1",
            ]);
    }
    and {
        /// What the file that `set` names holds, for whoever reads it.
        file: Option<Arc<MuscleSet>>,
        /// Where the recipe speaks of muscles, if it was read from a text.
        lines: MuscleLines,
    }
}

impl MuscleOptions {
    /// No muscles.
    pub const OFF: &'static str = "off";

    /// The sets that need no file.
    pub const SETS: [&'static str; 2] = ["humanoid", "quadruped"];

    /// Whether there are muscles at all.
    pub fn is_on(&self) -> bool {
        self.set != Self::OFF
    }

    /// Whether the set is in a file that has still to be read.
    pub fn needs_file(&self) -> bool {
        self.is_on() && self.file.is_none() && !Self::SETS.contains(&self.set.as_str())
    }

    /// The sketches of profiles that have still to be read, by the names of their changes.
    pub fn unread_sketches(&mut self) -> impl Iterator<Item = (&String, &mut Sketched)> {
        let sketches = self.muscle.iter_mut().filter_map(|(name, change)| Some((name, change.sketch.as_mut()?)));
        sketches.filter(|(_, sketch)| sketch.fitted.is_none())
    }

    fn has_unread_sketches(&self) -> bool {
        self.muscle.values().filter_map(|change| change.sketch.as_ref()).any(|sketch| sketch.fitted.is_none())
    }

    /// The muscles of one side, without changes.
    pub fn unchanged(&self) -> Result<MuscleSet> {
        Ok(match (&self.file, self.set.as_str()) {
            (Some(set), _) => MuscleSet::clone(set),
            (None, "humanoid") => MuscleSet::humanoid(),
            (None, "quadruped") => MuscleSet::quadruped(),
            (None, file) => return Err(Error::NoMuscleSet { set: file.into() }),
        })
    }

    /// The muscles of the left and the right side, changes included.
    pub fn sets(&self) -> Result<[MuscleSet; 2]> {
        let mut sides = self.unchanged()?.changed(self.changes())?;
        sides.iter_mut().for_each(|set| set.fats.extend_from_slice(&self.fat));
        Ok(sides)
    }

    /// All changes of a muscle, given by its full name with its side.
    pub fn change_of(&self, full_name: &str) -> MuscleChange {
        let about = self.changes().filter(|(name, _)| MuscleChange::concerns(name, full_name));
        about.fold(MuscleChange::default(), |known, (_, change)| known.overridden_by(change))
    }

    /// The changes by increasing priority: a longer name is more specific, such as one side or one head, and comes
    /// later.
    fn changes(&self) -> impl Iterator<Item = (&String, &MuscleChange)> {
        let mut changes: Vec<_> = self.muscle.iter().collect();
        changes.sort_by_key(|(name, _)| name.len());
        changes.into_iter()
    }

    /// An error of a muscle with the line of its table in the recipe; of several tables, the most specific one.
    pub fn at_line(&self, error: Error) -> Error {
        let Error::Muscle { muscle, .. } = &error else { return error };
        let about = self.lines.0.iter().filter(|(name, _)| *name == muscle || MuscleChange::concerns(name, muscle));
        match about.max_by_key(|(name, _)| name.len()) {
            Some((_, line)) => Error::Recipe(format!("line {line}, {error}")),
            None => error,
        }
    }

    /// Refuses changes that contradict themselves, and changes of muscles that are not there, if the set and all
    /// sketches are known.
    pub fn check(&self) -> Result<()> {
        self.muscle.iter().try_for_each(|(name, change)| change.check(name))?;
        if !self.is_on() || self.needs_file() || self.has_unread_sketches() {
            return Ok(());
        }
        self.sets().map(drop)
    }
}

/// The lines of the muscles' tables in a recipe's text. Line numbers do not count in a comparison: any two are equal.
#[derive(Debug, Clone, Default)]
pub struct MuscleLines(BTreeMap<String, usize>);

impl PartialEq for MuscleLines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl MuscleLines {
    /// Those of a text; none if it is no recipe.
    pub fn of(recipe: &str) -> Self {
        #[derive(Deserialize)]
        struct Tables {
            muscles: Muscles,
        }
        #[derive(Deserialize)]
        struct Muscles {
            muscle: BTreeMap<Spanned<String>, toml::Value>,
        }
        let line = |at: usize| 1 + recipe.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        let names = toml::from_str(recipe).map_or(BTreeMap::new(), |tables: Tables| tables.muscles.muscle);
        Self(names.into_keys().map(|name| (name.as_ref().clone(), line(name.span().start))).collect())
    }
}
