//! A character's stages, with their slow preparation cached in a file next to the character's.
//!
//! The cache has the fields of the character's limbs and the tables of the operators. Both have a version and checksums
//! of their own. A cache that does not match is rebuilt.

use crate::Result;
use sinew::Stack;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::recipe::Recipe;
use sinew::rig::Character;
use sinew_io::AtomicFile;
use std::path::{Path, PathBuf};

/// The extension of cache files.
const EXTENSION: &str = "sinew-fields";

/// The path of the cache of a character's file.
pub fn path(file: &Path) -> PathBuf {
    file.with_extension(EXTENSION)
}

/// Builds the stages of a recipe for the character of a file. A cache that cannot be read or written changes nothing
/// but the time.
pub fn build_stack(character: &Character, recipe: &Recipe, file: &Path) -> Result<Stack> {
    if !(recipe.implicit.on && recipe.implicit.keep) {
        return Ok(Stack::new(character, recipe)?);
    }
    let path = path(file);
    let bytes = std::fs::read(&path).unwrap_or_default();
    let stack = Stack::with_cache(character, recipe, &bytes)?;
    let now = stack.get::<ImplicitDeformer>().map_or_else(Vec::new, |deformer| deformer.to_bytes());
    if now != bytes {
        // A folder without write permission is no reason to stop.
        let _ = AtomicFile::write(&path, &now);
    }
    Ok(stack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::{Surface, Time, demo};

    #[test]
    fn the_second_start_reads_the_cache_and_damage_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tube.glb");
        let tube = demo::tube();
        let mut recipe = Recipe::default();
        recipe.implicit.on = true;
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation *= glam::DQuat::from_rotation_x(-2.0);
        let deformed = || {
            let mut surface = Surface::default();
            build_stack(&tube, &recipe, &file).unwrap().deform(&pose, Time::default(), &mut surface);
            surface
        };
        let first = deformed();
        let cached = std::fs::read(path(&file)).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(path(&file)).unwrap(), cached);
        for damage in [0, 9, cached.len() / 2, cached.len() - 1] {
            let mut bytes = cached.clone();
            bytes[damage] ^= 1;
            std::fs::write(path(&file), &bytes).unwrap();
            assert_eq!(deformed(), first);
        }
        std::fs::write(path(&file), &cached[..cached.len() / 3]).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(path(&file)).unwrap(), cached, "and it is whole again");
    }

    #[test]
    fn nothing_is_cached_if_the_recipe_disables_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = Recipe::default();
        recipe.implicit.on = true;
        recipe.implicit.keep = false;
        build_stack(&demo::tube(), &recipe, &folder.path().join("tube.glb")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
