//! The opened files, for all pages of this engine.

use sinew_io::Asset;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest number of characters; the least recently used is dropped first.
const CAPACITY: usize = 24;

/// Opened characters by key. A key is made from the content, so the same file has the same key in every session.
#[derive(Debug, Default)]
pub struct OpenedCharacters {
    /// In order of use, the most recent last.
    opened: Mutex<Vec<(String, Arc<Asset>)>>,
}

impl OpenedCharacters {
    /// Adds a character.
    pub fn insert(&self, key: String, asset: Asset) -> Arc<Asset> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.retain(|(known, _)| *known != key);
        if opened.len() >= CAPACITY {
            opened.remove(0);
        }
        let asset = Arc::new(asset);
        opened.push((key, asset.clone()));
        asset
    }

    /// The character with that key, if it was not dropped.
    pub fn find(&self, key: &str) -> Option<Arc<Asset>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let place = opened.iter().position(|(known, _)| known == key)?;
        opened[place..].rotate_left(1);
        opened.last().map(|(_, asset)| asset.clone())
    }
}

/// A key for the content of all `parts`.
pub fn key_of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut halves = [DefaultHasher::new(), DefaultHasher::new()];
    halves[1].write_u8(1);
    for part in parts {
        halves.iter_mut().for_each(|half| part.hash(half));
    }
    halves.map(|half| format!("{:016x}", half.finish())).concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_io::Format;

    #[test]
    fn what_is_used_stays() {
        let characters = OpenedCharacters::default();
        let asset = || Asset::new(sinew::rig::Character::default(), Format::Glb);
        characters.insert("first".into(), asset());
        for k in 0..CAPACITY - 1 {
            characters.insert(k.to_string(), asset());
        }
        assert!(characters.find("first").is_some());
        characters.insert("one more".into(), asset());
        assert!(characters.find("first").is_some());
        assert!(characters.find("0").is_none());
    }

    #[test]
    fn keys_tell_contents_and_their_borders_apart() {
        let key = |parts: &[&str]| key_of(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
    }
}
