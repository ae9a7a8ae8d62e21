//! What a person can set, as types with limits.
//!
//! One file (`*.sinew.toml`) holds it all: the command line runs it, the studio edits it, the library
//! loads it. Unknown keys and values out of range are errors that name the line.

use crate::skin::SkinMethod;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Everything a person can set. Every key may be left out; what is missing has its default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// How the skin follows the joints.
    pub skin: SkinRecipe,
    /// How a clip is sampled.
    pub bake: BakeRecipe,
}

/// The `[skin]` table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkinRecipe {
    /// The skinning method.
    pub method: SkinMethod,
}

/// The `[bake]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeRecipe {
    /// Frames per second of a bake.
    #[serde(deserialize_with = "frame_rate")]
    pub fps: f64,
}

impl Default for BakeRecipe {
    fn default() -> Self {
        Self { fps: 30.0 }
    }
}

/// The largest frame rate that a recipe or a command may ask for.
pub const MAX_FPS: f64 = 1000.0;

/// Whether a frame rate is above zero and at most [`MAX_FPS`].
pub fn is_frame_rate(fps: f64) -> bool {
    fps > 0.0 && fps <= MAX_FPS
}

fn frame_rate<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let fps = f64::deserialize(deserializer)?;
    if is_frame_rate(fps) {
        return Ok(fps);
    }
    Err(serde::de::Error::custom(format!("fps must be above 0 and at most {MAX_FPS}, not {fps}")))
}

impl Recipe {
    /// Reads a recipe; the error shows the line.
    pub fn from_toml(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| Error::Recipe(error.to_string()))
    }

    /// Every key with its value and a comment, ready to edit.
    pub fn to_toml(&self) -> String {
        format!(
            "# How the skin follows the joints: \"rigid\", \"linear\", \"dual-quaternion\" or \"centers\"\n\
             # (optimised centres of rotation).\n\
             [skin]\n\
             method = \"{method}\"\n\
             \n\
             # How a clip becomes frames.\n\
             [bake]\n\
             # Frames per second, above 0 and at most {MAX_FPS}.\n\
             fps = {fps:?}\n",
            method = self.skin.method,
            fps = self.bake.fps,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_recipe_reads_back() {
        let recipe = Recipe { skin: SkinRecipe { method: SkinMethod::Centers }, bake: BakeRecipe { fps: 23.976 } };
        assert_eq!(Recipe::from_toml(&recipe.to_toml()).unwrap(), recipe);
    }

    #[test]
    fn an_empty_recipe_is_the_default() {
        assert_eq!(Recipe::from_toml("").unwrap(), Recipe::default());
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, line) in [
            ("[skin]\nmethud = \"linear\"\n", "line 2"),
            ("[skin]\nmethod = \"quadratic\"\n", "line 2"),
            ("\n\n[bake]\nfps = 0\n", "line 4"),
            ("[bake]\nfps = nan\n", "line 2"),
            ("[bake\n", "line 1"),
        ] {
            let error = Recipe::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(line), "{text:?} gave {error}");
        }
    }
}
