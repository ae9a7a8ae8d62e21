//! Which profile has the outline that somebody drew in the page, or chose a file of?

use super::open::content;
use crate::message::Outgoing;
use crate::request::Drawn;
use anyhow::Result;
use glam::DVec2;
use sinew::muscle::MuscleChange;
use sinew_tasks::sketch::Drawing;

/// The most corners of what is shown of a drawing.
const MOST_SHOWN: usize = 2000;

/// Fits a profile to what was drawn.
pub fn sketch(id: u64, drawn: Drawn, payload: &[u8]) -> Result<Vec<u8>> {
    let drawing = match drawn {
        Drawn::Outline(outline) => Drawing::new(outline.into_iter().map(DVec2::from).collect())?,
        Drawn::File(file) => Drawing::read(content(&file, payload)?)?,
    };
    let step = drawing.outline.len().div_ceil(MOST_SHOWN).max(1);
    let shown = |corners: &[DVec2], step: usize| -> Vec<[f64; 2]> {
        corners.iter().step_by(step).map(|corner| corner.to_array()).collect()
    };
    let MuscleChange { shape, series, .. } = drawing.fitted.change();
    let answer = Outgoing::answer("sketch", id)
        .with("outline", shown(&drawing.outline, step))
        .with("profile", shown(&drawing.profile(), 1))
        .with("shape", shape)
        .with("series", series)
        .with("radius", drawing.fitted.radius)
        .with("error", drawing.fitted.error)
        .with("about", drawing.fitted.to_string());
    Ok(answer.into_bytes())
}
