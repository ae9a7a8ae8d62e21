//! The driver: local–global iterations of volumetric ARAP.
//!
//! L13 eq. 9.5–9.10. With Gaussian weights w, rotations R of the cells, handle targets u and bone vectors γ,
//!
//! ```text
//! E = Σ_i Σ_j w_ij ‖(v'_i − v'_j) − R_i (v_i − v_j)‖² + Σ w_u ‖v'_i − u_i‖² + w_d Σ ‖γ_ab − (v'_a − v'_b)‖²
//! ```
//!
//! is minimised by local–global iterations. The local steps fit the rotations cell by cell ([`nearest_rotation`]) and the
//! directions of bones ([`BoneGoals`]); the global step solves for all positions with a matrix that is factored once. Each
//! step minimises E over its own unknowns, so E never rises in a [`Driver::step`] without joint ranges and release.
//! [`Momentum`] accelerates convergence. [`Driver::solve`] adds multipliers, which make bone lengths and ranges exact in
//! the limit. Rigidity alone lets a bent or twisted body lose volume, so volumes are restored afterwards
//! ([`restore_volumes`]), and inverted tetrahedra are untangled ([`Untangler`]).

use super::bone_goals::BoneGoals;
use super::cells::Cells;
use super::initial_rotations::BoneRotations;
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
use sinew_geometry::parallel::*;
use sinew_motion::laplacian_editing::{FixedSystem, Graph};
use std::fmt;

/// The weight of a link, e⁻¹: the Gaussian weight of an edge of median length.
const LINK_WEIGHT: f64 = 0.367_879_441;

/// Cells per parallel task; a granularity, without effect on results.
const CELLS_PER_TASK: usize = 256;

/// The number of untangling passes before the last, and the most volume sweeps after each. Neither is tuned.
const UNTANGLING_PASSES: usize = 2;
const MAX_SWEEPS_AFTER_UNTANGLING: usize = 3;

/// The outcome of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DriverOutcome {
    /// The number of local–global iterations.
    pub iterations: usize,
    /// The deviation of edges from rigid rotation: the root of the weighted squares, relative to the lengths.
    pub rigidity: f64,
    /// The largest relative error of a bone segment's length. Zero up to rounding, unless untangling moved bones.
    pub bone_error: f64,
    /// The largest distance of a handle from its target.
    pub handle_error: f64,
    /// The number of inverted tetrahedra.
    pub inverted: usize,
}

/// A control mesh that follows its handles: the prepared solver, built once and run per frame.
pub struct Driver {
    cells: Cells,
    /// `Σ_i Σ_j w_ij ‖v_i − v_j‖²`
    rest_energy: f64,
    rest: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    /// Their volumes at rest.
    volumes: Vec<f64>,
    bone_start: BoneRotations,
    system: FixedSystem,
    handles: Vec<Handle>,
    /// The position of each handle in the frame of its joint, if it has one.
    anchors: Vec<Option<Anchor>>,
    /// The weights of handles in units of the system.
    handle_weights: Vec<f64>,
    handle_targets: Vec<DVec3>,
    bones: BoneGoals,
    options: DriverOptions,
    /// The weight of each vertex in its neighbours' rotations.
    rotation_weights: Vec<f64>,
    energies: Vec<f64>,
    /// For each vertex, 1 if volume restoration must not move it, 0 if it may.
    fixed: Vec<f64>,
    untangler: Untangler,
    mean_edge_length: f64,
    right_hand_side: Vec<DVec3>,
    displacements: Vec<DVec3>,
    rotations: Vec<DQuat>,
    matrices: Vec<DMat3>,
    positions: Vec<DVec3>,
    /// The positions before the current iteration, and scratch space of a start from bones.
    previous: Vec<DVec3>,
    momentum: Momentum,
    /// Whether the cells started from the bones. They are then near the solution, and momentum is off: it would replace
    /// the bones' twist by that of least energy.
    starts_from_bones: bool,
    /// E after the last step, valid while there is momentum.
    last_energy: f64,
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (vertices, tetrahedra) = (self.positions.len(), self.tetrahedra.len());
        let mut debug = f.debug_struct("Driver");
        debug.field("vertices", &vertices).field("tetrahedra", &tetrahedra).field("handles", &self.handles.len());
        debug.field("options", &self.options).finish_non_exhaustive()
    }
}

