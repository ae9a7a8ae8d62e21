//! What does a coarse cage become when it is smoothed? One step of Catmull–Clark subdivision.
//!
//! Every face gets a point at its centroid `f`, every edge a point at the mean of its ends and of the
//! centroids beside it, and a vertex `p` of valence n moves to `(F + 2R + (n − 3) p)/n`, with `F` the
//! mean of the centroids and `R` the mean of the edge midpoints around it. Borders are cubic B-spline
//! curves: midpoints, and `(a + 6p + b)/8`. [Catmull and Clark 1978]
//!
//! All of it is linear in the values at the vertices, so the step is kept as a table of shares that
//! applies to positions, texture coordinates and skinning weights alike: whatever was a partition of
//! unity on the cage is one on the refined surface. Cost: linear in the number of edges.

use super::Face;
use std::collections::HashMap;
use std::ops::{AddAssign, Mul};

/// One step of subdivision: the refined faces, all quads, and the share of every old vertex in every
/// new one. New vertices are the old ones in their order, then one for each face, then one for each
/// edge; the children of a face stand together, in the order of the faces and of their corners.
#[derive(Debug, Clone)]
pub struct Refinement {
    faces: Vec<Face>,
    offsets: Vec<u32>,
    shares: Vec<(u32, f32)>,
}

/// One Catmull–Clark step of a surface with at most two faces at each edge.
pub fn catmull_clark(vertices: usize, faces: &[Face]) -> Refinement {
    let edges = Edges::new(faces);
    let first_edge_point = vertices + faces.len();
    let mut rows = Rows::with_capacity(first_edge_point + edges.ends.len());
    for star in edges.stars(vertices, faces) {
        rows.push(|row| star.vertex_point(faces, &edges, row));
    }
    for face in faces {
        rows.push(|row| row.centroid(face, 1.0));
    }
    for (ends, beside) in edges.ends.iter().zip(&edges.beside) {
        rows.push(|row| edge_point(*ends, beside, faces, row));
    }
    let children = faces.iter().enumerate().flat_map(|(index, face)| {
        let corners = face.corners();
        let edge = |k: usize| (first_edge_point + edges.of_face[index][k % corners.len()] as usize) as u32;
        let center = (vertices + index) as u32;
        (0..corners.len())
            .map(|k| Face::quad(corners[k], edge(k), center, edge(k + corners.len() - 1)))
            .collect::<Vec<_>>()
    });
    Refinement { faces: children.collect(), offsets: rows.offsets, shares: rows.shares }
}

