//! The options that say how a surface is deformed.

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use sinew::recipe::{Recipe, VolumeMethod};
use sinew::skin::SkinMethod;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How the surface is deformed.
#[derive(Args)]
#[command(next_help_heading = "Deformation")]
pub struct StackArguments {
    /// How the skin follows the joints [default: dual-quaternion, or the recipe's]
    #[arg(long, value_name = "METHOD", value_parser = skin_method())]
    pub skin: Option<SkinMethod>,

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
        if let Some(method) = self.volume {
            recipe.volume.method = method;
        }
        Ok(recipe)
    }
}

/// Reads a recipe; mistakes come with their line.
pub fn load_recipe(path: &Path) -> Result<Recipe> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Recipe::from_toml(&text).with_context(|| format!("{} is not a valid recipe", path.display()))
}

fn skin_method() -> impl TypedValueParser<Value = SkinMethod> {
    let method = |name: String| SkinMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(SkinMethod::ALL.map(SkinMethod::name)).map(method)
}

fn volume_method() -> impl TypedValueParser<Value = VolumeMethod> {
    let method = |name: String| VolumeMethod::ALL.into_iter().find(|m| m.name() == name).unwrap_or_default();
    PossibleValuesParser::new(VolumeMethod::ALL.map(VolumeMethod::name)).map(method)
}

/// A skin, with a volume method where one is named: `linear` or `linear+exact`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    pub skin: SkinMethod,
    pub volume: Option<VolumeMethod>,
}

impl Method {
    /// The recipe with this method. Where no volume method is named it is `otherwise`.
    pub fn applied_to(self, recipe: &Recipe, otherwise: VolumeMethod) -> Recipe {
        let mut recipe = recipe.clone();
        recipe.skin.method = self.skin;
        recipe.volume.method = self.volume.unwrap_or(otherwise);
        recipe
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (skin, volume) = match text.split_once('+') {
            Some((skin, volume)) => (skin, Some(volume)),
            None => (text, None),
        };
        let skins = SkinMethod::ALL.map(SkinMethod::name).join(", ");
        let volumes = VolumeMethod::ALL.map(VolumeMethod::name).join(", ");
        let known = SkinMethod::ALL.into_iter().find(|m| m.name() == skin);
        let skin = known.ok_or_else(|| format!("\"{skin}\" is no skinning method; use one of {skins}"))?;
        let find = |name: &str| {
            let known = VolumeMethod::ALL.into_iter().find(|m| m.name() == name);
            known.ok_or_else(|| format!("\"{name}\" is no volume method; use one of {volumes}"))
        };
        Ok(Self { skin, volume: volume.map(find).transpose()? })
    }
}

/// What a picture is titled by: the methods of a recipe.
pub struct MethodsOf<'a>(pub &'a Recipe);

impl fmt::Display for MethodsOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Recipe { skin, volume, .. }) = self;
        match volume.method {
            VolumeMethod::Off => write!(f, "{}", skin.method),
            method => write!(f, "{} + {method} volume", skin.method),
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
    fn a_method_is_a_skin_and_perhaps_a_volume() {
        let method = |text: &str| text.parse::<Method>().map(|m| (m.skin, m.volume));
        assert_eq!(method("linear"), Ok((SkinMethod::Linear, None)));
        assert_eq!(method("centers+laplacian"), Ok((SkinMethod::Centers, Some(VolumeMethod::Laplacian))));
        assert!(method("exact").unwrap_err().contains("dual-quaternion"));
        assert!(method("linear+").unwrap_err().contains("exact"));
        assert!(method("linear+exact+normal").unwrap_err().contains("exact+normal"));
    }

    #[test]
    fn titles_say_what_follows_the_skin() {
        let title = |text: &str, otherwise| {
            let method: Method = text.parse().unwrap();
            MethodsOf(&method.applied_to(&Recipe::default(), otherwise)).to_string()
        };
        assert_eq!(title("linear", VolumeMethod::Off), "linear");
        assert_eq!(title("linear", VolumeMethod::Normal), "linear + normal volume");
        assert_eq!(title("linear+exact", VolumeMethod::Off), "linear + exact volume");
        assert_eq!(title("linear+off", VolumeMethod::Normal), "linear");
    }
}
