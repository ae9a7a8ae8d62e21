//! A surface with edges that are short enough.

use super::WeldedSurface;
use super::surface::{faces_at, neighbours, normals};
use glam::DVec3;
use sinew_geometry::{Face, Rows};
use std::collections::BTreeMap;

/// Times that every edge may be halved, as a guard against sizes near zero.
const MOST_HALVINGS: usize = 10;

impl WeldedSurface {
    /// Halves the edges that are longer than `longest` says for their middle, again and again. A point in the middle has the
    /// mean influences of the two ends, lies on the surface as it was and is no vertex of the character. Returns the ends
    /// of the edge that each new point halves.
    pub fn refine(&mut self, longest: impl Fn(DVec3) -> f64) -> Vec<[u32; 2]> {
        let mut halved = Vec::new();
        let mut influences: Vec<Vec<(u32, f64)>> = self.influences.iter().map(<[_]>::to_vec).collect();
        for _ in 0..MOST_HALVINGS {
            let middles = self.halve(&longest, &mut halved);
            if middles == 0 {
                break;
            }
            for &[a, b] in &halved[halved.len() - middles..] {
                influences.push(mean(&influences[a as usize], &influences[b as usize]));
            }
        }
        if !halved.is_empty() {
            self.normals = normals(&self.rest, &self.faces);
            self.faces_at = faces_at(self.rest.len(), &self.faces);
            self.neighbours = neighbours(&self.rest, &self.faces);
            self.influences = Rows::new(influences.into_iter());
            let copies = self.copies.iter().map(<[_]>::to_vec).chain(halved.iter().map(|_| Vec::new()));
            self.copies = Rows::new(copies.collect::<Vec<_>>().into_iter());
            for &[a, b] in &halved {
                self.is_morphed.push(self.is_morphed[a as usize] || self.is_morphed[b as usize]);
            }
        }
        halved
    }

    /// Halves each long edge once; returns how many were.
    fn halve(&mut self, longest: &impl Fn(DVec3) -> f64, halved: &mut Vec<[u32; 2]>) -> usize {
        let rest = &mut self.rest;
        let mut middles: BTreeMap<[u32; 2], Option<u32>> = BTreeMap::new();
        let mut middle_of = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let ends = [a, b].map(|end| rest[end as usize]);
                let middle = 0.5 * (ends[0] + ends[1]);
                (ends[0].distance(ends[1]) > longest(middle)).then(|| {
                    rest.push(middle);
                    halved.push([a.min(b), a.max(b)]);
                    rest.len() as u32 - 1
                })
            })
        };
        let mut faces = Vec::with_capacity(self.faces.len());
        for face in &self.faces {
            let triangles: Vec<[u32; 3]> = face.triangles().collect();
            let splits: Vec<[Option<u32>; 3]> =
                triangles.iter().map(|&[a, b, c]| [middle_of(a, b), middle_of(b, c), middle_of(c, a)]).collect();
            if splits.iter().flatten().all(Option::is_none) {
                faces.push(*face);
            } else {
                triangles.iter().zip(&splits).for_each(|(corners, middles)| split(*corners, *middles, &mut faces));
            }
        }
        let count = middles.values().flatten().count();
        self.faces = faces;
        count
    }
}

/// The pieces of a triangle with points in the middle of some of its edges, which are `a b`, `b c` and `c a`.
fn split([a, b, c]: [u32; 3], middles: [Option<u32>; 3], faces: &mut Vec<Face>) {
    match middles {
        [None, None, None] => faces.push(Face::triangle(a, b, c)),
        [Some(d), Some(e), Some(f)] => {
            faces.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]].map(|[x, y, z]| Face::triangle(x, y, z)));
        }
        // Turned until the first edge has a point and the last has none.
        [Some(d), None, None] => faces.extend([Face::triangle(a, d, c), Face::triangle(d, b, c)]),
        [Some(d), Some(e), None] => {
            faces.extend([Face::triangle(d, b, e), Face::triangle(a, d, e), Face::triangle(a, e, c)]);
        }
        [x, y, z] => split([b, c, a], [y, z, x], faces),
    }
}

/// The mean of two rows of weights, the largest first.
fn mean(a: &[(u32, f64)], b: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    a.iter().chain(b).for_each(|&(joint, weight)| *sums.entry(joint).or_default() += 0.5 * weight);
    let mut row: Vec<(u32, f64)> = sums.into_iter().collect();
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume stays, edges are short, and every edge of a closed surface still has two faces.
    #[test]
    fn a_surface_keeps_its_shape() {
        let figure = sinew_demo::character();
        let mut welded = WeldedSurface::new(&figure, &[]);
        let volume = |w: &WeldedSurface| -> f64 {
            let triangles = w.faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| w.rest[v as usize]));
            triangles.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
        };
        let (before, volume_before, open_before) = (welded.len(), volume(&welded), open_edges(&welded));
        // Fine at the feet.
        let longest = |place: DVec3| 0.004 + 0.02 * place.y.max(0.0);
        let halved = welded.refine(longest);
        assert!(halved.len() > 100 && welded.len() == before + halved.len(), "{}", halved.len());
        assert!((volume(&welded) - volume_before).abs() < 1e-9 * volume_before);
        assert_eq!(open_edges(&welded), open_before);
        for (a, b) in welded.edges() {
            let [a, b] = [a, b].map(|end| welded.rest[end]);
            assert!(a.distance(b) <= longest(0.5 * (a + b)));
        }
        for row in welded.influences.iter() {
            assert!((row.iter().map(|w| w.1).sum::<f64>() - 1.0).abs() < 1e-6);
            assert!(row.is_sorted_by(|a, b| a.1 >= b.1));
        }
        assert!((before..welded.len()).all(|point| welded.copies(point).is_empty()));
        assert!(welded.refine(longest).is_empty());
    }

    /// Edges with other than two faces.
    fn open_edges(welded: &WeldedSurface) -> usize {
        let mut counts: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for (a, b) in welded.faces.iter().flat_map(Face::edges) {
            *counts.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
        counts.values().filter(|count| **count != 2).count()
    }
}
