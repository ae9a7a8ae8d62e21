//! From a character and a clip to a document.
//!
//! A BVH rest pose has no rotations, so the written skeleton is the character's rest pose with every
//! joint's axes turned to the world's: offsets are differences of world positions at rest, and the
//! rotation of joint j since rest is, in the world,
//!
//! ```text
//! D_j = R_j · R̄_j⁻¹,   written as   D_parent(j)⁻¹ · D_j,
//! ```
//!
//! with `R_j` the rotation of its world matrix and `R̄_j` the same at rest. Plain nodes are not written:
//! their joints' world matrices contain their motion. A joint with a variable distance from its parent, because it is
//! moved, scaled or below a moving node, has position channels.

use super::{Bvh, BvhJoint, Channel};
use crate::Problem;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::rig::{Character, Clip, JointKind, Pose, Transform};

/// `R = Rz Ry Rx`, the order that most tools write.
const ROTATIONS: [Channel; 3] = [Channel::Rotation(2), Channel::Rotation(1), Channel::Rotation(0)];
const POSITIONS: [Channel; 3] = [Channel::Position(0), Channel::Position(1), Channel::Position(2)];
/// Frames times joints of the largest file that is written, some gigabytes of text.
const MAX_KEYS: usize = 50_000_000;
/// Positions that move by less than this share of the skeleton's size are taken as fixed.
const STILL: f64 = 1e-6;

impl Bvh {
    /// Samples a clip at a frame rate. Roots have position channels, other joints only if they need them. An animated
    /// scale moves joints but is itself lost, because BVH has no scale.
    pub fn from_character(character: &Character, clip: &Clip, fps: f64) -> Result<Self, Problem> {
        let skeleton = &character.skeleton;
        let order = depth_first(character);
        if order.is_empty() {
            let hint = "choose a file with a skeleton";
            return Err(Problem::unsupported("a character without joints cannot be written as BVH", hint));
        }
        if !(fps > 0.0 && fps.is_finite()) {
            let what = format!("{fps} frames per second are no frame rate");
            return Err(Problem::unsupported(what, "use one above 0, such as 30"));
        }
        clip.check(skeleton, character.morph_count())?;
        let rest = skeleton.rest_world();
        let rest_inverse: Vec<DQuat> = rest.iter().map(|m| rotation(m).inverse()).collect();
        let mut has_child = vec![false; skeleton.len()];
        order.iter().filter_map(|&(_, parent)| parent).for_each(|p| has_child[order[p].0] = true);
        let mut joints: Vec<BvhJoint> = order
            .iter()
            .map(|&(index, parent)| {
                let joint = &skeleton.joints()[index];
                let from = parent.map_or(DVec3::ZERO, |p: usize| rest[order[p].0].translation);
                let tip = joint
                    .tip
                    .map(|tip| rest[index].transform_vector3(tip))
                    .or((!has_child[index]).then_some(DVec3::ZERO));
                BvhJoint {
                    name: written_name(&joint.name),
                    parent,
                    offset: (rest[index].translation - from).to_array(),
                    channels: ROTATIONS.to_vec(),
                    end_sites: tip.map(|t| t.to_array()).into_iter().collect(),
                }
            })
            .collect();

        let mut pose = Pose::default();
        let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
        let times = clip.frame_times(fps)?;
        if times.len().saturating_mul(joints.len()) > MAX_KEYS {
            let what = format!("{} frames of {} joints are too many for one file", times.len(), joints.len());
            return Err(Problem::unsupported(what, "use a lower frame rate or a shorter clip"));
        }
        let mut locals: Vec<(DVec3, DVec3)> = Vec::with_capacity(times.len() * joints.len());
        let mut turned = vec![DQuat::IDENTITY; joints.len()];
        for seconds in times {
            clip.sample(seconds, &character.base_pose, &mut pose);
            skeleton.world(&pose, &mut world);
            for (slot, &(index, parent)) in order.iter().enumerate() {
                turned[slot] = rotation(&world[index]) * rest_inverse[index];
                let (origin, back) = match parent {
                    Some(p) => (world[order[p].0].translation, turned[p].inverse()),
                    None => (DVec3::ZERO, DQuat::IDENTITY),
                };
                let before = locals.len().checked_sub(joints.len()).map(|k| locals[k].1);
                let angles = nearest_angles(back * turned[slot], before.unwrap_or_default());
                locals.push((back * (world[index].translation - origin), angles));
            }
        }

        let size = rest.iter().map(|m| m.translation.distance(rest[order[0].0].translation)).fold(0.0, f64::max);
        for (slot, joint) in joints.iter_mut().enumerate() {
            let offset = DVec3::from(joint.offset);
            let positions = locals.iter().skip(slot).step_by(order.len()).map(|(position, _)| *position);
            let moves = positions.fold(0.0, |most: f64, p| most.max(p.distance(offset))) > STILL * size;
            if joint.parent.is_none() || moves {
                joint.channels.splice(0..0, POSITIONS);
            }
        }
        let mut frames = Vec::new();
        for (k, (position, angles)) in locals.iter().enumerate() {
            if joints[k % joints.len()].channels.len() > ROTATIONS.len() {
                frames.extend(position.to_array());
            }
            frames.extend([angles.z, angles.y, angles.x]);
        }
        Ok(Self { joints, frame_time: tidy(1.0 / fps), frames })
    }
}

