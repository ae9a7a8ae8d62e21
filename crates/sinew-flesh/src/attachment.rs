//! What holds flesh to bones.
//!
//! A spring of stiffness k that yields at a distance d₀ has the energy of Huber's loss,
//!
//! ```text
//! k d² / 2 for d ≤ d₀,   k d₀ (d − d₀ / 2) beyond:
//! ```
//!
//! a bone that a motion drives through another part gives way as a whole, instead of squeezing the flesh between.

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
    /// The distance from there beyond which it draws no stronger.
    pub yields_at: f64,
}

impl Attachment {
    /// A spring at a node that does not yield.
    #[must_use]
    pub fn of_node(node: u32, target: DVec3, stiffness: f64) -> Self {
        Self { nodes: [node; 4], shares: [1.0, 0.0, 0.0, 0.0], stiffness, target, yields_at: f64::INFINITY }
    }

    /// From where it is drawn to, to where it is.
    fn away(&self, nodes: &[DVec3]) -> DVec3 {
        self.nodes.iter().zip(self.shares).map(|(&node, share)| share * nodes[node as usize]).sum::<DVec3>()
            - self.target
    }

    /// The energy; its derivative is added to a gradient.
    pub(crate) fn energy(&self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let away = self.away(nodes);
        let distance = away.length();
        let near = distance.min(self.yields_at);
        let force = if distance > near { self.stiffness * near / distance * away } else { self.stiffness * away };
        for (&node, share) in self.nodes.iter().zip(self.shares) {
            gradient[node as usize] += share * force;
        }
        self.stiffness * near * (distance - 0.5 * near)
    }

    /// The second derivatives of the energy, each with its row and column, for both of their orders; across the way that
    /// it is drawn, where it yields.
    pub(crate) fn stiffnesses(&self, places: &[DVec3]) -> impl Iterator<Item = (u32, u32, f64)> + use<> {
        let Self { nodes, shares, stiffness, yields_at, .. } = *self;
        let distance = self.away(places).length();
        let stiffness = if distance > yields_at { stiffness * yields_at / distance } else { stiffness };
        let pairs = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
        pairs.map(move |(a, b)| {
            // A pair of one node, in an attachment that names it twice, stands for both orders.
            let twice = if a != b && nodes[a] == nodes[b] { 2.0 } else { 1.0 };
            (nodes[a], nodes[b], twice * stiffness * shares[a] * shares[b])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The force is the derivative of the energy, near and far, and no stronger where the spring yields.
    #[test]
    fn a_spring_yields() {
        let spring = Attachment { yields_at: 0.5, ..Attachment::of_node(0, DVec3::ONE, 3.0) };
        for (distance, force) in [(0.1, 0.3), (0.4, 1.2), (0.7, 1.5), (9.0, 1.5)] {
            let energy = |distance: f64, gradient: &mut [DVec3]| {
                spring.energy(&[DVec3::ONE + distance * DVec3::new(0.6, 0.0, 0.8)], gradient)
            };
            let mut gradient = [DVec3::ZERO];
            energy(distance, &mut gradient);
            assert!((gradient[0].length() - force).abs() < 1e-12, "{distance}: {gradient:?}");
            let step = 1e-6;
            let slope = (energy(distance + step, &mut [DVec3::ZERO]) - energy(distance - step, &mut [DVec3::ZERO]))
                / (2.0 * step);
            assert!((slope - force).abs() < 1e-8, "{distance}: {slope}");
        }
    }
}
