//! How far apart are two sets of weights, as shares and as movement?
//!
//! - `tv`: mean over vertices of `½ Σⱼ |wⱼ − aⱼ|`.
//! - The sweep turns each joint that has a parent, with all below it, by 30° about each of its axes. A vertex `v` with
//!   the share `S` of these joints moves by `S (R − I)(v − p)`, which is `S` times the reach
//!   `2 sin 15° · |(v − p) − n (n·(v − p))|`; the error is the difference of the shares times the reach, of the
//!   diagonal. `sweep_mean` is its mean over all pairs of axis and vertex where either set moves the vertex,
//!   `sweep_per_authored` its sum over the number of pairs where the authored weights do.

use super::rig::Rig;

/// Movements below this share of the diagonal do not count.
const NO_MOVEMENT: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    pub tv: f64,
    pub sweep_mean: f64,
    pub sweep_per_authored: f64,
}

impl Distance {
    /// Of a row of all joints for each welded vertex from the authored weights.
    pub fn new(rig: &Rig, weights: &[Vec<f64>]) -> Self {
        let (sum, pairs, authored_pairs) = sweep(rig, weights);
        Self {
            tv: rig.authored.iter().zip(weights).map(|(a, b)| total_variation(a, b)).sum::<f64>()
                / weights.len() as f64,
            sweep_mean: sum / pairs as f64,
            sweep_per_authored: sum / authored_pairs as f64,
        }
    }
}

pub fn total_variation(a: &[f64], b: &[f64]) -> f64 {
    0.5 * a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>()
}

/// The sum of errors, the pairs where either set of weights moves a vertex, and those where the authored does.
fn sweep(rig: &Rig, weights: &[Vec<f64>]) -> (f64, usize, usize) {
    let full_reach = 2.0 * 15f64.to_radians().sin() / rig.diagonal;
    let (authored, found) = (below(rig, &rig.authored), below(rig, weights));
    let (mut sum, mut pairs, mut authored_pairs) = (0.0, 0, 0);
    for joint in (0..rig.joint_count()).filter(|&joint| rig.is_built[joint] && rig.parents[joint].is_some()) {
        for axis in (0..3).map(|k| rig.axes[joint].col(k)) {
            for (vertex, &position) in rig.positions.iter().enumerate() {
                let arm = position - rig.places[joint];
                let reach = full_reach * (arm - axis * arm.dot(axis)).length();
                let [a, b] = [&authored, &found].map(|shares| shares[vertex][joint]);
                let is_authored = a * reach > NO_MOVEMENT;
                authored_pairs += usize::from(is_authored);
                if is_authored || b * reach > NO_MOVEMENT {
                    pairs += 1;
                    sum += (a - b).abs() * reach;
                }
            }
        }
    }
    (sum, pairs, authored_pairs)
}

/// For each joint the shares of it and of all below it.
fn below(rig: &Rig, weights: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let sums = |row: &Vec<f64>| {
        let mut sums = vec![0.0; row.len()];
        for (joint, weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            rig.up_from(joint).for_each(|above| sums[above] += weight);
        }
        sums
    };
    weights.iter().map(sums).collect()
}
