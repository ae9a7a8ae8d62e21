//! A report as a file: JSON, or a page with pictures.

use crate::files;
use crate::highlights::{Highlight, Highlights};
use crate::page::Pictures;
use crate::picture::{Coloring, Focus, Picture, Reference, Style};
use crate::report::Report;
use crate::stack::MethodsOf;
use anyhow::Result;
use sinew::recipe::Recipe;
use sinew::rig::Clip;
use sinew_io::Asset;
use sinew_tasks::stage::skin_alone;
use std::path::Path;

/// Writes a report by its extension. The page has pictures of the clip's quarters, and where something follows
/// the skin of the moments that matter, before and after it.
pub fn write_report(
    path: &Path,
    report: &Report,
    highlights: Highlights,
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
) -> Result<()> {
    if path.extension().is_some_and(|e| e == "json") {
        return files::write(path, serde_json::to_string_pretty(report)?);
    }
    let corrected = !recipe.is_skin_alone();
    let (start, end) = clip.range();
    let times = [0.0, 0.25, 0.5, 0.75].map(|t| start + t * (end - start));
    let quarters = |coloring: Coloring, caption: String| -> Result<Pictures> {
        let mut sheet = Picture::new(asset, Style { width: 1280, height: 500, coloring, ..Style::default() });
        sheet.add_times(clip, &times, recipe)?;
        Ok(Pictures { heading: String::new(), images: vec![(caption, sheet.to_png()?)] })
    };
    let what = format!("\"{}\" with {}", clip.name, MethodsOf(recipe));
    let mut pictures = vec![quarters(Coloring::Materials, what)?];
    if corrected {
        for highlight in highlights.into_moments() {
            pictures.push(before_and_after(asset, recipe, &highlight)?);
        }
    } else {
        pictures.push(quarters(Coloring::Volume, "Local volume against rest".into())?);
    }
    let title = format!("{}: {}", asset.character.name, clip.name);
    files::write(path, report.to_html(&title, &pictures, corrected))
}

/// A moment with the skin alone and the finished surface side by side, by local volume and by displacement.
fn before_and_after(asset: &Asset, recipe: &Recipe, highlight: &Highlight) -> Result<Pictures> {
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
    }
    Ok(Pictures { heading: format!("At {time:.2} s, {why}"), images })
}
