//! The cache of cages of a page.

use crate::error::Result;
use sinew::cage::{Cage, CageOptions};
use sinew::recipe::{CageRecipe, MarkerPlace};
use sinew_tasks::cage::{BuildReport, Caged};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of cached cages: the one in use, and those for undo.
const CAPACITY: usize = 4;

/// The inputs of the surface of a cage.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceKey {
    character: String,
    options: CageOptions,
}

/// The inputs of a cage. Recipes with the same inputs share one.
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

/// The surface of a cage, and the time of building it.
pub struct Surface {
    pub cage: Cage,
    pub milliseconds: f64,
}

/// A cage with its report.
pub struct Built {
    pub caged: Caged,
    pub report: BuildReport,
}

/// Cages by their inputs, shared with the jobs that build them. Surfaces have a cache of their own: they take most of
/// the time, and another marker needs only other tetrahedra.
#[derive(Default)]
pub struct Cages {
    surfaces: Recent<SurfaceKey, Surface>,
    built: Recent<CageKey, Built>,
}

impl Cages {
    /// The cage with these inputs, if it is in the cache.
    pub fn find(&self, key: &CageKey) -> Option<Arc<Built>> {
        self.built.find(key)
    }

    /// Adds a cage.
    pub fn insert(&self, key: CageKey, built: Built) -> Arc<Built> {
        self.built.insert(key, built)
    }

    /// The surface with these inputs; it is built if it is not in the cache.
    pub fn surface(&self, key: &SurfaceKey, build: impl FnOnce() -> Result<Surface>) -> Result<Arc<Surface>> {
        match self.surfaces.find(key) {
            Some(surface) => Ok(surface),
            None => Ok(self.surfaces.insert(key.clone(), build()?)),
        }
    }
}

/// A small cache, in order of use, the most recent last.
struct Recent<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq, V> Recent<K, V> {
    /// Adds a value and drops the least recently used one.
    fn insert(&self, key: K, value: V) -> Arc<V> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|(known, _)| *known != key);
        if entries.len() >= CAPACITY {
            entries.remove(0);
        }
        let value = Arc::new(value);
        entries.push((key, value.clone()));
        value
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = entries.iter().position(|(known, _)| known == key)?;
        entries[place..].rotate_left(1);
        entries.last().map(|(_, value)| value.clone())
    }
}
