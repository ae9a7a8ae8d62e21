//! How does a control mesh follow the vertices that are held, and stay as rigid as possible?
//!
//! Volumetric ARAP (L13 eq. 9.5–9.10). With Gaussian weights w, rotations R of the cells, handles u and bones γ,
//!
//! ```text
//! E = Σ_i Σ_j w_ij ‖(v'_i − v'_j) − R_i (v_i − v_j)‖² + Σ w_u ‖v'_i − u_i‖² + w_d Σ ‖γ_ab − (v'_a − v'_b)‖²
//! ```
//!
//! is minimised in turns: rotations cell by cell ([`nearest_rotation`]), the directions of bones ([`BoneGoals`]),
//! then all positions by a linear system that is factored once. Each is a minimum over its own unknowns, so E never
//! rises in a [`Driver::step`] without ranges and release. [`Momentum`] makes turns fewer. [`Driver::solve`] adds
//! multipliers, which make lengths and ranges exact in the end. Rigidity alone lets a body that is bent or twisted lose
//! volume, so volumes are restored after it ([`restore_volumes`]), and tetrahedra that were turned over are put right
//! ([`Untangler`]).

use super::bone_goals::BoneGoals;
use super::bone_rotations::BoneStarts;
use super::cells::Cells;
use super::momentum::Momentum;
use super::nearest_rotation::nearest_rotation;
use super::options::{DriverOptions, check};
use super::release::{Release, by_energy, near_joints};
use super::volume_restoration::restore_volumes;
use crate::Result;
use crate::control_mesh::{ControlMesh, Handle};
use crate::tetrahedralize::{Anchor, volume};
use crate::untangle::Untangler;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use rayon::prelude::*;
use sinew_motion::laplacian_editing::{FixedSystem, Graph};

/// The weight of a link, that of an edge of median length.
const LINK_WEIGHT: f64 = 0.367_879_441;

/// Cells that one thread takes at a time.
const PIECE: usize = 256;

/// How often tetrahedra are put right before the last time, with so many sweeps for volumes after it.
const REPAIRS: usize = 2;
const REPAIR_SWEEPS: usize = 3;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriverOutcome {
    /// Turns that were made.
    pub iterations: usize,
    /// How far edges are from being turned only: the root of their weighted squares, relative to their lengths.
    pub rigidity: f64,
    /// The largest relative error of a length along the bones. They are put end to end exactly, unless that turns
    /// tetrahedra over.
    pub bone_error: f64,
    /// How far handles are from their places, the farthest.
    pub handle_error: f64,
    /// Tetrahedra that are turned over.
    pub inverted: usize,
}

/// A control mesh that follows its handles.
pub struct Driver {
    cells: Cells,
    /// `Σ_i Σ_j w_ij ‖v_i − v_j‖²`
    whole: f64,
    rest: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    /// What each of them holds at rest.
    volumes: Vec<f64>,
    starts: BoneStarts,
    system: FixedSystem,
    handles: Vec<Handle>,
    /// Where each handle is in the frame of a joint, if it belongs to one.
    anchors: Vec<Option<Anchor>>,
    /// The weights of handles in the system's units.
    strengths: Vec<f64>,
    places: Vec<DVec3>,
    bones: BoneGoals,
    options: DriverOptions,
    /// What a vertex counts for its neighbours' rotations.
    factors: Vec<f64>,
    energies: Vec<f64>,
    /// How little a vertex gives way when volumes are restored.
    hold: Vec<f64>,
    untangler: Untangler,
    edge: f64,
    right: Vec<DVec3>,
    displacements: Vec<DVec3>,
    rotations: Vec<DQuat>,
    matrices: Vec<DMat3>,
    positions: Vec<DVec3>,
    targets: Vec<DVec3>,
    momentum: Momentum,
    /// Whether bones told the cells where to start. Then they are near, and twists stay what bones have made of them,
    /// while momentum would find what energy alone makes of them.
    is_from_bones: bool,
    /// E after the last step, for as long as there is momentum.
    last_energy: f64,
}

