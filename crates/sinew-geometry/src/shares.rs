//! How much of every old vertex is in a new one?
//!
//! Subdivision is linear in the values at the vertices. A step is therefore kept as a table of shares
//! that applies to positions, texture coordinates and skinning weights alike, and whatever was a
//! partition of unity before is one after.

use super::Face;
use std::ops::{AddAssign, Mul};

/// The shares of the old vertices in each new one, as compressed sparse rows; each row sums to one.
#[derive(Debug, Clone)]
pub struct ShareTable {
    offsets: Vec<u32>,
    shares: Vec<(u32, f32)>,
}

impl ShareTable {
    /// No vertices yet, with room for some.
    pub fn with_capacity(rows: usize, shares: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, shares: Vec::with_capacity(shares) }
    }

    /// Appends a vertex.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f32)>) {
        self.shares.extend(row);
        self.offsets.push(self.shares.len() as u32);
    }

    /// Number of new vertices.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shares of the old vertices in a new one.
    pub fn row(&self, vertex: usize) -> &[(u32, f32)] {
        &self.shares[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    /// The values at the new vertices, from those at the old ones.
    pub fn apply<T>(&self, values: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f32, Output = T>,
    {
        let value = |vertex| {
            let mut sum = T::default();
            self.row(vertex).iter().for_each(|&(old, share)| sum += values[old as usize] * share);
            sum
        };
        (0..self.len()).map(value).collect()
    }
}

/// A table of shares while it is filled.
pub(super) struct Rows {
    table: ShareTable,
    sums: Vec<(u32, f64)>,
}

impl Rows {
    pub fn with_capacity(rows: usize) -> Self {
        Self { table: ShareTable::with_capacity(rows, 8 * rows), sums: Vec::new() }
    }

    /// Appends the vertex that `fill` describes.
    pub fn push(&mut self, fill: impl FnOnce(&mut Row<'_>)) {
        self.sums.clear();
        fill(&mut Row(&mut self.sums));
        self.table.push(self.sums.iter().map(|&(vertex, share)| (vertex, share as f32)));
    }

    pub fn finish(self) -> ShareTable {
        self.table
    }
}

/// The shares in one new vertex, summed in f64.
pub(super) struct Row<'a>(&'a mut Vec<(u32, f64)>);

impl Row<'_> {
    pub fn add(&mut self, vertex: u32, share: f64) {
        match self.0.iter_mut().find(|(v, _)| *v == vertex) {
            Some((_, sum)) => *sum += share,
            None => self.0.push((vertex, share)),
        }
    }

    pub fn centroid(&mut self, face: &Face, share: f64) {
        let corners = face.corners();
        corners.iter().for_each(|&v| self.add(v, share / corners.len() as f64));
    }
}
