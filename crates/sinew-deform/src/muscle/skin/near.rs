//! The muscles that shape each point of the skin.
//!
//! A muscle shapes the skin of its own joint \[R18 §6.1\] and of the joints on its path that are not descendants of it:
//! the calf muscle shapes the shank and the thigh, but not the foot, where it has only tendons. A point counts by the
//! share of its weights on these joints, so that the arm's muscles fade out towards the chest, and an arm in contact
//! with the body does not move the body's skin. Joints without muscles, such as the twist joints of a forearm, belong
//! to the joint above them. Of the muscles of its joints, a point lists those whose field nearly reaches it at rest.

use super::Pieces;
use crate::muscle::Musculature;
use crate::welded::WeldedSurface;
use sinew_field::{Box3, DistanceField};
use sinew_geometry::Rows;
use sinew_geometry::parallel::*;
use sinew_rig::Skeleton;

/// The search distance of a muscle, as a multiple of the reach of its field: it may come nearer in a pose.
const SEARCH_MARGIN: f64 = 1.15;

/// The least share of a point's weights for which a muscle counts.
const MIN_SHARE: f64 = 0.02;

/// A nearby muscle or piece of fat of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub piece: u32,
    /// The share of the point's weights that lie on the parts that the muscle shapes.
    pub share: f64,
}

/// For each point of the body its nearby muscles.
pub(super) fn near(
    body: &WeldedSurface,
    skeleton: &Skeleton,
    musculature: &Musculature,
    pieces: &Pieces<'_>,
) -> Rows<Near> {
    let territories = territories(skeleton, musculature);
    let reach: Vec<Box3> =
        (0..pieces.len()).map(|k| pieces.bounds_within(k, SEARCH_MARGIN * pieces.radius(k))).collect();
    let of_point = |i: usize| {
        let place = body.rest[i];
        let known = |k: usize| {
            let of_weight = |&(joint, weight): &(u32, f64)| if territories[k][joint as usize] { weight } else { 0.0 };
            let share: f64 = body.influences.row(i as u32).iter().map(of_weight).sum();
            let is_near = share > MIN_SHARE && pieces.field(k).distance(place).value < SEARCH_MARGIN * pieces.radius(k);
            is_near.then_some(Near { piece: k as u32, share })
        };
        (0..pieces.len()).filter(|&k| reach[k].contains(place)).filter_map(known).collect()
    };
    let rows: Vec<Vec<Near>> = (0..body.len()).into_par_iter().map(of_point).collect();
    Rows::new(rows.into_iter())
}

/// For each muscle, then each piece of fat, the joints whose skin it shapes.
fn territories(skeleton: &Skeleton, musculature: &Musculature) -> Vec<Vec<bool>> {
    let joints = skeleton.joints();
    let of_muscle = |path: &[usize], part: usize| {
        let mut own = vec![false; joints.len()];
        own[part] = true;
        let on_way = path.windows(2).flat_map(|pair| way(skeleton, pair[0], pair[1]));
        on_way.filter(|&joint| !above(skeleton, joint).contains(&part)).for_each(|joint| own[joint] = true);
        own
    };
    let muscles = musculature.muscles.iter().map(|muscle| {
        let path: Vec<usize> = muscle.path.iter().map(|at| at.joint).collect();
        of_muscle(&path, muscle.part)
    });
    let fats = musculature.fats.iter().map(|fat| of_muscle(&[], fat.center.joint));
    let own: Vec<Vec<bool>> = muscles.chain(fats).collect();
    let holds_any: Vec<bool> = (0..joints.len()).map(|joint| own.iter().any(|own| own[joint])).collect();
    let with_what_hangs_on_it = |mut own: Vec<bool>| {
        for joint in 0..joints.len() {
            if let Some(parent) = joints[joint].parent.filter(|_| !holds_any[joint]) {
                own[joint] = own[parent];
            }
        }
        own
    };
    own.into_iter().map(with_what_hangs_on_it).collect()
}

/// A joint and those above it.
fn above(skeleton: &Skeleton, joint: usize) -> Vec<usize> {
    std::iter::successors(Some(joint), |&joint| skeleton.joints()[joint].parent).collect()
}

/// The joints from one to another, both included.
fn way(skeleton: &Skeleton, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let (mut a, mut b) = (above(skeleton, from), above(skeleton, to));
    let mut last = None;
    while let (Some(x), Some(y)) = (a.last(), b.last())
        && x == y
    {
        last = a.pop();
        b.pop();
    }
    a.into_iter().chain(last).chain(b)
}