impl Driver {
    /// Factors the linear system of a control mesh for its handles.
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
        let handle_weights: Vec<f64> = handles.iter().map(|handle| handle.weight * mean).collect();
        let mut fixed = vec![0.0; count];
        for (handle, weight) in handles.iter().zip(&handle_weights) {
            diagonal[handle.vertex as usize] += weight;
            fixed[handle.vertex as usize] = 1.0;
        }
        for &vertex in control.bones.iter().flat_map(|bone| &bone.vertices) {
            fixed[vertex as usize] = 1.0;
        }
        let rotation_weights = match options.release {
            Release::NearJoints => near_joints(control),
            _ => vec![1.0; count],
        };
        let length = |&(a, b): &(u32, u32)| control.positions[a as usize].distance(control.positions[b as usize]);
        let mean_edge_length = graph.edges().iter().map(length).sum::<f64>() / graph.edges().len().max(1) as f64;
        Ok(Self {
            mean_edge_length,
            cells: Cells::new(&graph, &control.positions),
            rest_energy: graph
                .edges()
                .iter()
                .zip(graph.weights())
                .map(|(ends, w)| 2.0 * w * length(ends).powi(2))
                .sum(),
            system: FixedSystem::new(&diagonal, &entries, &vec![false; count])?,
            rest: control.positions.clone(),
            tetrahedra: control.tetrahedra.clone(),
            volumes: control.tetrahedra.iter().map(|t| volume(t.map(|v| control.positions[v as usize]))).collect(),
            bone_start: BoneRotations::new(control, mean_edge_length),
            handle_targets: handles.iter().map(|handle| control.positions[handle.vertex as usize]).collect(),
            handles: handles.to_vec(),
            anchors: handles.iter().map(|h| control.anchors.iter().find(|a| a.vertex == h.vertex).copied()).collect(),
            handle_weights,
            bones,
            options,
            rotation_weights,
            energies: vec![0.0; count],
            untangler: Untangler::new(control, fixed.iter().map(|&fixed| fixed > 0.0).collect()),
            fixed,
            right_hand_side: vec![DVec3::ZERO; count],
            displacements: vec![DVec3::ZERO; count],
            rotations: vec![DQuat::IDENTITY; count],
            matrices: vec![DMat3::IDENTITY; count],
            positions: control.positions.clone(),
            previous: control.positions.clone(),
            momentum: Momentum::new(count),
            starts_from_bones: false,
            last_energy: f64::INFINITY,
        })
    }

    /// The current positions of the vertices.
    #[must_use]
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// The rotations of the vertices' cells since rest.
    #[must_use]
    pub fn rotations(&self) -> &[DMat3] {
        &self.matrices
    }

    /// The world rotation of each bone since rest, after a solve.
    #[must_use]
    pub fn bone_rotations(&self) -> &[DQuat] {
        self.bones.rotations()
    }

    /// The handles, in the order given.
    #[must_use]
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Sets the target of a handle. A target that is not finite is ignored.
    pub fn set_target(&mut self, handle: usize, target: DVec3) {
        if target.is_finite() {
            self.handle_targets[handle] = target;
            self.momentum.reset();
            self.starts_from_bones = false;
        }
    }

    /// Sets the targets of handles at joints and bone tips from the world transforms of a posed skeleton's joints, and
    /// starts from the bones: the next solve does not depend on earlier poses.
    ///
    /// # Panics
    /// If there are fewer transforms than joints.
    pub fn pose(&mut self, world: &[DAffine3]) {
        for (target, anchor) in self.handle_targets.iter_mut().zip(&self.anchors) {
            let posed = anchor.map(|anchor| world[anchor.joint].transform_point3(anchor.local));
            *target = posed.filter(|posed| posed.is_finite()).unwrap_or(*target);
        }
        self.start_from_bones();
    }

    /// Resets positions and handles to rest.
    pub fn reset(&mut self) {
        self.momentum.reset();
        self.starts_from_bones = false;
        self.positions.copy_from_slice(&self.rest);
        self.displacements.fill(DVec3::ZERO);
        self.rotations.fill(DQuat::IDENTITY);
        self.matrices.fill(DMat3::IDENTITY);
        for (target, handle) in self.handle_targets.iter_mut().zip(&self.handles) {
            *target = self.rest[handle.vertex as usize];
        }
        let rest = &self.rest;
        self.bones.goals_mut().forget();
        self.bones.goals_mut().set(|segment| segment.vector(rest));
    }

    /// Restarts from the bones alone: each cell rotates with the nearest bone at its target. With handles at all joints,
    /// the next solve does not depend on the current state.
    pub fn start_from_bones(&mut self) {
        self.momentum.reset();
        self.starts_from_bones = true;
        self.previous.copy_from_slice(&self.positions);
        for (handle, &target) in self.handles.iter().zip(&self.handle_targets) {
            self.previous[handle.vertex as usize] = target;
        }
        self.bone_start.rotate_cells(&self.rest, &self.previous, &mut self.rotations);
        for (matrix, rotation) in self.matrices.iter_mut().zip(&self.rotations) {
            *matrix = DMat3::from_quat(*rotation);
        }
        self.bones.straighten(&mut self.previous);
        self.bones.goals_mut().forget();
        self.bones.aim(&self.previous, &self.rotations);
    }

    /// Restarts from the rest shape, rigidly aligned to the handle targets. Suits the first frame of a capture where only
    /// some points of the body are known, such as markers.
    pub fn start_from_handles(&mut self) {
        self.momentum.reset();
        self.starts_from_bones = false;
        let pairs =
            || self.handles.iter().zip(&self.handle_targets).map(|(h, &target)| (self.rest[h.vertex as usize], target));
        let total: f64 = self.handle_weights.iter().sum();
        let weighted = || pairs().zip(self.handle_weights.iter().map(|weight| weight / total));
        let (mut from, mut to) = (DVec3::ZERO, DVec3::ZERO);
        weighted().for_each(|((rest, target), weight)| (from, to) = (from + rest * weight, to + target * weight));
        let mut sum = DMat3::ZERO;
        for ((rest, target), weight) in weighted() {
            let (rest, target) = ((rest - from) * weight, target - to);
            sum += DMat3::from_cols(target * rest.x, target * rest.y, target * rest.z);
        }
        let rotation = nearest_rotation(sum, DQuat::IDENTITY);
        self.rotations.fill(rotation);
        self.matrices.fill(DMat3::from_quat(rotation));
        let Self { positions, displacements, rest, .. } = &mut *self;
        for ((position, displacement), &rest) in positions.iter_mut().zip(displacements).zip(&*rest) {
            *position = to + rotation * (rest - from);
            *displacement = *position - rest;
        }
        self.bones.goals_mut().forget();
        self.bones.aim(&self.positions, &self.rotations);
    }

    /// One local–global iteration without multipliers. Returns E after it.
    ///
    /// It starts from the extrapolated positions, or from the current ones if E would rise.
    pub fn step(&mut self) -> f64 {
        self.bones.goals_mut().forget();
        self.previous.copy_from_slice(&self.positions);
        let is_extrapolated = self.momentum.extrapolate(&mut self.positions);
        self.iterate();
        let mut energy = self.energy();
        if is_extrapolated && energy > self.last_energy {
            self.momentum.reset();
            self.positions.copy_from_slice(&self.previous);
            self.iterate();
            energy = self.energy();
        }
        self.momentum.update(&self.previous, &self.positions);
        self.last_energy = energy;
        energy
    }

    /// Iterates until the vertices move less than the tolerance, or as often as the options allow.
    pub fn solve(&mut self) -> DriverOutcome {
        self.solve_positions();
        self.momentum.reset();
        let mut iterations = 0;
        while iterations < self.options.iterations {
            iterations += 1;
            self.previous.copy_from_slice(&self.positions);
            if !self.starts_from_bones {
                self.momentum.extrapolate(&mut self.positions);
            }
            self.iterate();
            self.bones.goals_mut().press(&self.positions);
            self.momentum.update(&self.previous, &self.positions);
            let moved = self.positions.iter().zip(&self.previous).map(|(a, b)| a.distance_squared(*b));
            if moved.fold(0.0, f64::max) < (self.options.tolerance * self.mean_edge_length).powi(2) {
                break;
            }
        }
        self.momentum.reset();
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.bones.place(&mut self.positions);
        let Self { tetrahedra, volumes, fixed, positions, untangler, options, .. } = &mut *self;
        restore_volumes(tetrahedra, volumes, fixed, options.volume_sweeps, positions);
        for _ in 0..UNTANGLING_PASSES {
            if untangler.run(positions) == 0 {
                restore_volumes(
                    tetrahedra,
                    volumes,
                    fixed,
                    options.volume_sweeps.min(MAX_SWEEPS_AFTER_UNTANGLING),
                    positions,
                );
            }
        }
        let inverted = untangler.run(positions);
        self.fit_rotations();
        self.bones.update_rotations(&self.positions, &self.rotations);
        let bone_error = self.bones.goals().largest_error(&self.positions);
        let errors =
            self.handles.iter().zip(&self.handle_targets).map(|(h, p)| self.positions[h.vertex as usize].distance(*p));
        let handle_error = errors.fold(0.0, f64::max);
        DriverOutcome { iterations, rigidity: self.rigidity(), bone_error, handle_error, inverted }
    }

    /// One local–global iteration: rotations, bone directions, then positions.
    fn iterate(&mut self) {
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.solve_positions();
    }

    fn fit_rotations(&mut self) {
        if let Release::ByEnergy { exponent } = self.options.release {
            self.update_energies();
            by_energy(&self.energies, exponent, &mut self.rotation_weights);
        }
        let Self { cells, positions, rotation_weights, rotations, matrices, .. } = self;
        let fitted = rotations.par_iter_mut().zip(matrices).enumerate().with_min_len(CELLS_PER_TASK);
        fitted.for_each(|(vertex, (rotation, matrix))| {
            *rotation = nearest_rotation(cells.covariance(vertex, positions, rotation_weights), *rotation);
            *matrix = DMat3::from_quat(*rotation);
        });
    }

    fn solve_positions(&mut self) {
        let Self { cells, matrices, right_hand_side, .. } = &mut *self;
        let filled = right_hand_side.par_iter_mut().enumerate().with_min_len(CELLS_PER_TASK);
        filled.for_each(|(vertex, right_hand_side)| *right_hand_side = cells.right_hand_side(vertex, matrices));
        for ((handle, target), weight) in self.handles.iter().zip(&self.handle_targets).zip(&self.handle_weights) {
            self.right_hand_side[handle.vertex as usize] += (*target - self.rest[handle.vertex as usize]) * *weight;
        }
        self.bones.goals().pull(&self.rest, &mut self.right_hand_side);
        self.system.solve(&self.right_hand_side, &mut self.displacements);
        for ((position, rest), displacement) in self.positions.iter_mut().zip(&self.rest).zip(&self.displacements) {
            *position = *rest + *displacement;
        }
    }

    fn update_energies(&mut self) {
        let Self { cells, positions, matrices, energies, .. } = self;
        let updated = energies.par_iter_mut().enumerate().with_min_len(CELLS_PER_TASK);
        updated.for_each(|(vertex, energy)| *energy = cells.energy(vertex, positions, &matrices[vertex]));
    }

    fn energy(&mut self) -> f64 {
        self.update_energies();
        let weighted = self.handles.iter().zip(&self.handle_targets).zip(&self.handle_weights);
        let handle_energy: f64 =
            weighted.map(|((h, p), w)| w * self.positions[h.vertex as usize].distance_squared(*p)).sum();
        self.energies.iter().sum::<f64>() + handle_energy + self.bones.goals().energy(&self.positions)
    }

    fn rigidity(&mut self) -> f64 {
        self.update_energies();
        (self.energies.iter().sum::<f64>() / self.rest_energy.max(f64::MIN_POSITIVE)).sqrt()
    }
}

/// The graph of edges with Gaussian weights, and links.
fn graph(control: &ControlMesh) -> Result<Graph> {
    let (mut edges, mut weights) = {
        let gaussian = Graph::gaussian(&control.positions, control.edges())?;
        (gaussian.edges().to_vec(), gaussian.weights().to_vec())
    };
    edges.extend(&control.links);
    weights.extend(control.links.iter().map(|_| LINK_WEIGHT));
    Ok(Graph::new(control.positions.len(), edges, weights)?)
}
