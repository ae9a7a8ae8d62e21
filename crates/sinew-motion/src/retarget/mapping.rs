//! The mapping from the joints of a motion to those of a character.
//!
//! Two humanoids are matched part by part, spines and necks by their order along the chain, and what
//! is left by equal names. Other skeletons are matched by equal names alone. A table in TOML overrides
//! any of it:
//!
//! ```toml
//! root_scale = 1.0          # times the scale that the legs' lengths give
//! [joints]
//! "upperarm01.L" = "LeftArm"  # character = motion
//! "jaw" = false               # stays at rest
//! ```

use crate::{Error, Result};
use serde::Deserialize;
use sinew_rig::Anatomy;
use sinew_rig::anatomy::names::{BodyPart, Digit};
use sinew_rig::{JointKind, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A joint that follows another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Joint of the motion's skeleton.
    pub source: usize,
    /// Joint of the character's skeleton.
    pub target: usize,
    /// The part of the body that they are.
    pub part: Option<BodyPart>,
}

/// Pairs of joints, by the character's order; each joint of the character is in one pair at most.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    pairs: Vec<Pair>,
    root_scale: f64,
}

impl Mapping {
    /// Matches two skeletons by anatomy and names.
    pub fn automatic(source: &Skeleton, target: &Skeleton) -> Result<Self> {
        let parts = Parts::of(source, target);
        let found = parts.match_joints(source, target);
        if found.is_empty() {
            return Err(Error::Mapping(
                "too few joints of the motion match the character's by name; give a table with [joints], \
                 \"character joint\" = \"motion joint\""
                    .into(),
            ));
        }
        Ok(parts.mapping(&found, 1.0))
    }

    /// The automatic mapping with the changes of a TOML table.
    pub fn from_table(table: &str, source: &Skeleton, target: &Skeleton) -> Result<Self> {
        let table: Table = toml::from_str(table).map_err(|error| Error::Mapping(error.to_string()))?;
        let parts = Parts::of(source, target);
        let mut found = parts.match_joints(source, target);
        for (character_joint, motion_joint) in &table.joints {
            let target_index = find(target, character_joint, "the character")?;
            match motion_joint {
                Entry::Joint(name) if !name.is_empty() => {
                    found.insert(target_index, find(source, name, "the motion")?);
                }
                Entry::Joint(_) | Entry::Mapped(false) => {
                    found.remove(&target_index);
                }
                Entry::Mapped(true) => {
                    return Err(Error::Mapping(format!(
                        "\"{character_joint}\" = true means nothing; give the motion's joint, or false"
                    )));
                }
            }
        }
        if found.is_empty() {
            return Err(Error::Mapping("the table leaves no joint of the character to move".into()));
        }
        if !(table.root_scale > 0.0 && table.root_scale.is_finite()) {
            return Err(Error::Mapping(format!("root_scale must be above 0, not {}", table.root_scale)));
        }
        Ok(parts.mapping(&found, table.root_scale))
    }

    /// The effective mapping as a table that [`Self::from_table`] reads back: every joint of the
    /// character, those that stay at rest as `false`.
    pub fn to_table(&self, source: &Skeleton, target: &Skeleton) -> String {
        let mut text = format!("root_scale = {:?}\n\n# character = motion\n[joints]\n", self.root_scale);
        let mut written = BTreeSet::new();
        for (index, joint) in target.joints().iter().enumerate() {
            // Of several joints with one name a table can only mean the first.
            if joint.kind != JointKind::Joint || !written.insert(&joint.name) {
                continue;
            }
            let key = toml::Value::from(joint.name.as_str());
            let pair = self.pairs.iter().find(|p| p.target == index);
            let value = pair.map_or(toml::Value::from(false), |p| source.joints()[p.source].name.as_str().into());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key} = {value}");
        }
        text
    }

    /// The pairs, by the character's order.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The factor of the automatic scale of the root's movement.
    pub fn root_scale(&self) -> f64 {
        self.root_scale
    }

    /// The pair that moves the body as a whole: the pelvis, or the first pair.
    pub fn root(&self) -> Option<Pair> {
        self.of_part(BodyPart::Pelvis).or_else(|| self.pairs.first().copied())
    }

    /// The first pair of a body part.
    pub fn of_part(&self, part: BodyPart) -> Option<Pair> {
        self.pairs.iter().copied().find(|p| p.part == Some(part))
    }

    /// Joints of the character that follow none of the motion's.
    pub fn unmapped_targets(&self, target: &Skeleton) -> Vec<usize> {
        unmapped(target, self.pairs.iter().map(|p| p.target))
    }

    /// Joints of the motion that move none of the character's.
    pub fn unmapped_sources(&self, source: &Skeleton) -> Vec<usize> {
        unmapped(source, self.pairs.iter().map(|p| p.source))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default = "one")]
    root_scale: f64,
    #[serde(default)]
    joints: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Joint(String),
    Mapped(bool),
}

fn one() -> f64 {
    1.0
}

/// The body parts of the joints of both skeletons, by their names.
struct Parts {
    source: Option<Anatomy>,
    target: Option<Anatomy>,
}

