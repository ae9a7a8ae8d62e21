//! Overlaps among many boxes, by a bounding-volume hierarchy.
//!
//! A binary tree of bounding boxes, split at the median along the longest side, so that it is balanced
//! for any boxes. The topology of the tree is built once; as the boxes move, only the bounds of its nodes are
//! computed again, from the leaves up. Overlaps are found by traversing the tree against itself, `O(n log n)` for a
//! surface that does not fold over itself everywhere.

use super::bounds::Bounds;
use crate::parallel::*;
use std::ops::Range;

/// Boxes in a leaf. Fewer make a taller tree, more make useless comparisons. The value was 4 until leaves were compared
/// without recursion; it has no effect on results.
const LEAF_SIZE: usize = 8;

/// Subtrees with fewer boxes than this stay on one thread. A granularity, without effect on results.
const BOXES_PER_TASK: usize = 4096;

/// Pieces that the walk is split into for threads, independent of how many there are. Many more than threads, so that
/// uneven pieces balance; not tuned.
const MIN_TASKS: usize = 256;

/// Comparisons that wait at a time at most: two for every level of two trees over all boxes that a `u32` can count.
const STACK_SIZE: usize = 2 * 2 * 32;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    first: u32,
    count: u32,
    /// The second child; the first is the next node.
    second: u32,
}

impl Node {
    fn is_leaf(self) -> bool {
        self.count as usize <= LEAF_SIZE
    }

    fn slots(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A node of the tree. The root is node 0, and children come after their parents.
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
    /// The query mask: slots whose overlaps are wanted, and nodes that have one.
    mask: Vec<bool>,
    node_mask: Vec<bool>,
    /// Whether both slots of an overlap have to be in the mask, not only one.
    needs_both: bool,
    pieces: Vec<NodePair>,
    split_pieces: Vec<NodePair>,
}

impl BoxTree {
    /// Sorts boxes into a tree, and returns the box of each slot.
    pub fn new(boxes: &[Bounds]) -> (Self, Vec<u32>) {
        let center =
            |(number, bounds): (usize, &Bounds)| Center { place: bounds.center().into(), number: number as u32 };
        let mut centers: Vec<Center> = boxes.par_iter().enumerate().map(center).collect();
        let mut nodes = vec![Node::default(); if boxes.is_empty() { 0 } else { nodes_over(boxes.len()) }];
        if !nodes.is_empty() {
            grow(&mut nodes, 0, &mut centers, 0);
        }
        let mut tree = Self {
            node_bounds: vec![Bounds::EMPTY; nodes.len()],
            node_mask: vec![true; nodes.len()],
            nodes,
            boxes: vec![Bounds::EMPTY; boxes.len()],
            mask: vec![true; boxes.len()],
            needs_both: false,
            pieces: Vec::new(),
            split_pieces: Vec::new(),
        };
        let mut order: Vec<u32> = centers.iter().map(|center| center.number).collect();
        tree.refit(&mut order, |number| Some(boxes[*number as usize]));
        (tree, order)
    }

    /// Takes a new box for every slot whose content has moved.
    pub fn refit<T: Send>(&mut self, slots: &mut [T], moved: impl Fn(&mut T) -> Option<Bounds> + Sync) {
        let Self { nodes, node_bounds, boxes, .. } = self;
        let slots = slots.par_iter_mut().zip(&mut *boxes).with_min_len(BOXES_PER_TASK);
        slots.for_each(|(slot, bounds)| *bounds = moved(slot).unwrap_or(*bounds));
        let leaf = |_, slots: Range<usize>| boxes[slots].iter().copied().fold(Bounds::EMPTY, Bounds::union);
        fill(nodes, 0, node_bounds, &leaf, &|_, low: &Bounds, high: &Bounds| low.union(*high));
    }

