//! The elastic energy of a lattice.
//!
//! The density is that of a stable neo-Hookean solid (Smith, de Goes and Kim 2018, without the logarithm), with the
//! deformation gradient F and J = det F:
//!
//! ```text
//! Ψ(F) = μ/2 (|F|² − 3) − μ (J − 1) + λ'/2 (J − 1)²,   λ' = λ + μ
//! ```
//!
//! Its linearisation at rest is Hooke's law with μ and λ: `J − 1` holds second-order terms of `−μ (J − 1)`, which make up
//! the difference of λ' and λ.
//!
//! Linear tetrahedra lock: they have fewer degrees of freedom than there are volumes to keep. So most of the last term
//! looks at the volume around *nodes* (Bonet and Burton 1998), of which there are five to six times fewer,
//!
//! ```text
//! Σ_nodes Vₙ (1 − s) λ'/2 (J̄ₙ − 1)²,   J̄ₙ = Σ_{e∋n} Vₑ Jₑ / 4Vₙ,   Vₙ = Σ_{e∋n} Vₑ / 4
//! ```
//!
//! times a factor of the node, which is one but in trunks, and the share s of it at each tetrahedron keeps neighbours from
//! exchanging volume to and fro. In a deep fold that is not enough, so a tetrahedron that is crushed to J < J₀ resists by
//! `c λ' (J₀ − J)²` more, even where little of it is flesh.

use crate::chunk::{self, Chunk, Element, Moduli};
use crate::lattice::edges;
use crate::{Lattice, Material};
use glam::{DMat3, DVec3};
use sinew_geometry::Rows;
use sinew_geometry::parallel::*;

/// Nodes that one thread evaluates one after another. Not tuned.
const NODES: usize = 512;

/// The share of a tetrahedron that resists being crushed, where less of it is flesh. With none the tube in cells of a
/// quarter, bent by 100°, has a smallest J of −0.5; with all of it the seven shapes are .022 from simulated flesh on
/// average, and .019 with none.
const CRUSH_SHARE: f64 = 0.4;

/// The tetrahedra of a lattice at rest, with the volume of flesh in each.
pub(crate) fn elements(lattice: &Lattice, volumes: &[f64]) -> Vec<Element> {
    let element = |(tetrahedron, &volume): (&[u32; 4], &f64)| {
        let edges = edges(tetrahedron, &lattice.nodes);
        let whole = edges.determinant() / 6.0;
        // As chunks keep it.
        let volume = f64::from(volume as f32);
        Element { nodes: *tetrahedron, inverse: edges.inverse(), volume, crushed: volume.max(CRUSH_SHARE * whole) }
    };
    lattice.tetrahedra.iter().zip(volumes).map(element).collect()
}

/// A lattice of elastic tetrahedra. Evaluation allocates nothing.
#[derive(Debug, Clone)]
pub(crate) struct Tissue {
    chunks: Vec<Chunk>,
    /// The chunks that have a node, and its number there.
    slots: Rows<(u32, u32)>,
    node_volumes: Vec<f64>,
    /// How many times as much as the material each node resists compression.
    compression: Vec<f64>,
    pressures: Vec<NodePressure>,
    material: Material,
}

/// The pressure at a node against the change of the volume around it, and the energy of that.
#[derive(Debug, Clone, Copy, Default)]
struct NodePressure {
    pressure: f64,
    energy: f64,
}

impl Tissue {
    /// The tissue of elements at rest on so many nodes.
    pub(crate) fn new(elements: &[Element], nodes: usize, material: Material) -> Self {
        let mut node_volumes = vec![0.0; nodes];
        for element in elements {
            element.nodes.iter().for_each(|&node| node_volumes[node as usize] += element.volume / 4.0);
        }
        let chunks: Vec<Chunk> = elements.chunks(chunk::MOST).map(Chunk::new).collect();
        let mut slots = vec![Vec::new(); nodes];
        for (index, chunk) in (0..).zip(&chunks) {
            (0..).zip(&chunk.nodes).for_each(|(slot, &node)| slots[node as usize].push((index, slot)));
        }
        let pressures = vec![NodePressure::default(); nodes];
        let compression = vec![1.0; nodes];
        Self { chunks, slots: Rows::new(slots.into_iter()), node_volumes, compression, pressures, material }
    }

    /// Finds the deformation of every tetrahedron.
    pub fn deform(&mut self, nodes: &[DVec3]) {
        let moduli = Moduli::new(&self.material);
        self.chunks.par_iter_mut().for_each(|chunk| chunk.deform(nodes, &moduli));
    }

