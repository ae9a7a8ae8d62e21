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
//! rises in a [`Driver::step`] without ranges and release. [`Driver::solve`] adds multipliers, which make lengths and
//! ranges exact in the end. Rigidity alone lets a body that is bent or twisted lose volume, so volumes are restored
//! after it ([`restore_volumes`]), and tetrahedra that were turned over are put right ([`untangle`]).

use super::ControlMesh;
use super::bone_goals::BoneGoals;
use super::control_mesh::volume;
use super::limits::JointRange;
use super::release::{Release, by_energy, near_joints};
use super::restore::restore_volumes;
use super::rotation::nearest_rotation;
use super::untangle::untangle;
use crate::graph_edit::{FixedSystem, Graph};
use crate::motion_edit::turn_of_directions;
use crate::{Error, Result};
use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;

/// The weight of a link, that of an edge of median length.
const LINK_WEIGHT: f64 = 0.367_879_441;

/// Cells that one thread takes at a time.
const PIECE: usize = 256;

/// How often tetrahedra that are turned over are put right, with so many sweeps for volumes in between.
const REPAIRS: usize = 6;
const REPAIR_SWEEPS: usize = 3;

/// A vertex that is drawn to where it is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// The vertex of the control mesh.
    pub vertex: u32,
    /// How strongly, in units of the mean weight of a vertex.
    pub weight: f64,
}

/// How a control mesh is driven.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverOptions {
    /// The weight of bones, in units of the mean weight of a vertex.
    pub bone_weight: f64,
    /// Where rigidity is released.
    pub release: Release,
    /// How far joints may turn.
    pub ranges: Vec<JointRange>,
    /// How often tetrahedra are given their volumes back after the alternation.
    pub volume_sweeps: usize,
    /// Turns of the alternation at most.
    pub iterations: usize,
    /// A turn that moves no vertex farther, in mean lengths of an edge, is the last.
    pub tolerance: f64,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            bone_weight: 10.0,
            release: Release::Nowhere,
            volume_sweeps: 10,
            ranges: Vec::new(),
            iterations: 30,
            tolerance: 1e-3,
        }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriverOutcome {
    /// Turns that were made.
    pub iterations: usize,
    /// How far edges are from being turned only: the root of their weighted squares, relative to their lengths.
    pub rigidity: f64,
    /// The largest relative error of a length along the bones, before they are put end to end.
    pub bone_error: f64,
    /// How far handles are from their places, the farthest.
    pub handle_error: f64,
    /// Tetrahedra that are turned over.
    pub inverted: usize,
}

/// A control mesh that follows its handles.
pub struct Driver {
    graph: Graph,
    rest: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    /// What each of them holds at rest.
    volumes: Vec<f64>,
    /// The bones that start at each vertex that one starts at: the vertex, the ends, and the bone before.
    starts: Vec<Start>,
    /// For each vertex the start of the nearest bone.
    start_of: Vec<Option<u32>>,
    system: FixedSystem,
    handles: Vec<Handle>,
    /// The weights of handles in the system's units.
    strengths: Vec<f64>,
    places: Vec<DVec3>,
    bones: BoneGoals,
    options: DriverOptions,
    /// What a vertex counts for its neighbours' rotations.
    factors: Vec<f64>,
    energies: Vec<f64>,
    /// How little a vertex gives way when tetrahedra are put right.
    hold: Vec<f64>,
    edge: f64,
    right: Vec<DVec3>,
    displacements: Vec<DVec3>,
    turns: Vec<DQuat>,
    rotations: Vec<DQuat>,
    matrices: Vec<DMat3>,
    positions: Vec<DVec3>,
    targets: Vec<DVec3>,
}

