//! Which of many boxes overlap?
//!
//! A binary tree of bounding boxes, split at the median along the longest side, so that it is balanced
//! whatever the boxes are. The shape of the tree is made once; as the boxes move, only the bounds of
//! its nodes are computed anew, from the leaves up. Overlaps are found by walking the tree against
//! itself, `O(n log n)` for a surface that does not fold over itself everywhere.

use glam::{DVec3, Vec3, Vec3A};
use std::ops::Range;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: Vec3A,
    high: Vec3A,
}

impl Bounds {
    /// The box of nothing, which overlaps nothing.
    pub const EMPTY: Self = Self { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };

    /// The smallest box around finite points.
    pub fn around(points: impl IntoIterator<Item = Vec3A>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        (self.low.cmple(other.high) & other.low.cmple(self.high)).all()
    }

    fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Distance from a point to the corner that is farthest from it; infinite for a box of nothing.
    pub fn reach(&self, point: DVec3) -> f64 {
        let [low, high] = [self.low, self.high].map(|corner| Vec3::from(corner).as_dvec3());
        (point - low).abs().max((high - point).abs()).length()
    }

    /// Distance from a point to the nearest of the box, squared; infinite for a box of nothing.
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        let [low, high] = [self.low, self.high].map(|corner| Vec3::from(corner).as_dvec3());
        (low - point).max(point - high).max(DVec3::ZERO).length_squared()
    }

    /// Whether a path comes through the box, or within rounding of it.
    pub fn meets(&self, path: &Path) -> bool {
        let a = (self.low - path.margin - path.from) * path.inverse;
        let b = (self.high + path.margin - path.from) * path.inverse;
        let is_something = self.low.cmple(self.high).all();
        is_something && a.min(b).max_element().max(0.0) <= a.max(b).min_element().min(1.0) + SLACK
    }

    /// Its middle; the origin for a box of nothing.
    fn center(&self) -> Vec3A {
        if self.low.cmple(self.high).all() { 0.5 * self.low + 0.5 * self.high } else { Vec3A::ZERO }
    }
}

/// A straight path, ready to be held against many boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    from: Vec3A,
    /// One over its extent along each axis, or next to infinity.
    inverse: Vec3A,
    /// By how much boxes are larger for it, so that rounding hides none.
    margin: f32,
}

impl Path {
    /// The path from a point along a vector.
    pub fn new(from: DVec3, along: DVec3) -> Self {
        let margin = ROUNDING * (from.abs() + along.abs()).max_element();
        let inverse = |extent: f64| if extent.abs() > STEEPEST { 1.0 / extent } else { STEEPEST.recip() };
        let inverse = DVec3::new(inverse(along.x), inverse(along.y), inverse(along.z));
        Self { from: from.as_vec3a(), inverse: inverse.as_vec3a(), margin: margin as f32 }
    }
}

/// Relative error of a coordinate that was rounded to f32, with a margin.
const ROUNDING: f64 = 1e-6;

/// The same for a share of a path.
const SLACK: f32 = 1e-5;

/// The least extent of a path along an axis that can be divided by in f32.
const STEEPEST: f64 = 1e-30;

/// Boxes in a leaf. Fewer make a taller tree, more make useless comparisons.
const LEAF: usize = 4;

/// Pieces that the walk is split into for threads, independent of how many there are.
const PIECES: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u32,
    /// The second child; the first is the next node.
    second: u32,
}

impl Node {
    fn is_leaf(self) -> bool {
        self.count as usize <= LEAF
    }

    fn slots(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What a node of the tree consists of. The root is node 0, and children come after their parents.
pub(super) enum Branch {
    /// Slots.
    Leaf(Range<usize>),
    /// Two nodes.
    Fork([usize; 2]),
}

/// Two subtrees to be compared, or one with itself.
pub(super) type NodePair = (u32, u32);

/// Boxes, each in a *slot*: close in space, close in number.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    node_bounds: Vec<Bounds>,
    boxes: Vec<Bounds>,
    pieces: Vec<NodePair>,
    split_pieces: Vec<NodePair>,
}

impl BoxTree {
    /// Sorts boxes into a tree, and says which box went to each slot.
    pub fn new(boxes: &[Bounds]) -> (Self, Vec<u32>) {
        let centers: Vec<Vec3A> = boxes.iter().map(Bounds::center).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::new();
        if !order.is_empty() {
            grow(&mut nodes, &mut order, 0, &centers);
        }
        let mut tree = Self {
            node_bounds: vec![Bounds::EMPTY; nodes.len()],
            nodes,
            boxes: vec![Bounds::EMPTY; boxes.len()],
            pieces: Vec::new(),
            split_pieces: Vec::new(),
        };
        tree.refit(|slot| boxes[order[slot] as usize]);
        (tree, order)
    }

