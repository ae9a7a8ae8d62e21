//! The options of the deformation: skin, implicit, muscles, volume, recipe.

use super::setting::{choice, help, switch};
use crate::cache::Cache;
use crate::failure::Result;
use clap::Args;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{
    BonePreset, Fineness, FleshOptions, ImplicitOptions, Recipe, Settings, SkinOptions, VolumeMethod, VolumeOptions,
};
use sinew_tasks::recipe;
use std::path::{Path, PathBuf};

/// How the surface is deformed. Where no stage is named: by dual quaternions with the implicit skin.
#[derive(Args)]
#[command(next_help_heading = "Deformation")]
pub struct StackArguments {
    #[arg(long, value_name = "METHOD", help = help(SkinOptions::key("method")), value_parser = choice::<SkinMethod>(SkinOptions::key("method")))]
    pub skin: Option<SkinMethod>,

    #[arg(long, value_name = "on|off", help = help(ImplicitOptions::key("on")), num_args = 0..=1, require_equals = true, default_missing_value = "on", value_parser = switch())]
    pub implicit: Option<bool>,

    #[arg(long, value_name = "FINENESS", help = help(FleshOptions::key("fineness")), num_args = 0..=1, require_equals = true, default_missing_value = "interactive", value_parser = choice::<Fineness>(FleshOptions::key("fineness")))]
    pub flesh: Option<Fineness>,

    #[arg(long, value_name = "PRESET", help = help(FleshOptions::key("bones")), value_parser = choice::<BonePreset>(FleshOptions::key("bones")))]
    pub bones: Option<BonePreset>,

    /// Put muscles under the skin: humanoid, quadruped, the file of a set, or off [default: off, or the recipe's]
    #[arg(long, value_name = "SET|FILE")]
    pub muscles: Option<String>,

    #[arg(long, value_name = "METHOD", help = help(VolumeOptions::key("method")), value_parser = choice::<VolumeMethod>(VolumeOptions::key("method")))]
    pub volume: Option<VolumeMethod>,

    /// Where fields that take long to find are cached: off, or a folder [default: this user's cache folder]
    #[arg(long, value_name = "off|DIR")]
    pub cache: Option<PathBuf>,

    /// A recipe file; options on the command line win over it
    #[arg(long, value_name = "FILE.sinew.toml")]
    pub recipe: Option<PathBuf>,
}

impl StackArguments {
    /// Where fields are cached.
    pub fn cache(&self) -> Cache {
        Cache::chosen(self.cache.as_deref())
    }

    /// Whether no stage is named.
    fn names_nothing(&self) -> bool {
        let Self { skin, implicit, flesh, bones: _, muscles, volume, cache: _, recipe } = self;
        let is_named = [skin.is_some(), implicit.is_some(), flesh.is_some(), muscles.is_some(), volume.is_some()];
        recipe.is_none() && !is_named.contains(&true)
    }

    /// The recipe file, or the defaults, with the options applied. Without any, what is recommended.
    pub fn recipe(&self) -> Result<Recipe> {
        let mut recipe = match &self.recipe {
            Some(path) => recipe::load(path)?,
            None if self.names_nothing() => Recipe::recommended(),
            None => Recipe::default(),
        };
        if let Some(method) = self.skin {
            recipe.skin.method = method;
        }
        if let Some(is_on) = self.implicit {
            recipe.implicit.on = is_on;
        }
        if let Some(fineness) = self.flesh {
            recipe.flesh.fineness = fineness;
        }
        if let Some(bones) = self.bones {
            recipe.flesh.bones = bones;
        }
        if let Some(set) = &self.muscles {
            recipe.muscles.set = set.clone();
            recipe.muscles.file = None;
            recipe::read_muscle_set(&mut recipe.muscles, Path::new(""))?;
        }
        if let Some(method) = self.volume {
            recipe.volume.method = method;
        }
        Ok(recipe)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use clap::Parser;

    pub fn parsed(arguments: &[&str]) -> StackArguments {
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
        assert_eq!(parsed(&[]).recipe().unwrap(), Recipe::recommended());
        assert_eq!(methods(&["--implicit=off"]), (SkinMethod::DualQuaternion, VolumeMethod::Off));
        assert!(!parsed(&["--skin", "linear"]).recipe().unwrap().implicit.on);
        assert_eq!(methods(&["--volume", "exact"]), (SkinMethod::DualQuaternion, VolumeMethod::Exact));
        assert_eq!(methods(&["--recipe", path]), (SkinMethod::Linear, VolumeMethod::Normal));
        assert_eq!(methods(&["--recipe", path, "--volume", "off"]), (SkinMethod::Linear, VolumeMethod::Off));
    }
}
