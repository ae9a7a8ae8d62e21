//! Tetrahedra that fill a box, finer where it is asked for.
//!
//! The leaves of an octree have their centres and their corners as nodes. Around each edge of the octree the centres of
//! the leaves that meet there form a ring, and two neighbours in the ring make a tetrahedron with the edge: the
//! body-centred cubic lattice where all leaves have one size. Where a leaf meets four smaller ones, the line between
//! the centres passes through the smaller leaf's face, a third of the way to its corner, so the tetrahedra still fill
//! space without gap or overlap. Leaves that share a face or an edge differ by at most one level.
//!
//! Near the boundary of the box, up to the centres of the outermost leaves, there are no tetrahedra.

use crate::{Error, Result};
use glam::{DMat3, DVec3, IVec3};
use std::collections::{BTreeMap, HashSet};

/// More leaves than this are refused: they would be some ten million tetrahedra.
const MAX_LEAVES: usize = 1 << 20;

/// The smallest leaves are this many halvings below the largest.
const MAX_LEVEL: u32 = 10;

/// Nodes and tetrahedra.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lattice {
    /// The nodes.
    pub nodes: Vec<DVec3>,
    /// Four nodes each, with a positive volume.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// A cube of the octree: its halvings, and its place in units of its edge.
type Leaf = (u32, IVec3Key);
/// An integer vector with an order.
type IVec3Key = [i32; 3];

impl Lattice {
    /// Fills the box from `low` to `high`, and somewhat more, by cubes of edge `largest`, halved as long as
    /// `splits(centre, edge)` says so.
    ///
    /// # Errors
    ///
    /// If a size is not positive, or there would be too many cells.
    pub fn new(low: DVec3, high: DVec3, largest: f64, splits: impl Fn(DVec3, f64) -> bool) -> Result<Self> {
        let extent = (high - low).max_element();
        if !(largest > 0.0 && largest.is_finite() && extent > 0.0 && extent.is_finite() && low.is_finite()) {
            return Err(Error::CellSize { size: largest, extent });
        }
        // Half a cell beyond the box, so that tetrahedra cover it.
        let counts = ((high - low) / largest + 1.0).ceil().max(DVec3::ONE);
        if counts.element_product() > MAX_LEAVES as f64 {
            return Err(Error::TooFine { limit: MAX_LEAVES });
        }
        let mut octree = Octree {
            origin: 0.5 * (low + high) - 0.5 * largest * counts,
            largest,
            counts: counts.as_ivec3(),
            leaves: HashSet::new(),
        };
        octree.refine(splits)?;
        octree.balance()?;
        Ok(octree.tetrahedra())
    }

    /// The volume of each tetrahedron.
    pub fn volumes(&self) -> Vec<f64> {
        self.tetrahedra.iter().map(|t| edges(t, &self.nodes).determinant() / 6.0).collect()
    }

    /// The matrix of `½ Σ V |∇u|²` over the nodes, as entries `(row, column, value)` with the row not after the column.
    pub fn laplacian(&self, volumes: &[f64]) -> impl Iterator<Item = (u32, u32, f64)> {
        self.tetrahedra.iter().zip(volumes).flat_map(|(t, &volume)| {
            let gradients = gradients(edges(t, &self.nodes).inverse());
            let pairs = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
            pairs.map(move |(a, b)| (t[a].min(t[b]), t[a].max(t[b]), volume * gradients[a].dot(gradients[b])))
        })
    }
}

/// The three edges of a tetrahedron from its first node, as columns.
pub(crate) fn edges(tetrahedron: &[u32; 4], nodes: &[DVec3]) -> DMat3 {
    let [a, b, c, d] = tetrahedron.map(|node| nodes[node as usize]);
    DMat3::from_cols(b - a, c - a, d - a)
}

/// The derivatives of the shares of a point by its place, from the inverse of the edges.
pub(crate) fn gradients(inverse: DMat3) -> [DVec3; 4] {
    let rows = inverse.transpose();
    [-(rows.x_axis + rows.y_axis + rows.z_axis), rows.x_axis, rows.y_axis, rows.z_axis]
}

struct Octree {
    origin: DVec3,
    largest: f64,
    counts: IVec3,
    leaves: HashSet<Leaf>,
}

