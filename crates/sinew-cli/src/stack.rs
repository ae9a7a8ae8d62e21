//! The options that say how a surface is deformed.

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use sinew::muscle::MuscleSet;
use sinew::recipe::{MuscleRecipe, Recipe, VolumeMethod};
use sinew::skin::SkinMethod;
use sinew_tasks::sketch::Drawing;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// How the surface is deformed.
#[derive(Args)]
#[command(next_help_heading = "Deformation")]
pub struct StackArguments {
    /// How the skin follows the joints [default: dual-quaternion, or the recipe's]
    #[arg(long, value_name = "METHOD", value_parser = skin_method())]
    pub skin: Option<SkinMethod>,

    /// Keep the two sides of bent joints apart and in shape, with the fields of their limbs [default: off, or the
    /// recipe's]
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on", value_parser = switch())]
    pub implicit: Option<bool>,

    /// Put muscles under the skin: humanoid, quadruped, the file of a set, or off [default: off, or the recipe's]
    #[arg(long, value_name = "SET|FILE")]
    pub muscles: Option<String>,

    /// How the skin keeps its volume: exact (axis after axis), linear (all axes at once, nearly), normal (along the
    /// normals), laplacian (the same, smoothly) [default: off, or the recipe's]
    #[arg(long, value_name = "METHOD", value_parser = volume_method())]
    pub volume: Option<VolumeMethod>,

    /// A recipe file; options on the command line win over it
    #[arg(long, value_name = "FILE.sinew.toml")]
    pub recipe: Option<PathBuf>,
}

impl StackArguments {
    /// The recipe file, or the defaults, with the options over it.
    pub fn recipe(&self) -> Result<Recipe> {
        let mut recipe = match &self.recipe {
            Some(path) => load_recipe(path)?,
            None => Recipe::default(),
        };
        if let Some(method) = self.skin {
            recipe.skin.method = method;
        }
        if let Some(is_on) = self.implicit {
            recipe.implicit.on = is_on;
        }
        if let Some(set) = &self.muscles {
            recipe.muscles.set = set.clone();
            recipe.muscles.file = None;
            read_muscles(&mut recipe.muscles, Path::new(""))?;
        }
        if let Some(method) = self.volume {
            recipe.volume.method = method;
        }
        Ok(recipe)
    }
}

/// Reads a recipe; mistakes come with their line.
pub fn load_recipe(path: &Path) -> Result<Recipe> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut recipe = Recipe::from_toml(&text).with_context(|| format!("{} is not a valid recipe", path.display()))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let read = read_sketches(&mut recipe.muscles, beside).and_then(|()| read_muscles(&mut recipe.muscles, beside));
    let at_line = |error: anyhow::Error| match error.downcast::<sinew::Error>() {
        Ok(error) => recipe.muscles.at_line(error).into(),
        Err(error) => error,
    };
    read.map_err(at_line).with_context(|| format!("{} is not a valid recipe", path.display()))?;
    Ok(recipe)
}

/// Reads the set of muscles that a recipe names, if that is a file in a folder.
fn read_muscles(muscles: &mut MuscleRecipe, folder: &Path) -> Result<()> {
    if muscles.needs_file() {
        let path = folder.join(&muscles.set);
        if !path.is_file() {
            return Err(sinew::Error::NoMuscleSet { set: muscles.set.clone() }.into());
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let set = MuscleSet::from_toml(&text);
        muscles.file = Some(Arc::new(set.with_context(|| format!("{} is no set of muscles", path.display()))?));
    }
    if muscles.is_on() {
        muscles.sets()?;
    }
    Ok(())
}

/// Reads the sketches of profiles that a recipe names, from files seen from a folder.
fn read_sketches(muscles: &mut MuscleRecipe, folder: &Path) -> Result<()> {
    for (name, sketch) in muscles.unread_sketches() {
        let drawing = Drawing::load(&folder.join(&sketch.file));
        let refused = |error: sinew_io::Error| sinew::Error::Muscle {
            muscle: name.clone(),
            why: format!("has no profile in its sketch {error}"),
        };
        sketch.fitted = Some(drawing.map_err(refused)?.fitted);
    }
    Ok(())
}

fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|name| name == "on")
}

