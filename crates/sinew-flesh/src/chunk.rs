//! Some hundred tetrahedra that are evaluated together, by the formulas of `tissue`.
//!
//! Their nodes are copied to and from a place of their own, so that the loops stay in the nearest cache and chunks run in
//! parallel; eight tetrahedra go through the processor's wide registers at once. What costs is reading them, so they are
//! kept in single precision, in which a tetrahedron at rest is known to 1e-7, and deformations are found anew where they
//! are needed. Products are not fused with sums, so that the bits are the same on every machine.

use crate::Material;
use crate::wide::{LANES, Narrow, NarrowMat3, Wide, WideMat3};
use glam::{DMat3, DVec3};

/// The share s of tetrahedra in the resistance to compression. The energy of a bent beam of two cells across, with a
/// Poisson's ratio of 0.47, is 1.053 / 1.057 / 1.061 / 1.082 of the exact one for 0.02 / 0.1 / 0.2 / 1. The tube of
/// radius 1 in cells of ½, bent by 90°, has its vertices .025 from simulated flesh with 0.1 and .048 with 1.
const LOCAL_SHARE: f64 = 0.1;

/// The share J₀ of its volume below which a tetrahedron counts as crushed.
pub(crate) const CRUSHED: f64 = 0.3;

/// The factor c. The tube of radius 1 in cells of a third, folded to 120° against the plane of its bend in steps of 5°,
/// has a smallest J of −1.20 / 0.02 / 0.22 / 0.26 for 0 / 2 / 10 / 20, with 947 / 657 / 819 / 921 iterations, and its
/// skin is .030 / .011 / .011 / .011 from simulated flesh.
pub(crate) const CRUSH_STIFFNESS: f64 = 10.0;

/// A tetrahedron at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element {
    pub nodes: [u32; 4],
    /// From differences of positions to the deformation gradient.
    pub inverse: DMat3,
    /// The volume of its flesh.
    pub volume: f64,
    /// The volume that resists being crushed.
    pub crushed: f64,
}

/// The material's numbers, as the energy has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moduli {
    pub shear: f64,
    pub bulk: f64,
    /// The parts of the resistance to compression at nodes and at elements.
    pub at_nodes: f64,
    pub at_elements: f64,
}

impl Moduli {
    pub(crate) fn new(material: &Material) -> Self {
        let bulk = material.compression + material.shear;
        let at_elements = LOCAL_SHARE * bulk;
        Self { shear: material.shear, bulk, at_nodes: bulk - at_elements, at_elements }
    }
}

/// The most elements of a chunk. Not tuned.
pub(crate) const MOST: usize = 128;

/// The slots of a chunk: four for each element at most. Numbers of slots are less than this power of two, which the
/// compiler need not check.
const SLOTS: usize = 4 * MOST;

/// A value at each slot.
type Slots = Box<[f64; SLOTS]>;

/// A chunk of elements with copies of their nodes.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    /// The node that each slot copies.
    pub nodes: Vec<u32>,
    /// The last lanes of the last group repeat an element without flesh.
    groups: Vec<Group>,
    points: [Slots; 3],
    pressures: Slots,
    /// The volume of the elements at each slot.
    volumes: Slots,
    /// The gradient of the energy at each slot.
    forces: [Slots; 3],
    /// The energy of the elements.
    pub energy: f64,
    /// The smallest determinant of a deformation.
    pub smallest_determinant: f64,
}

/// Elements side by side.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// The slots of the first corners, of the second, and so on.
    slots: [[u16; LANES]; 4],
    inverse: NarrowMat3,
    volume: Narrow,
    crushed: Narrow,
}

impl Group {
    #[inline(always)]
    fn gradient(&self, points: &[Slots; 3]) -> WideMat3 {
        let [a, b, c, d] = &self.slots;
        let corners = [corner(points, a), corner(points, b), corner(points, c), corner(points, d)];
        WideMat3::edges(corners) * self.inverse.wide()
    }
}

