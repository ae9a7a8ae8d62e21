//! Untangling: inverted tetrahedra become positive again.
//!
//! With J the map from a tetrahedron's edges at rest to its edges now and D its determinant, the energy of a tetrahedron is
//!
//! ```text
//! tr(JᵀJ) / χ^(2/3) + θ (D² + 1) / χ,      χ = ½ (D + √(D² + ε²)),
//! ```
//!
//! least at the rest shape and growing with inversion (J. M. Escobar et al., *Simultaneous untangling and smoothing of
//! tetrahedral meshes*, 2003; V. Garanzha et al., *Foldover-free maps in 50 lines of code*, 2021). ε shrinks from sweep to
//! sweep. Vertices around inverted tetrahedra move one by one to reduce the energy of their tetrahedra: D is linear in one
//! vertex, so a Newton step solves three equations. If that fails, more rings of vertices may move, and in the end fixed
//! vertices too: the rest shape has no inverted tetrahedron, so a solution exists. Fixed vertices then return as far as
//! the tetrahedra allow.

use crate::control_mesh::ControlMesh;
use glam::{DMat3, DVec3};
use sinew_geometry::Rows;

/// The least determinant, a fraction of the rest volume, of a tetrahedron that needs no untangling. Not tuned.
const MIN_DETERMINANT: f64 = 0.02;

/// The number of vertex rings around such tetrahedra that may move, one attempt after another. Eight were not enough
/// for the knot of a test. Doubling bounds the attempts.
const RINGS: [usize; 5] = [1, 2, 4, 8, 16];

/// The largest number of sweeps over these vertices in each attempt. ε reaches its last value after 16, and eight more
/// follow.
const MAX_SWEEPS: usize = 24;

/// The first ε, its factor from sweep to sweep, and the last. None is tuned.
const FIRST_EPSILON: f64 = 0.3;
const EPSILON_FACTOR: f64 = 0.8;
const LAST_EPSILON: f64 = 0.01;

/// The largest number of times that fixed vertices move back toward their positions while others relax. Raised from six
/// for finger bones of the mannequin, together with the splits of edges between bones. Not tuned.
const MAX_RETURNS: usize = 40;

/// The number of step lengths that a line search tries, each half the last. The last is 1/128 of the step.
const LINE_SEARCH_STEPS: usize = 8;

/// θ, the weight of volumes against shapes. Not tuned.
const VOLUME_WEIGHT: f64 = 0.5;

/// The tetrahedra of a control mesh, prepared for untangling.
pub(super) struct Untangler {
    tetrahedra: Vec<[u32; 4]>,
    /// The inverse edge matrices at rest.
    inverses: Vec<DMat3>,
    /// The tetrahedra of each vertex.
    around: Rows<u32>,
    is_fixed: Vec<bool>,
    movable: Vec<u32>,
    is_movable: Vec<bool>,
    /// The positions before untangling.
    initial: Vec<DVec3>,
}

