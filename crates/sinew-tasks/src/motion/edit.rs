//! A recipe's edits of a clip: names are resolved to joints, and missed pins are reported.

use crate::{Context, Error, Result, find};
use glam::{DQuat, DVec3};
use sinew::motion::edit::{EditReport, JointLimit, MotionEdit, MotionEditOptions, Pin, PinReport};
use sinew::recipe::{MotionRecipe, PinRecipe};
use sinew::rig::{Character, Clip};

/// Frames per second of clips whose own frames are not evenly spaced: the default rate of a bake.
const DEFAULT_FPS: f64 = 30.0;

/// A pin that is missed by less than this share of the body's size is met.
const MET: f64 = 1e-3;

/// An edited clip.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The clip with the edit in it.
    pub clip: Clip,
    /// The engine's report.
    pub report: EditReport,
    /// A sentence for each missed pin.
    pub missed: Vec<String>,
}

/// The frames per second at which a clip is edited: its own, where it has some.
pub fn frame_rate(clip: &Clip) -> f64 {
    clip.frame_rate().unwrap_or(DEFAULT_FPS)
}

/// The last frame of a clip at a rate.
pub fn last_frame(clip: &Clip, fps: f64) -> Result<usize> {
    Ok(clip.frame_times(fps)?.len() - 1)
}

/// A clip with its range, pins and limits, ready to be solved.
pub fn prepared<'a>(
    character: &'a Character,
    clip: &'a Clip,
    up: DVec3,
    recipe: &MotionRecipe,
) -> Result<MotionEdit<'a>> {
    let fps = frame_rate(clip);
    let [first, last] = match recipe.range {
        Some(range) => range,
        None => [0, last_frame(clip, fps)?],
    };
    let options = MotionEditOptions {
        up,
        stay: recipe.stay,
        keep_contacts: recipe.keep_contacts,
        free_start: recipe.free_start,
        free_end: recipe.free_end,
        ..MotionEditOptions::default()
    };
    let mut edit = MotionEdit::new(&character.skeleton, &character.base_pose, clip, fps, first..=last, options)?;
    for (k, pin) in recipe.pins.iter().enumerate() {
        if let Some(other) =
            recipe.pins[..k].iter().find(|other| (&other.joint, other.frame) == (&pin.joint, pin.frame))
        {
            return Err(Error::PinnedTwice { joint: other.joint.clone(), frame: other.frame });
        }
        let what = || format!("the pin of \"{}\" in frame {}", pin.joint, pin.frame);
        let pin = resolved(character, &edit, pin).with_context(what)?;
        edit.pin(pin).with_context(what)?;
    }
    for (name, limit) in &recipe.limits {
        let [swing_rad, twist_rad] = [limit.swing, limit.twist].map(f64::to_radians);
        edit.limit(JointLimit { joint: find::joint(character, name)?, swing_rad, twist_rad })?;
    }
    Ok(edit)
}

/// Edits a clip by a recipe.
pub fn edited(character: &Character, clip: &Clip, up: DVec3, recipe: &MotionRecipe) -> Result<Edited> {
    solved(&mut prepared(character, clip, up, recipe)?, character, clip, up, recipe)
}

fn solved(
    edit: &mut MotionEdit<'_>,
    character: &Character,
    clip: &Clip,
    up: DVec3,
    recipe: &MotionRecipe,
) -> Result<Edited> {
    let report = edit.solve()?;
    let missed = missed(character, clip, up, recipe, &report);
    Ok(Edited { clip: edit.clip(), report, missed })
}

/// An edit for pins that are dragged: everything that does not depend on their positions is prepared once.
pub struct LiveEdit {
    edit: MotionEdit<'static>,
    recipe: MotionRecipe,
}

impl LiveEdit {
    /// Prepares a recipe's edit of a clip.
    pub fn new(character: &Character, clip: &Clip, up: DVec3, recipe: &MotionRecipe) -> Result<Self> {
        Ok(Self { edit: prepared(character, clip, up, recipe)?.into_owned(), recipe: recipe.clone() })
    }

