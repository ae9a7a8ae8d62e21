//! Which rotations bring the joints to given positions?
//!
//! A joint's turn in the world since the source, `Q`, takes the directions to the points that hang on it
//! from the source's to the new ones. One direction leaves the twist about it open: `Q` is the parent's turn and
//! then the smallest rotation that brings the direction over, so the twist is the source's. Several
//! directions determine `Q`. With `O` the orthogonal factor of the parent's world matrix in the source,
//!
//! ```text
//! R = Oᵀ (Q_p⁻¹ Q) O · R_source,
//! ```
//!
//! which is the source to the bit where nothing has moved.

use super::body::Body;
use super::limits::JointLimit;
use crate::motion::rotations::{conjugate, orthogonal};
use crate::rig::{JointKind, Pose, Skeleton};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Of the square of the size: directions that span less are one direction.
const FLAT: f64 = 1e-10;

/// Rotations nearer than this are the same.
const ROUNDING: f64 = 1e-12;

/// Writes the local transforms that put joints at new positions, given those of the source, and returns how many
/// joints their limits stopped.
pub(super) fn pose_from_points(
    skeleton: &Skeleton,
    body: &Body,
    source: (&Pose, &[DAffine3], &[DVec3]),
    points: &[DVec3],
    limits: &[Option<JointLimit>],
    turns: &mut Vec<DQuat>,
    pose: &mut Pose,
) -> usize {
    let (source_pose, world, before) = source;
    pose.copy_from(source_pose);
    turns.clear();
    let mut limited = 0;
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let parent = joint.parent.map_or(DQuat::IDENTITY, |p| turns[p]);
        let turn = match body.point_of[index] {
            Some(point) => turn(&body.ends[index], point, before, points, parent, body.size),
            None => parent,
        };
        turns.push(turn);
        if joint.kind == JointKind::Joint && turn != parent {
            let axes = joint.parent.map_or(DMat3::IDENTITY, |p| orthogonal(&world[p]));
            let own = conjugate(axes.transpose(), parent.inverse() * turn);
            let rotation = (own * source_pose.joints[index].rotation).normalize();
            pose.joints[index].rotation = rotation;
            if let Some(limit) = limits[index] {
                let rest = joint.rest.rotation;
                let within = (rest * limit.applied(rest.inverse() * rotation, bone(skeleton, index))).normalize();
                if within.dot(rotation).abs() < 1.0 - ROUNDING {
                    limited += 1;
                    pose.joints[index].rotation = within;
                    let own = within * source_pose.joints[index].rotation.inverse();
                    turns[index] = parent * conjugate(axes, own);
                }
            }
        }
        let is_root =
            body.point_of[index].is_some_and(|point| body.parents[point].is_none() && body.joint(point) == index);
        if let Some(point) = body.point_of[index].filter(|_| is_root)
            && points[point] != before[point]
        {
            let above = joint.parent.map_or(DAffine3::IDENTITY, |p| world[p]);
            pose.joints[index].translation = above.inverse().transform_point3(points[point]);
        }
    }
    limited
}

/// The direction of a joint's bone in its own frame at rest: to its first child that is elsewhere, or its tip.
fn bone(skeleton: &Skeleton, joint: usize) -> DVec3 {
    let children = skeleton.joints().iter().filter(|child| child.parent == Some(joint));
    let ends = children.map(|child| child.rest.translation).chain(skeleton.joints()[joint].tip);
    ends.into_iter().find(|end| *end != DVec3::ZERO).unwrap_or(DVec3::ZERO)
}

/// The turn of a joint whose ends have moved, of directions longer than 1e-5 of a size.
pub(crate) fn turn(ends: &[usize], own: usize, before: &[DVec3], after: &[DVec3], parent: DQuat, size: f64) -> DQuat {
    let directions = || {
        let pairs = ends.iter().map(|&end| (before[end] - before[own], after[end] - after[own]));
        pairs.filter(|(from, to)| from.length_squared().min(to.length_squared()) > FLAT * size * size)
    };
    // The parent's turn first, so that what is left is small and unmoved joints stay as they are.
    let longest = directions().max_by(|a, b| a.0.length_squared().total_cmp(&b.0.length_squared()));
    let Some((from, to)) = longest else { return parent };
    let swing = |turn: DQuat, from: DVec3, to: DVec3| {
        let (from, to) = ((turn * from).normalize(), to.normalize());
        if from == to { turn } else { (DQuat::from_rotation_arc(from, to) * turn).normalize() }
    };
    let mut turn = swing(parent, from, to);
    // Several directions: turns about the longest that bring the others over, then the best for all.
    let axis = to.normalize();
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (from, to) in directions() {
        let (from, to) = ((turn * from).reject_from_normalized(axis), to.reject_from_normalized(axis));
        sine += from.cross(to).dot(axis);
        cosine += from.dot(to);
    }
    if sine.hypot(cosine) > FLAT * size * size && sine != 0.0 {
        turn = (DQuat::from_axis_angle(axis, sine.atan2(cosine)) * turn).normalize();
    }
    if ends.len() > 1 { polished(turn, directions()) } else { turn }
}

/// The rotation nearest to taking each direction to its partner, by small turns `ω` with
/// `Σ (‖a‖² − a aᵀ) ω = Σ a × b` for the turned directions a.
fn polished(mut turn: DQuat, directions: impl Iterator<Item = (DVec3, DVec3)> + Clone) -> DQuat {
    for _ in 0..8 {
        let (mut moment, mut torque) = (DMat3::ZERO, DVec3::ZERO);
        for (from, to) in directions.clone() {
            let from = turn * from;
            torque += from.cross(to);
            moment += DMat3::from_diagonal(DVec3::splat(from.length_squared()));
            moment -= DMat3::from_cols(from * from.x, from * from.y, from * from.z);
        }
        let step = moment.inverse() * torque;
        // Directions in one line leave the turn about it as it is.
        if !step.is_finite() || step.length_squared() < 1e-30 || step.length_squared() > 1.0 {
            break;
        }
        turn = (DQuat::from_scaled_axis(step) * turn).normalize();
    }
    turn
}