    /// Takes a new box for every slot.
    pub fn refit(&mut self, bounds: impl Fn(usize) -> Bounds) {
        for (slot, target) in self.boxes.iter_mut().enumerate() {
            *target = bounds(slot);
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            self.node_bounds[index] = if node.is_leaf() {
                self.boxes[node.slots()].iter().copied().fold(Bounds::EMPTY, Bounds::union)
            } else {
                self.node_bounds[index + 1].union(self.node_bounds[node.second as usize])
            };
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The parts of a node.
    pub fn branch(&self, node: usize) -> Branch {
        match self.nodes[node] {
            leaf if leaf.is_leaf() => Branch::Leaf(leaf.slots()),
            fork => Branch::Fork([node + 1, fork.second as usize]),
        }
    }

    /// The box around a node.
    pub fn bounds(&self, node: usize) -> Bounds {
        self.node_bounds[node]
    }

    /// Divides the search for overlaps into independent pieces, always the same for the same boxes.
    pub fn divide(&mut self) {
        self.pieces.clear();
        self.pieces.extend((!self.nodes.is_empty()).then_some((0, 0)));
        loop {
            self.split_pieces.clear();
            for &piece in &self.pieces {
                let parts = &mut self.split_pieces;
                let is_split = split(&self.nodes, piece, |part| {
                    if overlap(&self.node_bounds, part) {
                        parts.push(part);
                    }
                });
                if !is_split {
                    parts.push(piece);
                }
            }
            let has_grown = self.split_pieces.len() > self.pieces.len();
            std::mem::swap(&mut self.pieces, &mut self.split_pieces);
            if !has_grown || self.pieces.len() >= PIECES {
                return;
            }
        }
    }

    /// The pieces of the last [`BoxTree::divide`].
    pub fn pieces(&self) -> &[NodePair] {
        &self.pieces
    }

    /// Calls `found` with every two slots of a piece whose boxes overlap.
    pub fn overlaps<F: FnMut(usize, usize)>(&self, piece: NodePair, found: &mut F) {
        if !overlap(&self.node_bounds, piece) || split(&self.nodes, piece, |part| self.overlaps(part, found)) {
            return;
        }
        let (a, b) = (self.nodes[piece.0 as usize], self.nodes[piece.1 as usize]);
        for i in a.slots() {
            let others = if piece.0 == piece.1 { i + 1..a.slots().end } else { b.slots() };
            for j in others {
                if self.boxes[i].overlaps(&self.boxes[j]) {
                    found(i, j);
                }
            }
        }
    }
}

fn overlap(bounds: &[Bounds], (a, b): NodePair) -> bool {
    bounds[a as usize].overlaps(&bounds[b as usize])
}

/// Divides a comparison into comparisons of children; says false if both nodes are leaves.
fn split(nodes: &[Node], (a, b): NodePair, mut part: impl FnMut(NodePair)) -> bool {
    let (node, other) = (nodes[a as usize], nodes[b as usize]);
    if node.is_leaf() && other.is_leaf() {
        return false;
    }
    if a == b {
        part((a + 1, a + 1));
        part((node.second, node.second));
        part((a + 1, node.second));
    } else if node.count >= other.count {
        part((a + 1, b));
        part((node.second, b));
    } else {
        part((a, b + 1));
        part((a, other.second));
    }
    true
}

/// Appends the subtree over the boxes in `order`, which is put into the tree's order.
fn grow(nodes: &mut Vec<Node>, order: &mut [u32], first: usize, centers: &[Vec3A]) {
    let index = nodes.len();
    let node = Node { first: first as u32, count: order.len() as u32, second: 0 };
    nodes.push(node);
    if node.is_leaf() {
        return;
    }
    let size = Bounds::around(order.iter().map(|&i| centers[i as usize]));
    let axis = (size.high - size.low).max_position();
    let half = order.len() / 2;
    let key = |i: u32| centers[i as usize][axis];
    // Equal centres are told apart by number, so that the tree does not depend on the sort.
    order.select_nth_unstable_by(half, |&i, &j| key(i).total_cmp(&key(j)).then(i.cmp(&j)));
    let (low, high) = order.split_at_mut(half);
    grow(nodes, low, first, centers);
    nodes[index].second = nodes.len() as u32;
    grow(nodes, high, first + half, centers);
}