impl Driver {
    /// Factors the system of a control mesh for its handles.
    pub fn new(control: &ControlMesh, handles: &[Handle], options: DriverOptions) -> Result<Self> {
        let count = control.positions.len();
        check(control, handles, &options)?;
        let graph = graph(control)?;
        let mean = 2.0 * (0..count).map(|v| graph.degree(v)).sum::<f64>() / count.max(1) as f64;
        let bones = BoneGoals::new(control, options.bone_weight * mean, &options.ranges);
        let mut diagonal: Vec<f64> = (0..count).map(|v| 2.0 * graph.degree(v)).collect();
        let mut entries: Vec<(u32, u32, f64)> =
            graph.edges().iter().zip(graph.weights()).map(|(&(a, b), w)| (a, b, -2.0 * w)).collect();
        bones.goals().add_to(&mut diagonal, &mut entries);
        let strengths: Vec<f64> = handles.iter().map(|handle| handle.weight * mean).collect();
        let mut hold = vec![0.0; count];
        for (handle, strength) in handles.iter().zip(&strengths) {
            diagonal[handle.vertex as usize] += strength;
            hold[handle.vertex as usize] = 1.0;
        }
        for &vertex in control.bones.iter().flat_map(|bone| &bone.vertices) {
            hold[vertex as usize] = 1.0;
        }
        let factors = match options.release {
            Release::NearJoints => near_joints(control),
            _ => vec![1.0; count],
        };
        let length = |&(a, b): &(u32, u32)| control.positions[a as usize].distance(control.positions[b as usize]);
        let edge = graph.edges().iter().map(length).sum::<f64>() / graph.edges().len().max(1) as f64;
        Ok(Self {
            edge,
            cells: Cells::new(&graph, &control.positions),
            whole: graph.edges().iter().zip(graph.weights()).map(|(ends, w)| 2.0 * w * length(ends).powi(2)).sum(),
            system: FixedSystem::new(&diagonal, &entries, &vec![false; count])?,
            rest: control.positions.clone(),
            tetrahedra: control.tetrahedra.clone(),
            volumes: control.tetrahedra.iter().map(|t| volume(t.map(|v| control.positions[v as usize]))).collect(),
            starts: BoneStarts::new(control, edge),
            places: handles.iter().map(|handle| control.positions[handle.vertex as usize]).collect(),
            handles: handles.to_vec(),
            anchors: handles.iter().map(|h| control.anchors.iter().find(|a| a.vertex == h.vertex).copied()).collect(),
            strengths,
            bones,
            options,
            factors,
            energies: vec![0.0; count],
            untangler: Untangler::new(control, hold.iter().map(|&hold| hold > 0.0).collect()),
            hold,
            right: vec![DVec3::ZERO; count],
            displacements: vec![DVec3::ZERO; count],
            rotations: vec![DQuat::IDENTITY; count],
            matrices: vec![DMat3::IDENTITY; count],
            positions: control.positions.clone(),
            targets: control.positions.clone(),
            momentum: Momentum::new(count),
            is_from_bones: false,
            last_energy: f64::INFINITY,
        })
    }

    /// Where the vertices are now.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// How the cells of the vertices are turned since rest.
    pub fn rotations(&self) -> &[DMat3] {
        &self.matrices
    }

    /// How each bone is turned in the world since rest, after a solve.
    pub fn bone_rotations(&self) -> &[DQuat] {
        self.bones.turns()
    }

    /// The handles, in the order they were given.
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Moves a handle. A place that is not finite is not taken; then the handle stays where it was placed last.
    pub fn place(&mut self, handle: usize, place: DVec3) {
        if place.is_finite() {
            self.places[handle] = place;
            self.momentum.forget();
            self.is_from_bones = false;
        }
    }

    /// Places the handles at joints and tips of bones where a posed skeleton has them, given the world transforms of its
    /// joints, and starts from the bones: the next solve does not depend on the poses before.
    ///
    /// # Panics
    /// If there are fewer transforms than joints.
    pub fn pose(&mut self, world: &[DAffine3]) {
        for (place, anchor) in self.places.iter_mut().zip(&self.anchors) {
            let posed = anchor.map(|anchor| world[anchor.joint].transform_point3(anchor.local));
            *place = posed.filter(|posed| posed.is_finite()).unwrap_or(*place);
        }
        self.start_from_bones();
    }