/// The points at some slots; a closure is not always inlined into code for wide registers.
#[inline(always)]
fn corner([x, y, z]: &[Slots; 3], slots: &[u16; LANES]) -> [Wide; 3] {
    [gather(x, slots), gather(y, slots), gather(z, slots)]
}

/// The values at some slots.
#[inline(always)]
fn gather(values: &[f64; SLOTS], slots: &[u16; LANES]) -> Wide {
    Wide::new(|lane| values[slots[lane] as usize % SLOTS])
}

impl Chunk {
    /// A chunk of at most [`MOST`] elements.
    pub(crate) fn new(elements: &[Element]) -> Self {
        let mut nodes: Vec<u32> = elements.iter().flat_map(|element| element.nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let slot = |node: u32| nodes.partition_point(|&other| other < node) as u16;
        let group = |elements: &[Element]| {
            let lane = |lane: usize| elements[lane.min(elements.len() - 1)];
            let flesh = |lane: usize, volume: f64| if lane < elements.len() { volume } else { 0.0 };
            Group {
                slots: [0, 1, 2, 3].map(|corner| std::array::from_fn(|k| slot(lane(k).nodes[corner]))),
                inverse: NarrowMat3::new(|k| lane(k).inverse),
                volume: Narrow::new(|k| flesh(k, lane(k).volume)),
                crushed: Narrow::new(|k| flesh(k, lane(k).crushed)),
            }
        };
        Self {
            groups: elements.chunks(LANES).map(group).collect(),
            points: [0, 1, 2].map(|_| Box::new([0.0; SLOTS])),
            pressures: Box::new([0.0; SLOTS]),
            volumes: Box::new([0.0; SLOTS]),
            forces: [0, 1, 2].map(|_| Box::new([0.0; SLOTS])),
            energy: 0.0,
            smallest_determinant: 1.0,
            nodes,
        }
    }

    /// Finds the deformation of the elements, their energy and the volume at each node.
    pub(crate) fn deform(&mut self, nodes: &[DVec3], moduli: &Moduli) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has it.
                return unsafe { deform_avx512(self, nodes, moduli) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has it.
                return unsafe { deform_avx2(self, nodes, moduli) };
            }
        }
        deform(self, nodes, moduli);
    }

    /// Finds the gradient of the energy where the chunk was last deformed to, with the pressure at each node.
    pub(crate) fn resist(&mut self, pressure: impl Fn(u32) -> f64, moduli: &Moduli) {
        self.pressures.iter_mut().zip(&self.nodes).for_each(|(to, &node)| *to = pressure(node));
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has it.
                return unsafe { resist_avx512(self, moduli) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has it.
                return unsafe { resist_avx2(self, moduli) };
            }
        }
        resist(self, moduli);
    }

    /// The volume of the elements at a slot.
    pub(crate) fn volume(&self, slot: u32) -> f64 {
        self.volumes[slot as usize]
    }

    /// The gradient of the energy at a slot.
    pub(crate) fn force(&self, slot: u32) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.forces[axis][slot as usize]))
    }

    /// Adds the deformation gradients where the chunk was last deformed to, by volume, to the corners of their elements.
    pub(crate) fn add_gradients(&self, sums: &mut [DMat3]) {
        for group in &self.groups {
            let (gradient, volume) = (group.gradient(&self.points), group.volume.wide());
            for lane in 0..LANES {
                let gradient = volume.0[lane] * gradient.lane(lane);
                group.slots.iter().for_each(|slots| sums[self.nodes[slots[lane] as usize] as usize] += gradient);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn deform_avx512(chunk: &mut Chunk, nodes: &[DVec3], moduli: &Moduli) {
    deform(chunk, nodes, moduli);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn deform_avx2(chunk: &mut Chunk, nodes: &[DVec3], moduli: &Moduli) {
    deform(chunk, nodes, moduli);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn resist_avx512(chunk: &mut Chunk, moduli: &Moduli) {
    resist(chunk, moduli);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn resist_avx2(chunk: &mut Chunk, moduli: &Moduli) {
    resist(chunk, moduli);
}

#[inline(always)]
fn deform(chunk: &mut Chunk, nodes: &[DVec3], &Moduli { shear, bulk, at_elements, .. }: &Moduli) {
    let Chunk { nodes: own, groups, points, volumes, energy, smallest_determinant, .. } = chunk;
    for (slot, &node) in own.iter().enumerate() {
        [points[0][slot], points[1][slot], points[2][slot]] = nodes[node as usize].to_array();
    }
    volumes[..own.len()].fill(0.0);
    let (mut sum, mut smallest) = (Wide::default(), Wide::splat(f64::INFINITY));
    for group in groups {
        let f = group.gradient(points);
        let (j, volume) = (f.determinant(), group.volume.wide());
        smallest = smallest.min(j);
        let excess = j - 1.0;
        let crush = (Wide::splat(CRUSHED) - j).max(0.0);
        let density = (f.squares() - 3.0) * (0.5 * shear) - excess * shear + excess * excess * (0.5 * at_elements);
        sum = sum + volume * density + group.crushed.wide() * (crush * crush * (CRUSH_STIFFNESS * bulk));
        let swept = volume * j;
        for slots in &group.slots {
            slots.iter().zip(swept.0).for_each(|(&slot, swept)| volumes[slot as usize % SLOTS] += swept);
        }
    }
    *energy = sum.0.iter().sum();
    *smallest_determinant = smallest.0.into_iter().fold(f64::INFINITY, f64::min);
}

#[inline(always)]
fn resist(chunk: &mut Chunk, &Moduli { shear, bulk, at_elements, .. }: &Moduli) {
    let Chunk { nodes, groups, points, pressures, forces, .. } = chunk;
    forces.iter_mut().for_each(|forces| forces[..nodes.len()].fill(0.0));
    let [along_x, along_y, along_z] = forces;
    for group in groups {
        let (f, volume, inverse) = (group.gradient(points), group.volume.wide(), group.inverse.wide());
        let j = f.determinant();
        let [a, b, c, d] = &group.slots;
        let at = |slots: &[u16; LANES]| gather(pressures, slots);
        let mean = (at(a) + at(b) + at(c) + at(d)) * 0.25;
        let crush = (Wide::splat(CRUSHED) - j).max(0.0) * (2.0 * CRUSH_STIFFNESS * bulk);
        let pressure = mean + (j - 1.0) * at_elements - shear;
        let push = volume * pressure - group.crushed.wide() * crush;
        let stress = f.scaled(volume * shear) + f.cofactors().scaled(push);
        let WideMat3([of_b, of_c, of_d]) = stress.times_transposed(inverse);
        scatter(along_x, &group.slots, &[of_b[0] + of_c[0] + of_d[0], of_b[0], of_c[0], of_d[0]]);
        scatter(along_y, &group.slots, &[of_b[1] + of_c[1] + of_d[1], of_b[1], of_c[1], of_d[1]]);
        scatter(along_z, &group.slots, &[of_b[2] + of_c[2] + of_d[2], of_b[2], of_c[2], of_d[2]]);
    }
}

/// Adds a coordinate of the forces at the corners of elements; those at the first are against all others. A call, so that
/// what comes before stays in wide registers.
#[inline(never)]
fn scatter(forces: &mut [f64; SLOTS], [a, b, c, d]: &[[u16; LANES]; 4], [of_a, of_b, of_c, of_d]: &[Wide; 4]) {
    for lane in 0..LANES {
        forces[a[lane] as usize % SLOTS] -= of_a.0[lane];
        forces[b[lane] as usize % SLOTS] += of_b.0[lane];
        forces[c[lane] as usize % SLOTS] += of_c.0[lane];
        forces[d[lane] as usize % SLOTS] += of_d.0[lane];
    }
}
