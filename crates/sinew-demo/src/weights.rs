//! Pruned weights.

use sinew_rig::{Influence, Weights};

/// At most `limit` influences per vertex, the largest, rescaled to sum to one. An influence equal to a removed one is
/// removed too, so that a vertex on the plane of symmetry stays symmetric.
pub(super) fn pruned(weights: &Weights, limit: usize) -> Weights {
    let mut pruned = Weights::with_capacity(weights.len(), limit * weights.len());
    let mut row: Vec<Influence> = Vec::new();
    for influences in weights.rows() {
        row.clear();
        row.extend_from_slice(influences);
        row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
        let cut = row.get(limit).map_or(NEGLIGIBLE, |i| i.weight + NEGLIGIBLE);
        row.retain(|i| i.weight > cut);
        row.sort_by_key(|i| i.joint);
        let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
        pruned.push(row.iter().map(|i| Influence { weight: (f64::from(i.weight) / sum) as f32, ..*i }));
    }
    pruned
}

/// A share below this moves no vertex by as much as 1 mm.
const NEGLIGIBLE: f32 = 1e-3;
