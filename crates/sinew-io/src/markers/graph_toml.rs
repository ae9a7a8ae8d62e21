//! Which markers belong together, as a file that a person can edit.
//!
//! ```toml
//! [[link]]
//! markers = ["LWRA", "LWRB"]
//! fixed = true            # their distance is kept
//! ```

use crate::Problem;
use serde::{Deserialize, Serialize};

/// Two markers that are neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Their labels.
    pub markers: [String; 2],
    /// Whether their distance is kept.
    #[serde(default)]
    pub fixed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Links {
    #[serde(default)]
    link: Vec<Link>,
}

/// Reads links.
pub fn read_links(bytes: &[u8]) -> Result<Vec<Link>, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| Problem::malformed("text", error.to_string()))?;
    let links: Links = toml::from_str(text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|&&b| b == b'\n').count();
        Problem::malformed(format!("line {line}"), error.message().to_owned())
    })?;
    Ok(links.link)
}

/// Writes links.
pub fn write_links(links: &[Link]) -> String {
    let quote = |name: &String| toml::Value::String(name.clone()).to_string();
    let entry = |link: &Link| {
        let [a, b] = &link.markers;
        format!("[[link]]\nmarkers = [{}, {}]\nfixed = {}\n", quote(a), quote(b), link.fixed)
    };
    links.iter().map(entry).collect::<Vec<_>>().join("\n")
}
