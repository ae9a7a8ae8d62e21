//! The frame of a joint, in which an artist thinks of its bend [R09 §3.1].
//!
//! `e0` points along the parent bone towards the joint, so the parent bone lies at x < 0. With the joint's own
//! bone `d`, `e1 = d × e0` is the axis of the bend and `e2 = e0 × e1` points to its inside (`d·e2 > 0`).
//! Where the bones are in line there is no bend to speak of: the frame is then the one that the joint's parent
//! carries, and what depends on the direction of the bend fades out with its *certainty*. No frame depends on
//! the frames of earlier times, so any moment of a clip can be computed alone.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::curve::smoothstep;
use sinew_rig::{Character, JointKind, Skeleton};

/// The bones that meet in a joint.
#[derive(Debug, Clone)]
pub(super) struct JointBones {
    joint: usize,
    /// The ancestor where the parent bone begins; none if there is no bone before the joint.
    before: Option<usize>,
    parent: Option<usize>,
    /// The direction of the joint's own bone, in its own frame.
    own: DVec3,
    /// The joint's transform relative to its parent at rest.
    rest: DAffine3,
    /// A direction across the bone, in the parent's frame, for when the bones are in line.
    side: DVec3,
    /// The joint's volume scale at rest.
    rest_scale: f64,
}

/// A joint's frame in a pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointFrame {
    pub center: DVec3,
    /// Columns e0, e1, e2.
    pub axes: DMat3,
    /// The angle between the bones.
    pub bend: f64,
    /// How certain the direction of the bend is, 0 to 1.
    pub certainty: f64,
    /// The joint's size against rest.
    pub scale: f64,
}

/// Sines of the bend between which its direction becomes certain.
const CERTAIN: [f64; 2] = [0.02, 0.25];

impl JointBones {
    /// `limb` is the centre of the joint's limb, in the world at rest, for a joint without a bone.
    pub fn new(character: &Character, rest_world: &[DAffine3], joint: usize, limb: DVec3) -> Self {
        let skeleton = &character.skeleton;
        let joints = skeleton.joints();
        let world = rest_world[joint];
        let center = world.translation;
        let length = |a: usize| rest_world[a].translation.distance(center);
        let is_far = |a: &usize| joints[*a].kind == JointKind::Joint && length(*a) > 1e-6 * limb.distance(center);
        let before = ancestors(skeleton, joint).find(is_far);
        let into_joint = world.matrix3.inverse();
        let bones = skeleton.bones().into_iter().filter(|b| b.joint == joint);
        let ends: DVec3 = bones.map(|bone| skeleton.bone_end(bone).normalize_or_zero()).sum();
        let candidates = [ends, into_joint * (limb - center), DVec3::Y];
        let is_direction = |d: &DVec3| d.is_finite() && d.length() > 1e-3;
        let own = candidates.into_iter().map(|d| d.normalize_or_zero()).find(is_direction).unwrap_or(DVec3::Y);
        let parent = joints[joint].parent;
        let parent_world = parent.map_or(DAffine3::IDENTITY, |p| rest_world[p]);
        let mut bones = Self {
            joint,
            before,
            parent,
            own,
            rest: joints[joint].rest.matrix(),
            side: DVec3::ZERO,
            rest_scale: world.matrix3.determinant().abs(),
        };
        let (e0, d) = bones.directions(rest_world);
        let across = d.cross(e0);
        let side = if across.length() > CERTAIN[0] { across } else { e0.any_orthogonal_vector() };
        bones.side = (parent_world.matrix3.inverse() * side).normalize_or_zero();
        bones
    }

    /// The unit directions of the parent bone and of the own bone.
    fn directions(&self, world: &[DAffine3]) -> (DVec3, DVec3) {
        let own = (world[self.joint].matrix3 * self.own).normalize_or(DVec3::Y);
        let parent = match self.before {
            Some(before) => world[self.joint].translation - world[before].translation,
            None => self.parent_matrix(world) * (self.rest.matrix3 * self.own),
        };
        (parent.normalize_or(own), own)
    }

    /// The length of the joint's shortest own bone, or of the one before it; infinite if there is none.
    pub fn length(&self, skeleton: &Skeleton, world: &[DAffine3]) -> f64 {
        let length = |other: usize| world[other].translation.distance(world[self.joint].translation);
        let children = skeleton.joints().iter().enumerate().filter(|(_, j)| j.parent == Some(self.joint));
        let own = children.map(|(child, _)| length(child)).filter(|length| *length > 0.0).reduce(f64::min);
        own.or(self.before.map(length)).unwrap_or(f64::INFINITY)
    }

    /// The rotation, in the joint's own frame, that bends it further by an angle.
    pub fn bend(&self, world: &[DAffine3], angle: f64) -> DQuat {
        let matrix = world[self.joint].matrix3;
        let axis = matrix.inverse() * self.frame(world).axes.y_axis;
        // e1 = d × e0, so the bend turns the other way; a mirror turns it round again.
        DQuat::from_axis_angle(axis.normalize_or(DVec3::X), -angle * matrix.determinant().signum())
    }

    /// The direction of the joint's own bone.
    pub fn own_direction(&self, world: &[DAffine3]) -> DVec3 {
        self.directions(world).1
    }

    fn parent_matrix(&self, world: &[DAffine3]) -> DMat3 {
        self.parent.map_or(DMat3::IDENTITY, |parent| world[parent].matrix3)
    }

    pub fn frame(&self, world: &[DAffine3]) -> JointFrame {
        let (e0, d) = self.directions(world);
        let across = d.cross(e0);
        let sine = across.length();
        let certainty = smoothstep((sine - CERTAIN[0]) / (CERTAIN[1] - CERTAIN[0]));
        let carried = || {
            let side = self.parent_matrix(world) * self.side;
            (side - side.dot(e0) * e0).try_normalize().unwrap_or_else(|| e0.any_orthonormal_vector())
        };
        let e1 = if certainty > 0.0 { across / sine } else { carried() };
        let scale = (world[self.joint].matrix3.determinant().abs() / self.rest_scale).cbrt();
        JointFrame {
            center: world[self.joint].translation,
            axes: DMat3::from_cols(e0, e1, e0.cross(e1)),
            bend: sine.atan2(d.dot(e0)),
            certainty,
            scale: if scale.is_finite() { scale } else { 0.0 },
        }
    }
}

/// The parent of a joint, its parent, and so on.
pub(super) fn ancestors(skeleton: &Skeleton, joint: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(skeleton.joints()[joint].parent, |&a| skeleton.joints()[a].parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tube lies along z; turned about y by a positive angle its far end goes towards +x.
    #[test]
    fn the_inside_of_a_bend_is_where_the_bone_goes() {
        let tube = sinew_demo::tube();
        let rest_world = tube.skeleton.rest_world();
        let bones = JointBones::new(&tube, &rest_world, 1, DVec3::new(0.0, 0.0, 7.0));
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation = DQuat::from_rotation_y(1.0);
        let mut world = rest_world.clone();
        tube.skeleton.world(&pose, &mut world);
        let frame = bones.frame(&world);
        assert!((frame.axes.x_axis - DVec3::Z).length() < 1e-12, "{frame:?}");
        assert!((frame.axes.z_axis - DVec3::X).length() < 1e-12, "{frame:?}");
        assert!((frame.bend - 1.0).abs() < 1e-12 && frame.certainty == 1.0);
        assert!((frame.axes.determinant() - 1.0).abs() < 1e-12);
        assert_eq!(bones.frame(&rest_world).certainty, 0.0);
    }
}
