//! Muscle in flesh: tetrahedra that are stiffer, and whose fibres draw themselves to a length.
//!
//! With the deformation gradient F, J = det F, the direction a of the fibres at rest, the stretch λ that they draw
//! themselves to and the activation α, the energy of a tetrahedron is, by volume,
//!
//! ```text
//! Ψ(F) = α k/2 (|F a| − λ)²  +  μ/2 (|F|² − 3) − μ (J − 1) + μ/2 (J − 1)²
//! ∂Ψ/∂F = α k (|F a| − λ) F a aᵀ / |F a|  +  μ F + μ (J − 2) ∂J/∂F
//! ```
//!
//! beside that of the flesh in it (`tissue`). The first term is the fibres. The others are the stable neo-Hookean solid
//! (Smith, de Goes and Kim 2018) with a Poisson's ratio of zero: shear alone, since flesh resists changes of volume as
//! it is. So fibres that shorten make muscle thicker.

use crate::Lattice;
use crate::lattice::{edges, gradients};
use glam::{DMat3, DVec3};
use sinew_geometry::parallel::*;

/// Fibres that are evaluated by one task. Not tuned.
const CHUNK: usize = 256;

/// The muscle in a tetrahedron at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fibre {
    /// The tetrahedron.
    pub tetrahedron: u32,
    /// The muscle, which all its fibres have their stretch from.
    pub muscle: u32,
    /// The volume of the muscle in it.
    pub volume: f64,
    /// The direction of the fibres, of length one.
    pub direction: DVec3,
    /// The stiffness k of the fibres.
    pub stiffness: f64,
    /// The shear modulus μ that the muscle has beside that of the flesh.
    pub shear: f64,
}

/// The muscle in a lattice. Evaluation allocates nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fibres(Vec<Element>);

#[derive(Debug, Clone)]
struct Element {
    fibre: Fibre,
    nodes: [u32; 4],
    /// From differences of positions to the deformation gradient.
    inverse: DMat3,
    stretch: f64,
    activation: f64,
    energy: f64,
    /// The gradient of the energy at the corners.
    forces: [DVec3; 4],
}

impl Fibres {
    pub(crate) fn new(lattice: &Lattice, fibres: &[Fibre]) -> Self {
        let element = |fibre: &Fibre| {
            let nodes = lattice.tetrahedra[fibre.tetrahedron as usize];
            let inverse = edges(&nodes, &lattice.nodes).inverse();
            Element {
                fibre: *fibre,
                nodes,
                inverse,
                stretch: 1.0,
                activation: 0.0,
                energy: 0.0,
                forces: [DVec3::ZERO; 4],
            }
        };
        Self(fibres.iter().map(element).collect())
    }

    /// Sets the stretch λ that the fibres of each muscle draw themselves to, and its activation α.
    pub(crate) fn contract(&mut self, muscle: impl Fn(u32) -> (f64, f64)) {
        self.0.iter_mut().for_each(|element| (element.stretch, element.activation) = muscle(element.fibre.muscle));
    }

    /// The energy of nodes at places; its derivative is added to a gradient, in the order of the fibres whatever the
    /// number of threads.
    pub(crate) fn energy(&mut self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        self.0.par_chunks_mut(CHUNK).for_each(|chunk| chunk.iter_mut().for_each(|element| element.resist(nodes)));
        for element in &self.0 {
            element.nodes.iter().zip(element.forces).for_each(|(&node, force)| gradient[node as usize] += force);
        }
        self.0.iter().map(|element| element.energy).sum()
    }

    /// What the quasi-Newton method takes for the Hessian of each coordinate: `k a aᵀ` for the fibres, as if they were
    /// active, and the stiffness against shear.
    pub(crate) fn stiffnesses(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        self.0.iter().flat_map(|Element { fibre, nodes, inverse, .. }| {
            let slopes = gradients(*inverse);
            let pairs = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
            pairs.map(move |(a, b)| {
                let along = fibre.stiffness * slopes[a].dot(fibre.direction) * slopes[b].dot(fibre.direction);
                let all = 2.0 * fibre.shear * slopes[a].dot(slopes[b]);
                (nodes[a], nodes[b], fibre.volume * (along + all))
            })
        })
    }
}

