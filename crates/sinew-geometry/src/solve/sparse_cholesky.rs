//! Sparse Cholesky factorisation, for many solves with one pattern.
//!
//! `P A Pᵀ = L Lᵀ`. The permutation P (approximate minimum degree, which keeps L sparse) and the
//! places of L's entries depend on the pattern of A alone and are found once, when
//! [`SparseCholesky`] is built. New numbers in the same places then cost a numeric factorisation, and
//! a right-hand side two triangular solves. Both run on the calling thread, but for columns and points, whose parallel
//! sums have a fixed order: the bits do not depend on the number of threads. They run in memory kept from the building
//! (columns that are solved in parallel take some of their own, and points keep some from the first solve). Nothing else
//! is allocated
//! but what dense products pack their operands into, in systems of thousands of rows: a thread makes
//! it once and keeps it on x86-64 with AVX2, while other CPUs take and return it in every product.
//!
//! The pattern is that of a graph: the diagonal is always there, and every edge `(i, j)` is the entry
//! `A_ij = A_ji`. A Laplacian is written down as it stands:
//!
//! ```
//! use sinew_geometry::solve::SparseCholesky;
//!
//! // A path of three vertices, its Laplacian plus the identity.
//! let mut cholesky = SparseCholesky::new(3, &[(0, 1), (1, 2)], 1)?;
//! let mut x = [1.0, 0.0, 0.0];
//! cholesky.factor(&[2.0, 3.0, 2.0], &[-1.0, -1.0])?.solve(&mut x);
//! assert!((2.0 * x[0] - x[1] - 1.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::points::PointSolver;
use crate::parallel::*;
use crate::{Error, Result};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use glam::DVec3;

/// A symmetric positive definite matrix of fixed pattern, ready to be factored again and again.
pub struct SparseCholesky {
    pattern: Pattern,
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
    factor: Vec<f64>,
    factored: bool,
    block: usize,
    memory: MemBuffer,
    points: PointSolver,
}

/// A matrix whose factorisation met a pivot that is not positive, or a value that is not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix of a linear system is not positive definite")]
pub struct NotPositiveDefinite;

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let entries = self.factor_entries();
        formatter
            .debug_struct("SparseCholesky")
            .field("size", &self.size())
            .field("factor_entries", &entries)
            .finish_non_exhaustive()
    }
}

impl SparseCholesky {
    /// Prepares a matrix of `size` rows with entries on the diagonal and at `edges`, each written once
    /// for both its triangles. An edge may be repeated or join a vertex to itself: values in one
    /// place are added up. Right-hand sides will be solved `block` at a time.
    ///
    /// The memory taken is that of the factor and of `2 block` columns at most.
    pub fn new(size: usize, edges: &[(u32, u32)], block: usize) -> Result<Self> {
        let block = block.max(1);
        let pattern = Pattern::new(size, edges)?;
        let too_large = |_| Error::SystemTooLarge { size };
        let symbolic = factorize_symbolic_cholesky(
            pattern.lower(),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams::default(),
        )
        .map_err(too_large)?;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(block, Par::Seq));
        Ok(Self {
            values: vec![0.0; pattern.rows.len()],
            factor: vec![0.0; symbolic.len_val()],
            factored: false,
            block,
            points: PointSolver::default(),
            memory: MemBuffer::try_new(scratch).map_err(|_| Error::SystemTooLarge { size })?,
            pattern,
            symbolic,
        })
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.pattern.starts.len() - 1
    }

    /// Number of entries of the factor L, those that blocks of columns fill up included.
    pub fn factor_entries(&self) -> usize {
        self.factor.len()
    }

    /// Factors the matrix with these values on the diagonal and, in the order they were given, at the
    /// edges.
    ///
    /// # Panics
    /// If there are not as many values as rows and as edges.
    pub fn factor(&mut self, diagonal: &[f64], edges: &[f64]) -> Result<Factor<'_>, NotPositiveDefinite> {
        self.factored = false;
        self.pattern.scatter(diagonal, edges, &mut self.values);
        if self.values.iter().any(|value| !value.is_finite()) {
            return Err(NotPositiveDefinite);
        }
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                SparseColMatRef::new(self.pattern.lower(), &self.values),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .map_err(|_| NotPositiveDefinite)?;
        self.factored = true;
        Ok(Factor { of: self })
    }

    /// The factor of the last matrix; none before the first, and after one that was refused.
    pub fn last_factor(&mut self) -> Option<Factor<'_>> {
        self.factored.then_some(Factor { of: self })
    }
}

