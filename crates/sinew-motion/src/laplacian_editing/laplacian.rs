//! Laplacian editing: a graph follows its handles and keeps its shape and some of its lengths.
//!
//! Laplacian editing with distances (L13 eq. 6.10, alg. 1): with `δ` the differences of the graph at
//! rest, `T` the rotations of its parts, `u` targets and `Γ` vectors of the wanted lengths,
//!
//! ```text
//! E = Σ ‖T_i δ_i − (L v)_i‖² + Σ w_u ‖v_i − u_i‖² + w_d Σ ‖γ_ab − (v_a − v_b)‖²,      ‖γ_ab‖ = d_ab
//! ```
//!
//! is minimised by local–global iterations. For given positions the best `γ` has the direction of its segment; for given
//! `Γ` the positions are a linear solve, whose matrix does not change. Each half is a minimum over its
//! own unknowns, so E never rises. Where the iteration ends, though, lengths are a compromise with the shape.
//!
//! [`LaplacianEditor::solve`] therefore adds what a segment is off to a multiplier per segment (the method of
//! multipliers in alternating directions): `γ` is directed along `v_a − v_b + λ_ab`, and the solve aims at
//! `γ − λ`. This costs nothing more, has the same matrix, and its fixed points have the wanted lengths
//! exactly. It is quick at first and slow at the end, so what is left after some iterations is given to Newton's
//! iteration on the lengths alone ([`Kinematics`], as L13 section 6.2.2 does in every iteration). Vertices are solved for as displacements from rest, so that a graph without moved vertices stays
//! as it is to the bit.

use super::{FixedSystem, Graph, Segment, SegmentGoals};
use crate::distance_geometry::{Constraint, Kinematics};
use crate::{Error, Result};
use glam::{DQuat, DVec3};
use sinew_geometry::UnionFind;

/// Newton's iteration on the lengths squares the error in each step. From a relative error of 1e-4 two steps reach
/// rounding; the rest is a margin.
const NEWTON_STEPS: usize = 12;

/// The constraints of a graph and the shape that it keeps.
#[derive(Debug, Clone, Copy)]
pub struct LaplacianEditorSetup<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Its shape.
    pub rest: &'a [DVec3],
    /// Vertices with a hard constraint: they are exactly where they are placed.
    pub fixed: &'a [u32],
    /// Vertices with a soft constraint at the place they are given, and its weight.
    pub soft: &'a [(u32, f64)],
    /// Distances to keep.
    pub segments: &'a [Segment],
    /// The weight of the distances, in units of the mean of the diagonal of `LᵀL`; at least 0. Larger
    /// ones keep lengths better from the start, and then take more iterations to find the best shape.
    pub segment_weight: f64,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaplacianEditorOutcome {
    /// Number of local–global iterations.
    pub iterations: usize,
    /// The largest `|‖v_a − v_b‖ / d_ab − 1|`.
    pub largest_error: f64,
}

/// A graph that follows its constrained vertices.
#[derive(Debug)]
pub struct LaplacianEditor {
    graph: Graph,
    rest: Vec<DVec3>,
    system: FixedSystem,
    is_fixed: Vec<bool>,
    soft: Vec<(u32, f64)>,
    goals: SegmentGoals,
    /// The positions of constrained vertices.
    places: Vec<DVec3>,
    /// `T δ − δ`, and `Lᵀ` of it.
    rotated: Vec<DVec3>,
    shape: Vec<DVec3>,
    lengths: Kinematics,
    right: Vec<DVec3>,
    displacements: Vec<DVec3>,
    positions: Vec<DVec3>,
}

