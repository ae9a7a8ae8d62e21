//! Inpainting: values at vertices without any, from those around.
//!
//! They have the least Dirichlet energy, like a soap film over the gap: each column `w` minimises `½ wᵀ L w` with
//! L the surface's Laplacian, so that `L w = 0` at every unknown vertex i:
//!
//! ```text
//! Σ_j c_ij (w_i − w_j) = 0
//! ```
//!
//! As all conductances are positive, each value is a mean of its neighbours': weights stay between 0 and
//! 1 and between those around the gap, and as the constant 1 is a solution too, columns that sum to one
//! around the gap do so inside. The bi-Laplacian of R. Abdrashitov et al. (2023) continues slopes across
//! the edge of a gap, but leaves that range, and its clamped columns do not sum to one; at hems, which
//! have values on one side only, slopes continued outwards are what leaves it most.
//!
//! Each gap has a system of its own, over the columns that occur around it.

use crate::Result;
use sinew_geometry::parallel::*;
use sinew_geometry::solve::SparseCholesky;
use sinew_geometry::{SurfaceLaplacian, UnionFind};

/// The nonzero values at a vertex, as `(column, value)` by increasing column.
pub(super) type WeightRow = Vec<(u32, f64)>;

/// Right-hand sides per block of the solver. Not tuned; a block has no effect on results beyond rounding.
const SOLVER_BLOCK: usize = 16;

/// Values below this, too small for f32 weights to matter, are dropped. It is the epsilon of f32.
const NEGLIGIBLE: f64 = 1e-7;

/// Fills in missing rows. Rows of components without any value stay missing, and those of gaps whose system is too
/// ill-conditioned for f64.
pub(super) fn inpaint(laplacian: &SurfaceLaplacian, rows: &mut [Option<WeightRow>]) -> Result<()> {
    let gaps = gaps(laplacian, rows);
    let filled: Vec<Option<Vec<WeightRow>>> = gaps.par_iter().map(|gap| gap.solve(rows)).collect::<Result<_>>()?;
    for (gap, filled) in gaps.iter().zip(filled) {
        for (&vertex, row) in gap.vertices.iter().zip(filled.into_iter().flatten()) {
            rows[vertex as usize] = Some(row);
        }
    }
    Ok(())
}

/// A connected component of vertices without values, adjacent to some with values.
#[derive(Default)]
struct Gap {
    vertices: Vec<u32>,
    /// Inner edges, as indices into `vertices`, and their conductances.
    edges: Vec<(u32, u32)>,
    weights: Vec<f64>,
    /// Edges to vertices with values, as index, vertex and conductance.
    border: Vec<(u32, u32, f64)>,
}

/// The gaps, in order of their first vertex.
fn gaps(laplacian: &SurfaceLaplacian, rows: &[Option<WeightRow>]) -> Vec<Gap> {
    let is_known = |v: u32| rows[v as usize].is_some();
    let edges = || laplacian.edges().iter().copied().zip(laplacian.weights().iter().copied());
    let mut pieces = UnionFind::new(rows.len());
    edges().filter(|&((a, b), _)| !is_known(a) && !is_known(b)).for_each(|((a, b), _)| pieces.join(a, b));
    let mut gaps: Vec<Gap> = Vec::new();
    let mut gap_of_root = vec![u32::MAX; rows.len()];
    // The gap of each vertex and its index there.
    let mut gap_indices = vec![(u32::MAX, u32::MAX); rows.len()];
    for vertex in (0..rows.len() as u32).filter(|&v| !is_known(v)) {
        let number = &mut gap_of_root[pieces.root(vertex) as usize];
        if *number == u32::MAX {
            *number = gaps.len() as u32;
            gaps.push(Gap::default());
        }
        let gap = &mut gaps[*number as usize];
        gap_indices[vertex as usize] = (*number, gap.vertices.len() as u32);
        gap.vertices.push(vertex);
    }
    for ((a, b), weight) in edges() {
        let [(gap, index), (other_gap, other_index)] = [a, b].map(|v| gap_indices[v as usize]);
        match (is_known(a), is_known(b)) {
            (true, true) => {}
            (false, false) => {
                gaps[gap as usize].edges.push((index, other_index));
                gaps[gap as usize].weights.push(weight);
            }
            (false, true) => gaps[gap as usize].border.push((index, b, weight)),
            (true, false) => gaps[other_gap as usize].border.push((other_index, a, weight)),
        }
    }
    gaps.retain(|gap| !gap.border.is_empty());
    gaps
}

