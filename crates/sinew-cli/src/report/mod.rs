//! Reports as files: JSON, or pages for people.

pub mod bake;
mod bake_page;
pub mod bind;
mod bind_page;
mod bind_pictures;
pub mod cage;
mod cage_page;
mod html;
pub mod jumps;
mod plots;

use crate::failure::{Result, refuse};
use crate::files;
use serde::Serialize;
use sinew_io::AtomicFile;
use std::path::Path;

/// Checks before the work that a report can be written: the extension is one of `accepted`, and the folder exists.
pub fn check(path: &Path, accepted: &[&str]) -> Result<()> {
    if !path.extension().and_then(|e| e.to_str()).is_some_and(|extension| accepted.contains(&extension)) {
        let accepted: Vec<String> = accepted.iter().map(|extension| format!(".{extension}")).collect();
        refuse!("{}: this report is written as {}", path.display(), accepted.join(" or "));
    }
    drop(AtomicFile::new(path)?);
    Ok(())
}

/// Whether a report is written as JSON, by its extension.
fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// Writes data as JSON.
pub fn write_json(path: &Path, report: &impl Serialize) -> Result<()> {
    files::write(path, serde_json::to_string_pretty(report)?)
}
