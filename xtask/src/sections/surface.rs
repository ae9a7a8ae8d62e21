//! Surfaces of triangles, and where a plane cuts them.

use anyhow::{Context, Result, ensure};
use glam::DVec3;
use std::collections::{BTreeMap, HashMap};

/// A surface of triangles.
pub struct Surface {
    pub positions: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
}

/// An edge by its two vertices, the smaller first.
type Edge = (usize, usize);

impl Surface {
    /// The surface of an OBJ file; polygons become fans of triangles.
    pub fn from_obj(text: &str) -> Result<Self> {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let wrong = || format!("cannot read {line:?}");
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().with_context(wrong)?;
                    positions.push(DVec3::from(*numbers.first_chunk::<3>().with_context(wrong)?));
                }
                Some("f") => {
                    let vertex = |word: &str| word.split('/').next().and_then(|number| number.parse::<usize>().ok());
                    let corners: Vec<usize> =
                        words.map(|word| vertex(word)?.checked_sub(1)).collect::<Option<_>>().with_context(wrong)?;
                    triangles.extend((2..corners.len()).map(|last| [corners[0], corners[last - 1], corners[last]]));
                }
                _ => {}
            }
        }
        let is_known = |triangle: &[usize; 3]| triangle.iter().all(|&vertex| vertex < positions.len());
        ensure!(triangles.iter().all(is_known), "a face has a vertex that is not there");
        Ok(Self { positions, triangles })
    }

    /// Keeps the triangles whose vertices are all to be kept.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        self.triangles.retain(|triangle| triangle.iter().all(|&vertex| is_kept(vertex)));
    }

    /// Joins vertices that have one position at rest: files part them where texture coordinates do not meet.
    pub fn weld(&mut self, rest: &[DVec3]) {
        let mut first = HashMap::new();
        let welded: Vec<usize> = rest
            .iter()
            .enumerate()
            .map(|(vertex, position)| *first.entry(position.to_array().map(f64::to_bits)).or_insert(vertex))
            .collect();
        for vertex in self.triangles.iter_mut().flatten() {
            *vertex = welded[*vertex];
        }
    }

    /// The lines in which a plane through a point cuts the surface. A line that is closed ends with its first point. A
    /// vertex on the plane counts as above it, so that a triangle has two cut edges or none.
    pub fn cut(&self, point: DVec3, normal: DVec3) -> Vec<Vec<DVec3>> {
        let heights: Vec<f64> = self.positions.iter().map(|&position| (position - point).dot(normal)).collect();
        let is_cut = |&(a, b): &Edge| (heights[a] < 0.0) != (heights[b] < 0.0);
        let mut segments = Vec::new();
        for &[a, b, c] in &self.triangles {
            let edges = [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)));
            let mut cut = edges.into_iter().filter(is_cut);
            if let (Some(from), Some(to)) = (cut.next(), cut.next()) {
                segments.push([from, to]);
            }
        }
        let place = |(a, b): Edge| {
            let share = heights[a] / (heights[a] - heights[b]);
            self.positions[a].lerp(self.positions[b], share)
        };
        chains(&segments).into_iter().map(|chain| chain.into_iter().map(place).collect()).collect()
    }
}

/// Chains of segments that share their ends, open ones first.
fn chains(segments: &[[Edge; 2]]) -> Vec<Vec<Edge>> {
    let mut at_edge: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
    for (index, segment) in segments.iter().enumerate() {
        for &edge in segment {
            at_edge.entry(edge).or_default().push(index);
        }
    }
    let mut is_used = vec![false; segments.len()];
    let mut follow = |start: Edge| {
        let mut chain = vec![start];
        let mut end = start;
        while let Some(&next) = at_edge[&end].iter().find(|&&segment| !is_used[segment]) {
            is_used[next] = true;
            let [a, b] = segments[next];
            end = if a == end { b } else { a };
            chain.push(end);
        }
        chain
    };
    let (ends, others): (Vec<Edge>, Vec<Edge>) = at_edge.keys().partition(|edge| at_edge[edge].len() == 1);
    ends.into_iter().chain(others).map(&mut follow).filter(|chain| chain.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                        f 4 3 2 1\nf 5//1 6//1 7//1 8//1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

    fn perimeter(line: &[DVec3]) -> f64 {
        line.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
    }

    #[test]
    fn plane_cuts_a_cube_in_a_closed_square() {
        let lines = Surface::from_obj(CUBE).unwrap().cut(dvec3(0.0, 0.0, 0.25), DVec3::Z);
        let [square] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!(square.first(), square.last());
        assert!((perimeter(square) - 4.0).abs() < 1e-12, "{square:?}");
        for corner in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            assert!(square.contains(&dvec3(corner.0, corner.1, 0.25)), "{square:?}");
        }
    }

    #[test]
    fn plane_through_vertices_cuts_a_cube_in_one_closed_line() {
        let lines = Surface::from_obj(CUBE).unwrap().cut(DVec3::ZERO, dvec3(1.0, -1.0, 0.0));
        let [diagonal] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!(diagonal.first(), diagonal.last());
        assert!((perimeter(diagonal) - (2.0 + 8_f64.sqrt())).abs() < 1e-12, "{diagonal:?}");
    }

    #[test]
    fn welded_surface_is_cut_in_one_line() {
        let halves = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nf 1 2 3 4\nf 5 6 7 8\n";
        let mut surface = Surface::from_obj(halves).unwrap();
        let count = |surface: &Surface| surface.cut(dvec3(0.0, 0.0, 0.5), DVec3::Z).len();
        assert_eq!(count(&surface), 2);
        surface.weld(&surface.positions.clone());
        assert_eq!(count(&surface), 1);
        surface.retain(|vertex| vertex < 4);
        assert_eq!(perimeter(&surface.cut(dvec3(0.0, 0.0, 0.5), DVec3::Z)[0]), 1.0);
    }
}
