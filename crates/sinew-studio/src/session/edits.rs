//! Which motion is played? A clip, or what a recipe's pins make of it.

use super::pose::clip_of;
use crate::error::{Error, Result};
use sinew::recipe::MotionRecipe;
use sinew::rig::Clip;
use sinew_io::Asset;
use sinew_tasks::motion::edit::{Edited, LiveEdit, edited};
use std::borrow::Cow;
use std::sync::Arc;

/// How many edits are kept: those of two recipes that are seen beside each other.
const KEPT: usize = 2;

/// Clips as recipes change them. An edit is solved when its recipe or its clip becomes another, not for every frame.
#[derive(Default)]
pub struct Edits {
    /// The one that was asked for last is at the end.
    kept: Vec<Kept>,
    /// The character, the clip and the edit that was solved last.
    live: Option<(String, usize, LiveEdit)>,
}

struct Kept {
    character: String,
    clip: usize,
    recipe: MotionRecipe,
    /// The edit, or why it cannot be made.
    outcome: Result<Arc<Edited>, String>,
}

impl Edits {
    /// A clip's edit; none where nothing is pinned.
    pub fn find(
        &mut self,
        asset: &Asset,
        key: &str,
        clip: usize,
        recipe: &MotionRecipe,
    ) -> Result<Option<Arc<Edited>>> {
        if recipe.pins.is_empty() {
            return Ok(None);
        }
        let is_asked = |kept: &Kept| (kept.character.as_str(), kept.clip) == (key, clip) && kept.recipe == *recipe;
        let known = match self.kept.iter().position(is_asked) {
            Some(place) => self.kept.remove(place),
            None => {
                let made = self.solve(asset, key, clip, recipe);
                let outcome = made.map(Arc::new).map_err(|error| error.sentence());
                Kept { character: key.into(), clip, recipe: recipe.clone(), outcome }
            }
        };
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        let outcome = known.outcome.clone();
        self.kept.push(known);
        outcome.map(Some).map_err(Error::MotionEdit)
    }

    /// Solves the edit that is in hand, where only its pins have moved, or a new one.
    fn solve(&mut self, asset: &Asset, key: &str, clip: usize, recipe: &MotionRecipe) -> Result<Edited> {
        let (character, up) = (&asset.character, asset.up.direction());
        let source = clip_of(character, clip)?;
        let in_hand = self.live.take().filter(|(of, number, _)| (of.as_str(), *number) == (key, clip));
        let dragged = match in_hand {
            Some((_, _, mut live)) => live.drag(character, recipe)?.then_some(live),
            None => None,
        };
        let mut live = dragged.map_or_else(|| LiveEdit::new(character, source, up, recipe), Ok)?;
        let edited = live.solve(character, source, up)?;
        self.live = Some((key.into(), clip, live));
        Ok(edited)
    }

    /// What a frame shows of a clip: as it is edited, or as it is where the edit cannot be made.
    pub fn play<'a>(
        &mut self,
        asset: &'a Asset,
        key: &str,
        clip: Option<usize>,
        recipe: &MotionRecipe,
    ) -> Result<Played<'a>> {
        let Some(clip) = clip else { return Ok(Played::default()) };
        let source = Some(clip_of(&asset.character, clip)?);
        Ok(match self.find(asset, key, clip, recipe) {
            Ok(edited) => Played { source, edited, problem: None },
            Err(error) => Played { source, edited: None, problem: Some(error.sentence()) },
        })
    }
}

/// A clip that is played; none for the bind pose.
#[derive(Default)]
pub struct Played<'a> {
    source: Option<&'a Clip>,
    edited: Option<Arc<Edited>>,
    /// Why it is not edited, though it should be.
    pub problem: Option<String>,
}

impl Played<'_> {
    /// The motion that is seen.
    pub fn clip(&self) -> Option<&Clip> {
        self.edited.as_ref().map(|edited| &edited.clip).or(self.source)
    }

    /// The motion as it was, where an edit changes it.
    pub fn original(&self) -> Option<&Clip> {
        self.source.filter(|_| self.edited.is_some())
    }
}

/// A clip with a recipe's edit in it, for jobs.
pub fn edited_clip<'a>(asset: &'a Asset, clip: usize, recipe: &MotionRecipe) -> Result<Cow<'a, Clip>> {
    let source = clip_of(&asset.character, clip)?;
    if recipe.pins.is_empty() {
        return Ok(Cow::Borrowed(source));
    }
    Ok(Cow::Owned(edited(&asset.character, source, asset.up.direction(), recipe)?.clip))
}
