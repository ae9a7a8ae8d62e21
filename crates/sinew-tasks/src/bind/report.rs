//! The report of a binding as data.

use crate::misplacement::Misplacement;
use serde::Serialize;
use sinew::bind::weight_transfer::TransferReport;
use sinew::bind::{BindReport, JointReport};
use sinew::rig::Character;
use std::fmt::{Display, Formatter};

/// The result of a binding in numbers.
#[derive(Serialize, Default)]
pub struct Report {
    /// The engine's report; for transferred weights the same numbers, as far as they are known.
    #[serde(flatten)]
    pub binding: BindReport,
    /// The time by phase.
    pub milliseconds: Milliseconds,
    /// A skeleton that may be in other units or in another position; one of the repairs names it.
    #[serde(skip)]
    pub misplacement: Option<Misplacement>,
}

/// Times by phase. Those that a method does not have are zero.
#[derive(Serialize, Default, Clone, Copy)]
pub struct Milliseconds {
    /// Inside and outside, straight paths, and the grid.
    pub voxels: f64,
    /// Paths around corners.
    pub distances: f64,
    /// The factorisation of the heat equation.
    pub factorisation: f64,
    /// The solves, one for each bone.
    pub solves: f64,
    /// The pruning to the number of influences.
    pub pruning: f64,
    /// All of the above and what lies between.
    pub total: f64,
}

impl Report {
    /// The engine's report of a binding; `notes` come first among the repairs.
    pub fn of_binding(mut binding: BindReport, notes: Vec<String>, milliseconds: Milliseconds) -> Self {
        binding.repairs.splice(0..0, notes);
        Self { binding, milliseconds, misplacement: None }
    }

    /// The report of weights that were transferred from another character, over its `joints`.
    pub fn of_transfer(
        report: &TransferReport,
        character: &Character,
        joints: &[usize],
        notes: Vec<String>,
        milliseconds: Milliseconds,
    ) -> Self {
        let mut totals = vec![(0usize, 0.0f64); character.skeleton.len()];
        let mut weighted = 0;
        for part in &character.parts {
            for row in part.binding.weights.rows() {
                let sum: f32 = row.iter().map(|influence| influence.weight).sum();
                weighted += usize::from((sum - 1.0).abs() < 1e-4);
                for influence in row {
                    let (vertices, share) = &mut totals[part.binding.joints[influence.joint as usize]];
                    *vertices += 1;
                    *share += f64::from(influence.weight);
                }
            }
        }
        let vertices = character.vertex_count();
        let joint = |&joint: &usize| JointReport {
            name: character.skeleton.joints()[joint].name.clone(),
            vertices: totals[joint].0,
            mean_weight: totals[joint].1 / vertices.max(1) as f64,
        };
        let found = [
            (report.inpainted, "have no match close by and were filled in from their surroundings"),
            (report.nearest_only, "belong to pieces without any match and have the weights of the nearest surface"),
        ];
        let found = found.into_iter().filter(|&(count, _)| count > 0);
        let found = found.map(|(count, what)| format!("{} {what}", Counted(count, "vertex", "vertices")));
        let binding = BindReport {
            vertices,
            weighted,
            islands: 0,
            repairs: notes.into_iter().chain(found).collect(),
            joints: joints.iter().map(joint).collect(),
            pruning_error: report.pruning_error.into(),
        };
        Self { binding, milliseconds, misplacement: None }
    }

    /// The number of joints with weight.
    pub fn weighted_joints(&self) -> usize {
        self.binding.joints.iter().filter(|joint| joint.vertices > 0).count()
    }
}

impl Display for Report {
    /// The whole in one line.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} on {}, {}, {}; largest pruned share {}; {}",
            Counted(self.binding.vertices, "vertex", "vertices"),
            Counted(self.weighted_joints(), "joint", "joints"),
            Counted(self.binding.islands, "island", "islands"),
            Counted(self.binding.repairs.len(), "repair", "repairs"),
            Share(self.binding.pruning_error),
            self.milliseconds
        )
    }
}

impl Display for Milliseconds {
    /// The total.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self.total {
            short if short < 100.0 => write!(formatter, "{short:.0} ms"),
            long => write!(formatter, "{:.2} s", 1e-3 * long),
        }
    }
}

/// A number of things, with the words for one and for many.
pub struct Counted(pub usize, pub &'static str, pub &'static str);

impl Display for Counted {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let Self(count, one, many) = self;
        write!(formatter, "{count} {}", if *count == 1 { one } else { many })
    }
}

/// A share of one, with no more digits than matter.
pub struct Share(pub f64);

impl Display for Share {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            share if share < 5e-7 => write!(formatter, "0"),
            share if share < 0.01 => write!(formatter, "{share:.1e}"),
            share => write!(formatter, "{share:.2}"),
        }
    }
}
