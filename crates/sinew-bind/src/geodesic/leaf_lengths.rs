//! How long is the last bone of a limb, where the file does not say?
//!
//! As long as the part of the surface that is its own: the vertices that are nearer to it than to any
//! other bone, as [`super::bone_distances`] measures but whatever lies between. Their centroid c is the middle of the
//! bone, which so ends as far beyond c as its joint lies before it. A longer bone may win more of the surface,
//! so this is done twice.

use super::bone_distances::{Body, SHARED, Straight, say};
use crate::bones::Bones;
use glam::DVec3;
use rayon::prelude::*;

/// How often lengths are found anew.
const ROUNDS: usize = 2;

/// Stretches the leaves whose length is a guess.
pub(crate) fn stretch_leaves(body: &Body<'_>, bones: &mut Bones, areas: &[f64]) {
    if bones.leaves.is_empty() {
        return;
    }
    let mut leaf_of_bone = vec![None; bones.count()];
    for (leaf, &segment) in bones.leaves.iter().enumerate() {
        leaf_of_bone[bones.segments[segment].bone as usize] = Some(leaf);
    }
    for _ in 0..ROUNDS {
        let owners = |near: &mut Vec<Straight>, vertex: usize| -> Vec<(usize, f64)> {
            body.near_bones(vertex, &bones.segments, 1.0 + SHARED, near);
            near.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.distance.total_cmp(&b.distance)));
            near.dedup_by_key(|straight| straight.bone);
            let least = near.iter().fold(f64::INFINITY, |least, straight| least.min(straight.distance));
            // The two largest says; the first is that of the nearest bone.
            let (first, second) = near.iter().fold((0.0f64, 0.0f64), |(first, second), straight| {
                let say = say(straight.distance, least);
                (first.max(say), second.max(say.min(first)))
            });
            let leaves = near.iter().filter_map(|straight| {
                let own = say(straight.distance, least);
                let leaf = leaf_of_bone[straight.bone as usize].filter(|_| own > 0.0)?;
                Some((leaf, own * (1.0 - if own == first { second } else { first })))
            });
            leaves.collect()
        };
        let owners: Vec<Vec<(usize, f64)>> =
            (0..body.positions.len()).into_par_iter().map_init(Vec::new, owners).collect();
        let mut sums = vec![(DVec3::ZERO, 0.0); bones.leaves.len()];
        for ((owners, &point), &area) in owners.iter().zip(body.positions).zip(areas) {
            for &(leaf, share) in owners {
                sums[leaf].0 += share * area * point;
                sums[leaf].1 += share * area;
            }
        }
        for (leaf, (sum, area)) in sums.into_iter().enumerate().filter(|(_, (_, area))| *area > 0.0) {
            bones.stretch_leaf(leaf, sum / area);
        }
    }
}
