//! The legend of a sheet's colours: a bar with numbers under it.

use crate::canvas::{self, Ink, Stroke};
use crate::color::ColorMap;
use crate::text::{self, Align, Style};
use crate::ticks::Ticks;
use crate::{Image, Viewport};
use glam::{Vec2, Vec3};

/// Dark ink for text and ticks.
pub(crate) const TEXT_INK: Vec3 = Vec3::new(0.035, 0.037, 0.042);

/// The key to a colour map.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// The quantity of the numbers.
    pub title: String,
    /// Their unit, written after the title; may be empty.
    pub unit: String,
    /// The colours.
    pub map: ColorMap,
}

impl Legend {
    /// Draws the bar into the middle of a rectangle: title above, numbers below.
    pub(crate) fn draw(&self, image: &mut Image, area: &Viewport, style: &Style) {
        let (size, line) = (style.size, 0.1 * style.size);
        // Whole pixels, so that every column of the bar has its full colour.
        let bar_width = (area.width as f32 * 0.7).min(26.0 * size).round().max(1.0);
        let left = (area.center().x as f32 - 0.5 * bar_width).round();
        let top = (area.y as f32 + 2.8 * size).round();
        let bottom = (top + 0.9 * size).round();
        let span = self.map.high - self.map.low;
        let bar = |from: f32, to: f32| [[from, top], [to, top], [to, bottom], [from, bottom]].map(Vec2::from);
        for k in 0..bar_width as usize {
            let column = k as f32;
            let color = self.map.color(self.map.low + span * (column + 0.5) / bar_width);
            canvas::polygon(image, &bar(left + column, left + column + 1.0), Ink::solid(color));
        }
        let frame = bar(left, left + bar_width);
        let outline: Vec<Stroke> =
            (0..4).map(|k| Stroke { from: frame[k], to: frame[(k + 1) % 4], radius: 0.5 * line }).collect();
        canvas::strokes(image, &outline, style.ink);
        let title = if self.unit.is_empty() { self.title.clone() } else { format!("{} ({})", self.title, self.unit) };
        let middle = area.center().x as f32;
        let fitted = Style { size: text::fitting_size(&title, size, area.width as f32), ..*style };
        text::draw(image, &title, Vec2::new(middle, top - 0.7 * size), Align::Center, &fitted);

        let ticks = Ticks::new(f64::from(self.map.low), f64::from(self.map.high), 5);
        for value in ticks.values() {
            let fraction = ((value - f64::from(self.map.low)) / f64::from(span)) as f32;
            let x = left + bar_width * fraction;
            let (from, to) = (Vec2::new(x, bottom), Vec2::new(x, bottom + 0.3 * size));
            canvas::strokes(image, &[Stroke { from, to, radius: 0.5 * line }], style.ink);
            let small = Style { size: 0.82 * size, ..*style };
            text::draw(image, &ticks.label(value), Vec2::new(x, bottom + 1.5 * size), Align::Center, &small);
        }
    }
}
