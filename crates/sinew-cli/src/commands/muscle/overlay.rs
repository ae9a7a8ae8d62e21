//! A fitted profile over the outline that it was fitted to, as a drawing.

use glam::DVec2;
use sinew_tasks::sketch::Drawing;
use std::fmt::Write as _;

/// How wide the drawing is, in pixels, and the room around the outline, of its extent.
const WIDTH: f64 = 480.0;
const MARGIN: f64 = 0.05;

pub fn overlay(drawing: &Drawing) -> String {
    let Drawing { outline, sketch, .. } = drawing;
    let profile = drawing.profile();
    let all = || outline.iter().chain(&profile).copied();
    let (low, high) = (all().fold(outline[0], DVec2::min), all().fold(outline[0], DVec2::max));
    let margin = DVec2::splat(MARGIN * (high - low).max_element());
    let (corner, size) = (low - margin, high - low + 2.0 * margin);
    let (stroke, height) = (2.0 * size.x / WIDTH, WIDTH * size.y / size.x);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" viewBox=\"{:.4} {:.4} {:.4} {:.4}\">\n",
        corner.x, corner.y, size.x, size.y
    );
    let _ = writeln!(text, "<path fill=\"#b9b3ab\" d=\"{}\"/>", closed(outline));
    let drawn = format!("fill=\"none\" stroke-width=\"{stroke:.4}\"");
    let axis = format!("stroke=\"#555\" stroke-dasharray=\"{:.4}\"", 3.0 * stroke);
    let (start, end) = (sketch.start(), sketch.end());
    let _ = writeln!(text, "<path {drawn} {axis} d=\"M{:.4} {:.4}L{:.4} {:.4}\"/>", start.x, start.y, end.x, end.y);
    let _ = writeln!(text, "<path {drawn} stroke=\"#c0392b\" d=\"{}\"/>", closed(&profile));
    text + "</svg>\n"
}

fn closed(corners: &[DVec2]) -> String {
    let places: Vec<String> = corners.iter().map(|p| format!("{:.4} {:.4}", p.x, p.y)).collect();
    format!("M{}Z", places.join("L"))
}
