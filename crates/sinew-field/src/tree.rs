//! A composition tree: many fields, joined by operators two by two.
//!
//! A tree whose leaves are fields and whose other nodes are operators \[R18 §2.3.1, §3.1.2\]. Every
//! node has a box outside which it is zero; where the point is outside it, the node is not looked at,
//! so that a point costs what is near it. Where one of two is zero the other is the result, whatever
//! the angle, except under the operators that look at it: min, and detail without its main body.

use super::{Box3, CompactField, Controller, Operator, OperatorTables, Sample};
use glam::DVec3;
use std::sync::Arc;

/// A node of a [`Tree`], given out when it was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

/// Fields put together by operators.
///
/// ```
/// use glam::DVec3;
/// use sinew_field::{Compact, CompactField, Controller, Falloff, Operator, Sphere, Tree};
///
/// let ball = |x| Compact::new(Sphere { center: DVec3::X * x, radius: 1.0 }, Falloff::Smooth { radius: 0.5 });
/// let mut tree = Tree::default();
/// let (a, b, c) = (tree.leaf(ball(0.0)), tree.leaf(ball(1.5)), tree.leaf(ball(9.0)));
/// let pair = tree.join(Operator::Blend, Controller::constant(1.0), a, b);
/// tree.join(Operator::CleanUnion, Controller::default(), pair, c);
/// assert!(tree.density(DVec3::X * 9.9).value > 0.5);
/// assert_eq!(tree.density(DVec3::X * 5.0).value, 0.0);
/// ```
#[derive(Debug, Clone)]
pub struct Tree<F> {
    tables: Arc<OperatorTables>,
    nodes: Vec<Node<F>>,
    boxes: Vec<Box3>,
}

#[derive(Debug, Clone)]
enum Node<F> {
    Leaf(F),
    Pair { operator: Operator, controller: Controller, first: NodeId, second: NodeId },
}

impl<F> Default for Tree<F> {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl<F> Tree<F> {
    /// An empty tree whose operators look up these tables.
    pub fn new(tables: Arc<OperatorTables>) -> Self {
        Self { tables, nodes: Vec::new(), boxes: Vec::new() }
    }
}

impl<F: CompactField> Tree<F> {
    /// Adds a field.
    pub fn leaf(&mut self, field: F) -> NodeId {
        self.push(Node::Leaf(field))
    }

    /// Adds an operator over two nodes that this tree gave out. The node added last is the root.
    ///
    /// # Panics
    /// If one of them is of a larger tree.
    pub fn join(&mut self, operator: Operator, controller: Controller, first: NodeId, second: NodeId) -> NodeId {
        assert!(first.0.max(second.0) < self.nodes.len() as u32, "a node of another tree");
        self.push(Node::Pair { operator, controller, first, second })
    }

    fn push(&mut self, node: Node<F>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.boxes.push(self.box_of(&node));
        self.nodes.push(node);
        id
    }

    /// The leaves, in the order they were added. After a change call [`Tree::refit`].
    pub fn leaves_mut(&mut self) -> impl Iterator<Item = &mut F> {
        self.nodes.iter_mut().filter_map(|node| match node {
            Node::Leaf(field) => Some(field),
            Node::Pair { .. } => None,
        })
    }

    /// Computes the boxes again, after leaves have moved.
    pub fn refit(&mut self) {
        for k in 0..self.nodes.len() {
            self.boxes[k] = self.box_of(&self.nodes[k]);
        }
    }

    /// The box of a node whose children have theirs.
    fn box_of(&self, node: &Node<F>) -> Box3 {
        match node {
            Node::Leaf(field) => field.bounds(),
            Node::Pair { operator, first, second, .. } => {
                let [a, b] = [first, second].map(|id| &self.boxes[id.0 as usize]);
                if *operator == Operator::Min { a.intersection(b) } else { a.union(b) }
            }
        }
    }

    /// The density of one node.
    pub fn density_of(&self, node: NodeId, point: DVec3) -> Sample {
        let at = node.0 as usize;
        if !self.boxes[at].contains(point) {
            return Sample::NOTHING;
        }
        match &self.nodes[at] {
            Node::Leaf(field) => field.density(point),
            Node::Pair { operator, controller, first, second } => {
                let (a, b) = (self.density_of(*first, point), self.density_of(*second, point));
                match operator {
                    Operator::Min => operator.compose(&self.tables, controller, a, b),
                    _ if b.value == 0.0 => a,
                    Operator::Detail => operator.compose(&self.tables, controller, a, b),
                    _ if a.value == 0.0 => b,
                    _ => operator.compose(&self.tables, controller, a, b),
                }
            }
        }
    }
}

impl<F: CompactField> CompactField for Tree<F> {
    /// That of the node added last; nothing for an empty tree.
    fn density(&self, point: DVec3) -> Sample {
        let Some(root) = self.nodes.len().checked_sub(1) else { return Sample::NOTHING };
        self.density_of(NodeId(root as u32), point)
    }

    fn bounds(&self) -> Box3 {
        self.boxes.last().copied().unwrap_or(Box3::EMPTY)
    }
}
