//! The tetrahedra at a point.
//!
//! A tree of boxes around tetrahedra, which follows them as they move: `O(log n)` for a point, where few of them overlap.

use super::bounds::Bounds;
use super::box_tree::{BoxTree, Branch};
use glam::{DMat3, DVec3};

/// Tetrahedra, ready to be asked which of them hold a point.
///
/// ```
/// use glam::DVec3;
/// use sinew_geometry::TetrahedronTree;
///
/// let nodes = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let tree = TetrahedronTree::new(&nodes, vec![[0, 1, 2, 3]]);
/// let mut found = Vec::new();
/// tree.holding(DVec3::splat(0.25), |tetrahedron, shares| found.push((tetrahedron, shares)));
/// assert_eq!(found, [(0, [0.25; 4])]);
/// ```
#[derive(Debug, Clone)]
pub struct TetrahedronTree {
    tree: BoxTree,
    /// The tetrahedron in each slot of the tree, with its nodes.
    slots: Vec<Slot>,
    margin: f64,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    number: u32,
    nodes: [u32; 4],
    /// The first corner, and what takes the way from there to shares of the others.
    origin: DVec3,
    inverse: DMat3,
}

impl Slot {
    fn follow(&mut self, nodes: &[DVec3]) {
        let [a, b, c, d] = self.nodes.map(|node| nodes[node as usize]);
        (self.origin, self.inverse) = (a, DMat3::from_cols(b - a, c - a, d - a).inverse());
    }

    /// The shares of a point of the corners; not a number where there is no volume.
    fn shares(&self, point: DVec3) -> [f64; 4] {
        let [x, y, z] = (self.inverse * (point - self.origin)).to_array();
        [1.0 - x - y - z, x, y, z]
    }
}

impl TetrahedronTree {
    /// Sorts tetrahedra into a tree.
    pub fn new(nodes: &[DVec3], tetrahedra: Vec<[u32; 4]>) -> Self {
        Self::with_margin(nodes, tetrahedra, 0.0)
    }

    /// The same for tetrahedra that hold points with shares down to minus `margin`, too.
    pub fn with_margin(nodes: &[DVec3], tetrahedra: Vec<[u32; 4]>, margin: f64) -> Self {
        let boxes: Vec<Bounds> = tetrahedra.iter().map(|t| bounds(nodes, t, margin)).collect();
        let (tree, order) = BoxTree::new(&boxes);
        let slot = |number: u32| {
            let nodes = tetrahedra[number as usize];
            Slot { number, nodes, origin: DVec3::ZERO, inverse: DMat3::IDENTITY }
        };
        let mut new = Self { tree, slots: order.into_iter().map(slot).collect(), margin };
        new.slots.iter_mut().for_each(|slot| slot.follow(nodes));
        new
    }

    /// Takes over the present places of the nodes.
    pub fn follow(&mut self, nodes: &[DVec3]) {
        self.tree.refit(&mut self.slots, |slot| {
            slot.follow(nodes);
            Some(bounds(nodes, &slot.nodes, self.margin))
        });
    }

    /// Calls `found` with every tetrahedron that holds a point, in a fixed order, and the point's shares of its corners.
    /// Tetrahedra without volume hold nothing.
    pub fn holding(&self, point: DVec3, mut found: impl FnMut(u32, [f64; 4])) {
        self.holding_any(std::iter::once(point), |_| true, |_, tetrahedron, shares| found(tetrahedron, shares));
    }

    /// The same for points that are near each other, with the number of the point, and some of the tetrahedra.
    pub fn holding_any(
        &self,
        points: impl Iterator<Item = DVec3> + Clone,
        is_asked: impl Fn(u32) -> bool,
        mut found: impl FnMut(usize, u32, [f64; 4]),
    ) {
        self.near(Bounds::around(points.clone().map(|point| point.as_vec3a())), &mut |slot| {
            let number = self.slots[slot].number;
            if !is_asked(number) {
                return;
            }
            for (index, point) in points.clone().enumerate() {
                let shares = self.slots[slot].shares(point);
                if shares.iter().all(|share| *share >= -ROUNDING - self.margin) {
                    found(index, number, shares);
                }
            }
        });
    }

