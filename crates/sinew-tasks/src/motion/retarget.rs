//! A motion of one character, played on another.

use crate::{Context, Result};
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::rig::anatomy::names::{BodyPart, Limb, Side};
use sinew::rig::{Anatomy, Character, Clip};

/// A retargeted clip.
#[derive(Debug, Clone)]
pub struct Retargeted {
    /// The clip, for the target character.
    pub clip: Clip,
    /// The matching of joints, in a sentence.
    pub matching: String,
}

/// Retargets a clip of one character to another. Joints are matched by name, or by a `table` in TOML.
pub fn retarget(
    motion: &Character,
    clip: &Clip,
    character: &Character,
    table: Option<&str>,
    fps: f64,
) -> Result<Retargeted> {
    JointMatch::new(motion, character, table)?.retarget(clip, fps)
}

/// A warning if one body stands upright and the other on four legs, with what its arm follows. A table is the user's own
/// decision.
pub fn posture_warning(motion: &Character, character: &Character, table: Option<&str>) -> Option<String> {
    let is_upright = |body: &Character| Anatomy::of(&body.skeleton)?.is_upright(&body.skeleton);
    let (from, to) = (is_upright(motion)?, is_upright(character)?);
    if from == to || table.is_some() {
        return None;
    }
    let stance = |upright| if upright { "upright" } else { "on four legs" };
    let is_arm = |part: &BodyPart| matches!(part, BodyPart::Limb(limb, Side::Left) if *limb <= Limb::Hand);
    let limbs = Anatomy::of(&character.skeleton)?.limbs;
    let arm: Vec<usize> = limbs.iter().filter(|(part, _)| is_arm(part)).map(|(_, &joint)| joint).collect();
    let name = |body: &Character, joint: usize| body.skeleton.joints()[joint].name.clone();
    let mapping = Mapping::automatic(&motion.skeleton, &character.skeleton).ok()?;
    let pairs = mapping.pairs().iter().filter(|pair| arm.contains(&pair.target));
    let pairs = pairs.map(|pair| format!("{} follows {}", name(character, pair.target), name(motion, pair.source)));
    Some(format!(
        "the motion's body stands {}, the character {}; {}; a table of joints can match them otherwise",
        stance(from),
        stance(to),
        pairs.collect::<Vec<_>>().join(", ")
    ))
}

/// Two characters whose joints are matched.
pub(crate) struct JointMatch<'a> {
    motion: &'a Character,
    character: &'a Character,
    mapping: Mapping,
    /// The retargeter from the first to the second.
    pub transfer: Retargeter,
}

impl<'a> JointMatch<'a> {
    /// Matches joints by name, or by a `table` in TOML.
    pub fn new(motion: &'a Character, character: &'a Character, table: Option<&str>) -> Result<Self> {
        let mapping = match table {
            Some(table) => {
                Mapping::from_table(table, &motion.skeleton, &character.skeleton).context("the table does not fit")?
            }
            None => Mapping::automatic(&motion.skeleton, &character.skeleton)
                .with_context(|| format!("it cannot be played on \"{}\"", character.name))?,
        };
        let transfer = Retargeter::new(&motion.skeleton, character, &mapping)?;
        Ok(Self { motion, character, mapping, transfer })
    }

    /// A clip of the first, for the second.
    pub fn retarget(&self, clip: &Clip, fps: f64) -> Result<Retargeted> {
        let clip = self.transfer.clip(clip, &self.motion.base_pose, fps)?;
        Ok(Retargeted { clip, matching: matching(self.character, self.motion, &self.mapping, &self.transfer) })
    }

    /// The joint of the second that follows one of the first.
    pub fn partner(&self, joint: usize) -> Option<usize> {
        self.mapping.pairs().iter().find(|pair| pair.source == joint).map(|pair| pair.target)
    }
}

fn matching(character: &Character, motion: &Character, mapping: &Mapping, transfer: &Retargeter) -> String {
    let name = |j: &usize| character.skeleton.joints()[*j].name.as_str();
    let unmatched = mapping.unmapped_targets(&character.skeleton);
    let unmatched: Vec<&str> = unmatched.iter().map(name).collect();
    let rest = match unmatched.len() {
        0 => String::new(),
        count @ 1..=8 => format!("; {count} of the character stay at rest: {}", unmatched.join(", ")),
        count => format!("; {count} of the character stay at rest: {}, …", unmatched[..8].join(", ")),
    };
    format!(
        "{} of {} joints matched, steps scaled by {:.4}{rest}",
        mapping.pairs().len(),
        motion.joints().count(),
        transfer.scale()
    )
}
