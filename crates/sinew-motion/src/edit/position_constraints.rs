//! Position constraints of an edit, and whether its pins can be reached.
//!
//! Three things fix a point in a frame: the ends of the range, where two frames stay as they are so that
//! neither position nor velocity jumps; planted feet; and pins. A pin on a planted foot moves
//! the foot for the whole contact. Distances are per frame, so whether pins can be reached is a matter of
//! one posture, which distance kinematics decides. A pin that cannot be reached becomes a soft constraint at
//! the nearest place that can be.

use super::contacts::FootPlant;
use super::skeleton_points::SkeletonPoints;
use crate::Result;
use crate::distance_geometry::{Constraint, Kinematics};
use glam::DVec3;
use std::collections::BTreeMap;

/// How long before and after a pin a planted foot is released that cannot be moved with it. Not tuned.
const RELEASE_SECONDS: f64 = 0.3;

/// The farthest target of a soft constraint, in body sizes. No point of a body reaches so far, so only the direction
/// counts.
const MAX_PULL: f64 = 2.0;

/// Positions by frame and point.
pub(super) type PositionConstraints = BTreeMap<(usize, usize), DVec3>;

/// The position that a pin gives a point in a frame of the range.
#[derive(Debug, Clone, Copy)]
pub(super) struct PinTarget {
    pub frame: usize,
    pub point: usize,
    pub position: DVec3,
}

/// All points in frames of the range that stay as they are.
pub(super) fn fixed_ends(frames: &[Vec<DVec3>], start: bool, end: bool) -> PositionConstraints {
    let count = frames.len();
    let fixed = (0..count).filter(|&k| (start && k < 2) || (end && k + 2 >= count));
    fixed.flat_map(|k| frames[k].iter().enumerate().map(move |(point, &p)| ((k, point), p))).collect()
}

/// The constraints of planted feet: their positions in the source, moved with pins on the same foot for the whole
/// contact. A foot whose contact reaches into the ends of the range cannot be moved; it is released around the pin.
pub(super) fn foot_plants(
    frames: &[Vec<DVec3>],
    ends: &PositionConstraints,
    planted: &[FootPlant],
    targets: &[PinTarget],
    fps: f64,
) -> PositionConstraints {
    let mut offsets: Vec<Vec<(usize, DVec3)>> = vec![Vec::new(); planted.len()];
    let mut released: Vec<Vec<usize>> = vec![Vec::new(); planted.len()];
    let mut ordered = targets.to_vec();
    ordered.sort_by_key(|target| target.frame);
    for target in &ordered {
        let plant = same_plant(planted, target);
        let is_free = |&run: &usize| planted[run].frames.clone().all(|f| !ends.contains_key(&(f, planted[run].point)));
        let can_move = plant.iter().all(is_free);
        for run in plant {
            if can_move {
                offsets[run].push((target.frame, target.position - frames[target.frame][target.point]));
            } else {
                released[run].push(target.frame);
            }
        }
    }
    let reach = (RELEASE_SECONDS * fps).ceil() as usize;
    let mut constraints = PositionConstraints::new();
    for (run, FootPlant { point, frames: during, place, .. }) in planted.iter().enumerate() {
        for frame in during.clone().filter(|f| released[run].iter().all(|pin| pin.abs_diff(*f) > reach)) {
            let plant = place.unwrap_or(frames[frame][*point]);
            constraints.insert((frame, *point), plant + offset_at(&offsets[run], frame));
        }
    }
    constraints
}

/// The runs of a pinned foot that belong to one contact: those in the pin's frame, and what overlaps them.
fn same_plant(planted: &[FootPlant], target: &PinTarget) -> Vec<usize> {
    let Some(foot) = planted.iter().find(|p| p.point == target.point).map(|p| p.foot) else { return Vec::new() };
    let own: Vec<usize> = (0..planted.len()).filter(|&run| planted[run].foot == foot).collect();
    let mut plant: Vec<usize> = own.iter().copied().filter(|&r| planted[r].frames.contains(&target.frame)).collect();
    loop {
        let first = plant.iter().map(|&r| planted[r].frames.start).min();
        let Some((first, last)) = first.zip(plant.iter().map(|&r| planted[r].frames.end).max()) else { return plant };
        let overlaps = |r: &usize| planted[*r].frames.start < last && planted[*r].frames.end > first;
        let grown: Vec<usize> = own.iter().copied().filter(overlaps).collect();
        if grown.len() == plant.len() {
            return grown;
        }
        plant = grown;
    }
}

fn offset_at(offsets: &[(usize, DVec3)], frame: usize) -> DVec3 {
    let next = offsets.partition_point(|(f, _)| *f <= frame);
    match (next.checked_sub(1).map(|k| offsets[k]), offsets.get(next)) {
        (Some((f, a)), Some(&(g, b))) => a.lerp(b, (frame - f) as f64 / (g - f) as f64),
        (Some((_, offset)), None) | (None, Some(&(_, offset))) => offset,
        (None, None) => DVec3::ZERO,
    }
}

/// Where the targets of one frame can be reached, and whether all of them can: there, or as near as distances and
/// the other constraints allow.
pub(super) fn reachable(
    skeleton_points: &SkeletonPoints,
    source: &[DVec3],
    others: &BTreeMap<usize, DVec3>,
    targets: &[PinTarget],
) -> Result<(Vec<DVec3>, bool)> {
    let distance = |&(a, b): &(usize, usize)| {
        let length = source[a].distance(source[b]);
        Constraint::Distance { a: a as u32, b: b as u32, length }
    };
    let distances: Vec<Constraint> = skeleton_points.pairs.iter().map(distance).collect();
    let goals = targets.iter().map(|w| Constraint::Target { point: w.point as u32, position: w.position });
    let fixed: Vec<u32> = others.keys().map(|&p| p as u32).collect();
    let start = || {
        let mut positions = source.to_vec();
        others.iter().for_each(|(&point, &position)| positions[point] = position);
        positions
    };
    // Pins that contradict each other are no error of the motion: they come as near as they can together.
    let hard = distances.iter().copied().chain(goals).collect();
    let mut exact = Kinematics::new(skeleton_points.len(), &fixed, hard, Vec::new()).ok();
    let mut meets = |positions: &mut [DVec3]| exact.as_mut().is_some_and(|exact| exact.solve(positions).is_met);
    let mut positions = start();
    let mut is_met = meets(&mut positions);
    if !is_met {
        positions = start();
        let goal = |w: &PinTarget| {
            // A target farther away than a body can reach only pulls in its direction.
            let pull = (w.position - source[w.point]).clamp_length_max(MAX_PULL * skeleton_points.size);
            (Constraint::Target { point: w.point as u32, position: source[w.point] + pull }, 1.0)
        };
        let soft = targets.iter().map(goal).collect();
        Kinematics::new(skeleton_points.len(), &fixed, distances, soft)?.solve(&mut positions);
        // From near by, what was too far at first is often met.
        let mut nearer = positions.clone();
        is_met = meets(&mut nearer);
        if is_met {
            positions = nearer;
        }
    }
    Ok((targets.iter().map(|w| positions[w.point]).collect(), is_met))
}