fn skin_method() -> impl TypedValueParser<Value = SkinMethod> {
    let method = |name: String| SkinMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(SkinMethod::ALL.map(SkinMethod::name)).map(method)
}

fn volume_method() -> impl TypedValueParser<Value = VolumeMethod> {
    let method = |name: String| VolumeMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(VolumeMethod::ALL.map(VolumeMethod::name)).map(method)
}

/// A skin, with what is named to come after it, in this order: `linear`, `linear+exact`, `linear+implicit`,
/// `linear+muscles` or `linear+implicit+muscles+exact`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    pub skin: SkinMethod,
    pub implicit: bool,
    pub muscles: bool,
    pub volume: Option<VolumeMethod>,
}

impl Method {
    /// The recipe with this method. What is not named is as the options say.
    pub fn applied_to(self, recipe: &Recipe, options: &StackArguments) -> Recipe {
        let mut recipe = recipe.clone();
        recipe.skin.method = self.skin;
        recipe.implicit.on = self.implicit || options.implicit.unwrap_or_default();
        match (self.muscles, recipe.muscles.is_on()) {
            (true, false) => recipe.muscles.set = MuscleRecipe::SETS[0].into(),
            (false, true) if options.muscles.is_none() => recipe.muscles.set = MuscleRecipe::OFF.into(),
            _ => {}
        }
        recipe.volume.method = self.volume.or(options.volume).unwrap_or_default();
        recipe
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (skin, after) = text.split_once('+').map_or((text, None), |(skin, after)| (skin, Some(after)));
        let (implicit, after) = without_first("implicit", after);
        let (muscles, volume) = without_first("muscles", after);
        let skins = SkinMethod::ALL.map(SkinMethod::name).join(", ");
        let volumes = VolumeMethod::ALL.map(VolumeMethod::name).join(", ");
        let known = SkinMethod::ALL.into_iter().find(|m| m.name() == skin);
        let skin = known.ok_or_else(|| format!("\"{skin}\" is no skinning method; use one of {skins}"))?;
        let find = |name: &str| {
            let known = VolumeMethod::ALL.into_iter().find(|m| m.name() == name);
            known.ok_or_else(|| {
                format!("\"{name}\" is no volume method; use one of {volumes}, or implicit or muscles before it")
            })
        };
        Ok(Self { skin, implicit, muscles, volume: volume.map(find).transpose()? })
    }
}

/// Whether names joined by plus signs start with one, and those after it.
fn without_first<'a>(name: &str, names: Option<&'a str>) -> (bool, Option<&'a str>) {
    match names.and_then(|names| names.strip_prefix(name)) {
        Some("") => (true, None),
        Some(rest) if rest.starts_with('+') => (true, Some(&rest[1..])),
        _ => (false, names),
    }
}

/// What a picture is titled by: the methods of a recipe.
pub struct MethodsOf<'a>(pub &'a Recipe);