    /// Goes back to rest, handles included.
    pub fn reset(&mut self) {
        self.momentum.forget();
        self.is_from_bones = false;
        self.positions.copy_from_slice(&self.rest);
        self.displacements.fill(DVec3::ZERO);
        self.rotations.fill(DQuat::IDENTITY);
        self.matrices.fill(DMat3::IDENTITY);
        for (place, handle) in self.places.iter_mut().zip(&self.handles) {
            *place = self.rest[handle.vertex as usize];
        }
        let rest = &self.rest;
        self.bones.goals_mut().forget();
        self.bones.goals_mut().set(|segment| segment.vector(rest));
    }

    /// Starts anew from the bones alone: each cell turns as the nearest bone does if its ends go to their places. With
    /// handles at all joints, what follows does not depend on what was before.
    pub fn start_from_bones(&mut self) {
        self.momentum.forget();
        self.is_from_bones = true;
        self.targets.copy_from_slice(&self.positions);
        for (handle, &place) in self.handles.iter().zip(&self.places) {
            self.targets[handle.vertex as usize] = place;
        }
        self.starts.turn(&self.rest, &self.targets, &mut self.rotations);
        for (matrix, rotation) in self.matrices.iter_mut().zip(&self.rotations) {
            *matrix = DMat3::from_quat(*rotation);
        }
        self.bones.straighten(&mut self.targets);
        self.bones.goals_mut().forget();
        self.bones.aim(&self.targets, &self.rotations);
    }

    /// Starts anew from rest, moved as a whole to where it fits the handles best. Where only some points of a body are
    /// known, such as markers, this is where a capture begins.
    pub fn start_from_handles(&mut self) {
        self.momentum.forget();
        self.is_from_bones = false;
        let pairs = || self.handles.iter().zip(&self.places).map(|(h, &place)| (self.rest[h.vertex as usize], place));
        let whole: f64 = self.strengths.iter().sum();
        let weighted = || pairs().zip(self.strengths.iter().map(|strength| strength / whole));
        let (mut from, mut to) = (DVec3::ZERO, DVec3::ZERO);
        weighted().for_each(|((rest, place), weight)| (from, to) = (from + rest * weight, to + place * weight));
        let mut sum = DMat3::ZERO;
        for ((rest, place), weight) in weighted() {
            let (rest, place) = ((rest - from) * weight, place - to);
            sum += DMat3::from_cols(place * rest.x, place * rest.y, place * rest.z);
        }
        let turn = nearest_rotation(sum, DQuat::IDENTITY);
        self.rotations.fill(turn);
        self.matrices.fill(DMat3::from_quat(turn));
        let Self { positions, displacements, rest, .. } = &mut *self;
        for ((position, displacement), &rest) in positions.iter_mut().zip(displacements).zip(&*rest) {
            *position = to + turn * (rest - from);
            *displacement = *position - rest;
        }
        self.bones.goals_mut().forget();
        self.bones.aim(&self.positions, &self.rotations);
    }

    /// One turn of the alternation without multipliers. Returns E after it.
    ///
    /// It starts from where momentum carries the vertices, unless E would rise: then from where they are.
    pub fn step(&mut self) -> f64 {
        self.bones.goals_mut().forget();
        self.targets.copy_from_slice(&self.positions);
        let is_carried = self.momentum.carry(&mut self.positions);
        self.turn();
        let mut energy = self.energy();
        if is_carried && energy > self.last_energy {
            self.momentum.forget();
            self.positions.copy_from_slice(&self.targets);
            self.turn();
            energy = self.energy();
        }
        self.momentum.gather(&self.targets, &self.positions);
        self.last_energy = energy;
        energy
    }

