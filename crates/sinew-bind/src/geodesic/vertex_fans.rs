//! How far does a way run along the faces around the vertex where it ends?
//!
//! A way that comes to a vertex over one of its faces runs outside from the far side of that face on, and one that comes
//! under it does not, however little the two differ: the length ℓ of the face along the way would count at once. So it
//! counts in the measure in which the way stands up from the face. With the distance c from the direction of the way to
//! the nearest direction in which the face lies, both of unit length, what does not count is
//!
//! ```text
//! ℓ (1 − (c/STEEP)²)₊
//! ```
//!
//! Where several faces are near, ℓ is their mean with the weights `(1/c − 1/STEEP)₊²`: a face that the way lies in has all
//! the weight (D. Shepard, *A two-dimensional interpolation function for irregularly-spaced data*, 1968), and others come
//! in gradually.

use glam::DVec3;
use sinew_geometry::{Face, grouped};

/// The distance of unit directions from which a way stands up from a face.
const STEEP: f64 = 0.2;

/// Distances of unit directions below this are all the same.
const LEAST: f64 = 1e-9;

/// The triangles around each vertex.
pub(crate) struct Fans<'a> {
    positions: &'a [DVec3],
    triangles: Vec<[u32; 3]>,
    starts: Vec<u32>,
    /// Corners of triangles, three for each, in order of their vertex.
    corners: Vec<u32>,
}

impl<'a> Fans<'a> {
    pub fn new(positions: &'a [DVec3], faces: &[Face]) -> Self {
        let triangles: Vec<[u32; 3]> = faces.iter().flat_map(Face::triangles).collect();
        let (starts, corners) = grouped(positions.len(), triangles.iter().flatten().copied());
        Self { positions, triangles, starts, corners }
    }

    /// The length next to a vertex that does not count of a way that comes from outside; `back` leads along the way to
    /// where it starts.
    pub fn length_along(&self, vertex: usize, back: DVec3) -> f64 {
        let Some(back) = back.try_normalize() else { return 0.0 };
        let (mut nearest, mut lengths, mut weights) = (STEEP, 0.0, 0.0);
        for &corner in &self.corners[self.starts[vertex] as usize..self.starts[vertex + 1] as usize] {
            let triangle = self.triangles[corner as usize / 3];
            let side = |k: u32| self.positions[triangle[(corner + k) as usize % 3] as usize] - self.positions[vertex];
            let across = across(side(1), side(2), back);
            let Some(direction) = across.try_normalize() else { continue };
            let distance = direction.distance(back).max(LEAST);
            let weight = (distance.recip() - STEEP.recip()).max(0.0).powi(2);
            nearest = nearest.min(distance);
            lengths += weight * across.length();
            weights += weight;
        }
        if weights > 0.0 { lengths / weights * (1.0 - (nearest / STEEP).powi(2)) } else { 0.0 }
    }
}

/// The way across a triangle with these sides, from the corner where they meet to the opposite side, that is nearest to a
/// direction.
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

    /// A fan of four triangles around the first vertex, whose rim goes up and down.
    fn rim(heights: [f64; 4]) -> ([DVec3; 5], [Face; 4]) {
        let [a, b, c, d] = heights;
        let rim =
            [DVec3::new(1.0, 0.0, a), DVec3::new(0.0, 2.0, b), DVec3::new(-1.5, 0.0, c), DVec3::new(0.0, -1.0, d)];
        let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]].map(|[a, b, c]| Face::triangle(a, b, c));
        ([DVec3::ZERO, rim[0], rim[1], rim[2], rim[3]], faces)
    }

    proptest! {
        #[test]
        fn a_way_in_a_face_runs_along_all_of_it(
            heights in prop::array::uniform4(-1.0..1.0f64), face in 0..4usize, share in 0.01..0.99f64,
        ) {
            let (positions, faces) = rim(heights);
            let fans = Fans::new(&positions, &faces);
            let [_, a, b] = [0, 1, 2].map(|k| positions[faces[face].corners()[k] as usize]);
            let across = a.lerp(b, share);
            let found = fans.length_along(0, 5.0 * across);
            prop_assert!((found - across.length()).abs() < 1e-6, "{found} of {}", across.length());
        }

        #[test]
        fn ways_that_are_next_to_each_other_run_about_as_far(
            heights in prop::array::uniform4(-0.3..0.3f64), way in prop::array::uniform3(-1.0..1.0f64),
            aside in prop::array::uniform3(-1e-6..1e-6f64),
        ) {
            let (positions, faces) = rim(heights);
            let fans = Fans::new(&positions, &faces);
            let way = DVec3::from(way);
            prop_assume!(way.length() > 0.1);
            let [here, there] = [way, way + DVec3::from(aside)].map(|way| fans.length_along(0, way));
            prop_assert!((here - there).abs() < 5e-3, "{here} and {there}");
        }
    }

    #[test]
    fn a_way_that_stands_up_runs_along_nothing() {
        let (positions, faces) = rim([0.0; 4]);
        assert_eq!(Fans::new(&positions, &faces).length_along(0, DVec3::new(0.5, 0.5, 0.5)), 0.0);
    }
}