impl Gap {
    fn solve(&self, rows: &[Option<WeightRow>]) -> Result<Option<Vec<WeightRow>>> {
        let size = self.vertices.len();
        let mut diagonal = vec![0.0; size];
        for (&(a, b), weight) in self.edges.iter().zip(&self.weights) {
            diagonal[a as usize] += weight;
            diagonal[b as usize] += weight;
        }
        self.border.iter().for_each(|&(index, _, weight)| diagonal[index as usize] += weight);
        let off_diagonal: Vec<f64> = self.weights.iter().map(|weight| -weight).collect();
        let values = |known: u32| rows[known as usize].iter().flatten();
        let mut columns: Vec<u32> = self.border.iter().flat_map(|&(_, known, _)| values(known)).map(|v| v.0).collect();
        columns.sort_unstable();
        columns.dedup();

        let mut cholesky = SparseCholesky::new(size, &self.edges, SOLVER_BLOCK)?;
        let Ok(mut factor) = cholesky.factor(&diagonal, &off_diagonal) else { return Ok(None) };
        let mut filled = vec![WeightRow::new(); size];
        for block in columns.chunks(SOLVER_BLOCK) {
            let mut solution = vec![0.0; size * block.len()];
            for &(index, known, weight) in &self.border {
                for &(column, value) in values(known) {
                    if let Ok(k) = block.binary_search(&column) {
                        solution[k * size + index as usize] += weight * value;
                    }
                }
            }
            factor.solve(&mut solution);
            for (column, solution) in block.iter().zip(solution.chunks(size)) {
                let values = filled.iter_mut().zip(solution).filter(|(_, value)| **value > NEGLIGIBLE);
                values.for_each(|(row, &value)| row.push((*column, value)));
            }
        }
        Ok(Some(filled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;
    use sinew_geometry::Face;
    use sinew_geometry::solve::DenseLu;

    /// Shares of three columns that sum to one.
    fn shares() -> impl Strategy<Value = WeightRow> {
        prop::array::uniform3(0.0..1.0f64).prop_map(|parts| {
            let sum = parts.iter().sum::<f64>() + 1e-9;
            vec![(0, parts[0] / sum), (3, parts[1] / sum), (4, (parts[2] + 1e-9) / sum)]
        })
    }

    fn value(row: &WeightRow, column: u32) -> f64 {
        row.iter().find(|v| v.0 == column).map_or(0.0, |v| v.1)
    }

    proptest! {
        /// Against elimination with all unknowns of a soup in one matrix.
        #[test]
        fn every_gap_has_the_values_of_least_energy(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 16),
            corners in prop::collection::vec(prop::array::uniform3(0..16u32), 1..20),
            known in prop::collection::vec(prop::option::of(shares()), 16),
        ) {
            let positions: Vec<DVec3> = points.into_iter().map(DVec3::from).collect();
            let faces: Vec<Face> = corners.into_iter().map(|[a, b, c]| Face::triangle(a, b, c)).collect();
            let laplacian = SurfaceLaplacian::new(&positions, &faces);
            let mut rows = known.clone();
            inpaint(&laplacian, &mut rows).unwrap();
            for column in [0, 3, 4] {
                // Vertices that are known, and those that nothing reaches, are given as they are.
                let given = |v: usize| known[v].is_some() || rows[v].is_none();
                let mut matrix = vec![vec![0.0; 16]; 16];
                let mut rhs: Vec<f64> = (0..16).map(|v| known[v].as_ref().map_or(0.0, |row| value(row, column))).collect();
                (0..16).filter(|&v| given(v)).for_each(|v| matrix[v][v] = 1.0);
                for (&(a, b), &weight) in laplacian.edges().iter().zip(laplacian.weights()) {
                    for (from, to) in [(a as usize, b as usize), (b as usize, a as usize)] {
                        if !given(from) {
                            matrix[from][from] += weight;
                            matrix[from][to] -= weight;
                        }
                    }
                }
                // Rows of unit size, for pivots of one.
                for (row, rhs) in matrix.iter_mut().zip(&mut rhs) {
                    let size = row.iter().map(|x| x.abs()).fold(0.0, f64::max);
                    row.iter_mut().for_each(|x| *x /= size);
                    *rhs /= size;
                }
                let expected = DenseLu::new(matrix.len(), |i, j| matrix[i][j]).solve(&rhs);
                for (v, row) in rows.iter().enumerate().filter_map(|(v, row)| Some((v, row.as_ref()?))) {
                    let found = value(row, column);
                    prop_assert!((found - expected[v]).abs() < 1e-5, "{found} for {} at {v}", expected[v]);
                    prop_assert!((0.0..=1.0 + 1e-9).contains(&found));
                }
            }
            for row in rows.iter().flatten() {
                prop_assert!((row.iter().map(|v| v.1).sum::<f64>() - 1.0).abs() < 1e-5);
            }
            for (&(a, b), _) in laplacian.edges().iter().zip(laplacian.weights()) {
                prop_assert_eq!(rows[a as usize].is_some(), rows[b as usize].is_some(), "a gap reaches its border");
            }
        }
    }
}
