//! Sparse triangular solves for x, y and z at once.
//!
//! A factor is far larger than the caches near a core, so that what a solve costs is reading it: once for `L y = b`,
//! once for `Lᵀ x = y`. Blocks of columns with the same rows below them (supernodes) are read four columns at a time,
//! each entry for all three coordinates, without being copied.
//!
//! The blocks are a forest: a block's parent has the first row below it, and it acts on its ancestors alone. So subtrees
//! of about the same size are solved in parallel, and the blocks above them, the *top*, in between. The division depends
//! on the factor alone and sums have a fixed order, so that the bits are the same everywhere.

use crate::parallel::*;
use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymbolicCholeskyRaw};
use glam::DVec3;
use std::ops::Range;

/// Columns that are read together. Not tuned.
const GROUP: usize = 4;

/// Rows that are added up together. Not tuned.
const LANES: usize = 2;

/// Parts beside the top, for as many threads at most. Not tuned.
const PARTS: usize = 8;

/// Entries below which a factor is not divided. Not tuned.
const WORTH_DIVIDING: usize = 50_000;

/// Three coordinates of so many rows.
type Coordinates = [Vec<f64>; 3];

/// The order and the buffers of a solve for points, made by the first.
#[derive(Default)]
pub(super) struct PointSolver {
    parts: Vec<Part>,
    top: Part,
}

/// Blocks that are solved one after another.
#[derive(Default)]
struct Part {
    /// The point of each of its rows.
    points: Vec<u32>,
    blocks: Vec<Place>,
    /// The rows below blocks, by their places in `all`.
    below: Vec<u32>,
    /// Its rows, then those of the top.
    all: Coordinates,
    /// The rows of one block.
    local: Coordinates,
}

/// Where a block is: its first row in the part, its columns, the rows below it and its values.
struct Place {
    start: usize,
    columns: usize,
    below: Range<usize>,
    values: Range<usize>,
}

/// Columns with the same rows below them: a square whose lower triangle counts, and what is below it, by columns.
struct Block<'a> {
    start: usize,
    columns: usize,
    below: &'a [u32],
    values: &'a [f64],
}

impl PointSolver {
    /// Replaces right-hand sides by solutions.
    pub fn solve(&mut self, symbolic: &SymbolicCholesky<u32>, factor: &[f64], points: &mut [DVec3]) {
        if self.parts.is_empty() {
            *self = Self::new(symbolic);
        }
        let Self { parts, top } = self;
        parts.par_iter_mut().for_each(|part| {
            part.load(points);
            part.forward(factor);
        });
        top.load(points);
        for part in &*parts {
            for (top, all) in top.all.iter_mut().zip(&part.all) {
                top.iter_mut().zip(&all[part.points.len()..]).for_each(|(sum, value)| *sum += value);
            }
        }
        top.forward(factor);
        top.backward(factor);
        parts.par_iter_mut().for_each(|part| {
            let own = part.points.len();
            part.all.iter_mut().zip(&top.all).for_each(|(all, top)| all[own..].copy_from_slice(top));
            part.backward(factor);
        });
        parts.iter().chain([&*top]).for_each(|part| part.store(points));
    }

    /// Divides the blocks of a factor.
    fn new(symbolic: &SymbolicCholesky<u32>) -> Self {
        let blocks: Vec<FactorBlock<'_>> = (0..block_count(symbolic)).map(|k| factor_block(symbolic, k)).collect();
        let part_of = division(&blocks, symbolic.nrows());
        let order = symbolic.perm().map(|order| order.arrays().0);
        // The rows of each part, and where each row is in its own.
        let mut parts: Vec<Part> = (0..=PARTS).map(|_| Part::default()).collect();
        let mut place = vec![0; symbolic.nrows()];
        for (block, &part) in blocks.iter().zip(&part_of) {
            for row in block.own() {
                place[row] = parts[part].points.len() as u32;
                parts[part].points.push(order.map_or(row as u32, |order| order[row]));
            }
        }
        let top_rows = parts[PARTS].points.len();
        let mut part_of_row = vec![PARTS; symbolic.nrows()];
        blocks.iter().zip(&part_of).for_each(|(block, &part)| part_of_row[block.own()].fill(part));
        for (block, &number) in blocks.iter().zip(&part_of) {
            let part = &mut parts[number];
            let (own, from) = (part.points.len() as u32, part.below.len());
            let beyond = |row: usize| if part_of_row[row] == number { 0 } else { own };
            part.below.extend(block.below.iter().map(|&row| beyond(row as usize) + place[row as usize]));
            part.blocks.push(Place {
                start: place[block.start] as usize,
                columns: block.columns,
                below: from..part.below.len(),
                values: block.values.clone(),
            });
        }
        for (number, part) in parts.iter_mut().enumerate() {
            let rows = part.points.len() + if number == PARTS { 0 } else { top_rows };
            let tallest = part.blocks.iter().map(|block| block.columns + block.below.len()).max().unwrap_or(0);
            part.all = std::array::from_fn(|_| vec![0.0; rows]);
            part.local = std::array::from_fn(|_| vec![0.0; tallest]);
        }
        let top = parts.pop().unwrap_or_default();
        Self { parts, top }
    }
}