/// The entries of a symmetric matrix, one after another.
#[derive(Debug, Clone)]
pub struct SymmetricEntries {
    diagonal: Vec<f64>,
    edges: Vec<(u32, u32)>,
    values: Vec<f64>,
}

impl SymmetricEntries {
    /// A matrix of zeros.
    pub fn new(size: usize) -> Self {
        Self { diagonal: vec![0.0; size], edges: Vec::new(), values: Vec::new() }
    }

    /// Makes it a matrix of zeros again. A prepared matrix takes new values if they are added in the same order.
    pub fn clear(&mut self) {
        self.diagonal.fill(0.0);
        self.edges.clear();
        self.values.clear();
    }

    /// Adds a value at a place, once for both its triangles.
    ///
    /// # Panics
    /// If it is on the diagonal beyond the matrix.
    pub fn add(&mut self, row: u32, column: u32, value: f64) {
        if row == column {
            self.diagonal[row as usize] += value;
        } else {
            self.edges.push((row, column));
            self.values.push(value);
        }
    }

    /// What is on the diagonal.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Prepares the matrix as [`SparseCholesky::new`] does. It has no factor yet.
    pub fn prepare(&self, block: usize) -> Result<SparseCholesky> {
        SparseCholesky::new(self.diagonal.len(), &self.edges, block)
    }

    /// Factors the matrix that was prepared.
    pub fn factor<'a>(&self, prepared: &'a mut SparseCholesky) -> Result<Factor<'a>, NotPositiveDefinite> {
        prepared.factor(&self.diagonal, &self.values)
    }
}

/// The factor of a matrix, which solves for right-hand sides.
#[derive(Debug)]
pub struct Factor<'a> {
    of: &'a mut SparseCholesky,
}

impl Factor<'_> {
    /// Replaces right-hand sides by solutions. `columns` holds one column after another, any number of
    /// them; as many as the matrix was prepared for go through the factor together.
    ///
    /// # Panics
    /// If the length of `columns` is not a multiple of the matrix's size.
    pub fn solve(&mut self, columns: &mut [f64]) {
        let SparseCholesky { symbolic, factor, memory, block, .. } = &mut *self.of;
        let size = symbolic.nrows();
        assert!(columns.len().is_multiple_of(size.max(1)), "{} values are no columns of {size}", columns.len());
        let factor = LltRef::new(symbolic, factor);
        for columns in columns.chunks_mut((size * *block).max(1)) {
            solve_block(&factor, columns, memory);
        }
    }

    /// Replaces right-hand sides by solutions, for x, y and z at once.
    ///
    /// # Panics
    /// If there are not as many points as rows.
    pub fn solve_points(&mut self, points: &mut [DVec3]) {
        let SparseCholesky { symbolic, factor, points: solver, .. } = &mut *self.of;
        assert_eq!(points.len(), symbolic.nrows(), "one point per row");
        solver.solve(symbolic, factor, points);
    }

    /// Solves as [`Factor::solve`] does, blocks of columns in parallel, each in memory of its own. The
    /// bits do not depend on the number of threads.
    ///
    /// # Panics
    /// If the length of `columns` is not a multiple of the matrix's size.
    pub fn solve_in_parallel(&self, columns: &mut [f64]) {
        let SparseCholesky { symbolic, factor, block, .. } = &*self.of;
        let size = symbolic.nrows();
        assert!(columns.len().is_multiple_of(size.max(1)), "{} values are no columns of {size}", columns.len());
        let factor = LltRef::new(symbolic, factor);
        let scratch = symbolic.solve_in_place_scratch::<f64>(*block, Par::Seq);
        columns
            .par_chunks_mut((size * *block).max(1))
            .for_each_init(|| MemBuffer::new(scratch), |memory, columns| solve_block(&factor, columns, memory));
    }
}