struct Start {
    vertex: usize,
    ends: Vec<usize>,
    parent: Option<usize>,
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
            hold[handle.vertex as usize] = 0.9;
        }
        for &vertex in control.bones.iter().flat_map(|bone| &bone.vertices) {
            hold[vertex as usize] = 1.0;
        }
        let factors = match options.release {
            Release::NearJoints => near_joints(control),
            _ => vec![1.0; count],
        };
        let starts = starts(control);
        let lengths =
            graph.edges().iter().map(|&(a, b)| control.positions[a as usize].distance(control.positions[b as usize]));
        Ok(Self {
            edge: lengths.sum::<f64>() / graph.edges().len().max(1) as f64,
            system: FixedSystem::new(&diagonal, &entries, &vec![false; count])?,
            graph,
            rest: control.positions.clone(),
            tetrahedra: control.tetrahedra.clone(),
            volumes: control.tetrahedra.iter().map(|t| volume(t.map(|v| control.positions[v as usize]))).collect(),
            start_of: nearest_starts(control, &starts),
            turns: vec![DQuat::IDENTITY; starts.len()],
            starts,
            places: handles.iter().map(|handle| control.positions[handle.vertex as usize]).collect(),
            handles: handles.to_vec(),
            strengths,
            bones,
            options,
            factors,
            energies: vec![0.0; count],
            hold,
            right: vec![DVec3::ZERO; count],
            displacements: vec![DVec3::ZERO; count],
            rotations: vec![DQuat::IDENTITY; count],
            matrices: vec![DMat3::IDENTITY; count],
            positions: control.positions.clone(),
            targets: control.positions.clone(),
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
    pub fn bone_turns(&self) -> &[DQuat] {
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
        }
    }

    /// Goes back to rest, handles included.
    pub fn reset(&mut self) {
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
        self.targets.copy_from_slice(&self.positions);
        for (handle, &place) in self.handles.iter().zip(&self.places) {
            self.targets[handle.vertex as usize] = place;
        }
        let size = self.edge;
        for index in 0..self.starts.len() {
            let Start { vertex, ends, parent } = &self.starts[index];
            let parent = parent.map_or(DQuat::IDENTITY, |parent| self.turns[parent]);
            self.turns[index] = turn_of_directions(ends, *vertex, &self.rest, &self.targets, parent, size);
        }
        for ((rotation, matrix), start) in self.rotations.iter_mut().zip(&mut self.matrices).zip(&self.start_of) {
            if let Some(start) = start {
                *rotation = self.turns[*start as usize];
                *matrix = DMat3::from_quat(*rotation);
            }
        }
        self.bones.straighten(&mut self.targets);
        self.bones.goals_mut().forget();
        self.bones.aim(&self.targets, &self.rotations);
    }

    /// One turn of the alternation without multipliers. Returns E after it.
    pub fn step(&mut self) -> f64 {
        self.bones.goals_mut().forget();
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.follow();
        self.energy()
    }

    /// Follows the handles until nothing moves any more, or for as many turns as the options allow.
    pub fn solve(&mut self) -> DriverOutcome {
        self.follow();
        let mut iterations = 0;
        while iterations < self.options.iterations {
            iterations += 1;
            self.targets.copy_from_slice(&self.positions);
            self.fit_rotations();
            self.bones.aim(&self.positions, &self.rotations);
            self.follow();
            self.bones.goals_mut().press(&self.positions);
            let moved = self.positions.iter().zip(&self.targets).map(|(a, b)| a.distance_squared(*b));
            if moved.fold(0.0, f64::max) < (self.options.tolerance * self.edge).powi(2) {
                break;
            }
        }
        let bone_error = self.bones.goals().largest_error(&self.positions);
        self.fit_rotations();
        self.bones.aim(&self.positions, &self.rotations);
        self.bones.place(&mut self.positions);
        let inverted = self.restore();
        self.fit_rotations();
        self.bones.find_turns(&self.positions, &self.rotations);
        let errors = self.handles.iter().zip(&self.places).map(|(h, p)| self.positions[h.vertex as usize].distance(*p));
        let handle_error = errors.fold(0.0, f64::max);
        DriverOutcome { iterations, rigidity: self.rigidity(), bone_error, handle_error, inverted }
    }

    /// Restores volumes and puts tetrahedra right; returns how many are turned over still.
    fn restore(&mut self) -> usize {
        let Self { tetrahedra, volumes, rest, rotations, hold, positions, .. } = self;
        restore_volumes(tetrahedra, volumes, hold, self.options.volume_sweeps, positions);
        for _ in 0..REPAIRS {
            if untangle(tetrahedra, rest, rotations, hold, positions) == 0 {
                return 0;
            }
            restore_volumes(tetrahedra, volumes, hold, REPAIR_SWEEPS, positions);
        }
        untangle(tetrahedra, rest, rotations, hold, positions)
    }

    fn fit_rotations(&mut self) {
        if let Release::ByEnergy { exponent } = self.options.release {
            self.find_energies();
            by_energy(&self.energies, exponent, &mut self.factors);
        }
        let Self { graph, rest, positions, factors, rotations, matrices, .. } = self;
        let cells = rotations.par_iter_mut().zip(matrices).enumerate().with_min_len(PIECE);
        cells.for_each(|(vertex, (rotation, matrix))| {
            let mut sum = DMat3::ZERO;
            for &(other, weight) in graph.neighbors(vertex) {
                let other = other as usize;
                let before = (rest[vertex] - rest[other]) * (weight * factors[other]);
                let now = positions[vertex] - positions[other];
                sum += DMat3::from_cols(now * before.x, now * before.y, now * before.z);
            }
            *rotation = nearest_rotation(sum, *rotation);
            *matrix = DMat3::from_quat(*rotation);
        });
    }

    fn follow(&mut self) {
        let Self { graph, rest, matrices, right, .. } = &mut *self;
        right.par_iter_mut().enumerate().with_min_len(PIECE).for_each(|(vertex, right)| {
            let around = graph.neighbors(vertex).iter().map(|&(other, weight)| {
                let edge = (rest[vertex] - rest[other as usize]) * weight;
                (matrices[vertex] + matrices[other as usize]) * edge - 2.0 * edge
            });
            *right = around.sum();
        });
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
        let Self { graph, rest, positions, matrices, energies, .. } = self;
        energies.par_iter_mut().enumerate().with_min_len(PIECE).for_each(|(vertex, energy)| {
            let around = graph.neighbors(vertex).iter().map(|&(other, weight)| {
                let (before, now) =
                    (rest[vertex] - rest[other as usize], positions[vertex] - positions[other as usize]);
                weight * now.distance_squared(matrices[vertex] * before)
            });
            *energy = around.sum();
        });
    }

    fn energy(&mut self) -> f64 {
        self.find_energies();
        let held = self.handles.iter().zip(&self.places).zip(&self.strengths);
        let held: f64 = held.map(|((h, p), w)| w * self.positions[h.vertex as usize].distance_squared(*p)).sum();
        self.energies.iter().sum::<f64>() + held + self.bones.goals().energy(&self.positions)
    }

    fn rigidity(&mut self) -> f64 {
        self.find_energies();
        let edges = self.graph.edges().iter().zip(self.graph.weights());
        let whole: f64 =
            edges.map(|(&(a, b), w)| 2.0 * w * self.rest[a as usize].distance_squared(self.rest[b as usize])).sum();
        (self.energies.iter().sum::<f64>() / whole.max(f64::MIN_POSITIVE)).sqrt()
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
    Graph::new(control.positions.len(), edges, weights)
}

fn check(control: &ControlMesh, handles: &[Handle], options: &DriverOptions) -> Result<()> {
    let size = control.positions.len();
    if handles.is_empty() {
        return Err(Error::NoHandles);
    }
    if let Some(handle) = handles.iter().find(|handle| handle.vertex as usize >= size) {
        return Err(Error::UnknownOutOfRange { unknown: handle.vertex, size });
    }
    let positive = |what, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(Error::OutOfRange { what, value, range: "more than zero" }),
    };
    handles.iter().try_for_each(|handle| positive("the weight of a handle", handle.weight))?;
    positive("the weight of bones", options.bone_weight)?;
    positive("the tolerance of a driver", options.tolerance)?;
    if let Release::ByEnergy { exponent } = options.release {
        positive("the exponent of a release", exponent)?;
    }
    for range in &options.ranges {
        let count = control.joints.len();
        if range.joint >= count {
            return Err(Error::JointOutOfRange { what: "a range of turns".into(), joint: range.joint, count });
        }
        if !range.is_proper() {
            let (what, range) = ("a joint's range of turns", "intervals that are finite and have zero within them");
            return Err(Error::OutOfRange { what, value: f64::NAN, range });
        }
    }
    Ok(())
}