    /// Sets the query mask: only overlaps of two boxes of which one is in it are found; with `needs_both`, of which
    /// both are.
    pub fn set_mask(&mut self, needs_both: bool, is_in_mask: impl Fn(usize) -> bool) {
        self.needs_both = needs_both;
        let Self { nodes, mask, node_mask, .. } = self;
        mask.iter_mut().enumerate().for_each(|(slot, masked)| *masked = is_in_mask(slot));
        fill(nodes, 0, node_mask, &|_, slots| mask[slots].contains(&true), &|_, low, high| *low || *high);
    }

    /// Empties the query mask.
    pub fn clear_mask(&mut self) {
        self.needs_both = false;
        self.mask.fill(false);
        self.node_mask.fill(false);
    }

    /// Adds a slot to the query mask.
    pub fn add_to_mask(&mut self, slot: usize) {
        if std::mem::replace(&mut self.mask[slot], true) {
            return;
        }
        let mut index = 0;
        loop {
            self.node_mask[index] = true;
            let node = self.nodes[index];
            if node.is_leaf() {
                return;
            }
            let second = node.second as usize;
            index = if self.nodes[second].slots().contains(&slot) { second } else { index + 1 };
        }
    }

    /// Whether a node has a slot in the query mask.
    pub fn is_in_mask(&self, node: usize) -> bool {
        self.node_mask[node]
    }

    /// Takes a new box for every slot of the query mask whose content has moved.
    pub fn refit_masked<T: Send>(&mut self, slots: &mut [T], moved: impl Fn(&mut T) -> Option<Bounds> + Sync) {
        let Self { nodes, node_bounds, boxes, mask, node_mask, .. } = self;
        let tree = MaskedTree { nodes, mask, node_mask };
        if !nodes.is_empty() {
            tree.refit(0, node_bounds, boxes, slots, &moved);
        }
    }

