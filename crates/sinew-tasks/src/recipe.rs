//! A recipe from a file, with the sketches and the set of muscles that it names.

use crate::sketch::Drawing;
use crate::{Context, Error, Result, files};
use sinew::deform::muscle::MuscleSet;
use sinew::recipe::{MuscleOptions, Recipe};
use std::path::Path;
use std::sync::Arc;

/// Reads a recipe and the files it names, which are relative to its folder. Errors name the line.
pub fn load(path: &Path) -> Result<Recipe> {
    let text = files::read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    from_toml(&text, folder).with_context(|| format!("{} is not a valid recipe", path.display()))
}

/// Reads the text of a recipe and the files it names, relative to a folder. Errors name the line.
pub fn from_toml(text: &str, folder: &Path) -> Result<Recipe> {
    let mut recipe = Recipe::from_toml(text)?;
    let read = read_sketches(&mut recipe.muscles, folder).and_then(|()| read_muscle_set(&mut recipe.muscles, folder));
    read.map_err(|error| match error {
        Error::Engine(sinew::Error::Deform(error)) => recipe.muscles.at_line(error).into(),
        other => other,
    })?;
    Ok(recipe)
}

/// Reads the set of muscles that a recipe names, if it is a file in a folder, and checks the muscles.
pub fn read_muscle_set(muscles: &mut MuscleOptions, folder: &Path) -> Result<()> {
    if muscles.needs_file() {
        let path = folder.join(&muscles.set);
        if !path.is_file() {
            return Err(sinew::deform::Error::NoMuscleSet { set: muscles.set.clone() }.into());
        }
        let set = MuscleSet::from_toml(&files::read_text(&path)?);
        muscles.file = Some(Arc::new(set.with_context(|| format!("{} is no set of muscles", path.display()))?));
    }
    if muscles.is_on() {
        muscles.sets()?;
    }
    Ok(())
}

/// Fits profiles to the sketches that a recipe names, from files in a folder.
fn read_sketches(muscles: &mut MuscleOptions, folder: &Path) -> Result<()> {
    for (name, sketch) in muscles.unread_sketches() {
        let drawing = Drawing::load(&folder.join(&sketch.file));
        let refused = |error: sinew_io::Error| sinew::deform::Error::Muscle {
            muscle: name.clone(),
            why: format!("has no profile in its sketch {error}"),
        };
        sketch.fitted = Some(drawing.map_err(refused)?.fitted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_are_relative_to_the_recipe_and_errors_in_them_have_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let (recipe, drawing) = (folder.path().join("r.sinew.toml"), folder.path().join("a.svg"));
        let text = "[muscles]\nset = \"humanoid\"\n\n[muscles.muscle.soleus]\nsketch = \"a.svg\"\n";
        std::fs::write(&recipe, text).unwrap();
        let refusal = || load(&recipe).unwrap_err().one_sentence();
        assert!(refusal().contains("line 4, muscle \"soleus\"") && refusal().contains("a.svg"), "{}", refusal());
        std::fs::write(&drawing, "<svg><path d=\"M0 0L1 1\"/></svg>").unwrap();
        assert!(refusal().contains("no closed shape"), "{}", refusal());
        std::fs::write(&drawing, "<svg><path d=\"M0 0Q50 20 100 0Q50 -20 0 0z\"/></svg>").unwrap();
        let [left, _] = load(&recipe).unwrap().muscles.sets().unwrap();
        let soleus = left.muscles.iter().find(|muscle| muscle.name == "soleus").unwrap();
        assert_eq!(soleus.shape, [2, 2, 2, 2], "a parabola");
    }
}
