//! Which triangle is seen at each sample?
//!
//! A triangle is rasterised by linear functions of the pixel: three edge functions, positive inside,
//! and its nearness. In perspective they come from the corners `v0 v1 v2` in camera space without
//! dividing by depth (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates",
//! 1997): for the ray `d` through a pixel the point hit is `t d` with barycentric coordinates
//! proportional to `e0 = d . (v1 x v2)` and its cyclic siblings, and `1/t = (e0 + e1 + e2) / det`,
//! `det = v0 . (v1 x v2)`. All three positive (after the sign of `det`) means a hit in front of the
//! lens, so triangles that cross the lens's plane need no clipping.
//!
//! Two triangles compute the functions of their common edge as exact negatives of each other, and a
//! sample on the edge belongs to the side that the sign of the gradient picks, so neighbours neither
//! overlap nor leave gaps.

use crate::camera::{Camera, Viewport};
use glam::{DVec2, DVec3};

/// A function `a x + b y + c` of the position in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Linear {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

impl Linear {
    pub fn at(&self, p: DVec2) -> f64 {
        self.a * p.x + self.b * p.y + self.c
    }

    fn scaled(self, factor: f64) -> Self {
        Self { a: self.a * factor, b: self.b * factor, c: self.c * factor }
    }

    fn plus(self, other: Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c }
    }

    /// Its value times the pixels per unit of it: the distance in pixels to where it vanishes.
    pub fn distance(&self, p: DVec2) -> f64 {
        self.at(p) / self.a.hypot(self.b).max(f64::MIN_POSITIVE)
    }
}

/// A triangle ready to be scanned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    /// Positive inside; `edges[k]` vanishes on the edge opposite to corner `k`.
    pub edges: [Linear; 3],
    /// Larger is nearer.
    pub nearness: Linear,
    /// Smallest and largest coordinates in the picture.
    pub bounds: [DVec2; 2],
    /// Whether the corners run counter-clockwise as seen.
    pub front: bool,
}

impl Setup {
    /// A triangle of points in front of a camera; none when it is out of sight, has no area or a
    /// corner that is not a number.
    pub fn perspective(corners: [DVec3; 3], camera: &Camera, viewport: &Viewport) -> Option<Self> {
        let v = corners.map(|p| camera.to_view(p));
        let normals = [v[1].cross(v[2]), v[2].cross(v[0]), v[0].cross(v[1])];
        let det = v[0].dot(normals[0]);
        if !det.is_finite() || det == 0.0 {
            return None;
        }
        let scale = 2.0 * camera.half_height / viewport.height;
        let center = viewport.center();
        let edges = normals.map(|n| {
            let n = n * det.signum();
            let (a, b) = (n.x * scale, -n.y * scale);
            Linear { a, b, c: -(a * center.x + b * center.y) - n.z }
        });
        let nearness = edges[0].plus(edges[1]).plus(edges[2]).scaled(1.0 / det.abs());
        let whole = [DVec2::new(viewport.x, viewport.y), DVec2::new(viewport.width, viewport.height)];
        let whole = [whole[0], whole[0] + whole[1]];
        let bounds = match corners.map(|p| camera.project(p, viewport)) {
            [None, None, None] => return None,
            [Some(a), Some(b), Some(c)] => [a.0.min(b.0).min(c.0).max(whole[0]), a.0.max(b.0).max(c.0).min(whole[1])],
            _ => whole,
        };
        (bounds[0].cmple(bounds[1]).all()).then_some(Self { edges, nearness, bounds, front: det < 0.0 })
    }

    /// A triangle seen along parallel rays: `x` and `y` are the position in the picture, `z` the
    /// nearness.
    pub fn parallel(corners: [DVec3; 3]) -> Option<Self> {
        let [p, q, r] = corners.map(|v| v.truncate());
        let area = (q - p).perp_dot(r - p);
        if !area.is_finite() || area == 0.0 {
            return None;
        }
        let edge = |from: DVec2, to: DVec2| {
            let (a, b, c) = (from.y - to.y, to.x - from.x, from.perp_dot(to));
            Linear { a, b, c }.scaled(area.signum())
        };
        let edges = [edge(q, r), edge(r, p), edge(p, q)];
        let nearness = (0..3).map(|k| edges[k].scaled(corners[k].z / area.abs())).fold(Linear::default(), Linear::plus);
        Some(Self { edges, nearness, bounds: [p.min(q).min(r), p.max(q).max(r)], front: area > 0.0 })
    }

    /// Barycentric coordinates at a position, summing to one.
    pub fn barycentric(&self, p: DVec2) -> [f64; 3] {
        let e = self.edges.map(|edge| edge.at(p).max(0.0));
        let sum = (e[0] + e[1] + e[2]).max(f64::MIN_POSITIVE);
        e.map(|value| value / sum)
    }
}