impl Octree {
    fn refine(&mut self, splits: impl Fn(DVec3, f64) -> bool) -> Result<()> {
        let mut open: Vec<Leaf> = Vec::new();
        for x in 0..self.counts.x {
            for y in 0..self.counts.y {
                open.extend((0..self.counts.z).map(|z| (0, [x, y, z])));
            }
        }
        while let Some(leaf) = open.pop() {
            let (level, place) = leaf;
            let edge = self.largest / f64::from(1u32 << level);
            let center = self.origin + edge * (IVec3::from(place).as_dvec3() + 0.5);
            if level < MAX_LEVEL && splits(center, edge) {
                open.extend(children(leaf));
            } else {
                self.leaves.insert(leaf);
            }
            if self.leaves.len() + open.len() > MAX_LEAVES {
                return Err(Error::TooFine { limit: MAX_LEAVES });
            }
        }
        Ok(())
    }

    /// Splits leaves until those that share a face or an edge differ by at most one level.
    fn balance(&mut self) -> Result<()> {
        let mut open: Vec<Leaf> = self.leaves.iter().copied().collect();
        while let Some((level, place)) = open.pop() {
            if !self.leaves.contains(&(level, place)) {
                continue;
            }
            for offset in FACES.iter().chain(&EDGES) {
                let beside = [0, 1, 2].map(|k| place[k] + offset[k]);
                while let Some(coarse) = self.at_or_above(level, beside).filter(|(coarse, _)| coarse + 1 < level) {
                    self.leaves.remove(&coarse);
                    self.leaves.extend(children(coarse));
                    open.extend(children(coarse));
                }
            }
            if self.leaves.len() > MAX_LEAVES {
                return Err(Error::TooFine { limit: MAX_LEAVES });
            }
        }
        Ok(())
    }

    /// The leaf that a cube is or lies in; none if the cube is split, or outside.
    fn at_or_above(&self, level: u32, place: IVec3Key) -> Option<Leaf> {
        let above = |up: u32| (level - up, place.map(|x| x >> up));
        (0..=level).map(above).find(|leaf| self.leaves.contains(leaf))
    }

    fn tetrahedra(&self) -> Lattice {
        let mut leaves: Vec<Leaf> = self.leaves.iter().copied().collect();
        leaves.sort_unstable();
        let finest = leaves.iter().map(|leaf| leaf.0).max().unwrap_or(0);
        // Places of nodes in units of half of the finest edge.
        let corner = |(level, place): Leaf, c: IVec3Key| [0, 1, 2].map(|k| (place[k] + c[k]) << (finest - level + 1));
        let center = |(level, place): Leaf| place.map(|x| (2 * x + 1) << (finest - level));
        let mut corners: HashSet<IVec3Key> = HashSet::new();
        for &leaf in &leaves {
            corners.extend((0..8).map(|bits| corner(leaf, [bits & 1, bits >> 1 & 1, bits >> 2])));
        }
        let mut places: BTreeMap<IVec3Key, u32> = BTreeMap::new();
        let mut lattice = Lattice::default();
        let half = 0.5 * self.largest / f64::from(1u32 << finest);
        for &leaf in &leaves {
            for (axis, side) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
                let mut beside = leaf.1;
                beside[axis] += side;
                // A face belongs to the smaller leaf, or to the lower of equal ones.
                let Some(other) = self.at_or_above(leaf.0, beside) else { continue };
                if other.0 == leaf.0 && side < 0 {
                    continue;
                }
                let ends = [center(leaf), center(other)];
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let face = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                    let mut c = [0; 3];
                    (c[axis], c[u], c[v]) = (i32::from(side > 0), a, b);
                    corner(leaf, c)
                });
                for k in 0..4 {
                    let (a, b) = (face[k], face[(k + 1) % 4]);
                    let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2);
                    let pieces = if corners.contains(&middle) { vec![[a, middle], [middle, b]] } else { vec![[a, b]] };
                    for [a, b] in pieces {
                        let mut tetrahedron = [ends[0], ends[1], a, b].map(|place| {
                            *places.entry(place).or_insert_with(|| {
                                lattice.nodes.push(self.origin + half * IVec3::from(place).as_dvec3());
                                lattice.nodes.len() as u32 - 1
                            })
                        });
                        if edges(&tetrahedron, &lattice.nodes).determinant() < 0.0 {
                            tetrahedron.swap(2, 3);
                        }
                        lattice.tetrahedra.push(tetrahedron);
                    }
                }
            }
        }
        lattice
    }
}

/// The neighbours of a cube across its faces.
const FACES: [IVec3Key; 6] = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];

/// The neighbours of a cube across its edges.
const EDGES: [IVec3Key; 12] = [
    [-1, -1, 0],
    [-1, 1, 0],
    [1, -1, 0],
    [1, 1, 0],
    [-1, 0, -1],
    [-1, 0, 1],
    [1, 0, -1],
    [1, 0, 1],
    [0, -1, -1],
    [0, -1, 1],
    [0, 1, -1],
    [0, 1, 1],
];

