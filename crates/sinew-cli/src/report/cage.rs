//! The report of a driven mesh as a file.

pub use super::cage_page::Moments;

use super::cage_page::to_html;
use super::{is_json, write_json};
use crate::failure::Result;
use crate::files;
use sinew_tasks::cage::{Caged, Placed, Report};
use std::path::Path;

/// Writes a report by its extension.
pub fn write(path: &Path, report: &Report, caged: &Caged, placed: &[Placed], moments: &Moments) -> Result<()> {
    if is_json(path) {
        return write_json(path, report);
    }
    files::write(path, to_html(report, caged, placed, moments)?)
}
