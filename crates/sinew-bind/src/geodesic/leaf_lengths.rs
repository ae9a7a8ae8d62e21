//! The length of leaf bones without an end in the file.
//!
//! A leaf bone extends through its region of the surface: the vertices nearer to it than to any other bone by straight
//! distances ([`super::straight_distances`]), regardless of obstacles. Their centroid c is the middle of the bone, so it ends as
//! far beyond c as its joint lies before it. A longer bone may gain more of the surface, so this is repeated once.

use super::straight_distances::{BodySurface, FALLOFF_WIDTH, StraightPath, bone_falloff};
use crate::bones::Bones;
use glam::DVec3;
use sinew_geometry::parallel::*;

/// The number of times that lengths are estimated. The second uses the regions of the first lengths; not tuned.
const ITERATIONS: usize = 2;

/// Estimates the lengths of leaf bones.
pub(crate) fn estimate_leaf_lengths(body: &BodySurface<'_>, bones: &mut Bones, areas: &[f64]) {
    if bones.leaves.is_empty() {
        return;
    }
    let mut leaf_of_bone = vec![None; bones.count()];
    for (leaf, &segment) in bones.leaves.iter().enumerate() {
        leaf_of_bone[bones.segments[segment].bone as usize] = Some(leaf);
    }
    for _ in 0..ITERATIONS {
        let leaf_shares = |near: &mut Vec<StraightPath>, vertex: usize| -> Vec<(usize, f64)> {
            body.straight_paths(vertex, &bones.segments, 1.0 + FALLOFF_WIDTH, near);
            near.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.distance.total_cmp(&b.distance)));
            near.dedup_by_key(|straight| straight.bone);
            let least = near.iter().fold(f64::INFINITY, |least, straight| least.min(straight.distance));
            // The two largest falloffs; the first is that of the nearest bone.
            let (largest, second_largest) =
                near.iter().fold((0.0f64, 0.0f64), |(largest, second_largest), straight| {
                    let falloff = bone_falloff(straight.distance, least);
                    (largest.max(falloff), second_largest.max(falloff.min(largest)))
                });
            let leaves = near.iter().filter_map(|straight| {
                let own = bone_falloff(straight.distance, least);
                let leaf = leaf_of_bone[straight.bone as usize].filter(|_| own > 0.0)?;
                Some((leaf, own * (1.0 - if own == largest { second_largest } else { largest })))
            });
            leaves.collect()
        };
        let leaf_shares: Vec<Vec<(usize, f64)>> =
            (0..body.positions.len()).into_par_iter().map_init(Vec::new, leaf_shares).collect();
        let mut sums = vec![(DVec3::ZERO, 0.0); bones.leaves.len()];
        for ((leaf_shares, &point), &area) in leaf_shares.iter().zip(body.positions).zip(areas) {
            for &(leaf, share) in leaf_shares {
                sums[leaf].0 += share * area * point;
                sums[leaf].1 += share * area;
            }
        }
        for (leaf, (sum, area)) in sums.into_iter().enumerate().filter(|(_, (_, area))| *area > 0.0) {
            bones.extend_leaf(leaf, sum / area);
        }
    }
}
