//! The cell of each vertex: its weighted rest edges.
//!
//! Every local–global iteration reads them in this order for the covariance matrices whose rotations are fitted, for the
//! right-hand side, and for the energy.

use glam::{DMat3, DVec3};
use sinew_geometry::Rows;
use sinew_motion::laplacian_editing::Graph;

/// The cells of a graph's vertices.
pub(super) struct Cells {
    spokes: Rows<Spoke>,
    /// `Σ_j w_ij (v_i − v_j)`
    sums: Vec<DVec3>,
}

/// An edge from the centre of a cell.
struct Spoke {
    /// `v_i − v_j` at rest.
    edge: DVec3,
    weight: f64,
    other: u32,
}

impl Cells {
    /// The cells of a graph with its vertices at rest.
    pub fn new(graph: &Graph, rest: &[DVec3]) -> Self {
        let spoke = |vertex: usize, &(other, weight): &(u32, f64)| {
            let edge = rest[vertex] - rest[other as usize];
            Spoke { edge, weight, other }
        };
        let row = |vertex: usize| graph.neighbors(vertex).iter().map(|neighbor| spoke(vertex, neighbor)).collect();
        let rows: Vec<Vec<Spoke>> = (0..rest.len()).map(row).collect();
        let sums = rows.iter().map(|row| row.iter().map(|spoke| spoke.edge * spoke.weight).sum()).collect();
        Self { spokes: Rows::new(rows.into_iter()), sums }
    }

    /// The covariance `Σ_j c_j (v'_i − v'_j) w_ij (v_i − v_j)ᵀ`, with c the rotation weights of neighbours.
    pub fn covariance(&self, vertex: usize, positions: &[DVec3], rotation_weights: &[f64]) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for spoke in self.spokes.row(vertex as u32) {
            let now = positions[vertex] - positions[spoke.other as usize];
            let now = now * (spoke.weight * rotation_weights[spoke.other as usize]);
            sum += DMat3::from_cols(now * spoke.edge.x, now * spoke.edge.y, now * spoke.edge.z);
        }
        sum
    }

    /// `Σ_j w_ij (R_i + R_j − 2) (v_i − v_j)`, the right-hand side for the displacement of a vertex.
    pub fn right_hand_side(&self, vertex: usize, rotations: &[DMat3]) -> DVec3 {
        let around = self.spokes.row(vertex as u32).iter();
        let rotated: DVec3 = around.map(|spoke| rotations[spoke.other as usize] * (spoke.edge * spoke.weight)).sum();
        rotations[vertex] * self.sums[vertex] + rotated - 2.0 * self.sums[vertex]
    }

    /// `Σ_j w_ij ‖(v'_i − v'_j) − R_i (v_i − v_j)‖²`
    pub fn energy(&self, vertex: usize, positions: &[DVec3], rotation: &DMat3) -> f64 {
        let around = self.spokes.row(vertex as u32).iter().map(|spoke| {
            let now = positions[vertex] - positions[spoke.other as usize];
            spoke.weight * now.distance_squared(*rotation * spoke.edge)
        });
        around.sum()
    }
}
