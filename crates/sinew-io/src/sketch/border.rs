//! Following the border of a region of pixels, from corner to corner of the pixels along it.

use glam::DVec2;

/// A picture in which pixels are in or out; all beyond it are out.
pub struct Mask {
    pub width: usize,
    pub height: usize,
    /// Row by row from the top.
    pub pixels: Vec<bool>,
}

impl Mask {
    fn has(&self, x: i64, y: i64) -> bool {
        let inside = |at: i64, size: usize| usize::try_from(at).ok().filter(|&at| at < size);
        match (inside(x, self.width), inside(y, self.height)) {
            (Some(x), Some(y)) => self.pixels[y * self.width + x],
            _ => false,
        }
    }

    /// The outer border of the region around its first pixel in reading order, the region to the right of the way:
    /// the corners at which it turns. Pixels that touch at a corner hang together.
    pub fn border(&self, first: usize) -> Vec<DVec2> {
        let start = ((first % self.width) as i64, (first / self.width) as i64);
        let ((mut x, mut y), (mut dx, mut dy)) = (start, (1i64, 0i64));
        let mut corners = vec![DVec2::new(x as f64, y as f64)];
        loop {
            (x, y) = (x + dx, y + dy);
            // Of the four pixels around the corner, those ahead to the left and to the right.
            let ahead = |side: i64| self.has(x + (dx - side * dy - 1) / 2, y + (dy + side * dx - 1) / 2);
            let turned = if ahead(-1) {
                (dy, -dx)
            } else if ahead(1) {
                (dx, dy)
            } else {
                (-dy, dx)
            };
            if (x, y) == start && turned == (1, 0) {
                return corners;
            }
            if turned != (dx, dy) {
                corners.push(DVec2::new(x as f64, y as f64));
                (dx, dy) = turned;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn border(rows: &[&str]) -> Vec<(f64, f64)> {
        let pixels: Vec<bool> = rows.concat().chars().map(|c| c == '#').collect();
        let first = pixels.iter().position(|&is_in| is_in).unwrap();
        let corners = Mask { width: rows[0].len(), height: rows.len(), pixels }.border(first);
        corners.iter().map(|corner| (corner.x, corner.y)).collect()
    }

    #[test]
    fn a_border_goes_from_corner_to_corner() {
        assert_eq!(border(&["...", ".#.", "..."]), [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]);
        let ell = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (0.0, 2.0)];
        assert_eq!(border(&["#.", "##"]), ell);
    }

    #[test]
    fn pixels_that_touch_at_a_corner_hang_together() {
        for rows in [["#.", ".#"], [".#", "#."]] {
            let corners = border(&rows);
            assert_eq!(corners.len(), 8, "{corners:?}");
        }
    }
}
