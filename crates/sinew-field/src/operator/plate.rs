//! Thin plates: the surface over the unit square that bends least under constraints.
//!
//! The thin plate: on a grid of nodes minimise the sum of
//!
//! ```text
//! u_xx² + 2 u_xy² + u_yy²
//! ```
//!
//! by second differences in each row and column and mixed ones in each cell, with a free border. Nodes are
//! fixed exactly. Points of a row or column between nodes are fixed nearly, by springs. A crease may be cut
//! along the upper part of the diagonal: every difference across it is left out, so that the plate may be
//! bent there, and only there \[R18 §2.3.4\].
//!
//! The minimum is linear in the fixed values. Two sets of them share one factorisation, and an interpolated
//! set needs none: `u((1 − α) a + α b) = (1 − α) u(a) + α u(b)`.

use sinew_geometry::solve::SparseCholesky;

/// Cells along a side. A multiple of eight, so that ½ and ⅜ are nodes; not tuned otherwise.
pub(super) const CELLS: usize = 128;
/// Nodes along a side.
pub(super) const NODES: usize = CELLS + 1;

/// Stiffness of a spring, relative to the plate's. The error at a point falls as its inverse, and digits of the factor
/// are lost in proportion to it. Not tuned.
const SPRING: f64 = 1e5;

/// The index of the node with coordinates `(i, j) / CELLS`.
pub(super) fn node(i: usize, j: usize) -> usize {
    i * NODES + j
}

/// A plate with its constraints.
pub(super) struct Plate<const SETS: usize> {
    fixed: Vec<Option<[f64; SETS]>>,
    springs: Vec<Row<SETS>>,
    /// The node of the diagonal from which on there is a crease.
    crease: usize,
}

/// One square of the energy: `weight (Σ coefficient u − value)²`.
struct Row<const SETS: usize> {
    weight: f64,
    terms: Vec<(usize, f64)>,
    values: [f64; SETS],
}

impl<const SETS: usize> Plate<SETS> {
    /// A plate without constraints, with a crease from a node of the diagonal on (`NODES`: none).
    pub fn with_crease_from(crease: usize) -> Self {
        Self { fixed: vec![None; NODES * NODES], springs: Vec::new(), crease }
    }

    /// Fixes a node at these values.
    pub fn fix(&mut self, (i, j): (usize, usize), values: [f64; SETS]) {
        self.fixed[node(i, j)] = Some(values);
    }

    /// Constrains the point `(x, j)` of a row, or with `mirrored` the point `(j, x)` of a column, by a spring.
    pub fn constrain_between(&mut self, x: f64, j: usize, mirrored: bool, values: [f64; SETS]) {
        // The cubic through four nodes.
        let first = (x as usize).clamp(1, CELLS - 2) - 1;
        let t = x - first as f64;
        let share = |k: usize| {
            let others = (0..4).filter(|&other| other != k).map(|other| other as f64);
            others.map(|other| (t - other) / (k as f64 - other)).product::<f64>()
        };
        let place = |i: usize| if mirrored { node(j, i) } else { node(i, j) };
        let terms = (0..4).map(|k| (place(first + k), share(k))).collect();
        self.springs.push(Row { weight: SPRING, terms, values });
    }

    /// The values at all nodes, for each set.
    pub fn solve(&self) -> [Vec<f64>; SETS] {
        let free: Vec<usize> = (0..NODES * NODES).filter(|&k| self.fixed[k].is_none()).collect();
        let mut unknown = vec![usize::MAX; NODES * NODES];
        for (k, &at) in free.iter().enumerate() {
            unknown[at] = k;
        }
        let mut diagonal = vec![0.0; free.len()];
        let (mut edges, mut entries) = (Vec::new(), Vec::new());
        let mut right = vec![0.0; SETS * free.len()];
        for Row { weight, terms, values } in self.bending().chain(self.springs.iter().map(Row::copied)) {
            let rest = |set: usize| {
                let fixed = terms.iter().filter_map(|&(at, c)| self.fixed[at].map(|fixed| c * fixed[set]));
                values[set] - fixed.sum::<f64>()
            };
            let rest: [f64; SETS] = std::array::from_fn(rest);
            let moving: Vec<(usize, f64)> =
                terms.iter().filter(|t| self.fixed[t.0].is_none()).map(|&(at, c)| (unknown[at], c)).collect();
            for (k, &(a, ca)) in moving.iter().enumerate() {
                diagonal[a] += weight * ca * ca;
                for (set, rest) in rest.iter().enumerate() {
                    right[set * free.len() + a] += weight * ca * rest;
                }
                for &(b, cb) in &moving[k + 1..] {
                    edges.push((a as u32, b as u32));
                    entries.push(weight * ca * cb);
                }
            }
        }
        let mut cholesky = SparseCholesky::new(free.len(), &edges, SETS).expect("a system of a known size");
        let mut factor = cholesky.factor(&diagonal, &entries).expect("a plate that is fixed along lines");
        factor.solve(&mut right);
        std::array::from_fn(|set| {
            let at = |k: usize| self.fixed[k].map_or_else(|| right[set * free.len() + unknown[k]], |fixed| fixed[set]);
            (0..NODES * NODES).map(at).collect()
        })
    }

    /// The squares of the plate's own energy.
    fn bending(&self) -> impl Iterator<Item = Row<SETS>> {
        let crease = self.crease;
        let row = |weight, terms: Vec<(usize, f64)>| Row { weight, terms, values: [0.0; SETS] };
        let nodes = (0..NODES).flat_map(|i| (0..NODES).map(move |j| (i, j)));
        nodes.flat_map(move |(i, j)| {
            // A second difference about a node of the crease reaches across it.
            let on_crease = i == j && i > crease;
            let inner = |k: usize| k > 0 && k < CELLS && !on_crease;
            let along_x =
                inner(i).then(|| row(1.0, vec![(node(i - 1, j), 1.0), (node(i, j), -2.0), (node(i + 1, j), 1.0)]));
            let along_y =
                inner(j).then(|| row(1.0, vec![(node(i, j - 1), 1.0), (node(i, j), -2.0), (node(i, j + 1), 1.0)]));
            // So does the mixed one of a cell on it.
            let is_cell = i < CELLS && j < CELLS && !(i == j && i >= crease);
            let mixed = is_cell.then(|| {
                let corners = [(0, 0, 1.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 1.0)];
                row(2.0, corners.map(|(a, b, c)| (node(i + a, j + b), c)).to_vec())
            });
            [along_x, along_y, mixed].into_iter().flatten()
        })
    }
}

impl<const SETS: usize> Row<SETS> {
    fn copied(&self) -> Self {
        Self { weight: self.weight, terms: self.terms.clone(), values: self.values }
    }
}
