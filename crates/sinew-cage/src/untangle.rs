//! How are tetrahedra that were turned over put right?
//!
//! With J the map from a tetrahedron's edges at rest to those now and D its determinant, every tetrahedron has
//!
//! ```text
//! tr(JᵀJ) / χ^(2/3) + θ (D² + 1) / χ,      χ = ½ (D + √(D² + ε²)),
//! ```
//!
//! which is least where it has its shape at rest, and the larger the more it is turned over (J. M. Escobar et al.,
//! *Simultaneous untangling and smoothing of tetrahedral meshes*, 2003; V. Garanzha et al., *Foldover-free maps in 50
//! lines of code*, 2021). ε shrinks from round to round. Around those that are turned over, vertices go in turn to
//! where the sum over their tetrahedra is less: D is linear in one vertex, so a step has three rows. Where that does not
//! help, vertices farther around may move too, and in the end also those that are held: the shape at rest has no
//! tetrahedron that is turned over, so there is a way then. These go back afterwards as far as tetrahedra let them.

use crate::control_mesh::ControlMesh;
use glam::{DMat3, DVec3};
use sinew_geometry::Rows;

/// Of its volume at rest: a tetrahedron with less is put right.
const LEAST: f64 = 0.02;

/// How many rings of vertices around such tetrahedra may move, one attempt after another.
const RINGS: [usize; 5] = [1, 2, 4, 8, 16];

/// Rounds over these vertices at most, in each attempt.
const ROUNDS: usize = 24;

/// The first ε, how it shrinks with every round, and the last.
const EPSILON: f64 = 0.3;
const SHRINK: f64 = 0.8;
const LEAST_EPSILON: f64 = 0.01;

/// How often vertices that are held go back toward their places at most, as others make room.
const RETURNS: usize = 40;

/// How often a step is halved that does not help.
const HALVINGS: usize = 8;

/// What volumes weigh against shapes.
const VOLUME_WEIGHT: f64 = 0.5;

/// The tetrahedra of a control mesh, and what it takes to put them right.
pub(super) struct Untangler {
    tetrahedra: Vec<[u32; 4]>,
    /// The inverses of the edges at rest.
    inverses: Vec<DMat3>,
    /// The tetrahedra of each vertex.
    around: Rows<u32>,
    is_held: Vec<bool>,
    movable: Vec<u32>,
    is_movable: Vec<bool>,
    /// Where vertices were before anything was put right.
    places: Vec<DVec3>,
}

impl Untangler {
    /// Vertices that are held move only where nothing else helps.
    pub fn new(control: &ControlMesh, is_held: Vec<bool>) -> Self {
        let count = control.positions.len();
        let edges = |t: &[u32; 4]| edges(t, &control.positions).inverse();
        let mut around = vec![Vec::new(); count];
        for (k, tetrahedron) in (0..).zip(&control.tetrahedra) {
            tetrahedron.iter().for_each(|&v| around[v as usize].push(k));
        }
        Self {
            inverses: control.tetrahedra.iter().map(edges).collect(),
            around: Rows::new(around.into_iter()),
            tetrahedra: control.tetrahedra.clone(),
            is_held,
            movable: Vec::with_capacity(count),
            is_movable: vec![false; count],
            places: control.positions.clone(),
        }
    }

    /// Puts right what is turned over or flat. Returns how many are turned over in the end.
    pub fn run(&mut self, positions: &mut [DVec3]) -> usize {
        self.places.copy_from_slice(positions);
        for may_move_held in [false, true] {
            for rings in RINGS {
                if !self.choose(positions, rings) {
                    return 0;
                }
                let mut epsilon = EPSILON;
                let is_right = (0..ROUNDS).any(|_| {
                    let is_right = self.relax(epsilon, may_move_held, positions);
                    epsilon = (epsilon * SHRINK).max(LEAST_EPSILON);
                    is_right
                });
                for _ in 0..if may_move_held && is_right { RETURNS } else { 0 } {
                    if self.go_back(positions) {
                        break;
                    }
                    self.relax(LEAST_EPSILON, false, positions);
                }
            }
        }
        (0..self.tetrahedra.len()).filter(|&t| self.determinant(t, positions) <= 0.0).count()
    }

