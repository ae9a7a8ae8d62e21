//! Joint rotations from joint positions.
//!
//! A joint's world rotation since the source, `Q`, maps the directions to its child points from the source's
//! to the new ones. One direction leaves the twist about it open: `Q` is the parent's rotation and
//! then the smallest rotation to the new direction, so the twist is the source's. Several
//! directions determine `Q`. With `O` the orthogonal factor of the parent's world matrix in the source,
//!
//! ```text
//! R = Oᵀ (Q_p⁻¹ Q) O · R_source,
//! ```
//!
//! which is the source to the bit where nothing has moved.

use super::limits::JointLimit;
use super::skeleton_points::SkeletonPoints;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::rotation_of_directions;
use sinew_rig::{JointKind, Pose, Skeleton};
use sinew_rig::{conjugate, orthogonal};

/// Rotations nearer than this are the same. One minus the cosine of half the angle: an angle of 2.8e-6 rad.
const ROUNDING: f64 = 1e-12;

/// Writes the local transforms that put joints at new positions, given those of the source, and returns how many
/// joints their limits stopped.
pub(super) fn pose_from_points(
    skeleton: &Skeleton,
    skeleton_points: &SkeletonPoints,
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
        let turn = match skeleton_points.point_of[index] {
            Some(point) => rotation_of_directions(
                &skeleton_points.ends[index],
                point,
                before,
                points,
                parent,
                skeleton_points.size,
            ),
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
        let is_root = skeleton_points.point_of[index]
            .is_some_and(|point| skeleton_points.parents[point].is_none() && skeleton_points.joint(point) == index);
        if let Some(point) = skeleton_points.point_of[index].filter(|_| is_root)
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