fn solve_block(factor: &LltRef<'_, u32, f64>, columns: &mut [f64], memory: &mut MemBuffer) {
    let size = factor.symbolic().nrows();
    let count = columns.len() / size;
    let columns = MatMut::from_column_major_slice_mut(columns, size, count);
    factor.solve_in_place_with_conj(Conj::No, columns, Par::Seq, MemStack::new(memory));
}

/// The lower triangle in compressed columns, the diagonal first in each, and where the edges went.
struct Pattern {
    starts: Vec<u32>,
    rows: Vec<u32>,
    entry_of_edge: Vec<u32>,
}

impl Pattern {
    fn new(size: usize, edges: &[(u32, u32)]) -> Result<Self> {
        if size.saturating_add(edges.len()) >= i32::MAX as usize {
            return Err(Error::SystemTooLarge { size });
        }
        if let Some(&(a, b)) = edges.iter().find(|&&(a, b)| a.max(b) as usize >= size) {
            return Err(Error::UnknownOutOfRange { unknown: a.max(b), size });
        }
        let place = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
        let mut places: Vec<(u32, u32)> = (0..size as u32).map(|v| (v, v)).chain(edges.iter().map(place)).collect();
        places.sort_unstable();
        places.dedup();
        let starts = (0..=size as u32).map(|column| places.partition_point(|p| p.0 < column) as u32).collect();
        let entry = |edge| places.partition_point(|p| *p < place(edge)) as u32;
        let entry_of_edge = edges.iter().map(entry).collect();
        Ok(Self { starts, rows: places.iter().map(|p| p.1).collect(), entry_of_edge })
    }

