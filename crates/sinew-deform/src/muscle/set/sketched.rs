//! A profile drawn in a file: the name of the file, and the fitted profile once the file was read.
//!
//! The engine reads no files; the reader of the file stores the fit here.

use crate::muscle::Fitted;
use crate::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sinew_settings::{Kind, Value};

/// A sketch of a muscle's profile. In a text it is the name of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketched {
    /// The file, seen from the recipe.
    pub file: String,
    /// The fitted profile, if the file was read.
    pub fitted: Option<Fitted>,
}

impl Sketched {
    /// The fitted profile, for the muscle of this name.
    pub(super) fn known(&self, muscle: &str) -> Result<&Fitted> {
        self.fitted.as_ref().ok_or_else(|| {
            let what_to_do = "use the recipe from the command line, or open the sketch in the studio's panel";
            let why = format!("is drawn in \"{}\", which was not read; {what_to_do}", self.file);
            Error::Muscle { muscle: muscle.into(), why }
        })
    }
}

impl Serialize for Sketched {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.file)
    }
}

impl<'de> Deserialize<'de> for Sketched {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { file: String::deserialize(deserializer)?, fitted: None })
    }
}

impl Value for Sketched {
    const KIND: Kind = Kind::Text;
}
