//! The profile of an outline that was drawn in the page or opened as a file.

use super::open::content;
use crate::error::{Error, Result};
use crate::protocol::{Answer, Drawn, FittedSketch, Reply};
use glam::DVec2;
use sinew::deform::muscle::MuscleChange;
use sinew_tasks::sketch::Drawing;

/// The most corners of a shown drawing.
const MOST_SHOWN: usize = 2000;

/// Fits a profile to a drawing.
pub fn sketch(drawn: Drawn, payload: &[u8]) -> Result<Reply> {
    let drawing = match drawn {
        Drawn::Outline(outline) => Drawing::new(outline.into_iter().map(DVec2::from).collect())?,
        Drawn::File(file) => Drawing::read(content(&file, payload)?)
            .map_err(|source| Error::Content { name: file.name.clone(), source })?,
    };
    let step = drawing.outline.len().div_ceil(MOST_SHOWN).max(1);
    let shown = |corners: &[DVec2], step: usize| -> Vec<[f64; 2]> {
        corners.iter().step_by(step).map(|corner| corner.to_array()).collect()
    };
    let MuscleChange { shape, series, .. } = drawing.fitted.change();
    let fitted = FittedSketch {
        outline: shown(&drawing.outline, step),
        profile: shown(&drawing.profile(), 1),
        shape,
        series,
        radius: drawing.fitted.radius,
        error: drawing.fitted.error,
        about: drawing.fitted.to_string(),
    };
    Ok(Answer::Sketch(fitted).into())
}