/// A block of samples at a regular distance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    /// The upper left corner of the block in the picture.
    pub origin: DVec2,
    /// Distance of two samples; the first lies half a step inside.
    pub step: f64,
    /// Samples in a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

impl Grid {
    /// Where a sample lies in the picture.
    pub fn position(&self, column: usize, row: usize) -> DVec2 {
        self.origin + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.step
    }

    /// Calls `visit(index, nearness)` for every sample that the triangle covers.
    pub fn scan(&self, triangle: &Setup, mut visit: impl FnMut(usize, f32)) {
        let low = ((triangle.bounds[0] - self.origin) / self.step - 0.5).ceil().max(DVec2::ZERO);
        let high = ((triangle.bounds[1] - self.origin) / self.step + 0.5).floor();
        let (first_column, first_row) = (low.x as usize, low.y as usize);
        let end_column = (high.x.max(0.0) as usize).min(self.columns);
        let end_row = (high.y.max(0.0) as usize).min(self.rows);
        // Relative to the block and in its steps, single precision is enough and rounds both sides of
        // an edge alike.
        let local = |f: &Linear| {
            let c = f.a * (self.origin.x + 0.5 * self.step) + f.b * (self.origin.y + 0.5 * self.step) + f.c;
            [(f.a * self.step) as f32, (f.b * self.step) as f32, c as f32]
        };
        let edges = triangle.edges.each_ref().map(local);
        let owned = edges.map(|[a, b, _]| a > 0.0 || (a == 0.0 && b > 0.0));
        let near = local(&triangle.nearness);
        for row in first_row..end_row {
            let y = row as f32;
            let starts = edges.map(|[_, b, c]| b * y + c);
            let near_start = near[1] * y + near[2];
            for column in first_column..end_column {
                let x = column as f32;
                let inside = (0..3).all(|k| {
                    let e = edges[k][0] * x + starts[k];
                    e > 0.0 || (e == 0.0 && owned[k])
                });
                if inside {
                    visit(row * self.columns + column, near[0] * x + near_start);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(corners: [DVec3; 3]) -> Vec<usize> {
        let grid = Grid { origin: DVec2::ZERO, step: 1.0, columns: 6, rows: 6 };
        let mut samples = Vec::new();
        if let Some(setup) = Setup::parallel(corners) {
            grid.scan(&setup, |index, _| samples.push(index));
        }
        samples
    }

    #[test]
    fn a_triangle_covers_exactly_the_samples_inside() {
        let samples = covered([DVec3::new(0.0, 0.0, 0.0), DVec3::new(4.2, 0.0, 0.0), DVec3::new(0.0, 4.2, 0.0)]);
        let expected: Vec<usize> = (0..36).filter(|i| (i % 6) as f64 + 0.5 + (i / 6) as f64 + 0.5 < 4.2).collect();
        assert_eq!(samples, expected);
    }

    #[test]
    fn neighbours_share_no_sample_and_leave_none() {
        let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let center = p(2.5, 2.5);
        let ring = [p(0.0, 0.0), p(2.5, 0.0), p(6.0, 0.0), p(6.0, 6.0), p(0.0, 6.0)];
        let mut hits = vec![0; 36];
        for k in 0..5 {
            covered([center, ring[k], ring[(k + 1) % 5]]).into_iter().for_each(|i| hits[i] += 1);
        }
        assert_eq!(hits, vec![1; 36]);
    }

    #[test]
    fn a_triangle_through_the_lens_is_cut_there() {
        let camera = Camera { eye: DVec3::ZERO, right: DVec3::X, up: DVec3::Y, back: DVec3::Z, half_height: 1.0 };
        let viewport = Viewport { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        // The ground one unit below the lens, reaching far behind it.
        let ground = [DVec3::new(-900.0, -1.0, 900.0), DVec3::new(900.0, -1.0, 900.0), DVec3::new(0.0, -1.0, -9e5)];
        let setup = Setup::perspective(ground, &camera, &viewport).unwrap();
        let grid = Grid { origin: DVec2::ZERO, step: 1.0, columns: 10, rows: 10 };
        let mut rows = [0; 10];
        grid.scan(&setup, |index, nearness| {
            let depth = 1.0 / f64::from(nearness);
            let expected = 1.0 / (((index / 10) as f64 + 0.5 - 5.0) / 5.0);
            assert!((depth - expected).abs() < 1e-4 * expected);
            rows[index / 10] += 1;
        });
        assert_eq!(rows, [0, 0, 0, 0, 0, 10, 10, 10, 10, 10]);
    }

    #[test]
    fn triangles_without_area_or_numbers_are_left_out() {
        let p = DVec3::new(1.0, 2.0, 0.0);
        assert!(Setup::parallel([p, p, p]).is_none());
        assert!(Setup::parallel([p, DVec3::NAN, DVec3::ZERO]).is_none());
    }
}
