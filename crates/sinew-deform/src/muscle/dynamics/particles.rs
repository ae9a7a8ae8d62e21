//! The particles of a chain: their state, and what obstacles need to know of them.

use glam::{DAffine3, DVec3};

/// The state; saved for the shorter last step of a frame.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    /// `B` of each joint of the chain.
    pub frames: Vec<DAffine3>,
}

impl State {
    pub fn copy_from(&mut self, other: &Self) {
        self.positions.copy_from_slice(&other.positions);
        self.velocities.copy_from_slice(&other.velocities);
        self.frames.copy_from_slice(&other.frames);
    }
}

/// The particles of a chain.
#[derive(Debug, Clone)]
pub(super) struct Particles {
    /// After the last step of the grid during the simulation of a frame; the displayed state otherwise.
    pub state: State,
    /// Positions and frames before the step.
    pub before: Vec<DVec3>,
    pub frames_before: Vec<DAffine3>,
    /// Zero for attached particles.
    pub inverse_masses: Vec<f64>,
    /// The distance that each particle keeps from bones, in this frame.
    pub radii: Vec<f64>,
}

impl Particles {
    /// The particles that are not held.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.inverse_masses.len()).filter(|&k| self.inverse_masses[k] > 0.0)
    }
}
