//! What the verbs that change a motion check before, and say after.

use crate::{files, motion};
use anyhow::{Context, Result, bail};
use sinew::rig::Character;
use sinew_io::Format;
use sinew_tasks::motion_edit::Summary;
use std::path::Path;

/// Whether the results can be written, which is found out before the work and not after it.
pub fn check(output: &Path, report: Option<&Path>) -> Result<()> {
    if !matches!(Format::of(output)?, Format::Bvh | Format::Glb | Format::Gltf) {
        bail!("{}: a motion is written as .bvh, .glb or .gltf", output.display());
    }
    if let Some(report) = report {
        if report.extension().is_none_or(|extension| extension != "json") {
            bail!("{}: this report is written as .json", report.display());
        }
        files::check_report(report)?;
    }
    Ok(())
}

/// The place of a clip among a character's.
pub fn clip_place(character: &Character, name: Option<&str>, file: &Path) -> Result<usize> {
    let clip = match name {
        Some(name) => motion::find(character, name)?,
        None => character.clips.first().with_context(|| format!("{}: it has no clip", file.display()))?,
    };
    let place = character.clips.iter().position(|other| std::ptr::eq(other, clip));
    place.with_context(|| format!("{}: it has no clip", file.display()))
}

/// What came of it, in a sentence.
pub fn sentence(summary: &Summary) -> String {
    let worst = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let missed = worst(&mut summary.pins.iter().map(|pin| pin.residual));
    let slide = worst(&mut summary.contacts.iter().map(|contact| contact.slide));
    let pins = match summary.pins.len() {
        0 => String::new(),
        1 => format!("the pin is missed by {missed:.2e}, "),
        count => format!("{count} pins are missed by {missed:.2e} at most, "),
    };
    let feet = match summary.contacts.len() {
        0 => "no foot stands".into(),
        1 => format!("1 stand slides by {slide:.2e}"),
        count => format!("{count} stands slide by {slide:.2e} at most"),
    };
    format!("{pins}{feet}, lengths are kept to {:.1e}", summary.largest_distance_error)
}
