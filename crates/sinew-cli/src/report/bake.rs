//! The report of a bake as a file.

use super::bake_page::{Pictures, to_html};
use super::{is_json, write_json};
use crate::args::method::MethodsOf;
use crate::failure::Result;
use crate::files;
use crate::picture::{Coloring, Focus, Picture, Reference, Style};
use crate::terminal::progress;
use indicatif::ProgressBar;
use sinew::recipe::Recipe;
use sinew::rig::Clip;
use sinew_io::Asset;
use sinew_tasks::bake::{Highlight, Highlights, Report};
use sinew_tasks::deform::skin_alone;
use std::path::Path;

/// Writes a report by its extension. The page has pictures of the clip's quarters and, with stages after the skin, of the
/// highlights before and after these.
pub fn write(
    path: &Path,
    report: &Report,
    highlights: Highlights,
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
) -> Result<()> {
    if is_json(path) {
        return write_json(path, report);
    }
    let corrected = !recipe.is_skin_alone();
    let highlights = if corrected { highlights.into_vec() } else { Vec::new() };
    let bar = progress::bar(if corrected { 1 + 2 * highlights.len() } else { 2 }, "drawing pictures");
    let (start, end) = clip.range();
    let times = [0.0, 0.25, 0.5, 0.75].map(|t| start + t * (end - start));
    let quarters = |coloring: Coloring, caption: String| -> Result<Pictures> {
        let mut sheet = Picture::new(asset, Style { width: 1280, height: 500, coloring, ..Style::default() });
        sheet.add_times(clip, &times, recipe)?;
        let images = vec![(caption, sheet.to_png()?)];
        bar.inc(1);
        Ok(Pictures { heading: String::new(), images })
    };
    let what = format!("\"{}\" with {}", clip.name, MethodsOf(recipe));
    let mut pictures = vec![quarters(Coloring::Materials, what)?];
    if corrected {
        for highlight in highlights {
            pictures.push(before_and_after(asset, recipe, &highlight, &bar)?);
        }
    } else {
        pictures.push(quarters(Coloring::Volume, "Local volume against rest".into())?);
    }
    bar.finish_and_clear();
    let title = format!("{}: {}", asset.character.name, clip.name);
    files::write(path, to_html(report, &title, &pictures, corrected))
}

/// A highlight with the skin alone and the finished surface side by side, by local volume and by displacement.
fn before_and_after(asset: &Asset, recipe: &Recipe, highlight: &Highlight, bar: &ProgressBar) -> Result<Pictures> {
    let Highlight { time, why, skin, finished, world, joint } = highlight;
    let joint = &asset.character.skeleton.joints()[*joint].name;
    let captions = [
        (Coloring::Volume, "Local volume against rest"),
        (Coloring::Displacement(Reference::OwnSkin), "Distance from the skin alone"),
    ];
    let mut images = Vec::new();
    for (coloring, caption) in captions {
        let focus = Some(Focus::Bones(joint.clone()));
        let mut sheet = Picture::new(asset, Style { width: 640, height: 480, coloring, focus, ..Style::default() });
        let alone = skin_alone(recipe);
        for (recipe, surface) in [(&alone, skin), (recipe, finished)] {
            sheet.add_deformed(MethodsOf(recipe).to_string(), surface.clone(), skin, world.clone())?;
        }
        images.push((format!("{caption}, around {joint}"), sheet.to_png()?));
        bar.inc(1);
    }
    Ok(Pictures { heading: format!("At {time:.2} s, {why}"), images })
}
