//! The shape in which flesh on bones is at rest.
//!
//! Quasi-Newton: limited-memory BFGS whose first approximation of the Hessian is the matrix of `preconditioner`. An
//! iteration is an evaluation of the energy and a solve; steps are halved until the energy falls by Armijo's rule.

use crate::fibre::Fibres;
use crate::history::{History, Place};
use crate::preconditioner::Preconditioner;
use crate::tissue::{Tissue, elements};
use crate::{Attachment, Body, Contact, ContactSearch, Error, Fibre, Lattice, Material, Result};
use glam::{DMat3, DVec3};
use sinew_geometry::UnionFind;

/// The share of the expected fall of energy that a step must reach.
const ARMIJO: f64 = 1e-4;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The most iterations.
    pub iterations: usize,
    /// The largest distance that a node still moves, in edges of the tetrahedra around it; less where these have little flesh.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 300, tolerance: 2e-4 }
    }
}

/// What a search for the shape at rest came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Iterations.
    pub iterations: usize,
    /// The largest distance that a node moved in the last of them, in the same measure as the tolerance.
    pub step: f64,
    /// The largest distance between where a node began and where it is now, in the same measure.
    pub moved: f64,
    /// The energy.
    pub energy: f64,
}

/// Flesh on its attachments.
#[derive(Debug)]
pub struct Solid {
    /// The lattice at rest.
    pub lattice: Lattice,
    tissue: Tissue,
    fibres: Fibres,
    /// The springs; targets and constants may change at any time, nodes and shares not.
    pub attachments: Vec<Attachment>,
    contacts: Vec<Contact>,
    /// The length of the shortest edge at each node.
    edges: Vec<f64>,
    /// What a way of each node counts for: one over its shortest edge, times the share of flesh in its tetrahedra. The skin
    /// cuts off most of a tetrahedron with little flesh, and hardly moves with the nodes beyond.
    weights: Vec<f64>,
    preconditioner: Preconditioner,
    history: History,
    present: Place,
    next: Place,
    direction: Vec<DVec3>,
    /// Where the nodes were when they began to settle.
    began: Vec<DVec3>,
    /// What holds nodes back or carries them on for a while: one for each, or none.
    springs: Vec<Spring>,
}

/// A spring at a node for a while.
#[derive(Debug, Clone, Copy, Default)]
struct Spring {
    stiffness: f64,
    place: DVec3,
}

/// The energy of springs at nodes, of which there may be none; its derivative is added to a gradient.
fn energy_of_springs(springs: &[Spring], nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
    let mut energy = 0.0;
    for ((node, Spring { stiffness, place }), gradient) in nodes.iter().zip(springs).zip(gradient) {
        let away = *node - *place;
        energy += 0.5 * stiffness * away.length_squared();
        *gradient += *stiffness * away;
    }
    energy
}

impl Solid {
    /// Flesh at rest. `volumes` has the flesh in each tetrahedron.
    ///
    /// # Errors
    ///
    /// If a part of the lattice has no attachment, or the system is too large.
    pub fn new(lattice: Lattice, volumes: &[f64], material: Material, attachments: Vec<Attachment>) -> Result<Self> {
        Self::with_fibres(lattice, volumes, material, attachments, &[])
    }