    fn lower(&self) -> SymbolicSparseColMatRef<'_, u32> {
        let size = self.starts.len() - 1;
        SymbolicSparseColMatRef::new_checked(size, size, &self.starts, None, &self.rows)
    }

    fn scatter(&self, diagonal: &[f64], edges: &[f64], values: &mut [f64]) {
        assert_eq!(diagonal.len(), self.starts.len() - 1, "one value per row");
        assert_eq!(edges.len(), self.entry_of_edge.len(), "one value per edge");
        values.fill(0.0);
        for (&start, value) in self.starts.iter().zip(diagonal) {
            values[start as usize] = *value;
        }
        for (&entry, value) in self.entry_of_edge.iter().zip(edges) {
            values[entry as usize] += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::elimination::eliminate;
    use super::*;
    use proptest::prelude::*;

    /// The edges of a triangulated square of `side` by `side` vertices.
    fn grid(side: u32) -> Vec<(u32, u32)> {
        let at = |x, y| y * side + x;
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        cells
            .flat_map(|(x, y)| [(x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|other| ((x, y), other)))
            .filter(|(_, (x, y))| x.max(y) < &side)
            .map(|((x, y), (u, v))| (at(x, y), at(u, v)))
            .collect()
    }

    /// `Σ w (e_a − e_b)(e_a − e_b)ᵀ + diag(extra)` as its diagonal and its values at the edges.
    fn laplacian(edges: &[(u32, u32)], weights: &[f64], extra: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut diagonal = extra.to_vec();
        for (&(a, b), w) in edges.iter().zip(weights).filter(|((a, b), _)| a != b) {
            diagonal[a as usize] += w;
            diagonal[b as usize] += w;
        }
        let values = edges.iter().zip(weights).map(|((a, b), w)| if a == b { 0.0 } else { -w }).collect();
        (diagonal, values)
    }

    fn multiply(diagonal: &[f64], edges: &[(u32, u32)], values: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = diagonal.iter().zip(x).map(|(d, x)| d * x).collect();
        for (&(a, b), value) in edges.iter().zip(values) {
            let (a, b) = (a as usize, b as usize);
            product[a] += value * x[b];
            if a != b {
                product[b] += value * x[a];
            }
        }
        product
    }

    fn dense_solve(diagonal: &[f64], edges: &[(u32, u32)], values: &[f64], rhs: &[f64]) -> Vec<f64> {
        let n = diagonal.len();
        let unit = |k: usize| (0..n).map(|i| f64::from(u8::from(i == k))).collect::<Vec<_>>();
        eliminate((0..n).map(|k| multiply(diagonal, edges, values, &unit(k))).collect(), rhs)
    }

    fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// Edges among at most thirty vertices, their weights, and what is added to the diagonal.
    fn any_laplacian() -> impl Strategy<Value = (Vec<(u32, u32)>, Vec<f64>, Vec<f64>)> {
        (1u32..30).prop_flat_map(|size| {
            let edge = ((0..size, 0..size), 0.0..10.0);
            let edges = prop::collection::vec(edge, 0..90);
            (edges, prop::collection::vec(0.1..2.0, size as usize)).prop_map(|(edges, extra)| {
                let (edges, weights) = edges.into_iter().unzip();
                (edges, weights, extra)
            })
        })
    }

    proptest! {
        #[test]
        fn solutions_are_those_of_dense_elimination(
            (edges, weights, extra) in any_laplacian(), seed in 0.0..6.0f64,
        ) {
            let size = extra.len();
            let mut cholesky = SparseCholesky::new(size, &edges, 2).unwrap();
            // The second round puts new values into the old pattern.
            for round in 0..2 {
                let weights: Vec<f64> = weights.iter().map(|w| w * (1.0 + 5.0 * f64::from(round))).collect();
                let (diagonal, values) = laplacian(&edges, &weights, &extra);
                let rhs: Vec<f64> = (0..3 * size).map(|k| (seed + k as f64).sin()).collect();
                let mut x = rhs.clone();
                let mut factor = cholesky.factor(&diagonal, &values).unwrap();
                factor.solve(&mut x);
                let point = |columns: &[f64], row: usize| DVec3::from([0, 1, 2].map(|k| columns[k * size + row]));
                let mut points: Vec<DVec3> = (0..size).map(|row| point(&rhs, row)).collect();
                factor.solve_points(&mut points);
                for (row, found) in points.iter().enumerate() {
                    prop_assert!(found.distance(point(&x, row)) < 1e-11);
                }
                for (x, rhs) in x.chunks(size).zip(rhs.chunks(size)) {
                    let dense = dense_solve(&diagonal, &edges, &values, rhs);
                    prop_assert!(largest_difference(x, &dense) < 1e-11);
                }
            }
        }

        #[test]
        fn a_negative_direction_is_refused((edges, weights, mut extra) in any_laplacian(), at in 0usize..30) {
            let at = at % extra.len();
            extra[at] = -extra.iter().sum::<f64>() - 0.1;
            // Then 1ᵀ A 1 = Σ extra < 0.
            let (diagonal, values) = laplacian(&edges, &weights, &extra);
            let mut cholesky = SparseCholesky::new(extra.len(), &edges, 1).unwrap();
            prop_assert_eq!(cholesky.factor(&diagonal, &values).err(), Some(NotPositiveDefinite));
        }
    }

    /// Small and large enough for factors by single entries and by dense blocks.
    #[test]
    fn large_systems_leave_no_residual_for_any_block() {
        for side in [3, 20, 70] {
            let edges = grid(side);
            let size = (side * side) as usize;
            let weights: Vec<f64> = (0..edges.len()).map(|k| 1.0 + (k as f64).sin().powi(2)).collect();
            let (diagonal, values) = laplacian(&edges, &weights, &vec![0.01; size]);
            let rhs: Vec<f64> = (0..5 * size).map(|k| (k as f64).cos()).collect();
            for block in [0, 1, 2, 5, 8] {
                let mut cholesky = SparseCholesky::new(size, &edges, block).unwrap();
                let mut x = rhs.clone();
                cholesky.factor(&diagonal, &values).unwrap().solve(&mut x);
                for (x, rhs) in x.chunks(size).zip(rhs.chunks(size)) {
                    let residual = largest_difference(&multiply(&diagonal, &edges, &values, x), rhs);
                    assert!(residual < 1e-11, "{side}, block {block}: {residual}");
                }
            }
            let mut cholesky = SparseCholesky::new(size, &edges, 1).unwrap();
            let mut points: Vec<DVec3> = (0..size).map(|row| DVec3::new(rhs[row], rhs[size + row], 1.0)).collect();
            let wanted = points.clone();
            cholesky.factor(&diagonal, &values).unwrap().solve_points(&mut points);
            let coordinate = |points: &[DVec3], axis: usize| points.iter().map(|p| p[axis]).collect::<Vec<_>>();
            for axis in 0..3 {
                let product = multiply(&diagonal, &edges, &values, &coordinate(&points, axis));
                let residual = largest_difference(&product, &coordinate(&wanted, axis));
                assert!(residual < 1e-11, "{side}, coordinate {axis}: {residual}");
            }
        }
    }

    #[test]
    fn a_refused_matrix_leaves_no_factor_and_the_next_one_is_taken() {
        for side in [3, 70] {
            let edges = grid(side);
            let size = (side * side) as usize;
            let (mut diagonal, values) = laplacian(&edges, &vec![1.0; edges.len()], &vec![1.0; size]);
            let mut cholesky = SparseCholesky::new(size, &edges, 1).unwrap();
            assert!(cholesky.last_factor().is_none());
            for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
                let good = std::mem::replace(&mut diagonal[size / 2], bad);
                assert!(cholesky.factor(&diagonal, &values).is_err(), "{bad}");
                assert!(cholesky.last_factor().is_none());
                diagonal[size / 2] = good;
            }
            cholesky.factor(&diagonal, &values).unwrap();
            let mut ones = vec![1.0; size];
            cholesky.last_factor().unwrap().solve(&mut ones);
            // L 1 = 0, so (L + I) 1 = 1.
            assert!(ones.iter().all(|x| (x - 1.0).abs() < 1e-13));
        }
    }

    #[test]
    fn repeated_edges_add_up_and_loops_fall_on_the_diagonal() {
        let mut cholesky = SparseCholesky::new(2, &[(0, 1), (1, 0), (1, 1)], 1).unwrap();
        let mut x = [3.0, 5.0];
        cholesky.factor(&[2.0, 1.0], &[0.25, 0.75, 2.0]).unwrap().solve(&mut x);
        // [2 1; 1 3] x = [3 5]
        assert!((x[0] - 0.8).abs() < 1e-15 && (x[1] - 1.4).abs() < 1e-15, "{x:?}");
    }

    #[test]
    fn nothing_to_solve_is_solved() {
        let mut cholesky = SparseCholesky::new(0, &[], 4).unwrap();
        cholesky.factor(&[], &[]).unwrap().solve(&mut []);
        let mut one = SparseCholesky::new(1, &[], 4).unwrap();
        one.factor(&[1.0], &[]).unwrap().solve(&mut []);
    }

    #[test]
    fn an_edge_outside_is_an_error() {
        let found = SparseCholesky::new(3, &[(0, 1), (3, 1)], 1).err();
        assert_eq!(found, Some(Error::UnknownOutOfRange { unknown: 3, size: 3 }));
    }
}