    /// Gives every node a value, from the leaves up: a leaf by its number and its slots, a fork by its number and the
    /// values of its children.
    pub fn fill<T: Send>(
        &self,
        values: &mut [T],
        leaf: &(impl Fn(usize, Range<usize>) -> T + Sync),
        fork: &(impl Fn(usize, &T, &T) -> T + Sync),
    ) {
        fill(&self.nodes, 0, values, leaf, fork);
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The parts of a node.
    #[inline]
    pub fn branch(&self, node: usize) -> Branch {
        match self.nodes[node] {
            leaf if leaf.is_leaf() => Branch::Leaf(leaf.slots()),
            fork => Branch::Fork([node + 1, fork.second as usize]),
        }
    }

    /// The box around a node.
    #[inline]
    pub fn bounds(&self, node: usize) -> Bounds {
        self.node_bounds[node]
    }

    /// The box in a slot.
    #[inline]
    pub fn slot_bounds(&self, slot: usize) -> Bounds {
        self.boxes[slot]
    }

    /// Divides the search for overlaps into independent pieces, always the same for the same boxes.
    pub fn divide(&mut self) {
        self.pieces.clear();
        self.pieces.extend((!self.nodes.is_empty()).then_some((0, 0)));
        loop {
            self.split_pieces.clear();
            let mut parts = std::mem::take(&mut self.split_pieces);
            for &piece in &self.pieces {
                let is_split = split(&self.nodes, piece, |part| parts.extend(self.may_overlap(part).then_some(part)));
                parts.extend((!is_split).then_some(piece));
            }
            self.split_pieces = parts;
            let has_grown = self.split_pieces.len() > self.pieces.len();
            std::mem::swap(&mut self.pieces, &mut self.split_pieces);
            if !has_grown || self.pieces.len() >= MIN_TASKS {
                return;
            }
        }
    }

    /// The pieces of the last [`BoxTree::divide`].
    pub fn pieces(&self) -> &[NodePair] {
        &self.pieces
    }

    /// Calls `found` with every two slots of a piece whose boxes overlap, except for those in leaves that `is_passed`
    /// excludes.
    pub fn overlaps(
        &self,
        piece: NodePair,
        is_passed: impl Fn(usize, usize) -> bool,
        mut found: impl FnMut(usize, usize),
    ) {
        let mut waiting = [(0, 0); STACK_SIZE];
        let mut count = 0;
        let wait = |waiting: &mut [NodePair; STACK_SIZE], count: &mut usize, part: NodePair| {
            if self.may_overlap(part) {
                waiting[*count] = part;
                *count += 1;
            }
        };
        wait(&mut waiting, &mut count, piece);
        while count > 0 {
            count -= 1;
            let part = waiting[count];
            if !split(&self.nodes, part, |part| wait(&mut waiting, &mut count, part))
                && !is_passed(part.0 as usize, part.1 as usize)
            {
                self.compare_leaves(part, &mut found);
            }
        }
    }

    fn compare_leaves(&self, (a, b): NodePair, found: &mut impl FnMut(usize, usize)) {
        let [slots, others] = [a, b].map(|node| self.nodes[node as usize].slots());
        let [around, around_others] = [a, b].map(|node| self.node_bounds[node as usize]);
        let mut near = [0; LEAF_SIZE];
        let mut count = 0;
        for j in others.filter(|&j| self.boxes[j].overlaps(&around)) {
            near[count] = j;
            count += 1;
        }
        for i in slots.filter(|&i| self.boxes[i].overlaps(&around_others)) {
            for &j in near[..count].iter().filter(|&&j| a != b || i < j) {
                let is_wanted = is_wanted([i, j].map(|slot| self.mask[slot]), self.needs_both);
                if is_wanted && self.boxes[i].overlaps(&self.boxes[j]) {
                    found(i, j);
                }
            }
        }
    }

    /// Whether two subtrees may have an overlap that is wanted.
    fn may_overlap(&self, (a, b): NodePair) -> bool {
        let [a, b] = [a as usize, b as usize];
        let is_wanted = is_wanted([a, b].map(|node| self.node_mask[node]), self.needs_both);
        is_wanted && self.node_bounds[a].overlaps(&self.node_bounds[b])
    }
}

/// The part of a tree that is in its query mask.
struct MaskedTree<'a> {
    nodes: &'a [Node],
    mask: &'a [bool],
    node_mask: &'a [bool],
}

impl MaskedTree<'_> {
    /// Computes the boxes of a subtree again, whose first node has the number `index`; all lists are its own alone.
    fn refit<T: Send>(
        &self,
        index: usize,
        node_bounds: &mut [Bounds],
        boxes: &mut [Bounds],
        slots: &mut [T],
        moved: &(impl Fn(&mut T) -> Option<Bounds> + Sync),
    ) {
        if !self.node_mask[index] {
            return;
        }
        let node = self.nodes[index];
        let [bounds, below @ ..] = node_bounds else { return };
        if node.is_leaf() {
            for ((slot, own), _) in slots.iter_mut().zip(&mut *boxes).zip(&self.mask[node.slots()]).filter(|(_, w)| **w)
            {
                *own = moved(slot).unwrap_or(*own);
            }
            *bounds = boxes.iter().copied().fold(Bounds::EMPTY, Bounds::union);
            return;
        }
        let second = node.second as usize;
        let half = self.nodes[index + 1].count as usize;
        let (low, high) = below.split_at_mut(second - index - 1);
        let (low_boxes, high_boxes) = boxes.split_at_mut(half);
        let (low_slots, high_slots) = slots.split_at_mut(half);
        in_parallel_if(
            node.count as usize >= BOXES_PER_TASK,
            || self.refit(index + 1, low, low_boxes, low_slots, moved),
            || self.refit(second, high, high_boxes, high_slots, moved),
        );
        *bounds = low[0].union(high[0]);
    }
}

/// Whether two slots or nodes are to be compared, given which of them are in the query mask.
fn is_wanted(mask: [bool; 2], needs_both: bool) -> bool {
    if needs_both { mask == [true; 2] } else { mask != [false; 2] }
}

/// Divides a comparison into comparisons of children; returns false if both nodes are leaves.
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

