//! Where rigidity is released.
//!
//! Uniform rigidity makes limbs bend like rubber; near joints it is released (L13 section 9.4.5), so that the rotation of a
//! cell follows its rigid neighbours more. Neighbour j has the rotation weight
//!
//! ```text
//! c_j = 1 − exp(−d_j² / r²)          by its distance d_j to the nearest joint, of thickness r   (eq. 9.15)
//! c_j = (1 − E_j / max E)^k          by the energy of its cell                                 (eq. 9.16, 9.17)
//! ```
//!
//! The source prints `(E_i / max E)^k` as a factor of the whole sum at i, which does not change the rotation and is largest
//! where the body bends; here the factor is the neighbour's, and smallest there.

use crate::control_mesh::ControlMesh;
use glam::DVec3;

/// The least rotation weight, so that every cell has a defined rotation. Not tuned.
const MIN_WEIGHT: f64 = 1e-3;

/// How rigidity is released.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Release {
    /// Nowhere; the energy then falls with every step.
    #[default]
    Nowhere,
    /// Near joints, by distance.
    NearJoints,
    /// Where the energy is high.
    ByEnergy {
        /// k above, more than zero.
        exponent: f64,
    },
}

/// The rotation weight of each vertex by its distance to the nearest joint.
pub(super) fn near_joints(control: &ControlMesh) -> Vec<f64> {
    let surface = || control.surface.iter().flatten().map(|&v| control.positions[v as usize]);
    let joint_positions = control.joints.iter().flatten().map(|&v| control.positions[v as usize]);
    let thickness = |joint: DVec3| surface().map(|p| p.distance_squared(joint)).fold(f64::INFINITY, f64::min);
    let joints: Vec<(DVec3, f64)> =
        joint_positions.map(|joint| (joint, thickness(joint).max(f64::MIN_POSITIVE))).collect();
    let weight = |p: &DVec3| {
        let nearest = joints.iter().map(|(joint, thickness)| joint.distance_squared(*p) / thickness);
        (1.0 - (-nearest.fold(f64::INFINITY, f64::min)).exp()).max(MIN_WEIGHT)
    };
    control.positions.iter().map(weight).collect()
}

/// The rotation weight of each vertex by the energy of its cell.
pub(super) fn by_energy(energies: &[f64], exponent: f64, weights: &mut [f64]) {
    let largest = energies.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    for (weight, energy) in weights.iter_mut().zip(energies) {
        *weight = (1.0 - energy / largest).powf(exponent).max(MIN_WEIGHT);
    }
}
