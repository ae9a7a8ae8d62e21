//! A character's stages, with their slow preparation cached.
//!
//! The cache has the fields of the character's limbs and the tables of the operators, in a file of their own for each
//! character and its settings. Its name is the checksum of all they depend on, so a file is found again wherever the
//! character lies and whatever it is called. A file that does not match is rebuilt; nothing read from one is used for
//! another character.

use crate::failure::Result;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::recipe::Recipe;
use sinew::rig::Character;
use sinew::{Stack, StackOptions};
use sinew_io::AtomicFile;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The extension of cache files.
const EXTENSION: &str = "sinew-fields";

/// The most bytes of a cache; beyond, the files that were not used for longest are removed. A character has some 10 MB.
const MAX_BYTES: u64 = 1 << 29;

/// Where caches are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cache {
    /// Nothing is read or written.
    Off,
    /// In a folder, which is made when it is needed.
    Folder(PathBuf),
}

impl Cache {
    /// The folder of this user's caches; off where the system has none.
    fn of_user() -> Self {
        let folders = directories::ProjectDirs::from("", "", "sinew");
        folders.map_or(Self::Off, |folders| Self::Folder(folders.cache_dir().into()))
    }

    /// The value of an option, `off` or a folder; this user's without one.
    pub fn chosen(option: Option<&Path>) -> Self {
        match option {
            None => Self::of_user(),
            Some(word) if word == Path::new("off") => Self::Off,
            Some(folder) => Self::Folder(folder.into()),
        }
    }

    /// Builds the stages of a recipe for a character. A cache that cannot be read or written changes nothing but the
    /// time.
    pub fn build_stack(&self, character: &Character, recipe: &Recipe) -> Result<Stack> {
        let options = StackOptions::from(recipe);
        let implicit = options.implicit_skin().filter(|(implicit, _)| implicit.keep);
        let Some((folder, (implicit, _))) = self.folder().zip(implicit) else {
            return Ok(Stack::new(character, recipe)?);
        };
        let key = ImplicitDeformer::cache_key(character, &implicit)?;
        let path = folder.join(format!("{key:016x}.{EXTENSION}"));
        let bytes = read(&path);
        let stack = Stack::with_cache(character, recipe, &bytes)?;
        let now = stack.get::<ImplicitDeformer>().map_or_else(Vec::new, |deformer| deformer.to_bytes());
        if now != bytes {
            // A folder without write permission is no reason to stop.
            let _ = std::fs::create_dir_all(folder);
            let _ = AtomicFile::write(&path, &now);
            remove_oldest(folder, MAX_BYTES);
        }
        Ok(stack)
    }

    /// Removes all files of the cache, and returns how many and how many bytes they had.
    pub fn clear(&self) -> (usize, u64) {
        let files = self.folder().map_or_else(Vec::new, files);
        let removed: Vec<u64> =
            files.iter().filter(|file| std::fs::remove_file(&file.path).is_ok()).map(|file| file.bytes).collect();
        (removed.len(), removed.iter().sum())
    }

    /// The folder, unless nothing is cached.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Off => None,
            Self::Folder(folder) => Some(folder),
        }
    }
}

/// The bytes of a cache file, which counts as used; none of anything that is too large for one.
fn read(path: &Path) -> Vec<u8> {
    let is_cache = path.metadata().is_ok_and(|found| found.is_file() && found.len() <= MAX_BYTES);
    if !is_cache {
        return Vec::new();
    }
    if let Ok(file) = std::fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
    std::fs::read(path).unwrap_or_default()
}

/// A file of a cache.
struct CacheFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// The cache files of a folder.
fn files(folder: &Path) -> Vec<CacheFile> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: std::fs::DirEntry| {
        let (path, found) = (entry.path(), entry.metadata().ok()?);
        let is_cache = found.is_file() && path.extension().is_some_and(|extension| extension == EXTENSION);
        is_cache.then(|| Some(CacheFile { path, bytes: found.len(), used: found.modified().ok()? }))?
    };
    entries.filter_map(file).collect()
}

/// Removes the files that were not used for longest, until at most so many bytes are left.
fn remove_oldest(folder: &Path, most: u64) {
    let mut files = files(folder);
    files.sort_by_key(|file| file.used);
    let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
    for file in files {
        if bytes <= most {
            break;
        }
        let _ = std::fs::remove_file(&file.path);
        bytes -= file.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::{Surface, Time, demo};
    use std::time::Duration;

    fn implicit() -> Recipe {
        let mut recipe = Recipe::default();
        recipe.implicit.on = true;
        recipe
    }

    #[test]
    fn the_second_start_reads_the_cache_and_damage_does_no_harm() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("made when needed");
        let cache = Cache::Folder(folder.clone());
        let (tube, recipe) = (demo::tube(), implicit());
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation *= glam::DQuat::from_rotation_x(-2.0);
        let deformed = || {
            let mut surface = Surface::default();
            cache.build_stack(&tube, &recipe).unwrap().deform(&pose, Time::default(), &mut surface);
            surface
        };
        let first = deformed();
        let [CacheFile { path, .. }] = &files(&folder)[..] else { panic!("one file is cached") };
        let cached = std::fs::read(path).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(path).unwrap(), cached);
        for damage in [0, 9, cached.len() / 2, cached.len() - 1] {
            let mut bytes = cached.clone();
            bytes[damage] ^= 1;
            std::fs::write(path, &bytes).unwrap();
            assert_eq!(deformed(), first);
        }
        std::fs::write(path, &cached[..cached.len() / 3]).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(path).unwrap(), cached, "and it is whole again");
        assert_eq!(cache.clear(), (1, cached.len() as u64));
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
    }

    #[test]
    fn what_a_field_depends_on_has_a_file_of_its_own() {
        let place = tempfile::tempdir().unwrap();
        let cache = Cache::Folder(place.path().into());
        let mut tube = demo::tube();
        cache.build_stack(&tube, &implicit()).unwrap();
        let mut other = implicit();
        other.implicit.samples = 30;
        cache.build_stack(&tube, &other).unwrap();
        tube.base_pose.joints[1].rotation *= glam::DQuat::from_rotation_x(-1.0);
        cache.build_stack(&tube, &implicit()).unwrap();
        assert_eq!(files(place.path()).len(), 3);
    }

    #[test]
    fn nothing_is_cached_if_the_recipe_or_the_user_disables_it() {
        let place = tempfile::tempdir().unwrap();
        let mut recipe = implicit();
        recipe.implicit.keep = false;
        Cache::Folder(place.path().into()).build_stack(&demo::tube(), &recipe).unwrap();
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        Cache::Off.build_stack(&demo::tube(), &implicit()).unwrap();
        assert_eq!(Cache::Off.clear(), (0, 0));
    }

    #[test]
    fn the_files_that_were_not_used_for_longest_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).with_extension(EXTENSION);
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (age, name) in ["old", "new", "older"].iter().zip([20, 30, 10]).map(|(name, age)| (age, name)) {
            std::fs::write(path(name), [0; 100]).unwrap();
            let file = std::fs::File::options().append(true).open(path(name)).unwrap();
            file.set_modified(start + Duration::from_secs(age)).unwrap();
        }
        std::fs::write(place.path().join("not ours.txt"), [0; 1000]).unwrap();
        remove_oldest(place.path(), 250);
        assert!(!path("older").exists() && path("old").exists() && path("new").exists());
        assert_eq!(read(&path("old")).len(), 100, "which counts as used");
        remove_oldest(place.path(), 100);
        assert!(path("old").exists() && !path("new").exists() && place.path().join("not ours.txt").exists());
    }
}
