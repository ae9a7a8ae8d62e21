//! The motion of a frame: a clip, or the clip edited by a recipe's pins.

use super::pose::clip_of;
use crate::error::{Error, Result};
use sinew::recipe::MotionRecipe;
use sinew::rig::Clip;
use sinew_io::Asset;
use sinew_tasks::motion::edit::{Edited, LiveEdit, edited};
use std::borrow::Cow;
use std::sync::Arc;

/// The number of cached edits: those of the two recipes of a comparison.
const CAPACITY: usize = 2;

/// Edited clips. An edit is solved after a change of its recipe or its clip, not for every frame.
#[derive(Default)]
pub struct Edits {
    /// In order of use, the most recent last.
    cache: Vec<CachedEdit>,
    /// The character, the clip and the edit of the last solve.
    live: Option<(String, usize, LiveEdit)>,
}

struct CachedEdit {
    character: String,
    clip: usize,
    recipe: MotionRecipe,
    /// The edit, or the reason of its failure.
    outcome: Result<Arc<Edited>, String>,
}

impl Edits {
    /// A clip's edit; none without pins.
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
        let is_requested =
            |cached: &CachedEdit| (cached.character.as_str(), cached.clip) == (key, clip) && cached.recipe == *recipe;
        let known = match self.cache.iter().position(is_requested) {
            Some(place) => self.cache.remove(place),
            None => {
                let made = self.solve(asset, key, clip, recipe);
                let outcome = made.map(Arc::new).map_err(|error| error.sentence());
                CachedEdit { character: key.into(), clip, recipe: recipe.clone(), outcome }
            }
        };
        if self.cache.len() >= CAPACITY {
            self.cache.remove(0);
        }
        let outcome = known.outcome.clone();
        self.cache.push(known);
        outcome.map(Some).map_err(Error::MotionEdit)
    }

    /// Solves the current edit if only its pins have moved, or a new one.
    fn solve(&mut self, asset: &Asset, key: &str, clip: usize, recipe: &MotionRecipe) -> Result<Edited> {
        let (character, up) = (&asset.character, asset.up.direction());
        let source = clip_of(character, clip)?;
        let current = self.live.take().filter(|(of, number, _)| (of.as_str(), *number) == (key, clip));
        let dragged = match current {
            Some((_, _, mut live)) => live.drag(character, recipe)?.then_some(live),
            None => None,
        };
        let mut live = dragged.map_or_else(|| LiveEdit::new(character, source, up, recipe), Ok)?;
        let edited = live.solve(character, source, up)?;
        self.live = Some((key.into(), clip, live));
        Ok(edited)
    }

    /// The clip of a frame: edited, or unchanged if the edit fails.
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

/// The motion of a frame; without a clip, the bind pose.
#[derive(Default)]
pub struct Played<'a> {
    source: Option<&'a Clip>,
    edited: Option<Arc<Edited>>,
    /// The reason of a failed edit.
    pub problem: Option<String>,
}

impl Played<'_> {
    /// The shown motion.
    pub fn clip(&self) -> Option<&Clip> {
        self.edited.as_ref().map(|edited| &edited.clip).or(self.source)
    }

    /// The original motion, if an edit changes it.
    pub fn original(&self) -> Option<&Clip> {
        self.source.filter(|_| self.edited.is_some())
    }
}

/// A clip with a recipe's edit, for jobs.
pub fn edited_clip<'a>(asset: &'a Asset, clip: usize, recipe: &MotionRecipe) -> Result<Cow<'a, Clip>> {
    let source = clip_of(&asset.character, clip)?;
    if recipe.pins.is_empty() {
        return Ok(Cow::Borrowed(source));
    }
    Ok(Cow::Owned(edited(&asset.character, source, asset.up.direction(), recipe)?.clip))
}
