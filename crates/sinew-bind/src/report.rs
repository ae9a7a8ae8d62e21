//! The report of a binding.

use crate::rest_surface::RestSurface;
use sinew_rig::{Character, Weights};

/// The report of a binding.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct BindReport {
    /// The number of vertices of the bound meshes, as in the file.
    pub vertices: usize,
    /// The number of vertices whose weights sum to one: all of a successful binding.
    pub weighted: usize,
    /// The number of connected components that no bone reaches, which follow the surface closest to them.
    pub islands: usize,
    /// Repairs and guesses, a sentence each.
    pub repairs: Vec<String>,
    /// The vertices and weight of each joint.
    pub joints: Vec<JointReport>,
    /// The largest weight that pruning removed from a vertex.
    pub pruning_error: f64,
}

/// The vertices and weight of a joint.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct JointReport {
    /// The joint's name.
    pub name: String,
    /// The number of vertices that it moves.
    pub vertices: usize,
    /// Its mean weight over all vertices.
    pub mean_weight: f64,
}

impl BindReport {
    /// A sentence about joints without vertices.
    pub(super) fn unused(&self) -> Option<String> {
        let unused: Vec<&str> = self.joints.iter().filter(|j| j.vertices == 0).map(|j| j.name.as_str()).collect();
        (!unused.is_empty())
            .then(|| format!("nearest to no vertex, so without weight: {}", quoted_list(&unused, "joint")))
    }

    pub(super) fn new(
        character: &Character,
        joints: &[usize],
        surface: &RestSurface,
        weights: &Weights,
        pruning_error: f64,
    ) -> Self {
        let mut counts = vec![(0usize, 0.0f64); joints.len()];
        let mut weighted = 0;
        for vertex in 0..surface.vertex_count() {
            let row = weights.row(surface.topology().welded(vertex));
            let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
            weighted += usize::from((sum - 1.0).abs() < 1e-4);
            for influence in row {
                let (vertices, sum) = &mut counts[influence.joint as usize];
                *vertices += 1;
                *sum += f64::from(influence.weight);
            }
        }
        let total = surface.vertex_count().max(1) as f64;
        let joint_report = |(&joint, (vertices, sum)): (&usize, (usize, f64))| JointReport {
            name: character.skeleton.joints()[joint].name.clone(),
            vertices,
            mean_weight: sum / total,
        };
        Self {
            vertices: surface.vertex_count(),
            weighted,
            joints: joints.iter().zip(counts).map(joint_report).collect(),
            pruning_error,
            ..Self::default()
        }
    }
}

/// "joint \"a\"", or "3 joints (\"a\", \"b\", …)".
pub(super) fn quoted_list(names: &[&str], what: &str) -> String {
    let quoted: Vec<String> = names.iter().take(3).map(|name| format!("\"{name}\"")).collect();
    match names.len() {
        1 => format!("{what} {}", quoted[0]),
        count => {
            let more = if count > quoted.len() { ", …" } else { "" };
            format!("{count} {what}s ({}{more})", quoted.join(", "))
        }
    }
}