    /// Flesh at rest, a part of which is muscle.
    ///
    /// # Errors
    ///
    /// If a part of the lattice has no attachment, or the system is too large.
    pub fn with_fibres(
        lattice: Lattice,
        volumes: &[f64],
        material: Material,
        attachments: Vec<Attachment>,
        fibres: &[Fibre],
    ) -> Result<Self> {
        let count = lattice.nodes.len();
        let mut parts = UnionFind::new(count);
        for t in &lattice.tetrahedra {
            t[1..].iter().for_each(|&node| parts.join(t[0], node));
        }
        let mut held = vec![false; count];
        attachments.iter().for_each(|a| held[parts.root(a.nodes[0]) as usize] = true);
        if (0..count as u32).any(|node| !held[parts.root(node) as usize]) {
            return Err(Error::NotHeld);
        }
        let elements = elements(&lattice, volumes);
        let tissue = Tissue::new(&elements, count, material);
        let fibres = Fibres::new(&lattice, fibres);
        let nodes = lattice.nodes.clone();
        let preconditioner = Preconditioner::new(elements, material, &nodes, &attachments, &fibres)?;
        let mut edges = vec![f64::INFINITY; count];
        for t in &lattice.tetrahedra {
            for [a, b] in (0..4).flat_map(|a| (0..a).map(move |b| [t[a], t[b]])) {
                let length = nodes[a as usize].distance(nodes[b as usize]);
                [a, b].iter().for_each(|&node| edges[node as usize] = edges[node as usize].min(length));
            }
        }
        let mut wholes = vec![0.0; count];
        for (t, volume) in lattice.tetrahedra.iter().zip(lattice.volumes()) {
            t.iter().for_each(|&node| wholes[node as usize] += 0.25 * volume);
        }
        let shares = tissue.node_volumes().iter().zip(&wholes).map(|(flesh, whole)| f64::min(flesh / whole, 1.0));
        let weights = shares.zip(&edges).map(|(share, edge)| share / edge).collect();
        let place = Place::new(nodes);
        Ok(Self {
            lattice,
            tissue,
            fibres,
            attachments,
            contacts: Vec::new(),
            edges,
            weights,
            preconditioner,
            history: History::new(count),
            next: place.clone(),
            present: place,
            direction: vec![DVec3::ZERO; count],
            began: vec![DVec3::ZERO; count],
            springs: Vec::with_capacity(count),
        })
    }

    /// Where the nodes are.
    pub fn nodes(&self) -> &[DVec3] {
        &self.present.nodes
    }

    /// The same, to be moved.
    pub fn nodes_mut(&mut self) -> &mut [DVec3] {
        &mut self.present.nodes
    }

    /// Puts the nodes back to rest, as if they had never moved.
    pub fn reset(&mut self) {
        self.present.nodes.copy_from_slice(&self.lattice.nodes);
        self.preconditioner.reset();
    }

    /// The volume of the flesh around each node.
    pub fn node_volumes(&self) -> &[f64] {
        self.tissue.node_volumes()
    }

    /// Holds the nodes back at their present places from now on, as viscous flesh does for a moment: by a stiffness in
    /// Young's moduli, and by a share of that of attachments, so that what gave way returns slowly. Zero lets them go.
    pub fn drag(&mut self, stiffness: f64, of_attachments: f64) {
        self.springs.clear();
        if stiffness == 0.0 && of_attachments == 0.0 {
            return;
        }
        let nodes = self.present.nodes.iter().zip(&self.edges);
        self.springs.extend(nodes.map(|(&place, edge)| Spring { stiffness: stiffness * edge, place }));
        for attachment in &self.attachments {
            for (&node, share) in attachment.nodes.iter().zip(attachment.shares) {
                self.springs[node as usize].stiffness += of_attachments * share * attachment.stiffness;
            }
        }
    }

    /// Draws each node to a place with a stiffness as well, until the next call of [`Solid::drag`].
    pub fn draw(&mut self, spring: impl Fn(usize, DVec3) -> (f64, DVec3)) {
        self.springs.resize(self.present.nodes.len(), Spring::default());
        for (node, held) in self.springs.iter_mut().enumerate() {
            let (stiffness, place) = spring(node, self.present.nodes[node]);
            let both = held.stiffness + stiffness;
            if both > 0.0 {
                *held = Spring { stiffness: both, place: (held.stiffness * held.place + stiffness * place) / both };
            }
        }
    }

    /// Sets how many times as much as the material flesh around each node resists compression: at first once.
    pub fn resist_compression(&mut self, times: &[f64]) {
        self.tissue.resist_compression(times);
    }

    /// Sets the stretch that the fibres of each muscle draw themselves to, 1 for their length at rest, and its activation from
    /// 0 to 1.
    pub fn contract(&mut self, muscle: impl Fn(u32) -> (f64, f64)) {
        self.fibres.contract(muscle);
    }

    /// What keeps parts of the flesh apart at present.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Looks for the contacts of the flesh where it is now, with its skin.
    pub fn touch(&mut self, search: &mut ContactSearch, body: &Body, skin: &[DVec3]) {
        search.find(body, &self.present.nodes, skin, &mut self.contacts);
    }

    /// The mean deformation gradient around each node.
    pub fn node_gradients(&mut self, gradients: &mut Vec<DMat3>) {
        self.tissue.deform(&self.present.nodes);
        self.tissue.node_gradients(gradients);
    }

