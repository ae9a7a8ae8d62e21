//! Line plots for reports, as SVG text.
//!
//! Text and axes take the colour of the page around them (`currentColor`), so a plot fits a light and a
//! dark page alike.

use crate::color;
use crate::text;
use crate::ticks::Ticks;
use glam::DVec2;
use std::fmt::Write;

/// A line of a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the key.
    pub name: String,
    /// Its points from left to right; a point that is not finite breaks the line.
    pub points: Vec<DVec2>,
}

/// A plot of lines over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Written above; may be empty.
    pub title: String,
    /// The label of the horizontal axis, with its unit.
    pub x_label: String,
    /// The label of the vertical axis, with its unit.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
    /// A value to mark with a dashed line, such as the volume at rest.
    pub reference: Option<f64>,
    /// Width in pixels of the page.
    pub width: u32,
    /// Height in pixels of the page.
    pub height: u32,
}

impl Default for Plot {
    fn default() -> Self {
        let empty = String::new;
        let (title, x_label, y_label) = (empty(), empty(), empty());
        Self { title, x_label, y_label, series: Vec::new(), reference: None, width: 720, height: 320 }
    }
}

const TEXT_HEIGHT: f64 = 12.0;

/// Height of a row of names.
const KEY_ROW: f64 = 20.0;

impl Plot {
    /// The plot as an `<svg>` element.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing into a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let (width, height) = (f64::from(self.width.max(160)), f64::from(self.height.max(120)));
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{}" font-family="system-ui, sans-serif" font-size="{TEXT_HEIGHT}" fill="currentColor">"#,
            escape(&self.title)
        )?;
        let axes = self.axes(width, height);
        let middle = 0.5 * (axes.left + axes.right);
        if !self.title.is_empty() {
            let title = escape(&self.title);
            writeln!(
                svg,
                r#"<text x="{middle:.1}" y="20" text-anchor="middle" font-size="15" font-weight="600">{title}</text>"#
            )?;
        }
        axes.write_grid(svg)?;
        let (x_label, y_label) = (escape(&self.x_label), escape(&self.y_label));
        writeln!(svg, r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">{x_label}</text>"#, height - 8.0)?;
        let center = 0.5 * (axes.top + axes.bottom);
        writeln!(
            svg,
            r#"<text transform="translate(14 {center:.1}) rotate(-90)" text-anchor="middle">{y_label}</text>"#
        )?;
        if let Some(y) = self.reference.filter(|&y| can_be_shown(&DVec2::splat(y))).map(|y| axes.y(y)) {
            let (left, right) = (axes.left, axes.right);
            writeln!(
                svg,
                r#"<path d="M{left:.1} {y:.1}H{right:.1}" stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="5 4"/>"#
            )?;
        }
        for (index, series) in self.series.iter().enumerate() {
            let path = axes.path(&series.points);
            let color = line_color(index);
            writeln!(
                svg,
                r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>"#
            )?;
        }
        self.write_key(svg, &axes)?;
        svg.push_str("</svg>\n");
        Ok(())
    }

    /// The ranges of the finite points and the reference, a little widened upwards and downwards.
    fn axes(&self, width: f64, height: f64) -> Axes {
        let points = self.series.iter().flat_map(|s| &s.points).copied().filter(can_be_shown);
        let (mut low, mut high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        if let Some(reference) = self.reference.filter(|&y| can_be_shown(&DVec2::splat(y))) {
            (low.y, high.y) = (low.y.min(reference), high.y.max(reference));
        }
        let widened = |low: f64, high: f64, share: f64| match high - low {
            span if span > 0.0 && span.is_finite() => (low - share * span, high + share * span),
            _ if low.is_finite() => (low - 0.5 * low.abs().max(1.0), low + 0.5 * low.abs().max(1.0)),
            _ => (0.0, 1.0),
        };
        let (x_low, x_high) = widened(low.x, high.x, 0.0);
        let (y_low, y_high) = widened(low.y, high.y, 0.06);
        let y_ticks = Ticks::new(y_low, y_high, 5);
        let label_width = y_ticks.values().map(|v| width_of(&y_ticks.label(v))).fold(0.0, f64::max);
        let (left, right) = (32.0 + label_width, width - 16.0);
        let key_rows = self.key(left, right).last().map_or(0, |entry| entry.row + 1);
        Axes {
            left,
            right,
            top: if self.title.is_empty() { 12.0 } else { 34.0 } + KEY_ROW * key_rows as f64,
            bottom: height - 44.0,
            low: DVec2::new(x_low, y_low),
            high: DVec2::new(x_high, y_high),
            x_ticks: Ticks::new(x_low, x_high, 8),
            y_ticks,
        }
    }

    /// Where the names of the lines stand: from left to right, and in another row where one is full.
    fn key(&self, left: f64, right: f64) -> Vec<KeyEntry<'_>> {
        let (mut x, mut row) = (left, 0);
        let mut entries = Vec::new();
        for (index, Series { name, .. }) in self.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
            let width = 22.0 + width_of(name);
            if x > left && x + width > right {
                (x, row) = (left, row + 1);
            }
            entries.push(KeyEntry { index, name, x, row });
            x += width + 20.0;
        }
        entries
    }

    fn write_key(&self, svg: &mut String, axes: &Axes) -> std::fmt::Result {
        let key = self.key(axes.left, axes.right);
        let rows = key.last().map_or(0, |entry| entry.row + 1);
        for KeyEntry { index, name, x, row } in key {
            let y = axes.top - 10.0 - KEY_ROW * (rows - 1 - row) as f64;
            let (color, name) = (line_color(index), escape(name));
            let from = y - 4.0;
            writeln!(
                svg,
                r#"<path d="M{x:.1} {from:.1}h16" stroke="{color}" stroke-width="3" stroke-linecap="round"/>"#
            )?;
            writeln!(svg, r#"<text x="{:.1}" y="{y:.1}">{name}</text>"#, x + 22.0)?;
        }
        Ok(())
    }
}