impl LaplacianEditor {
    /// Factors the system of a graph; every connected part of it needs a fixed or soft vertex.
    pub fn new(setup: &LaplacianEditorSetup<'_>) -> Result<Self> {
        let count = setup.graph.vertices();
        check(setup)?;
        let mut is_fixed = vec![false; count];
        setup.fixed.iter().for_each(|&v| is_fixed[v as usize] = true);
        let (mut diagonal, mut entries) = squared_laplacian(setup.graph);
        let mean = diagonal.iter().sum::<f64>() / count.max(1) as f64;
        let segment_weight = setup.segment_weight * if mean > 0.0 { mean } else { 1.0 };
        for &(vertex, weight) in setup.soft {
            diagonal[vertex as usize] += weight;
        }
        let goals = SegmentGoals::new(setup.segments.to_vec(), segment_weight, setup.rest);
        goals.add_to(&mut diagonal, &mut entries);
        anchored(setup, &is_fixed, &entries)?;
        let distance = |s: &Segment| Constraint::Distance { a: s.a, b: s.b, length: s.length };
        let distances = setup.segments.iter().map(distance).collect();
        let mut lengths = Kinematics::new(count, setup.fixed, distances, Vec::new())?;
        lengths.max_iterations = NEWTON_STEPS;
        let zeros = vec![DVec3::ZERO; count];
        Ok(Self {
            graph: setup.graph.clone(),
            rest: setup.rest.to_vec(),
            system: FixedSystem::new(&diagonal, &entries, &is_fixed)?,
            is_fixed,
            soft: setup.soft.to_vec(),
            goals,
            lengths,
            places: setup.rest.to_vec(),
            rotated: zeros.clone(),
            shape: zeros.clone(),
            right: zeros.clone(),
            displacements: zeros,
            positions: setup.rest.to_vec(),
        })
    }

    /// Where the vertices are now.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Moves a vertex that is fixed or soft.
    pub fn place(&mut self, vertex: usize, position: DVec3) {
        self.places[vertex] = position;
    }

    /// Rotates the shape: the differences of vertex i become `T_i δ_i` (L13 eq. 7.4). One rotation per vertex.
    pub fn rotate(&mut self, rotations: &[DQuat]) {
        self.graph.differences(&self.rest, &mut self.right);
        for ((rotated, rotation), &difference) in self.rotated.iter_mut().zip(rotations).zip(&self.right) {
            *rotated = *rotation * difference - difference;
        }
        self.graph.differences(&self.rotated, &mut self.shape);
        self.goals.set(|segment| rotations[segment.a as usize] * segment.vector(&self.rest));
    }

    /// One iteration of alg. 1 without multipliers: the directions of the segments, then the positions. Returns
    /// the energy E after it, which is never more than after the iteration before.
    pub fn step(&mut self) -> f64 {
        self.goals.forget();
        self.goals.aim(&self.positions);
        self.follow();
        self.energy()
    }

    /// Follows the placed vertices until the largest relative error of a segment is below `tolerance`, or
    /// for so many iterations and then by [`LaplacianEditor::restore_lengths`]. Multipliers are kept for the next solve, which
    /// goes on from here.
    pub fn solve(&mut self, tolerance: f64, iterations: usize) -> LaplacianEditorOutcome {
        self.follow();
        let mut outcome = LaplacianEditorOutcome { iterations: 0, largest_error: self.largest_error() };
        while outcome.iterations < iterations && outcome.largest_error >= tolerance {
            self.goals.aim(&self.positions);
            self.follow();
            self.goals.press(&self.positions);
            outcome =
                LaplacianEditorOutcome { iterations: outcome.iterations + 1, largest_error: self.largest_error() };
        }
        if outcome.largest_error >= tolerance {
            outcome.largest_error = self.restore_lengths();
        }
        outcome
    }

    /// Moves vertices that are not fixed as little as possible so that segments have their lengths to
    /// rounding. Returns the largest relative error, which is more only if the fixed vertices leave no other way.
    pub fn restore_lengths(&mut self) -> f64 {
        self.lengths.solve(&mut self.positions);
        self.largest_error()
    }

    /// Goes back to the shape at rest with its vertices where they were placed first.
    pub fn reset(&mut self) {
        self.places.copy_from_slice(&self.rest);
        self.positions.copy_from_slice(&self.rest);
        self.displacements.fill(DVec3::ZERO);
        self.rotated.fill(DVec3::ZERO);
        self.shape.fill(DVec3::ZERO);
        self.goals.forget();
        self.goals.set(|segment| segment.vector(&self.rest));
    }

    /// The largest relative error of a segment.
    pub fn largest_error(&self) -> f64 {
        self.goals.largest_error(&self.positions)
    }

