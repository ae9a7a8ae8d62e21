//! A character's stages, with what takes long to prepare kept beside it.
//!
//! The fields of a character's limbs and the tables of the operators go into one file. Both have a version and
//! checksums of their own, and what does not fit is made anew.

use anyhow::Result;
use sinew::Stack;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::recipe::Recipe;
use sinew::rig::Character;
use sinew_io::WriteAside;
use std::path::{Path, PathBuf};

/// The extension of such files.
const EXTENSION: &str = "sinew-fields";

/// Where the preparation of a character's file is kept.
pub fn place(file: &Path) -> PathBuf {
    file.with_extension(EXTENSION)
}

/// Builds the stages of a recipe for the character of a file. Where nothing can be kept, all is as if nothing had been.
pub fn stack(character: &Character, recipe: &Recipe, file: &Path) -> Result<Stack> {
    if !(recipe.implicit.on && recipe.implicit.keep) {
        return Ok(Stack::new(character, recipe)?);
    }
    let place = place(file);
    let bytes = std::fs::read(&place).unwrap_or_default();
    let stack = Stack::with_cache(character, recipe, &bytes)?;
    let now = stack.get::<ImplicitDeformer>().map_or_else(Vec::new, |stage| stage.to_bytes());
    if now != bytes {
        // A folder that nothing can be written into is no reason to stop.
        let _ = WriteAside::write(&place, &now);
    }
    Ok(stack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::{Surface, Time, demo};

    #[test]
    fn the_second_start_has_what_the_first_found_and_damage_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tube.glb");
        let tube = demo::tube();
        let mut recipe = Recipe::default();
        recipe.implicit.on = true;
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation *= glam::DQuat::from_rotation_x(-2.0);
        let deformed = || {
            let mut surface = Surface::default();
            stack(&tube, &recipe, &file).unwrap().deform(&pose, Time::default(), &mut surface);
            surface
        };
        let first = deformed();
        let kept = std::fs::read(place(&file)).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(place(&file)).unwrap(), kept);
        for damage in [0, 9, kept.len() / 2, kept.len() - 1] {
            let mut bytes = kept.clone();
            bytes[damage] ^= 1;
            std::fs::write(place(&file), &bytes).unwrap();
            assert_eq!(deformed(), first);
        }
        std::fs::write(place(&file), &kept[..kept.len() / 3]).unwrap();
        assert_eq!(deformed(), first);
        assert_eq!(std::fs::read(place(&file)).unwrap(), kept, "and it is whole again");
    }

    #[test]
    fn nothing_is_kept_where_nobody_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = Recipe::default();
        recipe.implicit.on = true;
        recipe.implicit.keep = false;
        stack(&demo::tube(), &recipe, &folder.path().join("tube.glb")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
