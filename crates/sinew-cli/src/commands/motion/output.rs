//! The outputs of commands that change a motion.

use crate::failure::{Result, refuse};
use crate::report as reports;
use sinew_io::Format;
use std::path::Path;

/// Checks before the work that a motion and a report can be written.
pub fn check(output: &Path, report: Option<&Path>) -> Result<()> {
    if !matches!(Format::of(output)?, Format::Bvh | Format::Glb | Format::Gltf) {
        refuse!("{}: a motion is written as .bvh, .glb or .gltf", output.display());
    }
    report.map_or(Ok(()), |report| reports::check(report, &["json"]))
}