    /// Calls `found` with every tetrahedron whose box overlaps that of some points.
    pub fn around(&self, points: &[DVec3], mut found: impl FnMut(u32)) {
        let bounds = Bounds::around(points.iter().map(|p| p.as_vec3a()));
        self.near(bounds, &mut |slot| found(self.slots[slot].number));
    }

    fn near(&self, bounds: Bounds, found: &mut impl FnMut(usize)) {
        // Room for one waiting node per level of a tree over all tetrahedra that a `u32` can count.
        let (mut waiting, mut count) = ([0; 64], usize::from(self.tree.len() > 0));
        while count > 0 {
            count -= 1;
            let node = waiting[count];
            if !self.tree.bounds(node).overlaps(&bounds) {
                continue;
            }
            match self.tree.branch(node) {
                Branch::Leaf(slots) => {
                    slots.filter(|&slot| self.tree.slot_bounds(slot).overlaps(&bounds)).for_each(&mut *found);
                }
                Branch::Fork([first, second]) => {
                    waiting[count] = second;
                    waiting[count + 1] = first;
                    count += 2;
                }
            }
        }
    }
}

/// How far beyond its sides a tetrahedron holds a point, relative to its size, so that none slips between two. Between
/// rounding errors in f64 (1e-15) and those of places in f32 (1e-7).
const ROUNDING: f64 = 1e-9;

/// The box around the points that a tetrahedron holds, with what f32 rounds away. Shares of `−m` and more sum to one in a
/// tetrahedron about the same middle whose edges are `1 + 4 m` times as long.
fn bounds(nodes: &[DVec3], tetrahedron: &[u32; 4], margin: f64) -> Bounds {
    let corners = tetrahedron.map(|node| nodes[node as usize]);
    let middle = 0.25 * corners.iter().sum::<DVec3>();
    let corners = corners.map(|corner| corner + 4.0 * margin * (corner - middle));
    let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
    let high = corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max);
    let rounding = f64::from(f32::EPSILON) * low.abs().max(high.abs());
    Bounds::around([(low - rounding).as_vec3a(), (high + rounding).as_vec3a()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(count: usize) -> impl Strategy<Value = Vec<DVec3>> {
        prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(DVec3::from), count)
    }

    proptest! {
        /// The tree finds what a look at every tetrahedron finds, before and after they moved.
        #[test]
        fn a_tree_finds_every_tetrahedron_at_a_point(
            before in places(80),
            after in places(80),
            points in places(10),
            margin in prop::sample::select(vec![0.0, 0.3]),
        ) {
            let tetrahedra: Vec<[u32; 4]> = (0..20).map(|t| [4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3]).collect();
            let mut tree = TetrahedronTree::with_margin(&before, tetrahedra.clone(), margin);
            for nodes in [before, after] {
                tree.follow(&nodes);
                for &point in &points {
                    let mut found = Vec::new();
                    tree.holding(point, |tetrahedron, shares| {
                        let corners = tetrahedra[tetrahedron as usize].map(|node| nodes[node as usize]);
                        let place: DVec3 = corners.iter().zip(shares).map(|(corner, share)| share * *corner).sum();
                        assert!(place.distance(point) < 1e-9);
                        found.push(tetrahedron);
                    });
                    found.sort_unstable();
                    let holds = |t: &u32| {
                        let [a, b, c, d] = tetrahedra[*t as usize].map(|node| nodes[node as usize]);
                        let [x, y, z] = (DMat3::from_cols(b - a, c - a, d - a).inverse() * (point - a)).to_array();
                        [1.0 - x - y - z, x, y, z].iter().all(|share| *share >= -ROUNDING - margin)
                    };
                    prop_assert_eq!(found, (0..20).filter(holds).collect::<Vec<u32>>());
                }
                let (mut together, mut alone) = (Vec::new(), Vec::new());
                let is_asked = |t: u32| !t.is_multiple_of(3);
                tree.holding_any(points.iter().copied(), is_asked, |point, t, shares| together.push((point, t, shares)));
                for (index, &point) in points.iter().enumerate() {
                    tree.holding(point, |t, shares| alone.extend(is_asked(t).then_some((index, t, shares))));
                }
                together.sort_by_key(|&(point, t, _)| (point, t));
                alone.sort_by_key(|&(point, t, _)| (point, t));
                prop_assert_eq!(together, alone);
            }
        }
    }
}