impl Element {
    /// Finds the energy and its gradient.
    fn resist(&mut self, nodes: &[DVec3]) {
        let Fibre { volume, direction, stiffness, shear, .. } = self.fibre;
        let stiffness = self.activation * stiffness;
        let f = edges(&self.nodes, nodes) * self.inverse;
        let along = f * direction;
        let (length, j) = (along.length(), f.determinant());
        let (longer, excess) = (length - self.stretch, j - 1.0);
        let squares = f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared();
        let resistance = shear * (0.5 * (squares - 3.0) - excess + 0.5 * excess * excess);
        self.energy = volume * (0.5 * stiffness * longer * longer + resistance);
        // A fibre without a length has no direction to grow in.
        let pull = if length > 0.0 { stiffness * longer / length } else { 0.0 } * along;
        let fibres = DMat3::from_cols(pull * direction.x, pull * direction.y, pull * direction.z);
        let cofactors = DMat3::from_cols(f.y_axis.cross(f.z_axis), f.z_axis.cross(f.x_axis), f.x_axis.cross(f.y_axis));
        let stress = fibres + f * shear + cofactors * (shear * (j - 2.0));
        let DMat3 { x_axis, y_axis, z_axis } = stress * self.inverse.transpose() * volume;
        self.forces = [-(x_axis + y_axis + z_axis), x_axis, y_axis, z_axis];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fibres() -> (Lattice, Fibres) {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::splat(2.0), 1.0, |_, _| false).unwrap();
        let volumes = lattice.volumes();
        let fibre = |tetrahedron: u32| Fibre {
            tetrahedron,
            muscle: tetrahedron % 2,
            volume: 0.5 * volumes[tetrahedron as usize],
            direction: DVec3::new(1.0, 2.0, f64::from(tetrahedron)).normalize(),
            stiffness: 20.0,
            shear: 0.7,
        };
        let fibres = Fibres::new(&lattice, &(0..lattice.tetrahedra.len() as u32).map(fibre).collect::<Vec<_>>());
        (lattice, fibres)
    }

    fn numbers(size: f64) -> impl Strategy<Value = Vec<DVec3>> {
        prop::collection::vec([-size..size, -size..size, -size..size].prop_map(DVec3::from), 83)
    }

    proptest! {
        #[test]
        fn the_gradient_is_the_derivative(offsets in numbers(0.3), direction in numbers(1.0), stretch in 0.6..1.2) {
            let (lattice, mut fibres) = fibres();
            fibres.contract(|muscle| if muscle == 0 { (stretch, 1.0) } else { (0.9, 0.4) });
            let at = |t: f64| -> Vec<DVec3> {
                lattice.nodes.iter().zip(&offsets).zip(&direction).map(|((p, o), d)| *p + *o + t * *d).collect()
            };
            let mut energy_at = |t: f64| {
                let mut gradient = vec![DVec3::ZERO; lattice.nodes.len()];
                (fibres.energy(&at(t), &mut gradient), gradient)
            };
            let slope: f64 = energy_at(0.0).1.iter().zip(&direction).map(|(g, d)| g.dot(*d)).sum();
            let step = 1e-6;
            let difference = (energy_at(step).0 - energy_at(-step).0) / (2.0 * step);
            prop_assert!((slope - difference).abs() < 1e-5 * (1.0 + slope.abs()), "{slope} and {difference}");
        }

        /// Muscle at rest costs nothing wherever it is, and what it costs to be shorter is `α k/2 (1 − λ)²` by volume.
        #[test]
        fn fibres_want_their_length(axis in [-1.0..1.0, -1.0..1.0, -1.0..1.0f64], angle in 0.0..6.0f64) {
            let (lattice, mut fibres) = fibres();
            let turn = glam::DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), angle);
            let nodes: Vec<DVec3> = lattice.nodes.iter().map(|p| turn * *p + DVec3::new(3.0, -2.0, 1.0)).collect();
            let mut gradient = vec![DVec3::ZERO; nodes.len()];
            let energy = fibres.energy(&nodes, &mut gradient);
            prop_assert!(energy.abs() < 1e-12 && gradient.iter().all(|g| g.length() < 1e-12), "{energy}");
            fibres.contract(|_| (0.8, 0.5));
            let volume: f64 = lattice.volumes().iter().sum();
            let energy = fibres.energy(&nodes, &mut gradient);
            prop_assert!((energy - 0.5 * volume * 5.0 * 0.04).abs() < 1e-9, "{energy} of {volume}");
        }
    }
}
