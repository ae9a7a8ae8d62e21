//! Writing: one line of text at any size, with smooth round strokes.

use crate::Image;
use crate::canvas::{self, Ink, Stroke};
use crate::font::{Glyph, glyph};
use glam::Vec2;

/// Height of a capital on the font's grid.
const CAPITAL: f32 = 10.0;
/// Free space after each glyph on the font's grid.
const SPACING: f32 = 2.9;

/// Where a line of text lies relative to the given point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Left,
    /// Its middle is there.
    Center,
    /// It ends there.
    Right,
}

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Height of a capital in pixels.
    pub size: f32,
    /// Width of the strokes as a fraction of the size.
    pub weight: f32,
    /// The ink.
    pub ink: Ink,
}

/// Width of a line of text in pixels when capitals are `size` pixels high.
pub fn width(text: &str, size: f32) -> f32 {
    let units: f32 = text.chars().map(|c| glyph(c).width + SPACING).sum();
    (units - SPACING).max(0.0) * size / CAPITAL
}

/// Writes a line of text with its baseline at `at.y`.
pub fn draw(image: &mut Image, text: &str, at: Vec2, align: Align, style: &Style) {
    let scale = style.size / CAPITAL;
    let shift = match align {
        Align::Left => 0.0,
        Align::Center => 0.5,
        Align::Right => 1.0,
    };
    let mut pen = Vec2::new(at.x - shift * width(text, style.size), at.y);
    for character in text.chars() {
        let glyph = glyph(character);
        canvas::strokes(image, &strokes(glyph, pen, scale, 0.5 * style.weight * style.size), style.ink);
        pen.x += (glyph.width + SPACING) * scale;
    }
}

/// The largest size, at most `size`, at which a text is no wider than `limit`.
pub fn fitting_size(text: &str, size: f32, limit: f32) -> f32 {
    size * (limit / width(text, size).max(1e-3)).clamp(0.0, 1.0)
}

fn strokes(glyph: &Glyph, pen: Vec2, scale: f32, radius: f32) -> Vec<Stroke> {
    let place = |p: Vec2| pen + Vec2::new(p.x, -p.y) * scale;
    let mut strokes = Vec::new();
    for line in &glyph.lines {
        if let [dot] = line[..] {
            strokes.push(Stroke { from: place(dot), to: place(dot), radius: radius * 1.25 });
        }
        strokes.extend(line.windows(2).map(|ends| Stroke { from: place(ends[0]), to: place(ends[1]), radius }));
    }
    strokes
}