/// The middle of a box.
#[derive(Clone, Copy)]
struct Center {
    place: [f32; 3],
    /// Which box it is of.
    number: u32,
}

/// How many nodes a tree over so many boxes has.
fn nodes_over(boxes: usize) -> usize {
    /// The same, and for one box more: halves of both are of two sizes again.
    fn pair(boxes: usize) -> [usize; 2] {
        if boxes < LEAF_SIZE {
            return [1, 1];
        }
        let [low, high] = pair(boxes / 2);
        let forks = if boxes.is_multiple_of(2) { [low + low, low + high] } else { [low + high, high + high] };
        [if boxes == LEAF_SIZE { 1 } else { 1 + forks[0] }, 1 + forks[1]]
    }
    pair(boxes)[0]
}

/// Fills in the subtree over boxes, which are put into the tree's order. Its nodes are numbered from `index` on.
fn grow(nodes: &mut [Node], index: usize, centers: &mut [Center], first: usize) {
    nodes[0] = Node { first: first as u32, count: centers.len() as u32, second: 0 };
    if nodes[0].is_leaf() {
        return;
    }
    let axis = Bounds::around(centers.iter().map(|center| center.place.into())).longest_side();
    let half = centers.len() / 2;
    // Equal centres are ordered by number, so that the tree does not depend on the sort.
    centers.select_nth_unstable_by(half, |a, b| a.place[axis].total_cmp(&b.place[axis]).then(a.number.cmp(&b.number)));
    let second = 1 + nodes_over(half);
    nodes[0].second = (index + second) as u32;
    let (below, above) = nodes[1..].split_at_mut(second - 1);
    let is_large = centers.len() >= BOXES_PER_TASK;
    let (low, high) = centers.split_at_mut(half);
    in_parallel_if(is_large, || grow(below, index + 1, low, first), || grow(above, index + second, high, first + half));
}

/// Gives values to the nodes of a subtree, the first of which has the number `index`.
fn fill<T: Send>(
    nodes: &[Node],
    index: usize,
    values: &mut [T],
    leaf: &(impl Fn(usize, Range<usize>) -> T + Sync),
    fork: &(impl Fn(usize, &T, &T) -> T + Sync),
) {
    let Some(&node) = nodes.get(index) else { return };
    let [value, below @ ..] = values else { return };
    if node.is_leaf() {
        *value = leaf(index, node.slots());
        return;
    }
    let second = node.second as usize;
    let (low, high) = below.split_at_mut(second - index - 1);
    in_parallel_if(
        node.count as usize >= BOXES_PER_TASK,
        || fill(nodes, index + 1, low, leaf, fork),
        || fill(nodes, second, high, leaf, fork),
    );
    *value = fork(index, &low[0], &high[0]);
}

fn in_parallel_if(is_large: bool, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    if is_large {
        crate::parallel::join(first, second);
    } else {
        first();
        second();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    #[test]
    fn a_tree_has_the_nodes_it_was_made_for() {
        for count in 1..200 {
            let boxes: Vec<Bounds> =
                (0..count).map(|k| Bounds::around([Vec3A::new((k * 37 % count) as f32, k as f32, 0.0)])).collect();
            let (tree, mut order) = BoxTree::new(&boxes);
            let mut slots = vec![0; tree.len()];
            tree.fill(&mut slots, &|_, slots| slots.len(), &|_, low, high| low + high);
            assert_eq!(slots[0], boxes.len());
            let mut is_reached = vec![false; tree.len()];
            is_reached[0] = true;
            for node in 0..tree.len() {
                if let Branch::Fork(children) = tree.branch(node) {
                    children.into_iter().for_each(|child| is_reached[child] = true);
                }
            }
            assert!(is_reached.iter().all(|&reached| reached), "{count}: {is_reached:?}");
            order.sort_unstable();
            assert!(order.into_iter().eq(0..boxes.len() as u32));
        }
    }
}