/// The name of a line in the key.
struct KeyEntry<'a> {
    index: usize,
    name: &'a str,
    x: f64,
    row: usize,
}

/// The plot's frame: where it is on the page and which values it spans.
struct Axes {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    low: DVec2,
    high: DVec2,
    x_ticks: Ticks,
    y_ticks: Ticks,
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * (value - self.low.x) / (self.high.x - self.low.x)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * (value - self.low.y) / (self.high.y - self.low.y)
    }

    fn path(&self, points: &[DVec2]) -> String {
        let mut path = String::new();
        let mut pen_down = false;
        for point in points {
            if can_be_shown(point) {
                let command = if pen_down { 'L' } else { 'M' };
                let _ = write!(path, "{command}{:.1} {:.1}", self.x(point.x), self.y(point.y));
            }
            pen_down = can_be_shown(point);
        }
        path
    }

    fn write_grid(&self, svg: &mut String) -> std::fmt::Result {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        for value in self.y_ticks.values() {
            let (y, label) = (self.y(value), self.y_ticks.label(value));
            writeln!(svg, r#"<path d="M{left:.1} {y:.1}H{right:.1}" stroke="currentColor" stroke-opacity="0.14"/>"#)?;
            writeln!(svg, r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#, left - 7.0, y + 4.0)?;
        }
        for value in self.x_ticks.values() {
            let (x, label) = (self.x(value), self.x_ticks.label(value));
            writeln!(svg, r#"<path d="M{x:.1} {bottom:.1}v5" stroke="currentColor" stroke-opacity="0.6"/>"#)?;
            writeln!(svg, r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#, bottom + 18.0)?;
        }
        writeln!(
            svg,
            r#"<path d="M{left:.1} {top:.1}V{bottom:.1}H{right:.1}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>"#
        )
    }
}

/// The colour of a line: readable on white and on black.
fn line_color(index: usize) -> String {
    let hue = 250.0 + 150.0 * (index % 12) as f32;
    color::to_hex(color::from_lightness_chroma_hue(0.63, 0.155, hue))
}

/// Whether a point is finite, and differences of such points are.
fn can_be_shown(point: &DVec2) -> bool {
    point.abs().max_element() < 1e300
}

/// About the width of a text on the page.
fn width_of(text: &str) -> f64 {
    f64::from(text::width(text, 0.72 * TEXT_HEIGHT as f32))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
