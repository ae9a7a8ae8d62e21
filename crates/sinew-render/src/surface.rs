//! The drawn surfaces, as one list of triangles in a common unit.
//!
//! Faces with corners out of range or positions that are not finite are left out; missing normals are
//! the mean of the faces around each *position*, by angle, so that seams do not show.

use crate::color::{CLAY, ColorMap};
use glam::{DVec3, Vec3};
use sinew::geometry::Face;
use std::collections::HashMap;

/// How a surface gets its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coloring<'a> {
    /// One colour, linear RGB.
    Plain(Vec3),
    /// A number for each vertex and what the numbers look like.
    Values {
        /// A number for each vertex; missing ones count as not a number.
        values: &'a [f32],
        /// The colours of the numbers.
        map: ColorMap,
    },
    /// A colour for each vertex, linear RGB; missing ones are clay.
    Colors(&'a [Vec3]),
}

/// A surface in the pose to be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface<'a> {
    /// Positions of the vertices.
    pub positions: &'a [Vec3],
    /// Unit normals; when there is not one for each vertex they are computed.
    pub normals: &'a [Vec3],
    /// Triangles and quads.
    pub faces: &'a [Face],
    /// Where the colour comes from.
    pub coloring: Coloring<'a>,
}

impl<'a> Surface<'a> {
    /// A surface of plain clay with normals to be computed.
    pub fn new(positions: &'a [Vec3], faces: &'a [Face]) -> Self {
        Self { positions, normals: &[], faces, coloring: Coloring::Plain(CLAY) }
    }
}

/// The unit of drawing: the scene's middle goes to the origin, its farthest corner to distance 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    center: DVec3,
    scale: f64,
}

impl Unit {
    /// The unit of a set of points; those that are not finite do not count.
    pub fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let finite = points.filter(|p| p.is_finite()).map(|p| p.as_dvec3());
        let (low, high) = finite.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let radius = 0.5 * (high - low).length();
        if !radius.is_finite() {
            return Self { center: DVec3::ZERO, scale: 1.0 };
        }
        Self { center: 0.5 * (low + high), scale: if radius > 0.0 { 1.0 / radius } else { 1.0 } }
    }

    pub fn apply(&self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.center) * self.scale).as_vec3()
    }
}

/// How a vertex's paint turns into a colour.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Paint {
    /// The paint is the colour.
    Direct,
    /// The paint's first number goes through the map.
    Mapped(ColorMap),
}

impl Paint {
    /// How strongly highlights show: not at all over numbers, whose colours must stay what they are.
    pub fn gloss(&self) -> f32 {
        match self {
            Self::Direct => 0.16,
            Self::Mapped(_) => 0.0,
        }
    }

    pub fn color(&self, paint: Vec3) -> Vec3 {
        match self {
            Self::Direct => paint,
            Self::Mapped(map) => map.color(paint.x),
        }
    }
}

/// All triangles of a panel.
#[derive(Debug, Default)]
pub(crate) struct Figure {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub paints: Vec<Vec3>,
    /// Those of solid surfaces first, then those of veils.
    pub triangles: Vec<[u32; 3]>,
    /// How many triangles are solid.
    pub solid_triangles: usize,
    /// For each triangle: its surface, and whether the edge opposite to each corner is one of the face.
    pub details: Vec<(u32, [bool; 3])>,
    pub coats: Vec<Paint>,
}

impl Figure {
    /// Gathers the surfaces of a panel.
    pub fn new(surfaces: &[Surface<'_>], veils: &[Surface<'_>], unit: &Unit) -> Self {
        let mut figure = Self::default();
        surfaces.iter().for_each(|surface| figure.add(surface, unit));
        figure.solid_triangles = figure.triangles.len();
        veils.iter().for_each(|surface| figure.add(surface, unit));
        figure
    }

    fn add(&mut self, surface: &Surface<'_>, unit: &Unit) {
        let count = surface.positions.len();
        let base = self.positions.len();
        // Vertices are numbered with 32 bits.
        if base + count > u32::MAX as usize {
            return;
        }
        let number = self.coats.len() as u32;
        self.positions.extend(surface.positions.iter().map(|&p| unit.apply(p)));
        let first = self.triangles.len();
        for face in surface.faces {
            let good = |&v: &u32| surface.positions.get(v as usize).is_some_and(|p| p.is_finite());
            if !face.corners().iter().all(good) {
                continue;
            }
            let borders = if face.is_quad() { [[true, false, true], [true, true, false]] } else { [[true; 3]; 2] };
            for (triangle, border) in face.triangles().zip(borders) {
                self.triangles.push(triangle.map(|v| v + base as u32));
                self.details.push((number, border));
            }
        }
        if surface.normals.len() == count && surface.normals.iter().all(|n| n.is_finite()) {
            self.normals.extend_from_slice(surface.normals);
        } else {
            let smooth = smooth_normals(&self.positions, base, &self.triangles[first..]);
            self.normals.extend(smooth);
        }
        self.paints.extend((0..count).map(|v| match surface.coloring {
            Coloring::Plain(color) => color,
            Coloring::Values { values, .. } => Vec3::splat(values.get(v).copied().unwrap_or(f32::NAN)),
            Coloring::Colors(colors) => colors.get(v).copied().unwrap_or(CLAY),
        }));
        self.coats.push(match surface.coloring {
            Coloring::Values { map, .. } => Paint::Mapped(map),
            Coloring::Plain(_) | Coloring::Colors(_) => Paint::Direct,
        });
    }
}

/// Normals of the vertices from `base` on: the sum of the triangles' normals times their angle, shared
/// by all vertices at the same position.
fn smooth_normals(positions: &[Vec3], base: usize, triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut sums: HashMap<[u32; 3], Vec3> = HashMap::with_capacity(positions.len() - base);
    for triangle in triangles {
        let p = triangle.map(|v| positions[v as usize]);
        let normal = (p[1] - p[0]).cross(p[2] - p[0]).normalize_or_zero();
        for k in 0..3 {
            let (a, b) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
            let angle = a.cross(b).length().atan2(a.dot(b));
            *sums.entry(key(p[k])).or_default() += normal * angle;
        }
    }
    let normal = |p: &Vec3| sums.get(&key(*p)).copied().unwrap_or_default().normalize_or(Vec3::Y);
    positions[base..].iter().map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seam_gets_one_normal() {
        let positions = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
        let positions = positions.map(Vec3::from);
        let normals = smooth_normals(&positions, 0, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!(normals[0], normals[3]);
        assert!((normals[0] - Vec3::new(1.0, 0.0, 1.0).normalize()).length() < 1e-6);
    }

    #[test]
    fn bad_faces_are_left_out() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NAN];
        let faces = [Face::triangle(0, 1, 2), Face::triangle(0, 1, 3), Face::quad(0, 1, 2, 9)];
        let figure = Figure::new(&[Surface::new(&positions, &faces)], &[], &Unit::of(positions.iter().copied()));
        assert_eq!(figure.triangles, [[0, 1, 2]]);
        assert_eq!(figure.normals.len(), 4);
    }
}
