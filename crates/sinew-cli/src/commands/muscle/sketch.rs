//! `sinew muscle sketch`: which profile has the outline that is drawn in a file?

use super::overlay::overlay;
use crate::failure::{Result, refuse};
use crate::files;
use crate::terminal::print;
use clap::Args;
use sinew::deform::muscle::MuscleChange;
use sinew_tasks::sketch::Drawing;
use std::path::PathBuf;

/// Fit a profile to an outline that is drawn in an SVG or PNG file
///
/// Of an SVG file the largest closed shape counts, of a PNG picture the largest silhouette, filled or as a closed line.
/// The muscle's origin is to the left, or at the top of an upright drawing.
#[derive(Args)]
pub struct Arguments {
    /// The drawing
    file: PathBuf,
    /// Draw the fitted profile over the outline
    #[arg(short, long, value_name = "OUT.svg")]
    output: Option<PathBuf>,
}

pub fn run(Arguments { file, output }: &Arguments) -> Result<()> {
    if let Some(output) = output
        && output.extension().is_none_or(|extension| extension != "svg")
    {
        refuse!("{}: the fitted profile is drawn as .svg", output.display());
    }
    let drawing = Drawing::load(file)?;
    let fitted = &drawing.fitted;
    print(fitted)?;
    print(format_args!("the belly's radius is {:.4} of the length", fitted.radius))?;
    let MuscleChange { shape, series, .. } = fitted.change();
    match (shape, series) {
        (Some(shape), _) => print(format_args!("in a recipe: shape = {shape:?}"))?,
        (None, series) => print(format_args!("in a recipe: series = {:?}", series.unwrap_or_default()))?,
    }
    if let Some(output) = output {
        files::write(output, overlay(&drawing))?;
        print(output.display())?;
    }
    Ok(())
}
