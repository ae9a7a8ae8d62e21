//! Meshes and point caches: positions relative to the diagonal of their bounding box.

use super::difference::{Difference, of_bytes};
use super::text::compare_lines;

/// The smallest and largest coordinates of some points.
pub struct Bounds([f64; 3], [f64; 3]);

impl Bounds {
    /// The bounds of coordinates, three to a point.
    pub fn of(coordinates: impl IntoIterator<Item = f64>) -> Self {
        let mut bounds = Self([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for (index, coordinate) in coordinates.into_iter().enumerate() {
            bounds.0[index % 3] = bounds.0[index % 3].min(coordinate);
            bounds.1[index % 3] = bounds.1[index % 3].max(coordinate);
        }
        bounds
    }

    /// The length of the diagonal; 1 where there are no points or only one.
    pub fn diagonal(&self) -> f64 {
        let length = (0..3).map(|axis| (self.1[axis] - self.0[axis]).powi(2)).sum::<f64>().sqrt();
        if length.is_finite() && length > 0.0 { length } else { 1.0 }
    }
}

/// The largest difference of numbers, divided by a size.
pub fn compare_numbers(old: &[f32], new: &[f32], size: f64) -> Difference {
    let mut largest = Difference::default();
    for (a, b) in old.iter().zip(new).filter(|(a, b)| a.to_bits() != b.to_bits()) {
        // 0 and -0 are one number.
        let relative = (f64::from(*a) - f64::from(*b)).abs() / size;
        largest.join(if relative == 0.0 { Difference::of_encoding() } else { Difference::number(relative) });
    }
    largest
}

/// Little-endian floats.
pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Compares two OBJ files.
pub fn compare_obj(old: &str, new: &str) -> Difference {
    let positions = old.lines().filter_map(|line| line.strip_prefix("v "));
    let size = Bounds::of(positions.flat_map(numbers)).diagonal();
    compare_lines(old, new, |line| line.starts_with("v ").then_some(size))
}

/// Compares two USDA files.
pub fn compare_usda(old: &str, new: &str) -> Difference {
    let mut is_position = positions_of_usda();
    let size = Bounds::of(old.lines().filter(|line| is_position(line)).flat_map(usda_values)).diagonal();
    let mut is_position = positions_of_usda();
    compare_lines(old, new, |line| is_position(line).then_some(size))
}

/// Whether each line has positions: lines from `points` or `extent` on to the next attribute.
fn positions_of_usda() -> impl FnMut(&str) -> bool {
    let mut is_inside = false;
    move |line| {
        if let Some((name, _)) = line.split_once(" = ") {
            is_inside = ["points", "points.timeSamples", "extent", "extent.timeSamples"]
                .iter()
                .any(|attribute| name.ends_with(&format!(" {attribute}")));
        }
        is_inside
    }
}

/// The numbers of the tuples in a line.
fn usda_values(line: &str) -> Vec<f64> {
    let values = line.find('[').map_or("", |begin| &line[begin..]);
    numbers(&values.replace(['[', ']', '(', ')', ','], " "))
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Compares two PC2 files: a header of 32 bytes, then points.
pub fn compare_pc2(old: &[u8], new: &[u8]) -> Difference {
    const HEADER: usize = 32;
    match (old.split_at_checked(HEADER), new.split_at_checked(HEADER)) {
        (Some((old_header, old)), Some((new_header, new))) if old_header == new_header && old.len() == new.len() => {
            let (old, new) = (floats(old), floats(new));
            compare_numbers(&old, &new, Bounds::of(old.iter().copied().map(f64::from)).diagonal())
        }
        _ => of_bytes(old, new),
    }
}

/// Compares two PLY files as Sinew writes them: little endian, positions first in a vertex, then other floats and
/// colours.
pub fn compare_ply(old: &[u8], new: &[u8]) -> Difference {
    let (Some(header), true) = (PlyHeader::read(old), old.len() == new.len()) else { return of_bytes(old, new) };
    let vertices = header.length..header.length + header.vertices * header.stride;
    let is_same = |range: std::ops::Range<usize>| old.get(range.clone()) == new.get(range);
    if !is_same(0..header.length) || !is_same(vertices.end..old.len()) || old.len() < vertices.end {
        return of_bytes(old, new);
    }
    let rows = |bytes: &[u8]| -> Vec<Vec<f32>> {
        bytes[vertices.clone()].chunks(header.stride).map(|row| floats(&row[..4 * header.floats])).collect()
    };
    let (old_rows, new_rows) = (rows(old), rows(new));
    let size = Bounds::of(old_rows.iter().flat_map(|row| &row[..3]).copied().map(f64::from)).diagonal();
    let mut total = Difference::default();
    for (old, new) in old_rows.iter().zip(&new_rows) {
        total.join(compare_numbers(&old[..3], &new[..3], size));
        total.join(compare_numbers(&old[3..], &new[3..], 1.0));
    }
    if total.is_none() { of_bytes(old, new) } else { total }
}

struct PlyHeader {
    /// Bytes of the header.
    length: usize,
    vertices: usize,
    /// Bytes of a vertex.
    stride: usize,
    /// Floats at the beginning of a vertex.
    floats: usize,
}

impl PlyHeader {
    fn read(file: &[u8]) -> Option<Self> {
        const END: &[u8] = b"end_header\n";
        let length = file.windows(END.len()).position(|window| window == END)? + END.len();
        let header = std::str::from_utf8(&file[..length]).ok()?;
        let vertices = header.lines().find_map(|line| line.strip_prefix("element vertex "))?.parse().ok()?;
        let vertex = header.split("element face").next()?;
        let count =
            |scalar: &str| vertex.lines().filter(|line| line.starts_with(&format!("property {scalar} "))).count();
        let floats = count("float");
        (floats >= 3).then_some(Self { length, vertices, stride: 4 * floats + count("uchar"), floats })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_relative_to_the_bounds_and_normals_are_not() {
        let obj = |x: &str, n: &str| format!("v {x} 0 0\nv 10 0 0\nvn {n} 0 0\n");
        assert_eq!(compare_obj(&obj("0", "1"), &obj("1", "1")).number, 0.1);
        assert_eq!(compare_obj(&obj("0", "1"), &obj("0", "0.5")).number, 0.5);
        let usda = |x: &str| {
            format!(
                "  point3f[] points.timeSamples = {{\n   0: [({x}, 0, 0), (10, 0, 0)],\n  }}\n  normal3f[] normals = [(1, 0, 0)]\n"
            )
        };
        assert_eq!(compare_usda(&usda("0"), &usda("1")).number, 0.1);
    }
}
