//! Sparse triangular solves for x, y and z at once.
//!
//! A factor is far larger than the caches near a core, so that what a solve costs is reading it: once for `L y = b`,
//! once for `Lᵀ x = y`. Blocks of columns with the same rows below them (supernodes) are read four columns at a time,
//! each entry for all three coordinates, without being copied. The sums have a fixed order, so that the bits are the
//! same everywhere.

use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymbolicCholeskyRaw};
use glam::DVec3;

/// Columns that are read together. Not tuned.
const GROUP: usize = 4;

/// Rows that are added up together. Not tuned.
const LANES: usize = 2;

/// Three coordinates of so many rows.
type Coordinates = [Vec<f64>; 3];

/// The buffers of a solve for points, allocated by the first.
#[derive(Default)]
pub(super) struct PointBuffer {
    /// All rows, in the order of the factor.
    all: Coordinates,
    /// The rows of one block.
    local: Coordinates,
}

/// Columns with the same rows below them: a square whose lower triangle counts, and what is below it, by columns.
struct Block<'a> {
    start: usize,
    columns: usize,
    below: &'a [u32],
    values: &'a [f64],
}

impl PointBuffer {
    /// Replaces right-hand sides by solutions.
    pub fn solve(&mut self, symbolic: &SymbolicCholesky<u32>, factor: &[f64], points: &mut [DVec3]) {
        let blocks = block_count(symbolic);
        if self.all[0].len() != points.len() {
            let rows = (0..blocks).map(|k| block(symbolic, factor, k).rows()).max().unwrap_or(0);
            self.all = std::array::from_fn(|_| vec![0.0; points.len()]);
            self.local = std::array::from_fn(|_| vec![0.0; rows]);
        }
        let order = symbolic.perm().map(|order| order.arrays().0);
        let point = |row: usize| order.map_or(row, |order| order[row] as usize);
        for row in 0..points.len() {
            let [x, y, z] = &mut self.all;
            [x[row], y[row], z[row]] = points[point(row)].to_array();
        }
        (0..blocks).for_each(|k| self.forward(&block(symbolic, factor, k)));
        (0..blocks).rev().for_each(|k| self.backward(&block(symbolic, factor, k)));
        for row in 0..points.len() {
            let [x, y, z] = &self.all;
            points[point(row)] = DVec3::new(x[row], y[row], z[row]);
        }
    }

    /// `y_k = (b_k − Σ_{j<k} L_kj y_j) / L_kk` within a block, and what that takes from the rows below.
    fn forward(&mut self, block: &Block) {
        let Self { all, local } = self;
        if block.columns == 1 {
            return forward_column(block, all);
        }
        let own = block.start..block.start + block.columns;
        for (all, local) in all.iter().zip(&mut *local) {
            local[..block.columns].copy_from_slice(&all[own.clone()]);
            local[block.columns..block.rows()].fill(0.0);
        }
        let whole = block.columns / GROUP * GROUP;
        (0..whole).step_by(GROUP).for_each(|first| forward_group::<GROUP>(block, first, local));
        (whole..block.columns).for_each(|first| forward_group::<1>(block, first, local));
        for (all, local) in all.iter_mut().zip(&*local) {
            all[own.clone()].copy_from_slice(&local[..block.columns]);
            block.below.iter().zip(&local[block.columns..]).for_each(|(&row, value)| all[row as usize] += value);
        }
    }

    /// `x_k = (y_k − Σ_{i>k} L_ik x_i) / L_kk` within a block.
    fn backward(&mut self, block: &Block) {
        let Self { all, local } = self;
        if block.columns == 1 {
            return backward_column(block, all);
        }
        let own = block.start..block.start + block.columns;
        for (all, local) in all.iter().zip(&mut *local) {
            local[..block.columns].copy_from_slice(&all[own.clone()]);
            block.below.iter().zip(&mut local[block.columns..]).for_each(|(&row, value)| *value = all[row as usize]);
        }
        let whole = block.columns / GROUP * GROUP;
        (whole..block.columns).rev().for_each(|first| backward_group::<1>(block, first, local));
        (0..whole).step_by(GROUP).rev().for_each(|first| backward_group::<GROUP>(block, first, local));
        for (all, local) in all.iter_mut().zip(&*local) {
            all[own.clone()].copy_from_slice(&local[..block.columns]);
        }
    }
}

impl Block<'_> {
    fn rows(&self) -> usize {
        self.columns + self.below.len()
    }

    fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows()..][..self.rows()]
    }
}

fn block_count(symbolic: &SymbolicCholesky<u32>) -> usize {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(columns) => columns.ncols(),
        SymbolicCholeskyRaw::Supernodal(nodes) => nodes.n_supernodes(),
    }
}

/// A block of the factor; a single column where it has no others.
fn block<'a>(symbolic: &'a SymbolicCholesky<u32>, factor: &'a [f64], index: usize) -> Block<'a> {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(columns) => {
            let entries = columns.col_ptr()[index] as usize..columns.col_ptr()[index + 1] as usize;
            let below = &columns.row_idx()[entries.start + 1..entries.end];
            Block { start: index, columns: 1, below, values: &factor[entries] }
        }
        SymbolicCholeskyRaw::Supernodal(nodes) => {
            let start = nodes.supernode_begin()[index] as usize;
            let ends = nodes.col_ptr_for_val();
            Block {
                start,
                columns: nodes.supernode_end()[index] as usize - start,
                below: nodes.supernode(index).pattern(),
                values: &factor[ends[index] as usize..ends[index + 1] as usize],
            }
        }
    }
}

