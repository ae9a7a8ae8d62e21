//! The `[muscles]` table: which muscles are under the skin, what holds for all of them, and what is different
//! about single ones.

use crate::muscle::{DynamicsOptions, MuscleChange, MuscleSet, NamedFat, Sketched};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use sinew_settings::limits;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;

/// The `[muscles]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MuscleOptions {
    /// "off", "humanoid", "quadruped", or the file of a set.
    pub set: String,
    /// How much of what the muscles do the skin shows, 0 to 1.
    #[serde(deserialize_with = "limits::amount_of_muscles")]
    pub amount: f64,
    /// How much the motion itself activates muscles that have no keys, 0 to 1.
    #[serde(deserialize_with = "limits::auto")]
    pub auto: f64,
    /// How tense all muscles are that say nothing else, above 0 and up to 1; without it as the set has it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::muscle_stiffness")]
    pub stiffness: Option<f64>,
    /// The share of its velocity that a muscle keeps in 1/300 s, above 0 and up to 1.
    #[serde(deserialize_with = "limits::muscle_damping")]
    pub damping: f64,
    /// The share that it loses of what it slides over a bone in that time, 0 to 1.
    #[serde(deserialize_with = "limits::friction")]
    pub friction: f64,
    /// Whether the skin is kept from passing through itself where muscles swell.
    pub contacts: bool,
    /// Meshes that are left as they are.
    pub leave_out: Vec<String>,
    /// Meshes that are bones: muscles slide over them instead of over a capsule.
    pub bones: Vec<String>,
    /// What is different about single muscles, by name.
    pub muscle: BTreeMap<String, MuscleChange>,
    /// Fat beside that of the set.
    pub fat: Vec<NamedFat>,
    /// What the file that `set` names holds, for whoever reads it.
    #[serde(skip)]
    pub file: Option<Arc<MuscleSet>>,
    /// Where the recipe speaks of muscles, if it was read from a text.
    #[serde(skip)]
    pub lines: MuscleLines,
}

impl Default for MuscleOptions {
    fn default() -> Self {
        let DynamicsOptions { damping, friction, .. } = DynamicsOptions::default();
        Self {
            set: Self::OFF.into(),
            amount: 1.0,
            auto: 1.0,
            stiffness: None,
            damping,
            friction,
            contacts: true,
            leave_out: Vec::new(),
            bones: Vec::new(),
            muscle: BTreeMap::new(),
            fat: Vec::new(),
            file: None,
            lines: MuscleLines::default(),
        }
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

    /// All that is said of a muscle, whose full name has its side.
    pub fn change_of(&self, full_name: &str) -> MuscleChange {
        let about = self.changes().filter(|(name, _)| MuscleChange::concerns(name, full_name));
        about.fold(MuscleChange::default(), |known, (_, change)| known.overridden_by(change))
    }

    /// The changes in the order in which they count: what has the longer name says more exactly what it is about, such
    /// as one side or one head, and comes later.
    fn changes(&self) -> impl Iterator<Item = (&String, &MuscleChange)> {
        let mut changes: Vec<_> = self.muscle.iter().collect();
        changes.sort_by_key(|(name, _)| name.len());
        changes.into_iter()
    }

    /// What is wrong with a muscle, with the line of the recipe that speaks of it; where several do, the one that says
    /// most exactly what it is about.
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

/// The lines of a recipe's text at which muscles have their tables. Where it says something makes no difference to what
/// it says: any two are equal.
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