/// The vertices that bones start at.
fn starts(control: &ControlMesh) -> Vec<Start> {
    let mut starts: Vec<Start> = Vec::new();
    for bone in &control.bones {
        let [vertex, end] = [bone.vertices[0], bone.vertices[bone.vertices.len() - 1]].map(|v| v as usize);
        match starts.iter_mut().find(|start| start.vertex == vertex) {
            Some(start) => start.ends.push(end),
            None => {
                let before = bone.parent.map(|parent| control.bones[parent].vertices[0] as usize);
                let parent = starts.iter().position(|start| Some(start.vertex) == before);
                starts.push(Start { vertex, ends: vec![end], parent });
            }
        }
    }
    starts
}

/// For each vertex the start of the bone nearest to it.
fn nearest_starts(control: &ControlMesh, starts: &[Start]) -> Vec<Option<u32>> {
    let segments: Vec<(u32, DVec3, DVec3)> = (0..)
        .zip(starts)
        .flat_map(|(k, start)| {
            start.ends.iter().map(move |&end| (k, control.positions[start.vertex], control.positions[end]))
        })
        .collect();
    let distance = |p: DVec3, a: DVec3, b: DVec3| {
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance_squared(a.lerp(b, along))
    };
    let nearest = |&p: &DVec3| {
        let near = segments.iter().map(|&(start, a, b)| (distance(p, a, b), start));
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, start)| start)
    };
    control.positions.par_iter().map(nearest).collect()
}