    /// The energy of the nodes' places; its gradient goes to `gradient`.
    pub fn energy(&mut self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        self.deform(nodes);
        let Self { chunks, slots, node_volumes, compression, pressures, material } = self;
        let moduli = Moduli::new(material);
        pressures.par_chunks_mut(NODES).enumerate().for_each(|(index, pressures)| {
            for (node, pressure) in (index * NODES..).zip(pressures) {
                let of = |&(chunk, slot): &(u32, u32)| chunks[chunk as usize].volume(slot);
                let volume = node_volumes[node];
                let excess = slots.row(node as u32).iter().map(of).sum::<f64>() / (4.0 * volume) - 1.0;
                let stress = compression[node] * moduli.at_nodes * excess;
                *pressure = NodePressure { pressure: stress, energy: 0.5 * volume * stress * excess };
            }
        });
        chunks.par_iter_mut().for_each(|chunk| chunk.resist(|node| pressures[node as usize].pressure, &moduli));
        gradient.par_chunks_mut(NODES).enumerate().for_each(|(index, gradient)| {
            for (node, sum) in (index * NODES..).zip(gradient) {
                let of = |&(chunk, slot): &(u32, u32)| chunks[chunk as usize].force(slot);
                *sum = slots.row(node as u32).iter().map(of).sum();
            }
        });
        let of_elements: f64 = chunks.iter().map(|chunk| chunk.energy).sum();
        of_elements + pressures.iter().map(|pressure| pressure.energy).sum::<f64>()
    }

    /// Sets how many times as much as the material each node resists compression.
    pub fn resist_compression(&mut self, times: &[f64]) {
        self.compression.copy_from_slice(times);
    }

    /// The volume around each node.
    pub fn node_volumes(&self) -> &[f64] {
        &self.node_volumes
    }

    /// The smallest determinant of the last evaluation: zero or less where an element is turned over.
    pub fn smallest_determinant(&self) -> f64 {
        self.chunks.iter().map(|chunk| chunk.smallest_determinant).fold(f64::INFINITY, f64::min)
    }

    /// The mean deformation gradient around each node in the last call of [`Tissue::deform`].
    pub fn node_gradients(&self, gradients: &mut Vec<DMat3>) {
        gradients.clear();
        gradients.resize(self.node_volumes.len(), DMat3::ZERO);
        self.chunks.iter().for_each(|chunk| chunk.add_gradients(gradients));
        gradients.iter_mut().zip(&self.node_volumes).for_each(|(sum, volume)| *sum *= 0.25 / volume);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tissue() -> (Lattice, Tissue) {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::splat(2.0), 1.0, |_, _| false).unwrap();
        let volumes = lattice.volumes();
        let tissue = Tissue::new(&elements(&lattice, &volumes), lattice.nodes.len(), Material::FLESH);
        (lattice, tissue)
    }

    fn numbers(count: usize, size: f64) -> impl Strategy<Value = Vec<DVec3>> {
        prop::collection::vec([-size..size, -size..size, -size..size].prop_map(DVec3::from), count)
    }

    /// Patch test: under any affine map no force acts on a node inside.
    #[test]
    fn affine_maps_leave_the_inside_in_balance() {
        let (lattice, mut tissue) = tissue();
        let map = DMat3::from_cols(DVec3::new(1.3, 0.2, -0.1), DVec3::new(-0.3, 0.8, 0.1), DVec3::new(0.1, 0.4, 1.1));
        let nodes: Vec<DVec3> = lattice.nodes.iter().map(|p| map * *p).collect();
        let mut gradient = vec![DVec3::ZERO; nodes.len()];
        tissue.energy(&nodes, &mut gradient);
        let largest = gradient.iter().map(|g| g.length()).fold(0.0, f64::max);
        // Two cells from the boundary even the averages see whole neighbourhoods.
        let inside = |p: &DVec3| (*p - DVec3::ONE).abs().max_element() < 0.1;
        let forces: Vec<f64> =
            lattice.nodes.iter().zip(&gradient).filter(|(p, _)| inside(p)).map(|(_, g)| g.length()).collect();
        assert!(!forces.is_empty() && forces.iter().all(|force| *force < 1e-14 * largest), "{forces:?} of {largest}");
    }

    proptest! {
        #[test]
        fn the_gradient_is_the_derivative(offsets in numbers(83, 0.4), direction in numbers(83, 1.0)) {
            let (lattice, mut tissue) = tissue();
            prop_assert_eq!(lattice.nodes.len(), 83);
            let at = |t: f64| -> Vec<DVec3> {
                lattice.nodes.iter().zip(&offsets).zip(&direction).map(|((p, o), d)| *p + *o + t * *d).collect()
            };
            let mut gradient = vec![DVec3::ZERO; 83];
            let mut unused = gradient.clone();
            tissue.energy(&at(0.0), &mut gradient);
            let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g.dot(*d)).sum();
            let step = 1e-6;
            let difference = (tissue.energy(&at(step), &mut unused) - tissue.energy(&at(-step), &mut unused)) / (2.0 * step);
            prop_assert!((slope - difference).abs() < 1e-5 * (1.0 + slope.abs()), "{slope} and {difference}");
        }

        /// Rigid motions cost nothing.
        #[test]
        fn rest_has_no_energy_wherever_it_is(axis in [-1.0..1.0, -1.0..1.0, -1.0..1.0f64], angle in 0.0..6.0f64) {
            let (lattice, mut tissue) = tissue();
            let turn = glam::DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), angle);
            let nodes: Vec<DVec3> = lattice.nodes.iter().map(|p| turn * *p + DVec3::new(3.0, -2.0, 1.0)).collect();
            let mut gradient = vec![DVec3::ZERO; nodes.len()];
            let energy = tissue.energy(&nodes, &mut gradient);
            prop_assert!(energy.abs() < 1e-12 && gradient.iter().all(|g| g.length() < 1e-12), "{energy}");
        }
    }
}