/// The part of each block, which the top is the last of. The largest subtree gives its root to the top until none is
/// larger than a part's share.
fn division(blocks: &[FactorBlock<'_>], rows: usize) -> Vec<usize> {
    let total: usize = blocks.iter().map(|block| block.values.len()).sum();
    if total < WORTH_DIVIDING {
        return vec![PARTS; blocks.len()];
    }
    let mut block_of_row = vec![0; rows];
    blocks.iter().enumerate().for_each(|(k, block)| block_of_row[block.own()].fill(k));
    let parent = |k: usize| blocks[k].below.iter().min().map(|&row| block_of_row[row as usize]);
    let mut sizes: Vec<usize> = blocks.iter().map(|block| block.values.len()).collect();
    let mut children = vec![Vec::new(); blocks.len()];
    let mut subtrees = Vec::new();
    // Parents come after their children.
    for k in 0..blocks.len() {
        match parent(k) {
            Some(parent) => {
                sizes[parent] += sizes[k];
                children[parent].push(k);
            }
            None => subtrees.push(k),
        }
    }
    while let Some(at) = (0..subtrees.len()).max_by_key(|&at| (sizes[subtrees[at]], at))
        && sizes[subtrees[at]] > total / PARTS
    {
        let root = subtrees.swap_remove(at);
        subtrees.append(&mut children[root]);
    }
    subtrees.sort_by_key(|&root| (std::cmp::Reverse(sizes[root]), root));
    let (mut part_of, mut filled) = (vec![PARTS; blocks.len()], [0; PARTS]);
    for root in subtrees {
        let part = (0..PARTS).min_by_key(|&part| filled[part]).unwrap_or(0);
        filled[part] += sizes[root];
        part_of[root] = part;
    }
    // Others go with their parents.
    for k in (0..blocks.len()).rev() {
        if let (PARTS, Some(parent)) = (part_of[k], parent(k)) {
            part_of[k] = part_of[parent];
        }
    }
    part_of
}

impl Part {
    /// Takes its rows from points, and nothing from the top.
    fn load(&mut self, points: &[DVec3]) {
        let [x, y, z] = &mut self.all;
        for (row, &point) in self.points.iter().enumerate() {
            [x[row], y[row], z[row]] = points[point as usize].to_array();
        }
        self.all.iter_mut().for_each(|all| all[self.points.len()..].fill(0.0));
    }

    fn store(&self, points: &mut [DVec3]) {
        let [x, y, z] = &self.all;
        for (row, &point) in self.points.iter().enumerate() {
            points[point as usize] = DVec3::new(x[row], y[row], z[row]);
        }
    }

    fn forward(&mut self, factor: &[f64]) {
        let Self { blocks, below, all, local, .. } = self;
        blocks.iter().for_each(|place| forward(&place.block(below, factor), all, local));
    }

    fn backward(&mut self, factor: &[f64]) {
        let Self { blocks, below, all, local, .. } = self;
        blocks.iter().rev().for_each(|place| backward(&place.block(below, factor), all, local));
    }
}

impl Place {
    fn block<'a>(&self, below: &'a [u32], factor: &'a [f64]) -> Block<'a> {
        let &Self { start, columns, .. } = self;
        Block { start, columns, below: &below[self.below.clone()], values: &factor[self.values.clone()] }
    }
}

/// `y_k = (b_k − Σ_{j<k} L_kj y_j) / L_kk` within a block, and what that takes from the rows below.
fn forward(block: &Block, all: &mut Coordinates, local: &mut Coordinates) {
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
fn backward(block: &Block, all: &mut Coordinates, local: &mut Coordinates) {
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

impl Block<'_> {
    fn rows(&self) -> usize {
        self.columns + self.below.len()
    }

    fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows()..][..self.rows()]
    }
}

/// A block as the factor has it.
struct FactorBlock<'a> {
    start: usize,
    columns: usize,
    below: &'a [u32],
    values: Range<usize>,
}

impl FactorBlock<'_> {
    /// Its rows.
    fn own(&self) -> Range<usize> {
        self.start..self.start + self.columns
    }
}

fn block_count(symbolic: &SymbolicCholesky<u32>) -> usize {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(columns) => columns.ncols(),
        SymbolicCholeskyRaw::Supernodal(nodes) => nodes.n_supernodes(),
    }
}

/// A block of the factor; a single column where it has no others.
fn factor_block(symbolic: &SymbolicCholesky<u32>, index: usize) -> FactorBlock<'_> {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(columns) => {
            let values = columns.col_ptr()[index] as usize..columns.col_ptr()[index + 1] as usize;
            let below = &columns.row_idx()[values.start + 1..values.end];
            FactorBlock { start: index, columns: 1, below, values }
        }
        SymbolicCholeskyRaw::Supernodal(nodes) => {
            let start = nodes.supernode_begin()[index] as usize;
            let ends = nodes.col_ptr_for_val();
            FactorBlock {
                start,
                columns: nodes.supernode_end()[index] as usize - start,
                below: nodes.supernode(index).pattern(),
                values: ends[index] as usize..ends[index + 1] as usize,
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
