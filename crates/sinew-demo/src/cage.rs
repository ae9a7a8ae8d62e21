//! The coarse cage of the left half, and the smooth surface of the whole figure.
//!
//! The tables of the body parts have points of the *smooth* surface. Catmull–Clark subdivision shrinks a cage, so
//! [`Cage::fit`] moves its vertices outwards until the surface passes through these points: the progressive
//! interpolation `P ← P + (target − surface(P))` [Chen et al. 2008].

use super::landmarks::{mirrored, mirrored_joints};
use super::weights::pruned;
use glam::Vec3;
use sinew_geometry::subdivide::{Refinement, catmull_clark};
use sinew_geometry::{Face, Mesh};
use sinew_rig::{Influence, Skeleton, Weights};

/// Joints by name with their weights for a vertex.
pub(super) type Shares<'a> = &'a [(&'a str, f32)];

/// Vertices with weights, and faces that are counter-clockwise seen from outside.
pub(super) struct Cage<'a> {
    skeleton: &'a Skeleton,
    positions: Vec<Vec3>,
    pub(super) faces: Vec<Face>,
    weights: Weights,
}

impl<'a> Cage<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, positions: Vec::new(), faces: Vec::new(), weights: Weights::default() }
    }

    /// Adds a vertex and returns its index.
    pub(super) fn vertex(&mut self, position: Vec3, shares: Shares<'_>) -> u32 {
        self.weights.push(shares.iter().map(|&(name, weight)| Influence {
            joint: self.skeleton.find(name).expect("the tables name joints of the skeleton") as u32,
            weight,
        }));
        self.positions.push(position);
        self.positions.len() as u32 - 1
    }

    /// Adds vertices that share their weights.
    pub(super) fn vertices<const N: usize>(&mut self, positions: [Vec3; N], shares: Shares<'_>) -> [u32; N] {
        positions.map(|p| self.vertex(p, shares))
    }

    /// Quads between two rows of equal length. Seen from outside with `upper` above `lower`, the rows
    /// run to the right.
    pub(super) fn strip(&mut self, lower: &[u32], upper: &[u32]) {
        for (l, u) in lower.windows(2).zip(upper.windows(2)) {
            self.faces.push(Face::quad(l[0], l[1], u[1], u[0]));
        }
    }

    /// Quads between two closed rings, as [`Cage::strip`].
    pub(super) fn tube<const N: usize>(&mut self, lower: &[u32; N], upper: &[u32; N]) {
        self.strip(lower, upper);
        self.faces.push(Face::quad(lower[N - 1], lower[0], upper[0], upper[N - 1]));
    }

    /// The whole from its left half: vertices on the plane x = 0 are shared, and every other vertex has a mirror image
    /// with the joints of the other side.
    pub(super) fn mirror(&self) -> Self {
        let other_joint = mirrored_joints(self.skeleton);
        let other = |i: &Influence| Influence { joint: other_joint[i.joint as usize] as u32, ..*i };
        let mut whole = Self::new(self.skeleton);
        for (position, row) in self.positions.iter().zip(self.weights.rows()) {
            whole.positions.push(*position);
            if position.x == 0.0 {
                let half = |i: &Influence| Influence { weight: 0.5 * i.weight, ..*i };
                whole.weights.push(row.iter().map(half).chain(row.iter().map(|i| half(&other(i)))));
            } else {
                whole.weights.push(row.iter().copied());
            }
        }
        let mut image = Vec::with_capacity(self.positions.len());
        for (vertex, (&position, row)) in self.positions.iter().zip(self.weights.rows()).enumerate() {
            if position.x == 0.0 {
                image.push(vertex as u32);
                continue;
            }
            image.push(whole.positions.len() as u32);
            whole.positions.push(mirrored(position));
            whole.weights.push(row.iter().map(other));
        }
        whole.faces = self.faces.clone();
        whole.faces.extend(self.faces.iter().map(|face| match *face.corners() {
            [a, b, c, d] => Face::quad(d, c, b, a).map(|v| image[v as usize]),
            ref corners => Face::triangle(corners[2], corners[1], corners[0]).map(|v| image[v as usize]),
        }));
        whole
    }

    /// The left half of a whole that [`Cage::mirror`] made and subdivision refined: its first half of
    /// the faces. Vertices that the right half uses too lie on the plane.
    fn left_half(&self) -> Self {
        let (left, right) = self.faces.split_at(self.faces.len() / 2);
        let mut shared = vec![false; self.positions.len()];
        right.iter().flat_map(Face::corners).for_each(|&v| shared[v as usize] = true);
        let mut number = vec![u32::MAX; self.positions.len()];
        let mut half = Self::new(self.skeleton);
        for &v in left.iter().flat_map(Face::corners) {
            let v = v as usize;
            if number[v] == u32::MAX {
                number[v] = half.positions.len() as u32;
                let position = self.positions[v];
                half.positions.push(if shared[v] { position.with_x(0.0) } else { position });
                half.weights.push(self.weights.row(v).iter().copied());
            }
        }
        half.faces = left.iter().map(|f| f.map(|v| number[v as usize])).collect();
        half
    }

    /// Moves the vertices so that the surface after two subdivisions passes through their former positions.
    fn fit(&mut self, steps: &[Refinement; 2], iterations: usize) {
        let targets = self.positions.clone();
        for _ in 0..iterations {
            let surface = steps[1].apply(&steps[0].apply(&self.positions));
            for ((position, target), reached) in self.positions.iter_mut().zip(&targets).zip(&surface) {
                *position += *target - *reached;
            }
        }
    }

    /// The smooth surface of a left half, exactly symmetric, with its weights.
    pub(super) fn surface(&self, name: &str) -> (Mesh, Weights) {
        let mut cage = self.mirror();
        let first = catmull_clark(cage.positions.len(), &cage.faces);
        let second = catmull_clark(first.interpolation().len(), first.faces());
        let steps = [first, second];
        cage.fit(&steps, FIT_ITERATIONS);
        let smooth = Self {
            skeleton: self.skeleton,
            positions: steps[1].apply(&steps[0].apply(&cage.positions)),
            faces: steps[1].faces().to_vec(),
            weights: cage.weights.refined(steps[0].interpolation()).refined(steps[1].interpolation()),
        };
        // Subdivision rounds the two sides differently, so the left one is mirrored again.
        let whole = smooth.left_half().mirror();
        let weights = pruned(&whole.weights, MAX_INFLUENCES);
        (Mesh::new(name, whole.positions, whole.faces), weights)
    }
}

/// With so many iterations, the surface is within 2 mm of the tables; more iterations would add ripples.
const FIT_ITERATIONS: usize = 12;

/// The number of influences that graphics hardware reads in one attribute.
const MAX_INFLUENCES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{left_half, skeleton::skeleton};

    #[test]
    fn the_surface_passes_through_the_tables() {
        let skeleton = skeleton();
        let half = left_half(&skeleton);
        let (mesh, _) = half.surface("body");
        let distance = |target: &Vec3| mesh.positions.iter().map(|p| p.distance(*target)).fold(f32::MAX, f32::min);
        let furthest = half.positions.iter().map(distance).fold(0.0, f32::max);
        assert!(furthest < 2e-3, "{furthest} m");
    }
}