impl fmt::Display for MethodsOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Recipe { skin, implicit, muscles, volume, .. }) = self;
        write!(f, "{}", skin.method)?;
        if implicit.on {
            f.write_str(" + implicit")?;
        }
        if muscles.is_on() {
            f.write_str(" + muscles")?;
        }
        match volume.method {
            VolumeMethod::Off => Ok(()),
            method => write!(f, " + {method} volume"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn parsed(arguments: &[&str]) -> StackArguments {
        #[derive(Parser)]
        struct Program {
            #[command(flatten)]
            stack: StackArguments,
        }
        Program::parse_from(["sinew"].iter().chain(arguments)).stack
    }

    #[test]
    fn options_win_over_the_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sinew.toml");
        std::fs::write(&path, "[skin]\nmethod = \"linear\"\n[volume]\nmethod = \"normal\"\n").unwrap();
        let path = path.to_str().unwrap();
        let methods = |arguments: &[&str]| {
            let recipe = parsed(arguments).recipe().unwrap();
            (recipe.skin.method, recipe.volume.method)
        };
        assert_eq!(methods(&[]), (SkinMethod::DualQuaternion, VolumeMethod::Off));
        assert_eq!(methods(&["--volume", "exact"]), (SkinMethod::DualQuaternion, VolumeMethod::Exact));
        assert_eq!(methods(&["--recipe", path]), (SkinMethod::Linear, VolumeMethod::Normal));
        assert_eq!(methods(&["--recipe", path, "--volume", "off"]), (SkinMethod::Linear, VolumeMethod::Off));
    }

    #[test]
    fn sketches_are_read_beside_the_recipe_and_mistakes_in_them_have_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let (recipe, drawing) = (folder.path().join("r.sinew.toml"), folder.path().join("a.svg"));
        let text = "[muscles]\nset = \"humanoid\"\n\n[muscles.muscle.soleus]\nsketch = \"a.svg\"\n";
        std::fs::write(&recipe, text).unwrap();
        let refusal = || sinew_tasks::one_sentence(&load_recipe(&recipe).unwrap_err());
        assert!(refusal().contains("line 4, muscle \"soleus\"") && refusal().contains("a.svg"), "{}", refusal());
        std::fs::write(&drawing, "<svg><path d=\"M0 0L1 1\"/></svg>").unwrap();
        assert!(refusal().contains("no closed shape"), "{}", refusal());
        std::fs::write(&drawing, "<svg><path d=\"M0 0Q50 20 100 0Q50 -20 0 0z\"/></svg>").unwrap();
        let [left, _] = load_recipe(&recipe).unwrap().muscles.sets().unwrap();
        let soleus = left.muscles.iter().find(|muscle| muscle.name == "soleus").unwrap();
        assert_eq!(soleus.shape, [2, 2, 2, 2], "a parabola");
    }

    #[test]
    fn a_method_is_a_skin_and_perhaps_what_comes_after() {
        let method = |text: &str| text.parse::<Method>().map(|m| (m.skin, m.implicit, m.volume));
        assert_eq!(method("linear"), Ok((SkinMethod::Linear, false, None)));
        assert_eq!(method("centers+laplacian"), Ok((SkinMethod::Centers, false, Some(VolumeMethod::Laplacian))));
        assert_eq!(method("linear+implicit"), Ok((SkinMethod::Linear, true, None)));
        assert_eq!(method("rigid+implicit+exact"), Ok((SkinMethod::Rigid, true, Some(VolumeMethod::Exact))));
        assert!("linear+muscles".parse::<Method>().unwrap().muscles);
        let all: Method = "linear+implicit+muscles+exact".parse().unwrap();
        assert_eq!((all.implicit, all.muscles, all.volume), (true, true, Some(VolumeMethod::Exact)));
        assert!(method("exact").unwrap_err().contains("dual-quaternion"));
        assert!(method("linear+").unwrap_err().contains("exact"));
        assert!(method("linear+exact+normal").unwrap_err().contains("exact+normal"));
    }

    #[test]
    fn titles_say_what_follows_the_skin() {
        let title = |text: &str, options: &[&str]| {
            let method: Method = text.parse().unwrap();
            MethodsOf(&method.applied_to(&Recipe::default(), &parsed(options))).to_string()
        };
        assert_eq!(title("linear", &[]), "linear");
        assert_eq!(title("linear", &["--volume", "normal"]), "linear + normal volume");
        assert_eq!(title("linear+exact", &[]), "linear + exact volume");
        assert_eq!(title("linear+off", &["--volume", "normal"]), "linear");
        assert_eq!(title("linear+implicit+exact", &[]), "linear + implicit + exact volume");
        assert_eq!(title("linear+exact", &["--implicit"]), "linear + implicit + exact volume");
        assert_eq!(title("linear", &["--implicit=off"]), "linear");
    }
}
