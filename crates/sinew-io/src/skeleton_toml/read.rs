//! From text to joints.

use crate::{Asset, Format, Problem};
use glam::DVec3;
use serde::Deserialize;
use sinew::rig::{PlacedJoint, placed};
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    joint: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    parent: Option<Spanned<String>>,
    head: Spanned<Vec<f64>>,
    tail: Spanned<Vec<f64>>,
}

/// Reads a skeleton. Its units and its up axis are those of whatever it is used with.
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Problem::malformed(format!("byte {}", error.valid_up_to()), "it is not text in UTF-8"))?;
    let document: Document = toml::from_str(text).map_err(|error| {
        let why = error.message().trim_end().replace('\n', "; ");
        Problem::malformed(error.span().map_or("the file".into(), |span| line(text, &span)), why)
    })?;
    if document.joint.is_empty() {
        return Err(Problem::malformed("the file", "it has no [[joint]] with a name, a head and a tail"));
    }
    let joints = joints(text, &document.joint)?;
    let character = placed(&joints).map_err(|error| match &error {
        sinew::rig::Error::HierarchyCycle { joint } => {
            match document.joint.iter().find(|e| e.name.get_ref() == joint) {
                Some(entry) => Problem::malformed(line(text, &entry.name.span()), error.to_string()),
                None => error.into(),
            }
        }
        _ => error.into(),
    })?;
    Ok(Asset::new(character, Format::Toml))
}

fn joints(text: &str, entries: &[Entry]) -> Result<Vec<PlacedJoint>, Problem> {
    let mut by_name: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (index, Entry { name, .. }) in entries.iter().enumerate() {
        let place = || line(text, &name.span());
        if name.get_ref().is_empty() {
            return Err(Problem::malformed(place(), "a joint needs a name"));
        }
        if let Some(first) = by_name.insert(name.get_ref(), index) {
            let first = line(text, &entries[first].name.span());
            let why = format!("there is a joint \"{}\" already, in {first}; names must differ", name.get_ref());
            return Err(Problem::malformed(place(), why));
        }
    }
    let joint = |entry: &Entry| {
        let parent = entry.parent.as_ref().map(|parent| match by_name.get(parent.get_ref().as_str()) {
            Some(&index) => Ok(index),
            None => {
                let why = format!(
                    "\"{}\" has the parent \"{}\", and there is no such joint",
                    entry.name.get_ref(),
                    parent.get_ref()
                );
                Err(Problem::malformed(line(text, &parent.span()), why))
            }
        });
        Ok(PlacedJoint {
            name: entry.name.get_ref().clone(),
            parent: parent.transpose()?,
            head: point(text, entry, "head", &entry.head)?,
            tail: point(text, entry, "tail", &entry.tail)?,
        })
    };
    entries.iter().map(joint).collect()
}

/// A point that files can hold.
fn point(text: &str, entry: &Entry, what: &str, point: &Spanned<Vec<f64>>) -> Result<DVec3, Problem> {
    let why = match point.get_ref()[..] {
        [x, y, z] if DVec3::new(x, y, z).as_vec3().is_finite() => return Ok(DVec3::new(x, y, z)),
        [_, _, _] => "is not finite".into(),
        ref numbers => format!("has {} numbers; a point has 3", numbers.len()),
    };
    let why = format!("the {what} of \"{}\" {why}", entry.name.get_ref());
    Err(Problem::malformed(line(text, &point.span()), why))
}

/// Where something is in the text, for people.
fn line(text: &str, span: &Range<usize>) -> String {
    let before = text.as_bytes().iter().take(span.start).filter(|&&byte| byte == b'\n').count();
    format!("line {}", before + 1)
}