    /// Chooses the vertices that may move. False if no tetrahedron has to be put right.
    fn choose(&mut self, positions: &[DVec3], rings: usize) -> bool {
        self.movable.clear();
        self.is_movable.fill(false);
        for t in 0..self.tetrahedra.len() {
            if self.determinant(t, positions) < LEAST {
                self.add(t);
            }
        }
        let mut first = 0;
        for _ in 0..rings {
            let last = self.movable.len();
            for k in first..last {
                for j in 0..self.around.row(self.movable[k]).len() {
                    self.add(self.around.row(self.movable[k])[j] as usize);
                }
            }
            first = last;
        }
        !self.movable.is_empty()
    }

    fn add(&mut self, tetrahedron: usize) {
        for vertex in self.tetrahedra[tetrahedron] {
            if !std::mem::replace(&mut self.is_movable[vertex as usize], true) {
                self.movable.push(vertex);
            }
        }
    }

    /// One round over the vertices that may move. True if nothing around them is turned over or flat any more.
    fn relax(&self, epsilon: f64, may_move_held: bool, positions: &mut [DVec3]) -> bool {
        for &vertex in self.movable.iter().filter(|&&v| may_move_held || !self.is_held[v as usize]) {
            self.step(vertex, epsilon, positions);
        }
        let mut near = self.movable.iter().flat_map(|&v| self.around.row(v));
        near.all(|&t| self.determinant(t as usize, positions) >= LEAST)
    }

    /// Moves vertices that are held back to their places, as far as nothing becomes flat: D is linear on the way. True if
    /// all are there.
    fn go_back(&self, positions: &mut [DVec3]) -> bool {
        let mut is_there = true;
        for &vertex in self.movable.iter().filter(|&&v| self.is_held[v as usize]) {
            let (start, end) = (positions[vertex as usize], self.places[vertex as usize]);
            let mut share: f64 = 1.0;
            for &t in self.around.row(vertex) {
                let before = self.determinant(t as usize, positions);
                positions[vertex as usize] = end;
                let after = self.determinant(t as usize, positions);
                positions[vertex as usize] = start;
                if after < LEAST {
                    share = share.min(((before - LEAST) / (before - after)).max(0.0));
                }
            }
            positions[vertex as usize] = if share < 1.0 { start.lerp(end, share) } else { end };
            is_there &= share == 1.0;
        }
        is_there
    }

    /// Newton's step of one vertex, halved until it helps.
    fn step(&self, vertex: u32, epsilon: f64, positions: &mut [DVec3]) {
        let (mut gradient, mut hessian) = (DVec3::ZERO, DMat3::ZERO);
        for &t in self.around.row(vertex) {
            let t = t as usize;
            let map = edges(&self.tetrahedra[t], positions) * self.inverses[t];
            let along = self.along(t, vertex);
            let energy = Energy::new(map, epsilon);
            let cofactor = cofactors(map) * along;
            gradient += map * along * energy.of_map + cofactor * energy.of_determinant;
            hessian += DMat3::from_diagonal(DVec3::splat(energy.of_map * along.length_squared()));
            let bend = cofactor * energy.bend;
            hessian += DMat3::from_cols(bend * cofactor.x, bend * cofactor.y, bend * cofactor.z);
        }
        let step = hessian.inverse() * gradient;
        if !step.is_finite() {
            return;
        }
        let (start, before) = (positions[vertex as usize], self.energy(vertex, epsilon, positions));
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            positions[vertex as usize] = start - step * length;
            if self.energy(vertex, epsilon, positions) < before {
                return;
            }
            length *= 0.5;
        }
        positions[vertex as usize] = start;
    }

    fn energy(&self, vertex: u32, epsilon: f64, positions: &[DVec3]) -> f64 {
        let of = |&t: &u32| {
            let t = t as usize;
            Energy::new(edges(&self.tetrahedra[t], positions) * self.inverses[t], epsilon).value
        };
        self.around.row(vertex).iter().map(of).sum()
    }

    /// By how much J changes with a vertex: `dJ = dx alongᵀ`.
    fn along(&self, tetrahedron: usize, vertex: u32) -> DVec3 {
        let inverse = &self.inverses[tetrahedron];
        match self.tetrahedra[tetrahedron].iter().position(|&v| v == vertex) {
            Some(0) | None => -(inverse.row(0) + inverse.row(1) + inverse.row(2)),
            Some(corner) => inverse.row(corner - 1),
        }
    }

    fn determinant(&self, tetrahedron: usize, positions: &[DVec3]) -> f64 {
        (edges(&self.tetrahedra[tetrahedron], positions) * self.inverses[tetrahedron]).determinant()
    }
}

