//! A recipe's edits on a clip: names become joints, and what was missed is said.

use crate::suggest::nearest;
use anyhow::{Context, Result, bail};
use glam::{DQuat, DVec3};
use serde::Serialize;
use sinew::motion_edit::{EditReport, JointLimit, MotionEdit, MotionEditOptions, Pin, PinReport};
use sinew::recipe::{MotionRecipe, PinRecipe};
use sinew::rig::{Character, Clip};

/// Frames per second of clips whose own frames are not evenly spaced.
const OTHERWISE_FPS: f64 = 30.0;

/// A pin that is missed by less than this share of the body's size is met.
const MET: f64 = 1e-3;

/// A clip that was edited.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The clip with the edit in it.
    pub clip: Clip,
    /// What came of it.
    pub report: EditReport,
    /// A sentence for each pin that was missed.
    pub missed: Vec<String>,
}

/// The frames per second at which a clip is edited: its own, where it has some.
pub fn frame_rate(clip: &Clip) -> f64 {
    clip.frame_rate().unwrap_or(OTHERWISE_FPS)
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
            bail!("\"{}\" is pinned twice in frame {}; remove one of the two pins", other.joint, other.frame);
        }
        let what = || format!("the pin of \"{}\" in frame {}", pin.joint, pin.frame);
        let pin = resolved(character, &edit, pin).with_context(what)?;
        edit.pin(pin).with_context(what)?;
    }
    for (name, limit) in &recipe.limits {
        let [swing_rad, twist_rad] = [limit.swing, limit.twist].map(f64::to_radians);
        edit.limit(JointLimit { joint: joint(character, name)?, swing_rad, twist_rad })?;
    }
    Ok(edit)
}

/// A clip as a recipe changes it.
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

/// An edit that is kept while its pins are dragged: what does not depend on where they are is made once.
pub struct LiveEdit {
    edit: MotionEdit<'static>,
    recipe: MotionRecipe,
}

impl LiveEdit {
    /// Prepares a recipe's edit of a clip.
    pub fn new(character: &Character, clip: &Clip, up: DVec3, recipe: &MotionRecipe) -> Result<Self> {
        Ok(Self { edit: prepared(character, clip, up, recipe)?.into_owned(), recipe: recipe.clone() })
    }

    /// Drags the pins to where another recipe has them. False where the recipes differ in more, and a new edit is needed.
    pub fn drag(&mut self, character: &Character, recipe: &MotionRecipe) -> Result<bool> {
        if without_places(&self.recipe) != without_places(recipe) {
            return Ok(false);
        }
        for (number, pin) in recipe.pins.iter().enumerate() {
            let position = resolved(character, &self.edit, pin)?.position;
            self.edit.drag(number, position)?;
        }
        self.recipe = recipe.clone();
        Ok(true)
    }

    /// The same character's same clip as the pins now change it.
    pub fn solve(&mut self, character: &Character, clip: &Clip, up: DVec3) -> Result<Edited> {
        solved(&mut self.edit, character, clip, up, &self.recipe)
    }
}

/// What stays of a recipe while its pins are dragged.
fn without_places(recipe: &MotionRecipe) -> MotionRecipe {
    let pins = recipe.pins.iter().map(|pin| PinRecipe { position: None, offset: None, ..pin.clone() }).collect();
    MotionRecipe { pins, ..recipe.clone() }
}

/// A joint by its name.
pub fn joint(character: &Character, name: &str) -> Result<usize> {
    let joints = || character.joints().map(|j| character.skeleton.joints()[j].name.as_str());
    match character.joints().find(|&j| character.skeleton.joints()[j].name == name) {
        Some(joint) => Ok(joint),
        None => bail!("there is no joint \"{name}\"{}", nearest(name, joints())),
    }
}

fn resolved(character: &Character, edit: &MotionEdit<'_>, pin: &PinRecipe) -> Result<Pin> {
    let joint = joint(character, &pin.joint)?;
    let outside = "the frame is not in the range";
    let source = edit.source_position(joint, pin.frame).context(outside)?;
    let position = match (pin.position, pin.offset) {
        (Some(position), None) => DVec3::from(position),
        (None, Some(offset)) => source + DVec3::from(offset),
        _ => bail!("a pin has either a position or an offset"),
    };
    let orientation = match pin.turn {
        Some(turn) => {
            let axis = DVec3::from(turn.axis).try_normalize().context("the axis of its turn has no direction")?;
            let rotation = edit.source_rotation(joint, pin.frame).context(outside)?;
            Some((DQuat::from_axis_angle(axis, turn.degrees.to_radians()) * rotation).normalize())
        }
        None => None,
    };
    Ok(Pin { joint, frame: pin.frame, position, orientation })
}

/// A sentence for each pin that was missed. A pin that would be met without the others of its frame contradicts them.
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
        let alone = || {
            let recipe = MotionRecipe { pins: vec![recipe.pins.get(k)?.clone()], ..recipe.clone() };
            let report = prepared(character, clip, up, &recipe).ok()?.solve().ok()?;
            report.pins.first().map(|pin| !is_missed(pin))
        };
        let why = match &others[..] {
            [_, ..] if alone() == Some(true) => format!("it contradicts what is pinned of {} there", others.join(", ")),
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

/// An edit's report for other programs.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Every pin, and how far it was missed.
    pub pins: Vec<PinSummary>,
    /// The feet that stand.
    pub contacts: Vec<ContactSummary>,
    /// `mean |‖v_i − v_j‖ / d_ij − 1|` over all segments of all frames.
    pub relative_distance_error: f64,
    /// The largest of these.
    pub largest_distance_error: f64,
    /// How often a joint was stopped by its limit.
    pub limited: usize,
    /// Turns of the alternation.
    pub iterations: usize,
    /// What there is to know.
    pub warnings: Vec<String>,
}

/// A pin and how far it was missed, in the file's units.
#[derive(Debug, Serialize)]
pub struct PinSummary {
    /// The joint.
    pub joint: String,
    /// The frame.
    pub frame: usize,
    /// Where it was to be.
    pub position: [f64; 3],
    /// How far it is from there.
    pub residual: f64,
}

/// A foot that stands.
#[derive(Debug, Serialize)]
pub struct ContactSummary {
    /// The joint.
    pub joint: String,
    /// Whether it is the tip of its bone that stands.
    pub tip: bool,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// How far it slides, in the file's units.
    pub slide: f64,
}

impl Summary {
    /// The report of an edit of a character's motion.
    pub fn new(character: &Character, report: &EditReport, warnings: Vec<String>) -> Self {
        let name = |joint: usize| character.skeleton.joints()[joint].name.clone();
        let pin = |PinReport { pin, residual }: &PinReport| PinSummary {
            joint: name(pin.joint),
            frame: pin.frame,
            position: pin.position.to_array(),
            residual: *residual,
        };
        let contact = |contact: &sinew::motion_edit::Contact| ContactSummary {
            joint: name(contact.joint),
            tip: contact.is_tip,
            first: *contact.frames.start(),
            last: *contact.frames.end(),
            slide: contact.slide,
        };
        Self {
            pins: report.pins.iter().map(pin).collect(),
            contacts: report.contacts.iter().map(contact).collect(),
            relative_distance_error: report.relative_distance_error,
            largest_distance_error: report.largest_distance_error,
            limited: report.limited,
            iterations: report.iterations,
            warnings,
        }
    }
}
