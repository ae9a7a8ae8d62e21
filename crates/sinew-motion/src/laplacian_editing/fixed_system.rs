//! The linear system of the free vertices while the others are fixed.
//!
//! A symmetric matrix over all vertices is split into free and fixed ones, and
//!
//! ```text
//! A_ff x_f = b_f − A_fc x_c
//! ```
//!
//! is solved for x, y and z at once with a factor of `A_ff` that is made when the system is built.

use crate::{Error, Result};
use glam::DVec3;
use sinew_geometry::solve::SparseCholesky;

/// A factored system whose fixed vertices are eliminated.
#[derive(Debug)]
pub struct FixedSystem {
    free: Vec<u32>,
    /// Row among the free ones, fixed vertex, value.
    coupling: Vec<(u32, u32, f64)>,
    cholesky: SparseCholesky,
    points: Vec<DVec3>,
}

impl FixedSystem {
    /// Factors the matrix with this diagonal and these entries `(i, j, A_ij)`, each given once for both
    /// its triangles and added up where repeated. The matrix must be positive definite over what is not fixed.
    pub fn new(diagonal: &[f64], entries: &[(u32, u32, f64)], is_fixed: &[bool]) -> Result<Self> {
        let free: Vec<u32> = (0..diagonal.len() as u32).filter(|&v| !is_fixed[v as usize]).collect();
        let mut row_of = vec![u32::MAX; diagonal.len()];
        for (row, &vertex) in free.iter().enumerate() {
            row_of[vertex as usize] = row as u32;
        }
        let (mut edges, mut values, mut coupling) = (Vec::new(), Vec::new(), Vec::new());
        for &(a, b, value) in entries {
            match (is_fixed[a as usize], is_fixed[b as usize]) {
                (false, false) => {
                    edges.push((row_of[a as usize], row_of[b as usize]));
                    values.push(value);
                }
                (false, true) => coupling.push((row_of[a as usize], b, value)),
                (true, false) => coupling.push((row_of[b as usize], a, value)),
                (true, true) => (),
            }
        }
        let mut cholesky = SparseCholesky::new(free.len(), &edges, 1)?;
        let diagonal: Vec<f64> = free.iter().map(|&v| diagonal[v as usize]).collect();
        if cholesky.factor(&diagonal, &values).is_err() {
            return Err(Error::Unanchored { vertex: free.first().map_or(0, |&v| v as usize) });
        }
        Ok(Self { points: vec![DVec3::ZERO; free.len()], free, coupling, cholesky })
    }

    /// Solves for the free vertices of `x`; reads those that are fixed.
    pub fn solve(&mut self, right: &[DVec3], x: &mut [DVec3]) {
        for (point, &vertex) in self.points.iter_mut().zip(&self.free) {
            *point = right[vertex as usize];
        }
        for &(row, fixed, value) in &self.coupling {
            self.points[row as usize] -= value * x[fixed as usize];
        }
        if let Some(mut factor) = self.cholesky.last_factor() {
            factor.solve_points(&mut self.points);
        }
        for (&point, &vertex) in self.points.iter().zip(&self.free) {
            x[vertex as usize] = point;
        }
    }
}
