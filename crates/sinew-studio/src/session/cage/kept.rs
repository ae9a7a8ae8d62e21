//! The cages that were built for a page.

use crate::error::Result;
use sinew::cage::{Cage, CageOptions};
use sinew::recipe::{CageRecipe, MarkerPlace};
use sinew_tasks::cage::{BuildReport, Caged};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many are kept: the one in use, and what undo goes back to.
const MOST: usize = 4;

/// What the surface of a cage is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceKey {
    character: String,
    options: CageOptions,
}

/// What a cage is made from. Recipes that differ in nothing else share one.
#[derive(Debug, Clone, PartialEq)]
pub struct CageKey {
    pub surface: SurfaceKey,
    markers: BTreeMap<String, MarkerPlace>,
}

impl CageKey {
    pub fn new(character: &str, recipe: &CageRecipe) -> Self {
        let surface = SurfaceKey { character: character.into(), options: recipe.cage_options() };
        Self { surface, markers: recipe.markers.clone() }
    }
}

/// The surface of a cage, and what it took to build it.
pub struct Surface {
    pub cage: Cage,
    pub milliseconds: f64,
}

/// A cage with what is known of it.
pub struct Built {
    pub caged: Caged,
    pub report: BuildReport,
}

/// Cages by what they are made from, shared with the jobs that build them. Surfaces are kept apart: they take most of the
/// time, and another marker needs only other tetrahedra.
#[derive(Default)]
pub struct Cages {
    surfaces: Recent<SurfaceKey, Surface>,
    built: Recent<CageKey, Built>,
}

impl Cages {
    /// The cage that was made from that, if it is still there.
    pub fn find(&self, key: &CageKey) -> Option<Arc<Built>> {
        self.built.find(key)
    }

    /// Keeps a cage.
    pub fn keep(&self, key: CageKey, built: Built) -> Arc<Built> {
        self.built.keep(key, built)
    }

    /// The surface that was made from that, or a new one.
    pub fn surface(&self, key: &SurfaceKey, build: impl FnOnce() -> Result<Surface>) -> Result<Arc<Surface>> {
        match self.surfaces.find(key) {
            Some(surface) => Ok(surface),
            None => Ok(self.surfaces.keep(key.clone(), build()?)),
        }
    }
}

/// The last few of something, by what they are made from; the one used last is last.
struct Recent<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, V> Recent<K, V> {
    /// Keeps one more; the one used longest ago goes.
    fn keep(&self, key: K, value: V) -> Arc<V> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| *known != key);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        let value = Arc::new(value);
        kept.push((key, value.clone()));
        value
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        kept[place..].rotate_left(1);
        kept.last().map(|(_, value)| value.clone())
    }
}
