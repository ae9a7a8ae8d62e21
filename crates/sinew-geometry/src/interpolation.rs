//! Interpolation matrices: the values at new vertices as weighted means of those at old ones.
//!
//! Subdivision is linear in the values at the vertices. A step is therefore a sparse matrix that applies to positions,
//! texture coordinates and skinning weights alike, and keeps partitions of unity.

use super::{Face, Rows};
use std::ops::{AddAssign, Mul};

/// A sparse matrix whose rows are the barycentric weights of the old vertices in each new one; each row sums to one.
#[derive(Debug, Clone, PartialEq)]
pub struct InterpolationMatrix {
    rows: Rows<(u32, f32)>,
}

impl InterpolationMatrix {
    /// No vertices yet, with room for some.
    pub fn with_capacity(rows: usize, entries: usize) -> Self {
        Self { rows: Rows::with_capacity(rows, entries) }
    }

    /// Appends a new vertex: old vertices with their weights.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f32)>) {
        self.rows.push(row);
    }

    /// Number of new vertices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The old vertices of a new one with their weights.
    pub fn row(&self, vertex: usize) -> &[(u32, f32)] {
        self.rows.row(vertex as u32)
    }

    /// The values at the new vertices, from those at the old ones.
    pub fn apply<T>(&self, values: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f32, Output = T>,
    {
        let value = |vertex| {
            let mut sum = T::default();
            self.row(vertex).iter().for_each(|&(old, weight)| sum += values[old as usize] * weight);
            sum
        };
        (0..self.len()).map(value).collect()
    }
}

/// A matrix while it is filled.
pub(super) struct MatrixBuilder {
    matrix: InterpolationMatrix,
    sums: Vec<(u32, f64)>,
}

impl MatrixBuilder {
    pub fn with_capacity(rows: usize) -> Self {
        Self { matrix: InterpolationMatrix::with_capacity(rows, 8 * rows), sums: Vec::new() }
    }

    /// Appends the vertex that `fill` describes.
    pub fn push(&mut self, fill: impl FnOnce(&mut RowBuilder<'_>)) {
        self.sums.clear();
        fill(&mut RowBuilder(&mut self.sums));
        self.matrix.push(self.sums.iter().map(|&(vertex, weight)| (vertex, weight as f32)));
    }

    pub fn finish(self) -> InterpolationMatrix {
        self.matrix
    }
}

/// The weights of one new vertex, summed in f64.
pub(super) struct RowBuilder<'a>(&'a mut Vec<(u32, f64)>);

impl RowBuilder<'_> {
    pub fn add(&mut self, vertex: u32, weight: f64) {
        match self.0.iter_mut().find(|(v, _)| *v == vertex) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((vertex, weight)),
        }
    }

    pub fn centroid(&mut self, face: &Face, weight: f64) {
        let corners = face.corners();
        corners.iter().for_each(|&v| self.add(v, weight / corners.len() as f64));
    }
}