    fn follow(&mut self) {
        self.right.copy_from_slice(&self.shape);
        for &(vertex, weight) in &self.soft {
            let vertex = vertex as usize;
            self.right[vertex] += (self.places[vertex] - self.rest[vertex]) * weight;
        }
        self.goals.pull(&self.rest, &mut self.right);
        for (vertex, _) in self.is_fixed.iter().enumerate().filter(|(_, fixed)| **fixed) {
            self.displacements[vertex] = self.places[vertex] - self.rest[vertex];
        }
        self.system.solve(&self.right, &mut self.displacements);
        for ((position, rest), displacement) in self.positions.iter_mut().zip(&self.rest).zip(&self.displacements) {
            *position = *rest + *displacement;
        }
    }

    fn energy(&mut self) -> f64 {
        self.graph.differences(&self.displacements, &mut self.right);
        let shape: f64 = self.right.iter().zip(&self.rotated).map(|(a, b)| a.distance_squared(*b)).sum();
        let drawn =
            self.soft.iter().map(|&(v, w)| w * self.positions[v as usize].distance_squared(self.places[v as usize]));
        shape + drawn.sum::<f64>() + self.goals.energy(&self.positions)
    }
}

/// The diagonal and the upper entries of `LᵀL`, one product of neighbours after another.
fn squared_laplacian(graph: &Graph) -> (Vec<f64>, Vec<(u32, u32, f64)>) {
    let mut diagonal = vec![0.0; graph.vertices()];
    let mut entries = Vec::new();
    for vertex in 0..graph.vertices() {
        let (degree, row) = (graph.degree(vertex), graph.neighbors(vertex));
        diagonal[vertex] += degree * degree;
        for (k, &(a, w)) in row.iter().enumerate() {
            diagonal[a as usize] += w * w;
            entries.push((vertex as u32, a, -degree * w));
            for &(b, v) in &row[k + 1..] {
                // Edges given twice meet in one place, which then is on the diagonal for both triangles.
                if a == b { diagonal[a as usize] += 2.0 * w * v } else { entries.push((a, b, w * v)) }
            }
        }
    }
    (diagonal, entries)
}

fn check(setup: &LaplacianEditorSetup<'_>) -> Result<()> {
    let size = setup.graph.vertices();
    let named = setup.fixed.iter().chain(setup.soft.iter().map(|(v, _)| v));
    let ends = setup.segments.iter().flat_map(|s| [&s.a, &s.b]);
    if let Some(&unknown) = named.chain(ends).find(|&&v| v as usize >= size) {
        return Err(sinew_geometry::Error::UnknownOutOfRange { unknown, size }.into());
    }
    let positive = |what, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(sinew_geometry::Error::OutOfRange { what, value, range: "more than zero" }),
    };
    setup.soft.iter().try_for_each(|&(_, weight)| positive("the weight of a drawn vertex", weight))?;
    setup.segments.iter().try_for_each(|s| positive("the length of a segment", s.length))?;
    if !(setup.segment_weight.is_finite() && setup.segment_weight >= 0.0) {
        let value = setup.segment_weight;
        return Err(
            sinew_geometry::Error::OutOfRange { what: "the weight of lengths", value, range: "zero or more" }.into()
        );
    }
    let count = setup.rest.len();
    if count != size {
        let range = "as many as the graph has vertices";
        return Err(
            sinew_geometry::Error::OutOfRange { what: "the number of positions", value: count as f64, range }.into()
        );
    }
    match setup.rest.iter().position(|p| !p.is_finite()) {
        Some(vertex) => {
            Err(sinew_geometry::Error::VertexNotFinite { mesh: "graph".into(), what: "position", vertex }.into())
        }
        None => Ok(()),
    }
}

/// Refuses a graph of which some part could be anywhere.
fn anchored(setup: &LaplacianEditorSetup<'_>, is_fixed: &[bool], entries: &[(u32, u32, f64)]) -> Result<()> {
    let mut parts = UnionFind::new(is_fixed.len());
    entries.iter().filter(|e| e.2 != 0.0).for_each(|&(a, b, _)| parts.join(a, b));
    let mut held = vec![false; is_fixed.len()];
    let drawn = setup.soft.iter().map(|&(v, _)| v);
    for vertex in setup.fixed.iter().copied().chain(drawn) {
        held[parts.root(vertex) as usize] = true;
    }
    match (0..is_fixed.len()).find(|&v| !held[parts.root(v as u32) as usize]) {
        Some(vertex) => Err(Error::Unanchored { vertex }),
        None => Ok(()),
    }
}
