//! What did a binding do?

use crate::rest_surface::RestSurface;
use sinew_rig::{Character, Weights};

/// What a binding did, for people and for other programs.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct BindReport {
    /// Vertices of the bound meshes, as the file has them.
    pub vertices: usize,
    /// Those of them with weights that sum to one: all, or the binding would have failed.
    pub weighted: usize,
    /// Connected pieces of surface without a bone in reach, which follow the surface that they lie in or
    /// float on.
    pub islands: usize,
    /// What was mended or had to be guessed, a sentence each.
    pub repairs: Vec<String>,
    /// What each joint got.
    pub joints: Vec<JointReport>,
    /// The largest share that pruning took from a vertex.
    pub pruning_error: f64,
}

/// What a joint got.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Vertices that it moves.
    pub vertices: usize,
    /// Its mean share in all vertices.
    pub mean_weight: f64,
}

impl BindReport {
    /// A sentence about joints that move nothing.
    pub(super) fn unused(&self) -> Option<String> {
        let unused: Vec<&str> = self.joints.iter().filter(|j| j.vertices == 0).map(|j| j.name.as_str()).collect();
        (!unused.is_empty()).then(|| format!("nearest to no vertex, so without weight: {}", listed(&unused, "joint")))
    }

    pub(super) fn new(
        character: &Character,
        joints: &[usize],
        surface: &RestSurface,
        shares: &Weights,
        pruning_error: f64,
    ) -> Self {
        let mut counts = vec![(0usize, 0.0f64); joints.len()];
        let mut weighted = 0;
        for vertex in 0..surface.vertex_count() {
            let row = shares.row(surface.topology().welded(vertex));
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
pub(super) fn listed(names: &[&str], what: &str) -> String {
    let quoted: Vec<String> = names.iter().take(3).map(|name| format!("\"{name}\"")).collect();
    match names.len() {
        1 => format!("{what} {}", quoted[0]),
        count => {
            let more = if count > quoted.len() { ", …" } else { "" };
            format!("{count} {what}s ({}{more})", quoted.join(", "))
        }
    }
}
