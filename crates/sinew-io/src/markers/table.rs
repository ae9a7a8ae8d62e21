//! How is a table of text written back with nothing changed but some cells?

use super::lines::lines;
use sinew::motion::markers::Markers;
use std::ops::Range;

/// The marks of a missing marker in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// By an empty cell.
    Empty,
    /// By three zeros, as Qualisys does; empty cells are understood as well.
    Zero,
}

/// A text and where in it the places of markers are.
#[derive(Debug, Clone)]
pub(super) struct Table {
    bytes: Vec<u8>,
    separator: u8,
    missing: Missing,
    rows: Vec<Row>,
    columns: Vec<usize>,
    /// The most digits after a point that were seen.
    decimals: usize,
}

#[derive(Debug, Clone)]
struct Row {
    line: Range<usize>,
    cells: usize,
}

impl Table {
    pub fn new(bytes: &[u8], separator: u8, missing: Missing) -> Self {
        Self { bytes: bytes.to_vec(), separator, missing, rows: Vec::new(), columns: Vec::new(), decimals: 3 }
    }

    /// Takes note of the row of a frame.
    pub fn add_row(&mut self, line: Range<usize>, cells: &[Range<usize>], columns: &[usize]) {
        if self.rows.is_empty() {
            self.columns = columns.to_vec();
        }
        for &column in columns {
            let Some(cell) = cells.get(column) else { continue };
            let point = self.bytes[cell.clone()].iter().position(|&b| b == b'.');
            let digits = |point: usize| self.bytes[cell.clone()][point + 1..].iter().take_while(|b| b.is_ascii_digit());
            self.decimals = self.decimals.max(point.map_or(0, |point| digits(point).count())).min(9);
        }
        self.rows.push(Row { line, cells: cells.len() });
    }

    /// The text with the places that differ put in.
    pub fn with(&self, before: &Markers, after: &Markers) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len());
        let mut written = 0;
        for (frame, row) in self.rows.iter().enumerate() {
            let start = frame * before.count();
            let places = |m: &Markers| -> Vec<[u32; 3]> {
                m.positions()[start..start + m.count()].iter().map(|p| p.to_array().map(f32::to_bits)).collect()
            };
            if places(before) == places(after) {
                continue;
            }
            out.extend(&self.bytes[written..row.line.start]);
            self.write_row(row, frame, before, after, &mut out);
            written = row.line.end;
        }
        out.extend(&self.bytes[written..]);
        out
    }

    fn write_row(&self, row: &Row, frame: usize, before: &Markers, after: &Markers, out: &mut Vec<u8>) {
        let mut cells: Vec<Vec<u8>> =
            self.bytes[row.line.clone()].split(|&b| b == self.separator).map(<[u8]>::to_vec).collect();
        debug_assert_eq!(cells.len(), row.cells);
        for (marker, &column) in self.columns.iter().enumerate() {
            let (was, is) = (before.get(frame, marker), after.get(frame, marker));
            if was == is {
                continue;
            }
            if cells.len() < column + 3 {
                cells.resize(column + 3, Vec::new());
            }
            for axis in 0..3 {
                cells[column + axis] = match is {
                    Some(place) => format!("{:.*}", self.decimals, place[axis]).into_bytes(),
                    None if self.missing == Missing::Zero => format!("{:.*}", self.decimals, 0.0).into_bytes(),
                    None => Vec::new(),
                };
            }
        }
        out.extend(cells.join(&self.separator));
    }
}

/// The line after so many, as where it begins.
pub(super) fn line_start(bytes: &[u8], line: usize) -> usize {
    lines(bytes).nth(line).map_or(bytes.len(), |line| line.start)
}
