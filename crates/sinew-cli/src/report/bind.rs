//! The report of a binding as a file.

use super::bind_page::to_html;
use super::bind_pictures::BindPictures;
use super::{is_json, write_json};
use crate::failure::Result;
use crate::files;
use sinew_io::Asset;
use sinew_tasks::bind::Report;
use std::path::Path;

/// Writes a report by its extension. `method` names the source of the weights.
pub fn write(path: &Path, report: &Report, asset: &Asset, method: &str) -> Result<()> {
    if is_json(path) {
        return write_json(path, report);
    }
    files::write(path, to_html(report, asset, method, &BindPictures::new(asset, report)?))
}