fn edges(tetrahedron: &[u32; 4], positions: &[DVec3]) -> DMat3 {
    let [a, b, c, d] = tetrahedron.map(|v| positions[v as usize]);
    DMat3::from_cols(b - a, c - a, d - a)
}

/// The derivative of the determinant.
fn cofactors(map: DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = map;
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

/// What one tetrahedron adds, with its derivatives: by J it is `of_map J + of_determinant cof(J)`.
struct Energy {
    value: f64,
    of_map: f64,
    of_determinant: f64,
    /// The second derivative by D, where that is positive.
    bend: f64,
}

impl Energy {
    fn new(map: DMat3, epsilon: f64) -> Self {
        let DMat3 { x_axis, y_axis, z_axis } = map;
        let squares = x_axis.length_squared() + y_axis.length_squared() + z_axis.length_squared();
        let determinant = map.determinant();
        let root = determinant.hypot(epsilon);
        // The same as ½ (D + root), without the loss of digits where D is negative.
        let chi =
            if determinant > 0.0 { 0.5 * (determinant + root) } else { 0.5 * epsilon * epsilon / (root - determinant) };
        let slope = chi / root;
        let curvature = 0.5 * epsilon * epsilon / root.powi(3);
        let shape = chi.powf(-2.0 / 3.0);
        let shape_slope = -2.0 / 3.0 * shape / chi * slope;
        let shape_bend = shape / chi * (10.0 / 9.0 * slope * slope / chi - 2.0 / 3.0 * curvature);
        let square = determinant * determinant + 1.0;
        let volume_slope = (2.0 * determinant - square * slope / chi) / chi;
        let volume_bend = (2.0 - (4.0 * determinant * slope + square * curvature) / chi
            + 2.0 * square * slope * slope / (chi * chi))
            / chi;
        Self {
            value: squares * shape + VOLUME_WEIGHT * square / chi,
            of_map: 2.0 * shape,
            of_determinant: squares * shape_slope + VOLUME_WEIGHT * volume_slope,
            bend: (squares * shape_bend + VOLUME_WEIGHT * volume_bend).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let map = DMat3::from_cols_array(&[0.9, 0.2, -0.1, 0.3, -0.4, 0.2, 0.1, 0.5, 1.1]);
        for map in [map, DMat3::IDENTITY * 1.2, -map] {
            let energy = Energy::new(map, 0.3);
            let derivative = map * energy.of_map + cofactors(map) * energy.of_determinant;
            for entry in 0..9 {
                let h = 1e-6;
                let at = |by: f64| {
                    let mut moved = map.to_cols_array();
                    moved[entry] += by;
                    Energy::new(DMat3::from_cols_array(&moved), 0.3).value
                };
                let found = derivative.to_cols_array()[entry];
                let expected = (at(h) - at(-h)) / (2.0 * h);
                assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{found} {expected}");
            }
        }
    }
}