/// Real joints depth first, each with its parent's place in the list.
fn depth_first(character: &Character) -> Vec<(usize, Option<usize>)> {
    let joints = character.skeleton.joints();
    let mut children = vec![Vec::new(); joints.len()];
    let mut pending = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => pending.push((index, None)),
        }
    }
    let mut order = Vec::new();
    while let Some((index, parent)) = pending.pop() {
        let mut below = parent;
        if joints[index].kind == JointKind::Joint {
            order.push((index, parent));
            below = Some(order.len() - 1);
        }
        pending.extend(children[index].iter().map(|&child| (child, below)));
    }
    order
}

fn rotation(matrix: &DAffine3) -> DQuat {
    Transform::from_matrix(matrix).rotation
}

/// A name that the format can hold: one line without braces.
fn written_name(name: &str) -> String {
    name.trim().replace(|c: char| matches!(c, '{' | '}') || c.is_control(), "_")
}

/// Degrees about x, y and z with `R = Rz Ry Rx`, the solution nearest to the angles before it.
fn nearest_angles(rotation: DQuat, before: DVec3) -> DVec3 {
    let m = DMat3::from_quat(rotation);
    let sine = -m.x_axis.z;
    // Near the poles only the sum or difference of the outer angles is determined: z keeps its value.
    let angles = if sine.abs() > 1.0 - 1e-12 {
        let z = before.z.to_radians();
        let pole = sine.signum();
        let x = pole * z + f64::atan2(pole * m.y_axis.x, m.y_axis.y);
        DVec3::new(x, sine.clamp(-1.0, 1.0).asin(), z)
    } else {
        DVec3::new(f64::atan2(m.y_axis.z, m.z_axis.z), sine.asin(), f64::atan2(m.x_axis.y, m.x_axis.x))
    };
    let angles = DVec3::from(angles.to_array().map(f64::to_degrees));
    let other = DVec3::new(angles.x + 180.0, 180.0 - angles.y, angles.z + 180.0);
    let [a, b] = [angles, other].map(|solution| solution - 360.0 * ((solution - before) / 360.0).round());
    if (a - before).length_squared() <= (b - before).length_squared() { a } else { b }
}

/// Without the last bits that a division leaves: 0.0333332 rather than 0.033333200000000004.
fn tidy(seconds: f64) -> f64 {
    let rounded = (seconds * 1e12).round() / 1e12;
    if (rounded - seconds).abs() < 1e-12 * seconds { rounded } else { seconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn from_angles(degrees: DVec3) -> DQuat {
        let [x, y, z] = degrees.to_array().map(f64::to_radians);
        DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
    }

    #[test]
    fn the_poles_keep_the_rotation() {
        for angles in [(30.0, 90.0, 20.0), (30.0, -90.0, 20.0), (0.0, 90.0, 0.0), (170.0, -90.0, -100.0)] {
            let rotation = from_angles(angles.into());
            let found = nearest_angles(rotation, DVec3::new(0.0, 0.0, 25.0));
            assert!(from_angles(found).angle_between(rotation) < 1e-5, "{angles:?} gave {found}");
        }
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_back_and_do_not_jump(
            start in prop::array::uniform3(-400.0..400.0f64),
            step in prop::array::uniform3(-5.0..5.0f64),
        ) {
            let before = DVec3::from(start);
            prop_assume!((before.y.to_radians().cos()).abs() > 0.3);
            let after = before + DVec3::from(step);
            let found = nearest_angles(from_angles(after), before);
            prop_assert!((found - after).length() < 1e-6, "{found} for {after}");
        }
    }
}
