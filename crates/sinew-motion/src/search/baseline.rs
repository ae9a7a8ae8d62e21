//! A baseline that compares motions by one principal direction.
//!
//! L13 ch. 4: a motion is a table with a row for each frame, of (a) the distances between all joints that no segment
//! joins, (b) the positions of all joints or (c) their rotations, without alignment or scale. The first principal
//! direction v of the table (eq. 4.1) represents the motion, and the similarity of two motions is `|v · w|`. The
//! absolute value is missing in eq. 4.2, but the sign of a principal vector is arbitrary. Rotations are relative to the
//! parents, as rotation vectors.

use super::directions::{dot, principal_directions};
use crate::{Error, Result};
use glam::{DAffine3, DQuat, DVec3};
use sinew_rig::{Clip, JointKind, Pose, Skeleton};

/// Frames per second. It is the rate of most test motions.
const RATE: f64 = 30.0;

/// The description of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Representation {
    /// Joint-to-joint distances, segments left out.
    Distances,
    /// Positions in the world.
    Positions,
    /// Rotations to the parent.
    Rotations,
}

impl Representation {
    /// All of them, in the order of L13 fig. 4.3.
    pub const ALL: [Self; 3] = [Self::Distances, Self::Positions, Self::Rotations];
}

/// The first principal direction of a clip; empty for a motion that stands still, which is similar to no other.
pub fn direction(skeleton: &Skeleton, base: &Pose, clip: &Clip, representation: Representation) -> Result<Vec<f64>> {
    let joints: Vec<usize> = (0..skeleton.len()).filter(|&j| skeleton.joints()[j].kind == JointKind::Joint).collect();
    let pairs = free_pairs(skeleton, &joints);
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
    let mut rows = Vec::new();
    for seconds in clip.frame_times(RATE)? {
        clip.sample(seconds, base, &mut pose);
        skeleton.world(&pose, &mut world);
        let row: Vec<f64> = match representation {
            Representation::Distances => {
                pairs.iter().map(|&(a, b)| world[a].translation.distance(world[b].translation)).collect()
            }
            Representation::Positions => joints.iter().flat_map(|&j| world[j].translation.to_array()).collect(),
            Representation::Rotations => {
                joints.iter().flat_map(|&j| rotation_vector(pose.joints[j].rotation).to_array()).collect()
            }
        };
        if row.iter().any(|x| !x.is_finite()) {
            return Err(Error::MotionNotFinite { clip: clip.name.clone(), seconds });
        }
        rows.push(row);
    }
    center(&mut rows);
    Ok(principal_directions(&rows, 1).pop().map_or_else(Vec::new, |(_, direction)| direction))
}

/// `|v · w|`; zero for skeletons with different numbers of joints.
pub fn similarity(a: &[f64], b: &[f64]) -> f64 {
    if a.len() == b.len() { dot(a, b).abs() } else { 0.0 }
}

fn free_pairs(skeleton: &Skeleton, joints: &[usize]) -> Vec<(usize, usize)> {
    let is_segment = |a: usize, b: usize| skeleton.joints()[b].parent == Some(a);
    let after = |k: usize| joints[k + 1..].iter().map(move |&b| (joints[k], b));
    (0..joints.len()).flat_map(after).filter(|&(a, b)| !is_segment(a, b)).collect()
}

fn rotation_vector(rotation: DQuat) -> DVec3 {
    // Of the two quaternions for a rotation, the one with the smaller angle.
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    rotation.to_scaled_axis()
}

fn center(rows: &mut [Vec<f64>]) {
    let count = rows.len() as f64;
    let width = rows.first().map_or(0, Vec::len);
    for column in 0..width {
        let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
        rows.iter_mut().for_each(|row| row[column] -= mean);
    }
}
