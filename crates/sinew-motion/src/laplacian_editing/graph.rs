//! Weighted graphs and their Laplacians.
//!
//! The differential coordinates of a vertex are its weighted differences from its neighbours (L13 eq. 5.10),
//!
//! ```text
//! δ_i = Σ_j w_ij (v_i − v_j),
//! ```
//!
//! with weights that are all one (eq. 5.11), that fall with the distance as a Gaussian (eq. 5.13), or that
//! are given. `L` with `δ = L v` is symmetric, positive semi-definite, and zero for constants.

use crate::Result;
use glam::DVec3;
use sinew_geometry::Rows;

/// Vertices, edges and the weights of the edges.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    edges: Vec<(u32, u32)>,
    weights: Vec<f64>,
    degrees: Vec<f64>,
    neighbors: Rows<(u32, f64)>,
}

impl Graph {
    /// A graph with a weight for each edge, none of them negative. An edge may be repeated: weights add up.
    pub fn new(vertices: usize, edges: Vec<(u32, u32)>, weights: Vec<f64>) -> Result<Self> {
        if vertices >= i32::MAX as usize || edges.len() >= i32::MAX as usize {
            return Err(sinew_geometry::Error::SystemTooLarge { size: vertices }.into());
        }
        if let Some(&(a, b)) = edges.iter().find(|&&(a, b)| a.max(b) as usize >= vertices) {
            return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: a.max(b), size: vertices }.into());
        }
        let count = weights.len();
        if count != edges.len() {
            let range = "as many as there are edges";
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the number of a graph's weights",
                value: count as f64,
                range,
            }
            .into());
        }
        if let Some(&value) = weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the weight of a graph's edge",
                value,
                range: "zero or more",
            }
            .into());
        }
        let mut degrees = vec![0.0; vertices];
        let mut rows = vec![Vec::new(); vertices];
        for (&(a, b), &w) in edges.iter().zip(&weights).filter(|((a, b), _)| a != b) {
            degrees[a as usize] += w;
            degrees[b as usize] += w;
            rows[a as usize].push((b, w));
            rows[b as usize].push((a, w));
        }
        Ok(Self { edges, weights, degrees, neighbors: Rows::new(rows.into_iter()) })
    }

    /// A graph whose neighbours all count the same.
    pub fn uniform(vertices: usize, edges: Vec<(u32, u32)>) -> Result<Self> {
        let weights = vec![1.0; edges.len()];
        Self::new(vertices, edges, weights)
    }

    /// A graph whose neighbours count `exp(−‖v_i − v_j‖² / γ)`, with γ the squared median length of an edge.
    pub fn gaussian(positions: &[DVec3], edges: Vec<(u32, u32)>) -> Result<Self> {
        if let Some(&(a, b)) = edges.iter().find(|&&(a, b)| a.max(b) as usize >= positions.len()) {
            return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: a.max(b), size: positions.len() }.into());
        }
        let squared = |&(a, b): &(u32, u32)| positions[a as usize].distance_squared(positions[b as usize]);
        let squares: Vec<f64> = edges.iter().map(squared).collect();
        let mut sorted = squares.clone();
        sorted.sort_by(f64::total_cmp);
        let gamma = sorted.get(sorted.len() / 2).copied().filter(|&g| g > 0.0).unwrap_or(1.0);
        let weights = squares.iter().map(|square| (-square / gamma).exp()).collect();
        Self::new(positions.len(), edges, weights)
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.degrees.len()
    }

    /// The edges as they were given.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The weights of the edges.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The neighbours of a vertex with their weights.
    pub fn neighbors(&self, vertex: usize) -> &[(u32, f64)] {
        self.neighbors.row(vertex as u32)
    }

    /// The sum of the weights at a vertex.
    pub fn degree(&self, vertex: usize) -> f64 {
        self.degrees[vertex]
    }

    /// `δ = L v`.
    pub fn differences(&self, positions: &[DVec3], differences: &mut [DVec3]) {
        for (vertex, difference) in differences.iter_mut().enumerate() {
            let around: DVec3 = self.neighbors(vertex).iter().map(|&(n, w)| positions[n as usize] * w).sum();
            *difference = positions[vertex] * self.degree(vertex) - around;
        }
    }
}
