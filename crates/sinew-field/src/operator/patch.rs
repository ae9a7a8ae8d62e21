//! Lookup of a designed operator and its derivatives, creases included.
//!
//! Each node of the grid has the value, the slopes and the twist of the two ends of a family, which are
//! blended by α; a cell is the bicubic polynomial that its four corners determine (C. Hermite's). It is
//! once continuously differentiable, and its derivatives are exact.
//!
//! An operator with a crease is stored for the side `f₁ ≥ f₂` alone, and the other is its mirror image,
//! so that both sides agree on the diagonal to the last bit. Cells on the crease have a corner on the
//! other side, and nodes beside it take differences across it: there stand values extrapolated from
//! this side, by the parabola along the perpendicular to the diagonal.

use super::Combined;
use super::plate::{CELLS, NODES, node};
use glam::{Vec4, Vec4Swizzles};

/// A family of operators over the unit square.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patch {
    nodes: Vec<[Corner; 2]>,
}

/// Value, slopes over a cell's side in both directions, and twist.
type Corner = Vec4;

impl Patch {
    /// One operator without a crease, level where the lines at ½ meet in this node of the diagonal.
    pub fn smooth(table: &[f64], turn: usize) -> Self {
        let corners = corners(table, turn);
        Self::between(corners.clone(), corners)
    }

    /// The family between two symmetric tables, with creases from these nodes of the diagonal on.
    pub fn creased((start, start_crease): (&[f64], usize), (end, end_crease): (&[f64], usize)) -> Self {
        Self::between(one_side(start, start_crease), one_side(end, end_crease))
    }

    fn between(start: Vec<Corner>, end: Vec<Corner>) -> Self {
        Self { nodes: start.into_iter().zip(end).map(|(a, b)| [a, b - a]).collect() }
    }

    /// A symmetric operator on either side of the diagonal.
    #[inline]
    pub fn mirrored(&self, alpha: f64, f1: f64, f2: f64) -> Combined {
        let swap = f1 < f2;
        let (larger, smaller) = if swap { (f2, f1) } else { (f1, f2) };
        let Combined { value, d1, d2 } = self.at(alpha, larger, smaller);
        Combined { value, d1: if swap { d2 } else { d1 }, d2: if swap { d1 } else { d2 } }
    }

    /// The operator at densities, which are brought into the unit square.
    #[inline]
    pub fn at(&self, alpha: f64, f1: f64, f2: f64) -> Combined {
        let (i, x) = cell(f1);
        let (j, y) = cell(f2);
        let first = node(i, j);
        let around = &self.nodes[first..first + NODES + 2];
        let rows = [[&around[0], &around[1]], [&around[NODES], &around[NODES + 1]]];
        let (across, along) = (Basis::at(x), Basis::at(y));
        let (mut value, mut d1, mut d2) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for (a, row) in rows.into_iter().enumerate() {
            // The terms of this side of the cell, and how they change along it.
            let (mut level, mut change) = ([0.0; 4], [0.0; 4]);
            for (b, [start, difference]) in row.into_iter().enumerate() {
                // In f32, as the table is: it is the corner that is rounded, and the cell is still exactly
                // the polynomial that its corners determine.
                let corner = (*start + alpha as f32 * *difference).as_dvec4().to_array();
                add_products(&mut level, corner, [along.value[b], along.value[b], along.slope[b], along.slope[b]]);
                let slopes = [along.d_value[b], along.d_value[b], along.d_slope[b], along.d_slope[b]];
                add_products(&mut change, corner, slopes);
            }
            let shares = [across.value[a], across.slope[a], across.value[a], across.slope[a]];
            add_products(&mut value, level, shares);
            add_products(&mut d1, level, [across.d_value[a], across.d_slope[a], across.d_value[a], across.d_slope[a]]);
            add_products(&mut d2, change, shares);
        }
        let sum = |[a, b, c, d]: [f64; 4]| (a + c) + (b + d);
        let per_cell = CELLS as f64;
        Combined { value: sum(value), d1: per_cell * sum(d1), d2: per_cell * sum(d2) }
    }
}

/// Lane by lane, which is what the processor does at once.
#[inline]
fn add_products(sum: &mut [f64; 4], a: [f64; 4], b: [f64; 4]) {
    for (sum, (a, b)) in sum.iter_mut().zip(a.into_iter().zip(b)) {
        *sum += a * b;
    }
}

