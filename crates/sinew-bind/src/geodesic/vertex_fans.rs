//! The length of a path along the faces around its end vertex.
//!
//! A path that arrives just above a face of the vertex is outside from the far side of that face on, and one just below is
//! not: the length ℓ of the face along the path would count at once. So it counts by the angle between path and face. With
//! the distance c between the unit directions of the path and of the nearest direction in the face, the exempt length is
//!
//! ```text
//! ℓ (1 − (c/STEEP)²)₊
//! ```
//!
//! Where several faces are near, ℓ is their mean with the weights `(1/c − 1/STEEP)₊²`: a face that contains the path has all
//! the weight (D. Shepard, *A two-dimensional interpolation function for irregularly-spaced data*, 1968), and others fade
//! in.

use glam::DVec3;
use sinew_geometry::{Face, Rows};

/// The distance between unit directions, about 11°, from which nothing is exempt. Not tuned.
const STEEP: f64 = 0.2;

/// The least distance between unit directions; it keeps the weights finite. Weights up to 1e18 are far from the limits
/// of f64.
const MIN_DIRECTION_DISTANCE: f64 = 1e-9;

/// The triangles around each vertex.
pub(crate) struct VertexFans<'a> {
    positions: &'a [DVec3],
    triangles: Vec<[u32; 3]>,
    /// For each vertex the corners of triangles at it; triangle t has the corners 3t to 3t + 2.
    corners: Rows<u32>,
}

impl<'a> VertexFans<'a> {
    pub fn new(positions: &'a [DVec3], faces: &[Face]) -> Self {
        let triangles: Vec<[u32; 3]> = faces.iter().flat_map(Face::triangles).collect();
        let corners = Rows::grouped(positions.len(), triangles.iter().flatten().copied());
        Self { positions, triangles, corners }
    }

    /// The exempt length at a vertex of a path that arrives from outside; `back` points along the path to its start.
    pub fn length_along(&self, vertex: usize, back: DVec3) -> f64 {
        let Some(back) = back.try_normalize() else { return 0.0 };
        let (mut nearest, mut lengths, mut weights) = (STEEP, 0.0, 0.0);
        for &corner in self.corners.row(vertex as u32) {
            let triangle = self.triangles[corner as usize / 3];
            let side = |k: u32| self.positions[triangle[(corner + k) as usize % 3] as usize] - self.positions[vertex];
            let across = across(side(1), side(2), back);
            let Some(direction) = across.try_normalize() else { continue };
            let distance = direction.distance(back).max(MIN_DIRECTION_DISTANCE);
            let weight = (distance.recip() - STEEP.recip()).max(0.0).powi(2);
            nearest = nearest.min(distance);
            lengths += weight * across.length();
            weights += weight;
        }
        if weights > 0.0 { lengths / weights * (1.0 - (nearest / STEEP).powi(2)) } else { 0.0 }
    }
}

/// The vector across a triangle, from the common corner of two sides to the opposite side, nearest to a direction.
fn across(first: DVec3, second: DVec3, direction: DVec3) -> DVec3 {
    let normal = first.cross(second);
    let along_first = direction.cross(second).dot(normal);
    let along_second = first.cross(direction).dot(normal);
    let sum = along_first + along_second;
    if along_first >= 0.0 && along_second >= 0.0 && sum > 0.0 {
        return (along_first * first + along_second * second) / sum;
    }
    let cosine = |side: DVec3| side.normalize_or_zero().dot(direction);
    if cosine(first) > cosine(second) { first } else { second }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A fan of four triangles around the first vertex, with a rim of these heights.
    fn rim(heights: [f64; 4]) -> ([DVec3; 5], [Face; 4]) {
        let [a, b, c, d] = heights;
        let rim =
            [DVec3::new(1.0, 0.0, a), DVec3::new(0.0, 2.0, b), DVec3::new(-1.5, 0.0, c), DVec3::new(0.0, -1.0, d)];
        let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]].map(|[a, b, c]| Face::triangle(a, b, c));
        ([DVec3::ZERO, rim[0], rim[1], rim[2], rim[3]], faces)
    }

    proptest! {
        #[test]
        fn a_path_in_a_face_is_exempt_along_all_of_it(
            heights in prop::array::uniform4(-1.0..1.0f64), face in 0..4usize, share in 0.01..0.99f64,
        ) {
            let (positions, faces) = rim(heights);
            let fans = VertexFans::new(&positions, &faces);
            let [_, a, b] = [0, 1, 2].map(|k| positions[faces[face].corners()[k] as usize]);
            let across = a.lerp(b, share);
            let found = fans.length_along(0, 5.0 * across);
            prop_assert!((found - across.length()).abs() < 1e-6, "{found} of {}", across.length());
        }

        #[test]
        fn exempt_lengths_are_continuous(
            heights in prop::array::uniform4(-0.3..0.3f64), path in prop::array::uniform3(-1.0..1.0f64),
            aside in prop::array::uniform3(-1e-6..1e-6f64),
        ) {
            let (positions, faces) = rim(heights);
            let fans = VertexFans::new(&positions, &faces);
            let path = DVec3::from(path);
            prop_assume!(path.length() > 0.1);
            let [here, there] = [path, path + DVec3::from(aside)].map(|path| fans.length_along(0, path));
            prop_assert!((here - there).abs() < 5e-3, "{here} and {there}");
        }
    }

    #[test]
    fn a_steep_path_has_no_exempt_length() {
        let (positions, faces) = rim([0.0; 4]);
        assert_eq!(VertexFans::new(&positions, &faces).length_along(0, DVec3::new(0.5, 0.5, 0.5)), 0.0);
    }
}
