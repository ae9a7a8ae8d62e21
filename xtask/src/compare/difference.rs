//! How much two files differ.

use super::{geometry, gltf, picture, text};
use anyhow::Result;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// How much two things differ, by their numbers, their pixels and all else.
#[derive(Debug, Default, PartialEq)]
pub struct Difference {
    /// The largest difference of two numbers, relative to the size of what they measure.
    pub number: f64,
    /// Pixels of different colours.
    pub pixels: usize,
    /// Something no tolerance allows, in words.
    pub other: Option<String>,
    /// A program that fails, in words.
    pub failure: Option<String>,
}

impl Difference {
    /// A difference no tolerance allows.
    pub fn other(words: impl Into<String>) -> Self {
        Self { other: Some(words.into()), ..Self::default() }
    }

    /// A difference of numbers. One that is not finite is larger than any tolerance.
    pub fn number(relative: f64) -> Self {
        Self { number: if relative.is_nan() { f64::INFINITY } else { relative }, ..Self::default() }
    }

    /// Other bytes that mean the same: the smallest difference there is.
    pub fn of_encoding() -> Self {
        Self::number(f64::MIN_POSITIVE)
    }

    /// Programs that fail differ from what they should do, even where both fail.
    pub fn of_failures(old: Option<&str>, new: Option<&str>) -> Self {
        let failure = match (old, new) {
            (None, None) => None,
            (Some(old), None) => Some(format!("the old program fails: {old}")),
            (None, Some(new)) => Some(format!("the new program fails: {new}")),
            (Some(_), Some(new)) => Some(format!("both programs fail: {new}")),
        };
        Self { failure, ..Self::default() }
    }

    /// Takes in another difference.
    pub fn join(&mut self, other: Self) {
        self.number = self.number.max(other.number);
        self.pixels = self.pixels.max(other.pixels);
        self.other = self.other.take().or(other.other);
        self.failure = self.failure.take().or(other.failure);
    }

    /// Whether there is no difference.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the difference is larger than allowed.
    pub fn exceeds(&self, number: f64, pixels: usize) -> bool {
        self.number > number || self.pixels > pixels || self.other.is_some() || self.failure.is_some()
    }

    /// The size of the difference without words.
    pub fn figures(&self) -> String {
        let mut parts = Vec::new();
        if self.number > 0.0 {
            parts.push(format!("{:.1e}", self.number));
        }
        if self.pixels > 0 {
            parts.push(format!("{} pixels", self.pixels));
        }
        parts.join(", ")
    }
}

impl Display for Difference {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let parts = [self.figures(), self.other.clone().unwrap_or_default()];
        formatter.write_str(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "))
    }
}

/// The difference of two files with the same name, compared by the format of the extension.
pub fn of_files(name: &str, old: Option<Vec<u8>>, new: Option<Vec<u8>>) -> Result<Difference> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Ok(Difference::default()),
        (Some(_), None) => return Ok(Difference::other("the new program does not write it")),
        (None, Some(_)) => return Ok(Difference::other("the old program does not write it")),
    };
    if old == new {
        return Ok(Difference::default());
    }
    let texts = || (String::from_utf8_lossy(&old).into_owned(), String::from_utf8_lossy(&new).into_owned());
    match Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "png" => picture::compare(&old, &new),
        "glb" | "gltf" => gltf::compare(&old, &new),
        "pc2" => Ok(geometry::compare_pc2(&old, &new)),
        "ply" => Ok(geometry::compare_ply(&old, &new)),
        "obj" => Ok(geometry::compare_obj(&texts().0, &texts().1)),
        "usda" => Ok(geometry::compare_usda(&texts().0, &texts().1)),
        "json" | "cage" => text::compare_json(&old, &new),
        "html" => text::compare_html(&texts().0, &texts().1),
        "bvh" | "csv" | "toml" | "svg" | "trc" | "tsv" => Ok(text::compare(&texts().0, &texts().1)),
        _ => Ok(of_bytes(&old, &new)),
    }
}

/// The difference of bytes of an unknown format.
pub fn of_bytes(old: &[u8], new: &[u8]) -> Difference {
    if old.len() != new.len() {
        return Difference::other(format!("{} and {} bytes", old.len(), new.len()));
    }
    match old.iter().zip(new).position(|(a, b)| a != b) {
        Some(place) => Difference::other(format!("byte {place} of {}", old.len())),
        None => Difference::default(),
    }
}