impl Untangler {
    /// Fixed vertices move only if nothing else helps.
    pub fn new(control: &ControlMesh, is_fixed: Vec<bool>) -> Self {
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
            is_fixed,
            movable: Vec::with_capacity(count),
            is_movable: vec![false; count],
            initial: control.positions.clone(),
        }
    }

    /// Untangles inverted and flat tetrahedra. Returns the number that are still inverted.
    pub fn run(&mut self, positions: &mut [DVec3]) -> usize {
        self.initial.copy_from_slice(positions);
        for may_move_fixed in [false, true] {
            for rings in RINGS {
                if !self.choose_movable(positions, rings) {
                    return 0;
                }
                let mut epsilon = FIRST_EPSILON;
                let is_untangled = (0..MAX_SWEEPS).any(|_| {
                    let is_untangled = self.relax(epsilon, may_move_fixed, positions);
                    epsilon = (epsilon * EPSILON_FACTOR).max(LAST_EPSILON);
                    is_untangled
                });
                for _ in 0..if may_move_fixed && is_untangled { MAX_RETURNS } else { 0 } {
                    if self.return_fixed(positions) {
                        break;
                    }
                    self.relax(LAST_EPSILON, false, positions);
                }
            }
        }
        (0..self.tetrahedra.len()).filter(|&t| self.determinant(t, positions) <= 0.0).count()
    }

    /// Chooses the vertices that may move. Returns false if no tetrahedron needs untangling.
    fn choose_movable(&mut self, positions: &[DVec3], rings: usize) -> bool {
        self.movable.clear();
        self.is_movable.fill(false);
        for t in 0..self.tetrahedra.len() {
            if self.determinant(t, positions) < MIN_DETERMINANT {
                self.add_corners(t);
            }
        }
        let mut first = 0;
        for _ in 0..rings {
            let last = self.movable.len();
            for k in first..last {
                for j in 0..self.around.row(self.movable[k]).len() {
                    self.add_corners(self.around.row(self.movable[k])[j] as usize);
                }
            }
            first = last;
        }
        !self.movable.is_empty()
    }

    fn add_corners(&mut self, tetrahedron: usize) {
        for vertex in self.tetrahedra[tetrahedron] {
            if !std::mem::replace(&mut self.is_movable[vertex as usize], true) {
                self.movable.push(vertex);
            }
        }
    }

    /// One sweep over the movable vertices. Returns whether no tetrahedron around them is inverted or flat.
    fn relax(&self, epsilon: f64, may_move_fixed: bool, positions: &mut [DVec3]) -> bool {
        for &vertex in self.movable.iter().filter(|&&v| may_move_fixed || !self.is_fixed[v as usize]) {
            self.step(vertex, epsilon, positions);
        }
        let mut near = self.movable.iter().flat_map(|&v| self.around.row(v));
        near.all(|&t| self.determinant(t as usize, positions) >= MIN_DETERMINANT)
    }

    /// Moves fixed vertices back until a tetrahedron would become flat; D is linear along the line. Returns whether all
    /// have arrived.
    fn return_fixed(&self, positions: &mut [DVec3]) -> bool {
        let mut is_there = true;
        for &vertex in self.movable.iter().filter(|&&v| self.is_fixed[v as usize]) {
            let (start, end) = (positions[vertex as usize], self.initial[vertex as usize]);
            let mut fraction: f64 = 1.0;
            for &t in self.around.row(vertex) {
                let before = self.determinant(t as usize, positions);
                positions[vertex as usize] = end;
                let after = self.determinant(t as usize, positions);
                positions[vertex as usize] = start;
                if after < MIN_DETERMINANT {
                    fraction = fraction.min(((before - MIN_DETERMINANT) / (before - after)).max(0.0));
                }
            }
            positions[vertex as usize] = if fraction < 1.0 { start.lerp(end, fraction) } else { end };
            is_there &= fraction == 1.0;
        }
        is_there
    }

    /// A Newton step of one vertex with a backtracking line search.
    fn step(&self, vertex: u32, epsilon: f64, positions: &mut [DVec3]) {
        let (mut gradient, mut hessian) = (DVec3::ZERO, DMat3::ZERO);
        for &t in self.around.row(vertex) {
            let t = t as usize;
            let map = edges(&self.tetrahedra[t], positions) * self.inverses[t];
            let corner_gradient = self.corner_gradient(t, vertex);
            let energy = Energy::new(map, epsilon);
            let cofactor = cofactors(map) * corner_gradient;
            gradient += map * corner_gradient * energy.by_map + cofactor * energy.by_determinant;
            hessian += DMat3::from_diagonal(DVec3::splat(energy.by_map * corner_gradient.length_squared()));
            let scaled = cofactor * energy.curvature_by_determinant;
            hessian += DMat3::from_cols(scaled * cofactor.x, scaled * cofactor.y, scaled * cofactor.z);
        }
        let step = hessian.inverse() * gradient;
        if !step.is_finite() {
            return;
        }
        let (start, before) = (positions[vertex as usize], self.energy(vertex, epsilon, positions));
        let mut length = 1.0;
        for _ in 0..LINE_SEARCH_STEPS {
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

    /// The derivative of J by a vertex: `dJ = dx gradientᵀ`.
    fn corner_gradient(&self, tetrahedron: usize, vertex: u32) -> DVec3 {
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

/// The energy of one tetrahedron. Its derivative by J is `by_map J + by_determinant cof(J)`.
struct Energy {
    value: f64,
    by_map: f64,
    by_determinant: f64,
    /// The second derivative by D, where it is positive.
    curvature_by_determinant: f64,
}

impl Energy {
    fn new(map: DMat3, epsilon: f64) -> Self {
        let DMat3 { x_axis, y_axis, z_axis } = map;
        let squares = x_axis.length_squared() + y_axis.length_squared() + z_axis.length_squared();
        let determinant = map.determinant();
        let root = determinant.hypot(epsilon);
        // Equal to ½ (D + root), without cancellation where D is negative.
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
            by_map: 2.0 * shape,
            by_determinant: squares * shape_slope + VOLUME_WEIGHT * volume_slope,
            curvature_by_determinant: (squares * shape_bend + VOLUME_WEIGHT * volume_bend).max(0.0),
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
            let derivative = map * energy.by_map + cofactors(map) * energy.by_determinant;
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