    /// Drags the pins to where another recipe has them. False where the recipes differ in more, and a new edit is
    /// needed.
    pub fn drag(&mut self, character: &Character, recipe: &MotionRecipe) -> Result<bool> {
        if without_positions(&self.recipe) != without_positions(recipe) {
            return Ok(false);
        }
        for (number, pin) in recipe.pins.iter().enumerate() {
            let position = resolved(character, &self.edit, pin)?.position;
            self.edit.drag(number, position)?;
        }
        self.recipe = recipe.clone();
        Ok(true)
    }

    /// Edits the same clip of the same character with the pins where they are now.
    pub fn solve(&mut self, character: &Character, clip: &Clip, up: DVec3) -> Result<Edited> {
        solved(&mut self.edit, character, clip, up, &self.recipe)
    }
}

/// The recipe without the positions of its pins.
fn without_positions(recipe: &MotionRecipe) -> MotionRecipe {
    let pins = recipe.pins.iter().map(|pin| PinRecipe { position: None, offset: None, ..pin.clone() }).collect();
    MotionRecipe { pins, ..recipe.clone() }
}

fn resolved(character: &Character, edit: &MotionEdit<'_>, pin: &PinRecipe) -> Result<Pin> {
    let joint = find::joint(character, &pin.joint)?;
    let (first, last) = edit.range().into_inner();
    let outside = || Error::PinOutsideRange { frame: pin.frame, first, last };
    let source = edit.source_position(joint, pin.frame).ok_or_else(outside)?;
    let position = match (pin.position, pin.offset) {
        (Some(position), None) => DVec3::from(position),
        (None, Some(offset)) => source + DVec3::from(offset),
        _ => return Err(Error::PinGoal),
    };
    let orientation = match pin.turn {
        Some(turn) => {
            let axis = DVec3::from(turn.axis).try_normalize().ok_or(Error::PinAxis)?;
            let rotation = edit.source_rotation(joint, pin.frame).ok_or_else(outside)?;
            Some((DQuat::from_axis_angle(axis, turn.degrees.to_radians()) * rotation).normalize())
        }
        None => None,
    };
    Ok(Pin { joint, frame: pin.frame, position, orientation })
}

/// A sentence for each missed pin. A pin that would be met without the others of its frame contradicts them.
fn missed(character: &Character, clip: &Clip, up: DVec3, recipe: &MotionRecipe, report: &EditReport) -> Vec<String> {
    let size = extent(character);
    let is_missed = |pin: &PinReport| pin.residual > MET * size;
    let name = |pin: &Pin| character.skeleton.joints()[pin.joint].name.as_str();
    let mut sentences = Vec::new();
    for (k, pin) in report.pins.iter().enumerate().filter(|(_, pin)| is_missed(pin)) {
        let Pin { frame, .. } = pin.pin;
        let others: Vec<String> = report
            .pins
            .iter()
            .filter(|other| other.pin.frame == frame && *other != pin)
            .map(|other| format!("\"{}\"", name(&other.pin)))
            .collect();
        let is_met_alone = || {
            let recipe = MotionRecipe { pins: vec![recipe.pins.get(k)?.clone()], ..recipe.clone() };
            let report = prepared(character, clip, up, &recipe).ok()?.solve().ok()?;
            report.pins.first().map(|pin| !is_missed(pin))
        };
        let why = match &others[..] {
            [_, ..] if is_met_alone() == Some(true) => {
                format!("it contradicts the pins of {} in that frame", others.join(", "))
            }
            _ if !recipe.limits.is_empty() && report.limited > 0 => {
                "it is out of reach, or a limit keeps it away".into()
            }
            _ => "it is out of reach".into(),
        };
        sentences.push(format!("\"{}\" misses its pin in frame {frame} by {:.4}: {why}", name(&pin.pin), pin.residual));
    }
    sentences
}

/// The largest extent of a skeleton at rest.
pub fn extent(character: &Character) -> f64 {
    let world = character.skeleton.rest_world();
    let places = || character.joints().map(|joint| world[joint].translation);
    let [low, high] = [places().reduce(DVec3::min), places().reduce(DVec3::max)].map(Option::unwrap_or_default);
    (high - low).max_element()
}
