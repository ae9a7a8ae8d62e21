//! One step of Catmull–Clark subdivision.
//!
//! Every face gets a point at its centroid `f`, every edge a point at the mean of its ends and of the
//! centroids beside it, and a vertex `p` of valence n moves to `(F + 2R + (n − 3) p)/n`, with `F` the
//! mean of the centroids and `R` the mean of the edge midpoints around it. Borders are cubic B-spline
//! curves: midpoints, and `(a + 6p + b)/8`. [Catmull and Clark 1978]
//!
//! All of it is linear in the values at the vertices, so the step is an [`InterpolationMatrix`]. Cost: linear in
//! the number of edges.

use super::Face;
use super::edges::{Edges, Star};
use super::interpolation::{InterpolationMatrix, MatrixBuilder, RowBuilder};
use std::ops::{AddAssign, Mul};

/// One step of subdivision: the refined faces, all quads, and the matrix from old vertices to new
/// ones. New vertices are the old ones in their order, then one for each face, then one for each
/// edge; the children of a face stand together, in the order of the faces and of their corners.
#[derive(Debug, Clone)]
pub struct Refinement {
    faces: Vec<Face>,
    interpolation: InterpolationMatrix,
}

/// One Catmull–Clark step of a surface with at most two faces at each edge.
pub fn catmull_clark(vertices: usize, faces: &[Face]) -> Refinement {
    let edges = Edges::new(faces);
    let first_edge_point = vertices + faces.len();
    let mut rows = MatrixBuilder::with_capacity(first_edge_point + edges.ends.len());
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
    Refinement { faces: children.collect(), interpolation: rows.finish() }
}

impl Refinement {
    /// The refined faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The matrix that gives values at the refined vertices from those at the old ones.
    pub fn interpolation(&self) -> &InterpolationMatrix {
        &self.interpolation
    }

    /// The values at the refined vertices, from those at the old ones.
    pub fn apply<T>(&self, values: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f32, Output = T>,
    {
        self.interpolation.apply(values)
    }
}

impl Star {
    /// Where the vertex itself moves.
    pub(super) fn vertex_point(&self, faces: &[Face], edges: &Edges, row: &mut RowBuilder<'_>) {
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

fn edge_point((a, b): (u32, u32), beside: &[u32], faces: &[Face], row: &mut RowBuilder<'_>) {
    let inner = beside.len() == 2;
    let end_share = if inner { 0.25 } else { 0.5 };
    row.add(a, end_share);
    row.add(b, end_share);
    if inner {
        beside.iter().for_each(|&f| row.centroid(&faces[f as usize], 0.25));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topology;
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
        assert_eq!((step.interpolation().len(), step.faces().len()), (5 + 5 + 8, 4 * 3 + 4));
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
    fn rows_are_a_partition_of_unity() {
        let (positions, faces) = pyramid();
        let step = catmull_clark(positions.len(), &faces);
        for row in (0..step.interpolation().len()).map(|vertex| step.interpolation().row(vertex)) {
            let sum: f32 = row.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-6 && row.iter().all(|(_, share)| *share > 0.0));
        }
    }
}
