//! The common structure of text formats of markers: a few lines of header, then a row of cells per frame.

use super::lines::lines;
use super::table::{Missing, Table};
use crate::Problem;
use crate::scan::quoted;
use glam::Vec3;
use sinew::motion::markers::Markers;
use std::ops::Range;

/// The cells of a line.
pub(super) fn cells(bytes: &[u8], line: Range<usize>, separator: u8) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = line.start;
    for at in line.clone() {
        if bytes[at] == separator {
            cells.push(start..at);
            start = at + 1;
        }
    }
    cells.push(start..line.end);
    cells
}

/// A cell as text, without blanks and quotes around it.
pub(super) fn text(bytes: &[u8], cell: &Range<usize>) -> String {
    String::from_utf8_lossy(&bytes[cell.clone()]).trim().trim_matches('"').trim().to_owned()
}

/// The cells of a line as text.
pub(super) fn texts(bytes: &[u8], line: Range<usize>, separator: u8) -> Vec<String> {
    cells(bytes, line, separator).iter().map(|cell| text(bytes, cell)).collect()
}

/// How long a unit is that a file names.
pub(super) fn meters(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "dm" => 0.1,
        "cm" | "centimeter" | "centimeters" | "centimetres" => 0.01,
        "mm" | "millimeter" | "millimeters" | "millimetres" => 0.001,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "foot" | "feet" => 0.3048,
        _ => return None,
    })
}

/// The format of the rows, from the header.
pub(super) struct Layout {
    pub labels: Vec<String>,
    /// The column of each marker's x; y and z follow.
    pub columns: Vec<usize>,
    pub separator: u8,
    pub missing: Missing,
    pub meters_per_unit: Option<f64>,
    /// Frames a second; none if there is a column of times.
    pub rate: Option<f64>,
    pub time_column: Option<usize>,
}

/// Reads the rows from a byte on, up to a line that is empty or the end.
pub(super) fn read_rows(bytes: &[u8], first: usize, layout: Layout) -> Result<(Markers, Table), Problem> {
    if layout.labels.is_empty() {
        return Err(Problem::malformed("header", "it names no markers"));
    }
    let width = layout.columns.iter().max().map_or(0, |last| last + 3);
    let mut table = Table::new(bytes, layout.separator, layout.missing);
    let (mut positions, mut times) = (Vec::new(), Vec::new());
    for line in lines(&bytes[first..]) {
        let line = first + line.start..first + line.end;
        if bytes[line.clone()].iter().all(|&b| b.is_ascii_whitespace() || b == layout.separator) {
            if positions.is_empty() {
                continue;
            }
            break;
        }
        let row = cells(bytes, line.clone(), layout.separator);
        let at = || format!("line {}", 1 + bytes[..line.start].iter().filter(|&&b| b == b'\n').count());
        if row.len() > width + layout.columns.len().max(64) {
            return Err(Problem::malformed(at(), format!("{} cells, but the header names {width}", row.len())));
        }
        if let Some(column) = layout.time_column {
            let cell = row.get(column).cloned().unwrap_or(line.end..line.end);
            times.push(
                number(bytes, &cell, &at, "the time")?.ok_or_else(|| Problem::malformed(at(), "it has no time"))?,
            );
        }
        for &column in &layout.columns {
            let mut place = [None; 3];
            for (axis, value) in place.iter_mut().enumerate() {
                if let Some(cell) = row.get(column + axis) {
                    *value = number(bytes, cell, &at, "a coordinate")?;
                }
            }
            let place = match place {
                [Some(x), Some(y), Some(z)] => Vec3::new(x as f32, y as f32, z as f32),
                _ => Vec3::NAN,
            };
            let is_zero = layout.missing == Missing::Zero && place == Vec3::ZERO;
            positions.push(if is_zero { Vec3::NAN } else { place });
        }
        table.add_row(line, &row, &layout.columns);
    }
    let rate = match layout.rate {
        Some(rate) => rate,
        None => rate_of(&times)?,
    };
    Ok((Markers::new(layout.labels, rate, layout.meters_per_unit, positions)?, table))
}

/// A cell's number; none for an empty cell or a mark of a missing value.
fn number(bytes: &[u8], cell: &Range<usize>, at: &impl Fn() -> String, what: &str) -> Result<Option<f64>, Problem> {
    let word = text(bytes, cell);
    if word.is_empty() || ["nan", "-nan", "null", "na", "-"].contains(&word.to_ascii_lowercase().as_str()) {
        return Ok(None);
    }
    let value: Option<f64> = word.parse().ok();
    let value = value.filter(|v| v.is_finite() && v.abs() < f64::from(f32::MAX));
    value.map(Some).ok_or_else(|| {
        Problem::malformed(
            at(),
            format!("{what} should be a finite number or empty, found {}", quoted(word.as_bytes())),
        )
    })
}

/// Frames a second from the times of the first and the last.
fn rate_of(times: &[f64]) -> Result<f64, Problem> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return Err(Problem::from(sinew::motion::Error::NoMarkers { what: "it has no frames" }));
    };
    let rate = (times.len() - 1) as f64 / (last - first);
    if times.len() > 1 && !(rate.is_finite() && rate > 0.0) {
        return Err(Problem::malformed("times", format!("they must increase, but go from {first} to {last}")));
    }
    // One frame alone has no rate, and none is needed.
    Ok(if times.len() > 1 { rate } else { 1.0 })
}