    /// The smallest share of its volume that a tetrahedron had when it was last looked at; zero or less where one is
    /// turned over.
    pub fn smallest_volume(&self) -> f64 {
        self.tissue.smallest_determinant()
    }

    /// The energy of nodes at places, with attachments, contacts and drag; its gradient goes to `gradient`.
    pub fn energy(&mut self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        total_energy(&mut self.tissue, &self.attachments, &self.contacts, nodes, gradient)
            + self.fibres.energy(nodes, gradient)
            + energy_of_springs(&self.springs, nodes, gradient)
    }

    /// Multiplies a vector by what the first step takes for the inverse of the energy's Hessian.
    pub fn precondition(&mut self, vector: &mut [DVec3]) {
        if let Some(mut factor) = self.preconditioner.factor() {
            factor.solve_points(vector);
        }
    }

    /// Moves the nodes from where they are to the nearest shape at rest.
    pub fn settle(&mut self, settings: &Settings) -> Outcome {
        let Self { tissue, fibres, attachments, contacts, weights, preconditioner, history, .. } = self;
        let Self { present, next, direction, began, springs, .. } = self;
        preconditioner.follow(&present.nodes, attachments, fibres);
        let mut total_energy = |place: &mut Place| {
            total_energy(tissue, attachments, contacts, &place.nodes, &mut place.gradient)
                + fibres.energy(&place.nodes, &mut place.gradient)
                + energy_of_springs(springs, &place.nodes, &mut place.gradient)
        };
        history.clear();
        began.copy_from_slice(&present.nodes);
        let mut energy = total_energy(present);
        let mut outcome = Outcome { iterations: 0, step: f64::INFINITY, moved: 0.0, energy };
        let Some(mut factor) = preconditioner.factor() else { return outcome };
        let mut precondition = |place: &mut Place| {
            place.solved.copy_from_slice(&place.gradient);
            factor.solve_points(&mut place.solved);
        };
        precondition(present);
        while outcome.iterations < settings.iterations {
            history.direction(present, direction);
            let slope: f64 = present.gradient.iter().zip(&*direction).map(|(g, d)| g.dot(*d)).sum();
            let mut length = 1.0;
            energy = loop {
                let ahead = next.nodes.iter_mut().zip(&present.nodes).zip(&*direction);
                ahead.for_each(|((to, from), d)| *to = *from - length * *d);
                let energy_there = total_energy(next);
                // Below this a step changes nothing that a number holds.
                if energy_there <= energy - ARMIJO * length * slope || length < 1e-8 {
                    break energy_there;
                }
                length *= 0.5;
            };
            outcome.iterations += 1;
            outcome.energy = energy;
            let steps = direction.iter().zip(&*weights).map(|(d, weight)| d.length() * weight);
            // A single small step may be one that the line search cut short.
            let was_small = outcome.step <= settings.tolerance;
            outcome.step = length * steps.fold(0.0, f64::max);
            if was_small && outcome.step <= settings.tolerance {
                std::mem::swap(present, next);
                break;
            }
            precondition(next);
            history.remember(present, next);
            std::mem::swap(present, next);
        }
        let ways = present.nodes.iter().zip(&*began).zip(&*weights);
        outcome.moved = ways.map(|((to, from), weight)| to.distance(*from) * weight).fold(0.0, f64::max);
        outcome
    }
}

