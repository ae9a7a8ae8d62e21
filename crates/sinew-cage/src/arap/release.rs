//! Where does a body give way first?
//!
//! Rigidity that is the same everywhere makes limbs bend like rubber; near joints it is released (L13 section
//! 9.4.5). The rotation of a cell is then told more by the neighbours that are rigid: neighbour j counts
//!
//! ```text
//! c_j = 1 − exp(−d_j² / r²)          by its distance d_j to the nearest joint, of thickness r   (eq. 9.15)
//! c_j = (1 − E_j / max E)^k          by the energy of its cell                                 (eq. 9.16, 9.17)
//! ```
//!
//! The source prints `(E_i / max E)^k` as a factor of the whole sum at i, which leaves the rotation as it is, and is
//! largest where the body bends; the factor here is the neighbour's, and smallest there.

use crate::control_mesh::ControlMesh;
use glam::DVec3;

/// What a neighbour counts at least, so that every cell keeps a rotation.
const LEAST: f64 = 1e-3;

/// How rigidity is released.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Release {
    /// Not at all; then the energy falls with every step.
    #[default]
    Nowhere,
    /// By the distance to joints.
    NearJoints,
    /// Where the energy is.
    ByEnergy {
        /// The k above, more than zero.
        exponent: f64,
    },
}

/// The factor of each vertex by its distance to the nearest joint.
pub(super) fn near_joints(control: &ControlMesh) -> Vec<f64> {
    let surface = || control.surface.iter().flatten().map(|&v| control.positions[v as usize]);
    let starts = control.joints.iter().flatten().map(|&v| control.positions[v as usize]);
    let thickness = |joint: DVec3| surface().map(|p| p.distance_squared(joint)).fold(f64::INFINITY, f64::min);
    let joints: Vec<(DVec3, f64)> = starts.map(|joint| (joint, thickness(joint).max(f64::MIN_POSITIVE))).collect();
    let factor = |p: &DVec3| {
        let nearest = joints.iter().map(|(joint, thickness)| joint.distance_squared(*p) / thickness);
        (1.0 - (-nearest.fold(f64::INFINITY, f64::min)).exp()).max(LEAST)
    };
    control.positions.iter().map(factor).collect()
}

/// The factor of each vertex by the energy of its cell.
pub(super) fn by_energy(energies: &[f64], exponent: f64, factors: &mut [f64]) {
    let largest = energies.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    for (factor, energy) in factors.iter_mut().zip(energies) {
        *factor = (1.0 - energy / largest).powf(exponent).max(LEAST);
    }
}
