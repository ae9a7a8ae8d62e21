//! The methods of a panel, as a name on the command line and as a title.

use super::stack::StackArguments;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{Fineness, MuscleOptions, Recipe, VolumeMethod};
use std::fmt;
use std::str::FromStr;

/// A skin and the stages after it, in this order: `linear`, `linear+exact`, `linear+implicit`,
/// `linear+flesh`, `linear+muscles` or `linear+implicit+muscles+exact`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    pub skin: SkinMethod,
    pub implicit: bool,
    pub flesh: bool,
    pub muscles: bool,
    pub volume: Option<VolumeMethod>,
}

impl Method {
    /// The recipe with this method. Stages that it does not name are as in the options.
    pub fn applied_to(self, recipe: &Recipe, options: &StackArguments) -> Recipe {
        let mut recipe = recipe.clone();
        recipe.skin.method = self.skin;
        recipe.implicit.on = self.implicit || options.implicit.unwrap_or_default();
        recipe.flesh.fineness = match (self.flesh, options.flesh) {
            (true, None | Some(Fineness::Off)) => Fineness::Interactive,
            (_, chosen) => chosen.unwrap_or_default(),
        };
        match (self.muscles, recipe.muscles.is_on()) {
            (true, false) => recipe.muscles.set = MuscleOptions::SETS[0].into(),
            (false, true) if options.muscles.is_none() => recipe.muscles.set = MuscleOptions::OFF.into(),
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
        let (flesh, after) = without_first("flesh", after);
        let (muscles, volume) = without_first("muscles", after);
        let skins = SkinMethod::ALL.map(SkinMethod::name).join(", ");
        let volumes = VolumeMethod::ALL.map(VolumeMethod::name).join(", ");
        let known = SkinMethod::ALL.into_iter().find(|m| m.name() == skin);
        let skin = known.ok_or_else(|| format!("\"{skin}\" is no skinning method; use one of {skins}"))?;
        let find = |name: &str| {
            let known = VolumeMethod::ALL.into_iter().find(|m| m.name() == name);
            known.ok_or_else(|| {
                format!("\"{name}\" is no volume method; use one of {volumes}, or implicit, flesh or muscles before it")
            })
        };
        Ok(Self { skin, implicit, flesh, muscles, volume: volume.map(find).transpose()? })
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

/// The methods of a recipe, as a title.
pub struct MethodsOf<'a>(pub &'a Recipe);

impl fmt::Display for MethodsOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Recipe { skin, implicit, flesh, muscles, volume, .. }) = self;
        write!(f, "{}", skin.method)?;
        if implicit.on {
            f.write_str(" + implicit")?;
        }
        if flesh.fineness != Fineness::Off {
            f.write_str(" + flesh")?;
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
    use super::super::stack::tests::parsed;
    use super::*;

    #[test]
    fn a_method_is_a_skin_with_optional_stages() {
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
    fn titles_name_the_stages_after_the_skin() {
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