    /// Follows the handles until nothing moves any more, or for as many turns as the options allow.
    pub fn solve(&mut self) -> DriverOutcome {
        self.follow();
        self.momentum.forget();
        let mut iterations = 0;
        while iterations < self.options.iterations {
            iterations += 1;
            self.targets.copy_from_slice(&self.positions);
            if !self.is_from_bones {
                self.momentum.carry(&mut self.positions);
            }
            self.turn();
            self.bones.goals_mut().press(&self.positions);
            self.momentum.gather(&self.targets, &self.positions);
            let moved = self.positions.iter().zip(&self.targets).map(|(a, b)| a.distance_squared(*b));
            if moved.fold(0.0, f64::max) < (self.options.tolerance * self.edge).powi(2) {
                break;
            }
        }
        self.momentum.forget();
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.bones.place(&mut self.positions);
        let Self { tetrahedra, volumes, hold, positions, untangler, options, .. } = &mut *self;
        restore_volumes(tetrahedra, volumes, hold, options.volume_sweeps, positions);
        for _ in 0..REPAIRS {
            if untangler.run(positions) == 0 {
                restore_volumes(tetrahedra, volumes, hold, options.volume_sweeps.min(REPAIR_SWEEPS), positions);
            }
        }
        let inverted = untangler.run(positions);
        self.fit_rotations();
        self.bones.find_turns(&self.positions, &self.rotations);
        let bone_error = self.bones.goals().largest_error(&self.positions);
        let errors = self.handles.iter().zip(&self.places).map(|(h, p)| self.positions[h.vertex as usize].distance(*p));
        let handle_error = errors.fold(0.0, f64::max);
        DriverOutcome { iterations, rigidity: self.rigidity(), bone_error, handle_error, inverted }
    }

    /// Rotations, directions of bones and positions, each the best for the others.
    fn turn(&mut self) {
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.follow();
    }

    fn fit_rotations(&mut self) {
        if let Release::ByEnergy { exponent } = self.options.release {
            self.find_energies();
            by_energy(&self.energies, exponent, &mut self.factors);
        }
        let Self { cells, positions, factors, rotations, matrices, .. } = self;
        let turned = rotations.par_iter_mut().zip(matrices).enumerate().with_min_len(PIECE);
        turned.for_each(|(vertex, (rotation, matrix))| {
            *rotation = nearest_rotation(cells.spread(vertex, positions, factors), *rotation);
            *matrix = DMat3::from_quat(*rotation);
        });
    }

    fn follow(&mut self) {
        let Self { cells, matrices, right, .. } = &mut *self;
        let pulled = right.par_iter_mut().enumerate().with_min_len(PIECE);
        pulled.for_each(|(vertex, right)| *right = cells.pull(vertex, matrices));
        for ((handle, place), strength) in self.handles.iter().zip(&self.places).zip(&self.strengths) {
            self.right[handle.vertex as usize] += (*place - self.rest[handle.vertex as usize]) * *strength;
        }
        self.bones.goals().pull(&self.rest, &mut self.right);
        self.system.solve(&self.right, &mut self.displacements);
        for ((position, rest), displacement) in self.positions.iter_mut().zip(&self.rest).zip(&self.displacements) {
            *position = *rest + *displacement;
        }
    }

    fn find_energies(&mut self) {
        let Self { cells, positions, matrices, energies, .. } = self;
        let bent = energies.par_iter_mut().enumerate().with_min_len(PIECE);
        bent.for_each(|(vertex, energy)| *energy = cells.energy(vertex, positions, &matrices[vertex]));
    }

    fn energy(&mut self) -> f64 {
        self.find_energies();
        let held = self.handles.iter().zip(&self.places).zip(&self.strengths);
        let held: f64 = held.map(|((h, p), w)| w * self.positions[h.vertex as usize].distance_squared(*p)).sum();
        self.energies.iter().sum::<f64>() + held + self.bones.goals().energy(&self.positions)
    }

    fn rigidity(&mut self) -> f64 {
        self.find_energies();
        (self.energies.iter().sum::<f64>() / self.whole.max(f64::MIN_POSITIVE)).sqrt()
    }
}

/// Edges with Gaussian weights, and links.
fn graph(control: &ControlMesh) -> Result<Graph> {
    let (mut edges, mut weights) = {
        let gaussian = Graph::gaussian(&control.positions, control.edges())?;
        (gaussian.edges().to_vec(), gaussian.weights().to_vec())
    };
    edges.extend(&control.links);
    weights.extend(control.links.iter().map(|_| LINK_WEIGHT));
    Ok(Graph::new(control.positions.len(), edges, weights)?)
}