fn children((level, place): Leaf) -> impl Iterator<Item = Leaf> {
    (0..8).map(move |bits| (level + 1, [0, 1, 2].map(|k| 2 * place[k] + (bits >> k & 1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Fine near a point, coarse elsewhere.
    fn graded(middle: DVec3) -> Lattice {
        let splits = |center: DVec3, edge: f64| edge > 0.26 && edge > 0.4 * center.distance(middle);
        Lattice::new(DVec3::ZERO, DVec3::new(4.0, 3.0, 5.0), 1.0, splits).unwrap()
    }

    /// Where all cells have one size: twelve tetrahedra for a cube, each a twelfth of it.
    #[test]
    fn cells_of_one_size_are_the_body_centred_lattice() {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::splat(3.0), 1.0, |_, _| false).unwrap();
        assert!(lattice.volumes().iter().all(|volume| (volume - 1.0 / 12.0).abs() < 1e-12));
        // Four by four by four cells have 3 · 4 · 4 · 3 faces between them, with four tetrahedra each.
        assert_eq!(lattice.tetrahedra.len(), 4 * 144);
    }

    #[test]
    fn sizes_that_are_none_and_too_many_cells_are_refused() {
        let new = |size, high| Lattice::new(DVec3::ZERO, DVec3::splat(high), size, |_, _| false);
        for (size, high) in [(0.0, 1.0), (f64::NAN, 1.0), (1.0, 0.0), (1.0, f64::INFINITY), (-1.0, 1.0)] {
            assert!(matches!(new(size, high), Err(Error::CellSize { .. })), "{size} {high}");
        }
        assert!(matches!(new(1e-3, 1.0), Err(Error::TooFine { .. })));
        let always = Lattice::new(DVec3::ZERO, DVec3::ONE, 1.0, |_, _| true);
        assert!(matches!(always, Err(Error::TooFine { .. })));
    }

    proptest! {
        /// No gap and no overlap: a point lies in one tetrahedron, and a triangle belongs to two of them or lies on the
        /// outside. No sliver: the volume is a good part of the cube over the longest edge.
        #[test]
        fn tetrahedra_of_several_sizes_fill_space(
            middle in [0.0..4.0, 0.0..3.0, 0.0..5.0],
            points in prop::collection::vec([0.0..4.0, 0.0..3.0, 0.0..5.0], 20),
        ) {
            let lattice = graded(DVec3::from(middle));
            let mut sizes: Vec<f64> = lattice.volumes();
            sizes.sort_by(f64::total_cmp);
            prop_assert!(sizes[0] > 0.0 && sizes[sizes.len() - 1] > 30.0 * sizes[0], "{} to {}", sizes[0], sizes[sizes.len() - 1]);
            let inverses: Vec<DMat3> = lattice.tetrahedra.iter().map(|t| edges(t, &lattice.nodes).inverse()).collect();
            for point in points.into_iter().map(DVec3::from) {
                let holding = lattice.tetrahedra.iter().zip(&inverses).filter(|(t, inverse)| {
                    let b = **inverse * (point - lattice.nodes[t[0] as usize]);
                    b.min_element() >= 0.0 && b.element_sum() <= 1.0
                });
                prop_assert_eq!(holding.count(), 1, "tetrahedra with {}", point);
            }
            let mut sharing: BTreeMap<[u32; 3], usize> = BTreeMap::new();
            for t in &lattice.tetrahedra {
                for skipped in 0..4 {
                    let mut triangle = [1, 2, 3].map(|k| t[(skipped + k) % 4]);
                    triangle.sort_unstable();
                    *sharing.entry(triangle).or_default() += 1;
                }
                let corners = t.map(|node| lattice.nodes[node as usize]);
                let longest = corners.iter().flat_map(|p| corners.map(|q| p.distance(q))).fold(0.0, f64::max);
                let quality = edges(t, &lattice.nodes).determinant() / longest.powi(3);
                prop_assert!(quality > 0.1, "{quality}");
            }
            prop_assert!(sharing.values().all(|&count| count <= 2));
            let inside = |node: u32| {
                let p = lattice.nodes[node as usize];
                p.min_element() > 0.0 && (DVec3::new(4.0, 3.0, 5.0) - p).min_element() > 0.0
            };
            for (triangle, count) in sharing {
                prop_assert!(count == 2 || !triangle.iter().all(|&node| inside(node)), "{:?} is open", triangle);
            }
        }
    }
}