impl Refinement {
    /// The refined faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Number of refined vertices.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shares of the old vertices in a new one; they sum to one.
    pub fn shares(&self, vertex: usize) -> &[(u32, f32)] {
        &self.shares[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    /// The values at the refined vertices, from those at the old ones.
    pub fn apply<T>(&self, values: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f32, Output = T>,
    {
        let value = |vertex| {
            let mut sum = T::default();
            self.shares(vertex).iter().for_each(|&(old, share)| sum += values[old as usize] * share);
            sum
        };
        (0..self.len()).map(value).collect()
    }
}

/// The edges of a surface, numbered by first appearance.
struct Edges {
    ends: Vec<(u32, u32)>,
    /// The faces at each edge, first come first.
    beside: Vec<Vec<u32>>,
    /// The edge from each corner of a face to the next.
    of_face: Vec<[u32; 4]>,
}

impl Edges {
    fn new(faces: &[Face]) -> Self {
        let mut numbers = HashMap::with_capacity(2 * faces.len());
        let mut edges = Self { ends: Vec::new(), beside: Vec::new(), of_face: Vec::with_capacity(faces.len()) };
        for (index, face) in faces.iter().enumerate() {
            let mut around = [u32::MAX; 4];
            for (slot, (a, b)) in around.iter_mut().zip(face.edges()) {
                let ends = (a.min(b), a.max(b));
                *slot = *numbers.entry(ends).or_insert_with(|| {
                    edges.ends.push(ends);
                    edges.beside.push(Vec::with_capacity(2));
                    edges.ends.len() as u32 - 1
                });
                edges.beside[*slot as usize].push(index as u32);
            }
            edges.of_face.push(around);
        }
        edges
    }

    /// What lies around each vertex.
    fn stars(&self, vertices: usize, faces: &[Face]) -> Vec<Star> {
        let mut stars: Vec<Star> = (0..vertices as u32).map(|vertex| Star { vertex, ..Star::default() }).collect();
        for (edge, &(a, b)) in self.ends.iter().enumerate() {
            stars[a as usize].edges.push(edge as u32);
            stars[b as usize].edges.push(edge as u32);
        }
        for (index, face) in faces.iter().enumerate() {
            face.corners().iter().for_each(|&v| stars[v as usize].faces.push(index as u32));
        }
        stars
    }
}

/// The edges and faces around a vertex.
#[derive(Default)]
struct Star {
    vertex: u32,
    edges: Vec<u32>,
    faces: Vec<u32>,
}

impl Star {
    fn vertex_point(&self, faces: &[Face], edges: &Edges, row: &mut Row<'_>) {
        let opposite = |edge: u32| {
            let (a, b) = edges.ends[edge as usize];
            if a == self.vertex { b } else { a }
        };
        let border: Vec<u32> = self.edges.iter().copied().filter(|&e| edges.beside[e as usize].len() == 1).collect();
        match border[..] {
            [] if self.edges.is_empty() => row.add(self.vertex, 1.0),
            [] => {
                let n = self.edges.len() as f64;
                // An edge's midpoint is half the vertex itself: 2R/n holds 1/n of it in all.
                row.add(self.vertex, (n - 2.0) / n);
                self.edges.iter().for_each(|&e| row.add(opposite(e), 1.0 / (n * n)));
                self.faces.iter().for_each(|&f| row.centroid(&faces[f as usize], 1.0 / (n * n)));
            }
            [a, b] => {
                row.add(self.vertex, 0.75);
                row.add(opposite(a), 0.125);
                row.add(opposite(b), 0.125);
            }
            // Several borders meet: a corner, which stays.
            _ => row.add(self.vertex, 1.0),
        }
    }
}

fn edge_point((a, b): (u32, u32), beside: &[u32], faces: &[Face], row: &mut Row<'_>) {
    let inner = beside.len() == 2;
    let end_share = if inner { 0.25 } else { 0.5 };
    row.add(a, end_share);
    row.add(b, end_share);
    if inner {
        beside.iter().for_each(|&f| row.centroid(&faces[f as usize], 0.25));
    }
}

/// The table of shares while it is filled.
struct Rows {
    offsets: Vec<u32>,
    shares: Vec<(u32, f32)>,
    sums: Vec<(u32, f64)>,
}

impl Rows {
    fn with_capacity(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, shares: Vec::with_capacity(8 * rows), sums: Vec::new() }
    }

    fn push(&mut self, fill: impl FnOnce(&mut Row<'_>)) {
        self.sums.clear();
        fill(&mut Row(&mut self.sums));
        self.shares.extend(self.sums.iter().map(|&(vertex, share)| (vertex, share as f32)));
        self.offsets.push(self.shares.len() as u32);
    }
}

/// The shares in one new vertex, summed in f64.
struct Row<'a>(&'a mut Vec<(u32, f64)>);

impl Row<'_> {
    fn add(&mut self, vertex: u32, share: f64) {
        match self.0.iter_mut().find(|(v, _)| *v == vertex) {
            Some((_, sum)) => *sum += share,
            None => self.0.push((vertex, share)),
        }
    }

    fn centroid(&mut self, face: &Face, share: f64) {
        let corners = face.corners();
        corners.iter().for_each(|&v| self.add(v, share / corners.len() as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Topology;
    use glam::Vec3;

    /// A square pyramid: triangles and a quad, vertices of valence three and four.
    fn pyramid() -> (Vec<Vec3>, Vec<Face>) {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y, Vec3::new(0.5, 0.5, 1.0)];
        let mut faces: Vec<Face> = (0..4).map(|k| Face::triangle(k, (k + 1) % 4, 4)).collect();
        faces.push(Face::quad(3, 2, 1, 0));
        (positions, faces)
    }

    #[test]
    fn every_point_follows_the_rule() {
        let (positions, faces) = pyramid();
        let step = catmull_clark(positions.len(), &faces);
        let refined = step.apply(&positions);
        // The apex: n = 4, F = (½, ½, ⅓), R = (½, ½, ½).
        assert!(refined[4].abs_diff_eq(Vec3::new(0.5, 0.5, (1.0 / 3.0 + 1.0 + 1.0) / 4.0), 1e-6), "{}", refined[4]);
        // The corner at the origin: n = 3, F = mean of (½, ⅙, ⅓), (⅙, ½, ⅓) and (½, ½, 0),
        // R = mean of (½, 0, 0), (0, ½, 0) and (¼, ¼, ½).
        let f = Vec3::new(7.0 / 18.0, 7.0 / 18.0, 2.0 / 9.0);
        let r = Vec3::new(0.25, 0.25, 1.0 / 6.0);
        assert!(refined[0].abs_diff_eq((f + 2.0 * r) / 3.0, 1e-6), "{}", refined[0]);
        // The point of the first edge, from the origin to X.
        let edge = (Vec3::new(1.0, 0.0, 0.0) + Vec3::new(0.5, 1.0 / 6.0, 1.0 / 3.0) + Vec3::new(0.5, 0.5, 0.0)) / 4.0;
        assert!(refined[10].abs_diff_eq(edge, 1e-6), "{}", refined[10]);
    }

    #[test]
    fn a_closed_surface_stays_closed_and_becomes_quads() {
        let (positions, faces) = pyramid();
        let step = catmull_clark(positions.len(), &faces);
        assert_eq!((step.len(), step.faces().len()), (5 + 5 + 8, 4 * 3 + 4));
        assert!(step.faces().iter().all(Face::is_quad));
        let topology = Topology::new(&step.apply(&positions), step.faces());
        assert!(topology.is_closed());
        assert_eq!(topology.shells(), 1);
    }

    #[test]
    fn a_border_is_a_b_spline() {
        let positions = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::Y,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(2.0, 1.0, 0.0),
        ];
        let faces = [Face::quad(0, 1, 4, 3), Face::quad(1, 2, 5, 4)];
        let refined = catmull_clark(6, &faces).apply(&positions);
        assert_eq!(refined[1], Vec3::X);
        assert_eq!(refined[0], Vec3::new(0.125, 0.125, 0.0));
        assert_eq!(refined[8], Vec3::new(0.5, 0.0, 0.0));
    }

    #[test]
    fn shares_are_a_partition_of_unity() {
        let (positions, faces) = pyramid();
        let step = catmull_clark(positions.len(), &faces);
        for vertex in 0..step.len() {
            let sum: f32 = step.shares(vertex).iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-6 && step.shares(vertex).iter().all(|(_, share)| *share > 0.0));
        }
    }
}
