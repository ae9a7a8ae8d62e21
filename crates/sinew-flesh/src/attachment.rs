//! What holds flesh to bones.

use glam::DVec3;

/// A spring from a point of the flesh to a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The nodes of the tetrahedron that holds the point.
    pub nodes: [u32; 4],
    /// Its barycentric coordinates there.
    pub shares: [f64; 4],
    /// The spring's constant: force by length.
    pub stiffness: f64,
    /// Where it is drawn to.
    pub target: DVec3,
}

impl Attachment {
    /// A spring at a node.
    #[must_use]
    pub fn of_node(node: u32, target: DVec3, stiffness: f64) -> Self {
        Self { nodes: [node; 4], shares: [1.0, 0.0, 0.0, 0.0], stiffness, target }
    }

    /// The energy; its derivative is added to a gradient.
    pub(crate) fn energy(&self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let corners = || self.nodes.iter().zip(self.shares);
        let place: DVec3 = corners().map(|(&node, share)| share * nodes[node as usize]).sum();
        let away = place - self.target;
        corners().for_each(|(&node, share)| gradient[node as usize] += self.stiffness * share * away);
        0.5 * self.stiffness * away.length_squared()
    }

    /// The second derivatives of the energy, each with its row and column, for both of their orders.
    pub(crate) fn stiffnesses(&self) -> impl Iterator<Item = (u32, u32, f64)> + use<> {
        let Self { nodes, shares, stiffness, .. } = *self;
        let pairs = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
        pairs.map(move |(a, b)| {
            // A pair of one node, in an attachment that names it twice, stands for both orders.
            let twice = if a != b && nodes[a] == nodes[b] { 2.0 } else { 1.0 };
            (nodes[a], nodes[b], twice * stiffness * shares[a] * shares[b])
        })
    }
}