fn total_energy(
    tissue: &mut Tissue,
    attachments: &[Attachment],
    contacts: &[Contact],
    nodes: &[DVec3],
    gradient: &mut [DVec3],
) -> f64 {
    let mut energy = tissue.energy(nodes, gradient);
    energy += attachments.iter().map(|attachment| attachment.energy(nodes, gradient)).sum::<f64>();
    energy + contacts.iter().map(|contact| contact.energy(nodes, gradient)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use sinew_testing::newton::{self, Energy};

    /// The tetrahedra in a box at the origin, whose sides cut them in half, with the volume inside.
    fn inside_of_box(lattice: &Lattice, high: DVec3) -> (Lattice, Vec<f64>) {
        let is_inside = |p: DVec3| p.min_element() > 0.0 && (high - p).min_element() > 0.0;
        let shares = (0..=5).flat_map(|i| (0..=5 - i).flat_map(move |j| (0..=5 - i - j).map(move |k| [i, j, k])));
        let samples: Vec<[f64; 3]> = shares.map(|share| share.map(|n: u32| f64::from(n) / 5.0)).collect();
        let mut kept = Lattice::default();
        let (mut volumes, mut numbers) = (Vec::new(), vec![u32::MAX; lattice.nodes.len()]);
        for (tetrahedron, volume) in lattice.tetrahedra.iter().zip(lattice.volumes()) {
            let [a, b, c, d] = tetrahedron.map(|node| lattice.nodes[node as usize]);
            let place = |[x, y, z]: &[f64; 3]| *x * a + *y * b + *z * c + (1.0 - x - y - z) * d;
            let count = samples.iter().filter(|sample| is_inside(place(sample))).count();
            if count > 0 {
                volumes.push(volume * count as f64 / samples.len() as f64);
                kept.tetrahedra.push(tetrahedron.map(|node| {
                    let number = &mut numbers[node as usize];
                    if *number == u32::MAX {
                        *number = kept.nodes.len() as u32;
                        kept.nodes.push(lattice.nodes[node as usize]);
                    }
                    *number
                }));
            }
        }
        (kept, volumes)
    }

    /// A beam along z, a square of 1 across and 8 long, held at both ends; cells of an edge.
    fn beam(edge: f64, material: Material) -> Solid {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::new(1.0, 1.0, 8.0), edge, |_, _| false).unwrap();
        let (lattice, volumes) = inside_of_box(&lattice, DVec3::new(1.0, 1.0, 8.0));
        let ends = |p: &DVec3| p.z <= 1.0 || p.z >= 7.0;
        let held = lattice.nodes.iter().enumerate().filter(|(_, p)| ends(p));
        let attachments = held.map(|(node, p)| Attachment::of_node(node as u32, *p, 1e4)).collect();
        Solid::new(lattice, &volumes, material, attachments).unwrap()
    }

    /// Turns the upper end about x, and moves it along the arc of a beam of constant length.
    fn bend(solid: &mut Solid, angle: f64) {
        let turn = DQuat::from_rotation_x(-angle);
        let radius = 6.0 / angle;
        let end = DVec3::new(0.5, 0.5 + radius * (1.0 - angle.cos()), 1.0 + radius * angle.sin());
        for attachment in &mut solid.attachments {
            let rest = solid.lattice.nodes[attachment.nodes[0] as usize];
            if rest.z > 4.0 {
                attachment.target = end + turn * (rest - DVec3::new(0.5, 0.5, 7.0));
            }
        }
    }

    /// A bent beam stores `E I κ² L / 2`: with E = 1, I = 1/12, L = 6 and an angle of 0.3 that is 0.3² / 144. With
    /// volumes kept by each tetrahedron alone it is 1.05, 1.08 and 1.10 times that.
    #[test]
    fn a_bent_beam_has_its_stiffness_and_does_not_lock() {
        let exact = 0.3f64.powi(2) / 144.0;
        for (poisson, most) in [(0.3, 1.02), (0.47, 1.07), (0.49, 1.09)] {
            let mut solid = beam(0.5, Material::new(1.0, poisson));
            bend(&mut solid, 0.3);
            let outcome = solid.settle(&Settings { iterations: 500, tolerance: 1e-7 });
            let ratio = outcome.energy / exact;
            assert!(outcome.step <= 1e-7 && (0.98..most).contains(&ratio), "Poisson {poisson}: {ratio}");
        }
    }

    /// Bent beyond a right angle over a length of twice its width, the inside folds; nothing is turned over.
    #[test]
    fn a_deep_fold_turns_no_element_over() {
        let mut solid = beam(0.34, Material::FLESH);
        let pivot = DVec3::new(0.5, 0.5, 4.0);
        // Bones up to one radius before the middle.
        let nodes = solid.lattice.nodes.iter().enumerate();
        let held = nodes.filter(|(_, p)| (p.z - 4.0).abs() > 0.75 && (p.x - 0.5).hypot(p.y - 0.5) < 0.3);
        let attachments = held.map(|(node, p)| Attachment::of_node(node as u32, *p, 1e2)).collect();
        let volumes = solid.lattice.volumes();
        solid = Solid::new(solid.lattice, &volumes, Material::FLESH, attachments).unwrap();
        for degrees in (5..=110).step_by(5) {
            let turn = DQuat::from_rotation_x(-f64::from(degrees).to_radians());
            for attachment in &mut solid.attachments {
                let rest = solid.lattice.nodes[attachment.nodes[0] as usize];
                if rest.z > 4.0 {
                    attachment.target = pivot + turn * (rest - pivot);
                }
            }
            solid.settle(&Settings::default());
        }
        let smallest = solid.smallest_volume();
        assert!(smallest > 0.0, "{smallest}");
    }

    /// What a solid did before it was put back does not matter to a bit.
    #[test]
    fn a_solid_put_back_is_a_new_one() {
        let settings = Settings { iterations: 10, tolerance: 0.0 };
        let [mut used, mut new] = [0.5; 2].map(|edge| beam(edge, Material::FLESH));
        for angle in [0.5, 0.9] {
            bend(&mut used, angle);
            used.settle(&settings);
        }
        used.reset();
        for solid in [&mut used, &mut new] {
            bend(solid, 0.3);
            solid.settle(&settings);
        }
        assert_eq!(used.nodes(), new.nodes());
    }

    struct OfSolid(Solid);

    impl Energy for OfSolid {
        fn energy(&mut self, places: &[DVec3], gradient: &mut [DVec3]) -> f64 {
            self.0.energy(places, gradient)
        }
        fn precondition(&mut self, vector: &mut [DVec3]) {
            self.0.precondition(vector);
        }
    }

    /// The middle of the beam is a muscle that shortens by a fifth: it becomes thicker, and Newton's method finds the same.
    #[test]
    fn a_muscle_that_shortens_becomes_thicker() {
        let Solid { lattice, attachments, .. } = beam(0.5, Material::FLESH);
        let volumes = lattice.volumes();
        let is_muscle = |t: &[u32; 4]| t.iter().all(|&node| (lattice.nodes[node as usize].z - 4.0).abs() < 2.1);
        let (stiffness, shear) = (20.0, Material::FLESH.shear);
        let fibre = |tetrahedron: u32| Fibre {
            tetrahedron,
            muscle: 0,
            volume: volumes[tetrahedron as usize],
            direction: DVec3::Z,
            stiffness,
            shear,
        };
        let muscle = (0..).zip(&lattice.tetrahedra).filter(|(_, t)| is_muscle(t));
        let fibres: Vec<Fibre> = muscle.map(|(tetrahedron, _)| fibre(tetrahedron)).collect();
        let start = lattice.nodes.clone();
        let mut solid = Solid::with_fibres(lattice, &volumes, Material::FLESH, attachments, &fibres).unwrap();
        solid.contract(|_| (0.8, 1.0));
        let outcome = solid.settle(&Settings { iterations: 2000, tolerance: 1e-7 });
        let settled = solid.nodes().to_vec();
        let width = |nodes: &[DVec3]| {
            let middle = nodes.iter().zip(&start).filter(|(_, rest)| (rest.z - 4.0).abs() < 0.3).map(|(p, _)| p.x);
            middle.clone().fold(f64::MIN, f64::max) - middle.fold(f64::MAX, f64::min)
        };
        let growth = width(&settled) / width(&start);
        assert!((1.05..0.8f64.sqrt().recip()).contains(&growth), "{growth}");
        let newton = newton::minimize(&mut OfSolid(solid), &start, 1e-7, 100);
        let away = settled.iter().zip(&newton.places).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(newton.gradient <= 1e-7 && away < 5e-5, "{away} with {outcome:?} and {}", newton.gradient);
    }

    /// Newton's method finds the same shape, in a bend that is folded and held back.
    #[test]
    fn newton_finds_the_same_shape() {
        let mut solid = beam(0.5, Material::FLESH);
        solid.drag(0.01, 1e-6);
        bend(&mut solid, 1.5);
        let outcome = solid.settle(&Settings { iterations: 2000, tolerance: 1e-7 });
        let settled = solid.nodes().to_vec();
        let start = solid.lattice.nodes.clone();
        let newton = newton::minimize(&mut OfSolid(solid), &start, 1e-7, 100);
        let away = settled.iter().zip(&newton.places).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(newton.gradient <= 1e-7 && away < 5e-5, "{away} with {outcome:?} and {}", newton.gradient);
        assert!((outcome.energy - newton.energy).abs() < 1e-9 * newton.energy);
    }

    /// Rigid motion of all targets moves everything along, and the same targets give the same bytes.
    #[test]
    fn flesh_follows_bones_that_move_together() {
        let mut solid = beam(0.5, Material::FLESH);
        let (turn, shift) = (DQuat::from_rotation_y(0.7), DVec3::new(1.0, 2.0, 3.0));
        for attachment in &mut solid.attachments {
            attachment.target = turn * solid.lattice.nodes[attachment.nodes[0] as usize] + shift;
        }
        let outcome = solid.settle(&Settings { iterations: 500, tolerance: 1e-9 });
        let away = |(x, rest): (&DVec3, &DVec3)| x.distance(turn * *rest + shift);
        let worst = solid.nodes().iter().zip(&solid.lattice.nodes).map(away).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{worst} after {outcome:?}");
        let mut again = beam(0.5, Material::FLESH);
        again.attachments.clone_from(&solid.attachments);
        again.settle(&Settings { iterations: 500, tolerance: 1e-9 });
        assert_eq!(again.nodes(), solid.nodes());
    }

    /// A beam that is pushed together loses less of its volume where its nodes resist compression more.
    #[test]
    fn nodes_that_resist_compression_keep_volume() {
        let lost = |times: f64| {
            let mut solid = beam(0.5, Material::FLESH);
            solid.resist_compression(&vec![times; solid.nodes().len()]);
            let push =
                |attachment: &mut Attachment| attachment.target.z += if attachment.target.z < 4.0 { 1.0 } else { -1.0 };
            solid.attachments.iter_mut().for_each(push);
            solid.settle(&Settings { iterations: 500, tolerance: 1e-5 });
            let present = Lattice { nodes: solid.nodes().to_vec(), tetrahedra: solid.lattice.tetrahedra.clone() };
            1.0 - present.volumes().iter().sum::<f64>() / solid.lattice.volumes().iter().sum::<f64>()
        };
        let [once, more] = [1.0, 4.0].map(lost);
        assert!(once > 0.002 && more < 0.6 * once, "{once} and {more}");
    }

    /// Drag keeps flesh where it was, and the less the longer it takes.
    #[test]
    fn drag_holds_flesh_back() {
        let moved = |drag: f64| {
            let mut solid = beam(0.5, Material::FLESH);
            bend(&mut solid, 0.3);
            solid.drag(drag, 0.0);
            solid.settle(&Settings { iterations: 500, tolerance: 1e-6 });
            let middle = |(place, rest): (&DVec3, &DVec3)| if rest.z == 4.0 { place.distance(*rest) } else { 0.0 };
            solid.nodes().iter().zip(&solid.lattice.nodes).map(middle).fold(0.0, f64::max)
        };
        let [free, held, fixed] = [0.0, 1.0, 1e6].map(moved);
        assert!(free > 1.1 * held && held > 2.0 * fixed && fixed < 1e-3, "{free}, {held}, {fixed}");
    }

    /// So does drag of attachments, at those alone: an end that is moved follows by half where drag is as stiff as its springs.
    #[test]
    fn what_holds_flesh_returns_slowly() {
        let mut solid = beam(0.5, Material::FLESH);
        solid.attachments.iter_mut().for_each(|attachment| attachment.target.x += 0.1);
        solid.drag(0.0, 1.0);
        solid.settle(&Settings { iterations: 500, tolerance: 1e-6 });
        let end = |(place, rest): (&DVec3, &DVec3)| (rest.z < 0.9).then_some(place.x - rest.x);
        let moved: Vec<f64> = solid.nodes().iter().zip(&solid.lattice.nodes).filter_map(end).collect();
        assert!(moved.iter().all(|x| (x - 0.05).abs() < 1e-3), "{moved:?}");
    }

    #[test]
    fn flesh_that_nothing_holds_is_refused() {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::ONE, 0.5, |_, _| false).unwrap();
        let volumes = lattice.volumes();
        assert!(matches!(Solid::new(lattice, &volumes, Material::FLESH, Vec::new()), Err(Error::NotHeld)));
    }
}