/// A block of one column, without gathering its rows.
fn forward_column(block: &Block, [x, y, z]: &mut Coordinates) {
    let (diagonal, below) = (block.values[0], block.below.iter().zip(&block.values[1..]));
    let solved = DVec3::new(x[block.start], y[block.start], z[block.start]) / diagonal;
    [x[block.start], y[block.start], z[block.start]] = solved.to_array();
    for (&row, entry) in below {
        x[row as usize] -= entry * solved.x;
        y[row as usize] -= entry * solved.y;
        z[row as usize] -= entry * solved.z;
    }
}

/// The same for the transpose.
fn backward_column(block: &Block, [x, y, z]: &mut Coordinates) {
    let (diagonal, below) = (block.values[0], block.below.iter().zip(&block.values[1..]));
    let mut own = DVec3::new(x[block.start], y[block.start], z[block.start]);
    for (&row, &entry) in below {
        own -= entry * DVec3::new(x[row as usize], y[row as usize], z[row as usize]);
    }
    [x[block.start], y[block.start], z[block.start]] = (own / diagonal).to_array();
}

/// Solves for G columns of a block and takes them from all rows after them.
fn forward_group<const G: usize>(block: &Block, first: usize, local: &mut Coordinates) {
    let columns: [&[f64]; G] = std::array::from_fn(|k| block.column(first + k));
    let mut solved = [[0.0; G]; 3];
    let [x, y, z] = local.each_mut().map(|local| local[first..block.rows()].split_at_mut(G));
    for (own, solved) in [x.0, y.0, z.0].into_iter().zip(&mut solved) {
        for k in 0..G {
            let taken: f64 = (0..k).map(|j| columns[j][first + k] * solved[j]).sum();
            solved[k] = (own[k] - taken) / columns[k][first + k];
        }
        own.copy_from_slice(solved);
    }
    take(columns.map(|column| &column[first + G..]), &solved, x.1, y.1, z.1);
}

/// Takes all rows after G columns of a block from them and solves for them.
fn backward_group<const G: usize>(block: &Block, first: usize, local: &mut Coordinates) {
    let columns: [&[f64]; G] = std::array::from_fn(|k| block.column(first + k));
    let [x, y, z] = local.each_mut().map(|local| local[first..block.rows()].split_at_mut(G));
    let sums = products(columns.map(|column| &column[first + G..]), x.1, y.1, z.1);
    for (own, sums) in [x.0, y.0, z.0].into_iter().zip(sums) {
        for k in (0..G).rev() {
            let within: f64 = (k + 1..G).map(|j| columns[k][first + j] * own[j]).sum();
            own[k] = (own[k] - sums[k] - within) / columns[k][first + k];
        }
    }
}

/// `x_i −= Σ_k L_ik s_k` for each coordinate.
#[inline(never)]
fn take<const G: usize>(columns: [&[f64]; G], solved: &[[f64; G]; 3], x: &mut [f64], y: &mut [f64], z: &mut [f64]) {
    let count = x.len();
    let (columns, y, z) = (columns.map(|column| &column[..count]), &mut y[..count], &mut z[..count]);
    for i in 0..count {
        let [mut of_x, mut of_y, mut of_z] = [x[i], y[i], z[i]];
        for k in 0..G {
            let entry = columns[k][i];
            of_x -= entry * solved[0][k];
            of_y -= entry * solved[1][k];
            of_z -= entry * solved[2][k];
        }
        [x[i], y[i], z[i]] = [of_x, of_y, of_z];
    }
}

/// `Σ_i L_ik x_i` for each coordinate and column.
#[inline(never)]
fn products<const G: usize>(columns: [&[f64]; G], x: &[f64], y: &[f64], z: &[f64]) -> [[f64; G]; 3] {
    let lanes = |values| <[f64]>::as_chunks::<LANES>(values);
    let ((xs, x_end), (ys, y_end), (zs, z_end)) = (lanes(x), lanes(y), lanes(z));
    let mut sums = [[[0.0; LANES]; G]; 3];
    let count = xs.len();
    let (ys, zs) = (&ys[..count], &zs[..count]);
    let chunks = columns.map(|column| &lanes(column).0[..count]);
    for i in 0..count {
        for k in 0..G {
            for lane in 0..LANES {
                let entry = chunks[k][i][lane];
                sums[0][k][lane] += entry * xs[i][lane];
                sums[1][k][lane] += entry * ys[i][lane];
                sums[2][k][lane] += entry * zs[i][lane];
            }
        }
    }
    let mut totals = sums.map(|sums| sums.map(|lanes| lanes.iter().sum()));
    for (totals, end) in totals.iter_mut().zip([x_end, y_end, z_end]) {
        for (total, column) in totals.iter_mut().zip(columns) {
            *total += column[LANES * count..].iter().zip(end).map(|(entry, x)| entry * x).sum::<f64>();
        }
    }
    totals
}