impl Parts {
    fn of(source: &Skeleton, target: &Skeleton) -> Self {
        Self { source: Anatomy::of(source), target: Anatomy::of(target) }
    }

    /// Target and source joints of the automatic mapping, empty when too little matches.
    fn match_joints(&self, source: &Skeleton, target: &Skeleton) -> BTreeMap<usize, usize> {
        let mut found = BTreeMap::new();
        let mut trunks = [BTreeSet::new(), BTreeSet::new()];
        let humanoids = self.source.as_ref().zip(self.target.as_ref());
        if let Some((from, to)) = humanoids {
            found = match_anatomies(from, to);
            trunks = [from, to].map(Anatomy::trunk);
        }
        let mut used: BTreeSet<usize> = found.values().copied().chain(trunks[0].iter().copied()).collect();
        for target_index in unmapped(target, found.keys().copied().chain(trunks[1].iter().copied())) {
            let same = source.find(&target.joints()[target_index].name);
            if let Some(source_index) = same.filter(|&s| source.joints()[s].kind == JointKind::Joint && used.insert(s))
            {
                found.insert(target_index, source_index);
            }
        }
        // A horse and a man both have hips and a head; that is not enough.
        let [from, to] = [source, target].map(|skeleton| unmapped(skeleton, std::iter::empty()).len());
        if humanoids.is_none() && 2 * found.len() < from.min(to) {
            found.clear();
        }
        found
    }

    fn mapping(&self, found: &BTreeMap<usize, usize>, root_scale: f64) -> Mapping {
        let pairs = found.iter().map(|(&target, &source)| Pair { source, target, part: self.part(source, target) });
        Mapping { pairs: pairs.collect(), root_scale }
    }

    /// The character's anatomy decides; the motion's helps where the character has none.
    fn part(&self, source: usize, target: usize) -> Option<BodyPart> {
        match &self.target {
            Some(anatomy) => anatomy.part(target),
            None => self.source.as_ref().and_then(|anatomy| anatomy.part(source)),
        }
    }
}

fn match_anatomies(source: &Anatomy, target: &Anatomy) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::from([(target.pelvis, source.pelvis)]);
    found.extend(match_chains(&source.spine, &target.spine));
    found.extend(match_chains(&source.neck, &target.neck));
    found.extend(target.head.zip(source.head));
    for (&part, &joint) in &target.limbs {
        // Skeletons with one finger for all call it as they like.
        let stand_in = match part {
            BodyPart::Finger(Digit::All, joint, side) => Some(BodyPart::Finger(Digit::Index, joint, side)),
            BodyPart::Finger(Digit::Index, joint, side) => Some(BodyPart::Finger(Digit::All, joint, side)),
            _ => None,
        };
        let same = source.limbs.get(&part).or_else(|| source.limbs.get(&stand_in?));
        if let Some(&source_joint) = same {
            found.insert(joint, source_joint);
        }
    }
    found
}

/// Pairs of (target, source) along two chains: the last joints are a pair, and as many others as the
/// shorter chain has are spread evenly.
fn match_chains(source: &[usize], target: &[usize]) -> Vec<(usize, usize)> {
    let count = source.len().min(target.len());
    let spread = |chain: &[usize], k: usize| chain[(k + 1) * chain.len() / count - 1];
    (0..count).map(|k| (spread(target, k), spread(source, k))).collect()
}

fn unmapped(skeleton: &Skeleton, mapped: impl Iterator<Item = usize>) -> Vec<usize> {
    let mapped: BTreeSet<usize> = mapped.collect();
    let joints = skeleton.joints().iter().enumerate();
    joints.filter(|(i, j)| j.kind == JointKind::Joint && !mapped.contains(i)).map(|(i, _)| i).collect()
}

fn find(skeleton: &Skeleton, name: &str, whose: &str) -> Result<usize> {
    skeleton.find(name).ok_or_else(|| {
        let names = skeleton.joints().iter().map(|j| j.name.as_str()).filter(|n| !n.is_empty());
        let nearest = names.min_by_key(|known| edit_distance(name, known));
        let hint = nearest.map_or(String::new(), |known| format!("; did you mean \"{known}\"?"));
        Error::Mapping(format!("{whose} has no joint \"{name}\"{hint}"))
    })
}

/// How many letters to add, drop or change, in any case (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.to_lowercase().chars().collect::<Vec<char>>());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_different_length_end_together() {
        assert_eq!(match_chains(&[1, 2, 3], &[7, 8, 9]), [(7, 1), (8, 2), (9, 3)]);
        assert_eq!(match_chains(&[1, 2, 3], &[7]), [(7, 3)]);
        assert_eq!(match_chains(&[1, 2], &[5, 6, 7, 8]), [(6, 1), (8, 2)]);
        assert_eq!(match_chains(&[1, 2, 3, 4], &[5, 6]), [(5, 2), (6, 4)]);
        assert_eq!(match_chains(&[], &[5]), []);
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(edit_distance("LeftArm", "leftarm"), 0);
        assert_eq!(edit_distance("LeftArn", "LeftForeArm"), 5);
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