/// The cell that a density is in, and where in it.
#[inline]
fn cell(density: f64) -> (usize, f64) {
    let place = density.clamp(0.0, 1.0) * CELLS as f64;
    // Conversions of i32 are the cheap ones.
    let cell = (place as i32).min(CELLS as i32 - 1);
    (cell as usize, place - f64::from(cell))
}

/// What the values and slopes at the two ends of a cell count for at a place in it, and the derivatives
/// of that.
struct Basis {
    value: [f64; 2],
    slope: [f64; 2],
    d_value: [f64; 2],
    d_slope: [f64; 2],
}

impl Basis {
    #[inline]
    fn at(t: f64) -> Self {
        let s = 1.0 - t;
        let rise = t * t * (3.0 - 2.0 * t);
        Self {
            value: [1.0 - rise, rise],
            slope: [t * s * s, -t * t * s],
            d_value: [-6.0 * t * s, 6.0 * t * s],
            d_slope: [s * (s - 2.0 * t), t * (t - 2.0 * s)],
        }
    }
}

/// Slopes and twists of a table by differences.
///
/// In one node of the diagonal the level ½ turns sharply, and a field that is differentiable there is
/// level.
fn corners(table: &[f64], turn: usize) -> Vec<Corner> {
    let along_x = |u: &[f64], i: usize, j: usize| difference(i, |k| u[node(k, j)]);
    let along_y = |u: &[f64], i: usize, j: usize| difference(j, |k| u[node(i, k)]);
    let at =
        |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> { (0..NODES * NODES).map(|k| f(k / NODES, k % NODES)).collect() };
    let (mut dx, mut dy) = (at(&|i, j| along_x(table, i, j)), at(&|i, j| along_y(table, i, j)));
    (dx[node(turn, turn)], dy[node(turn, turn)]) = (0.0, 0.0);
    let twist = at(&|i, j| along_y(&dx, i, j));
    (0..NODES * NODES).map(|k| Vec4::from_array([table[k], dx[k], dy[k], twist[k]].map(|v| v as f32))).collect()
}

/// Half the difference of the neighbours; at an end, the slope of the parabola through the last three.
fn difference(k: usize, value: impl Fn(usize) -> f64) -> f64 {
    match k {
        0 => 0.5 * (4.0 * value(1) - 3.0 * value(0) - value(2)),
        CELLS => 0.5 * (3.0 * value(k) - 4.0 * value(k - 1) + value(k - 2)),
        _ => 0.5 * (value(k + 1) - value(k - 1)),
    }
}

/// The corners of a symmetric table as seen from the side `i ≥ j` of its crease.
fn one_side(table: &[f64], crease: usize) -> Vec<Corner> {
    let mut side = table.to_vec();
    for i in 0..NODES {
        for j in i + 1..NODES {
            if i + j > 2 * crease {
                side[node(i, j)] = beyond_crease(table, i, j);
            }
        }
    }
    let mut corners = corners(&side, crease);
    // Up to the crease the cells on the diagonal are symmetric; this is the one node of them whose twist
    // looked beyond.
    corners[node(crease - 1, crease)] = corners[node(crease, crease - 1)].xzyw();
    corners
}

/// The value at a node `i < j` as it continues this side's: by the parabola through the points of the
/// perpendicular on the diagonal, one step and two steps off it, or by the line through the first two
/// where the square ends.
fn beyond_crease(table: &[f64], i: usize, j: usize) -> f64 {
    let (low, high) = ((i + j) / 2, (i + j).div_ceil(2));
    let on_diagonal = 0.5 * (table[node(low, low)] + table[node(high, high)]);
    // Distances from the diagonal in units of √2 cells.
    let offset = 0.5 * (j - i) as f64;
    let odd = (i + j) % 2;
    let first = if odd == 1 { (high, low) } else { (high + 1, low - 1) };
    let nearest = 1.0 - 0.5 * odd as f64;
    if first.0 > CELLS {
        return on_diagonal;
    }
    let near = table[node(first.0, first.1)];
    let slope = (near - on_diagonal) / nearest;
    if first.0 == CELLS {
        return on_diagonal - offset * slope;
    }
    let far = table[node(first.0 + 1, first.1 - 1)];
    let curvature = (far - near - slope) / (nearest + 1.0);
    on_diagonal - offset * slope + offset * (offset + nearest) * curvature
}
