//! Skeletons from the world positions of their bones' heads and tails.
//!
//! Plain skeleton files and skeleton fitting have the two ends of each bone, and no axes.
//!
//! A joint is at the head of its bone with y along the bone, as in Blender. Its z is the direction nearest to the
//! world's z. If the bone lies along z, its x is the direction nearest to the world's x instead. So the two sides of a
//! body mirror each other.

use super::{Character, Joint, Skeleton, Transform};
use crate::{Error, Result};
use glam::{DMat3, DQuat, DVec3};

/// The least cosine of the angle between z and a bone that lies along z. 26°; any value well below one works, as it
/// only keeps a cross product with z away from zero.
const ALONG_Z: f64 = 0.9;

/// A joint with the world positions of the ends of its bone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlacedJoint {
    /// The name.
    pub name: String,
    /// The index of the parent in the same list, before or after this joint.
    pub parent: Option<usize>,
    /// The centre of rotation.
    pub head: DVec3,
    /// The end of the bone; equal to the head for a bone without length.
    pub tail: DVec3,
}

/// A character without meshes, with joints at the given positions. The bone of a leaf ends at its tail. The tail of any
/// other joint defines its y axis, and its bones end at its children.
///
/// ```
/// use glam::DVec3;
/// use sinew_rig::{PlacedJoint, placed};
///
/// let bone = |name: &str, parent, from, to| PlacedJoint { name: name.into(), parent, head: from, tail: to };
/// let arm = placed(&[
///     bone("upper", None, DVec3::ZERO, DVec3::X),
///     bone("lower", Some(0), DVec3::X, DVec3::new(1.0, -1.0, 0.0)),
/// ])?;
/// let lower = arm.skeleton.rest_world()[1];
/// assert!(lower.translation.distance(DVec3::X) < 1e-12);
/// assert!(lower.y_axis.distance(DVec3::NEG_Y) < 1e-12);
/// # Ok::<(), sinew_rig::Error>(())
/// ```
pub fn placed(joints: &[PlacedJoint]) -> Result<Character> {
    if let Some(bad) = joints.iter().find(|joint| !(joint.head.is_finite() && joint.tail.is_finite())) {
        return Err(Error::JointNotFinite { joint: bad.name.clone() });
    }
    let rotations: Vec<DQuat> = joints.iter().map(PlacedJoint::rotation).collect();
    let mut is_leaf = vec![true; joints.len()];
    for parent in joints.iter().filter_map(|joint| joint.parent).filter(|&parent| parent < joints.len()) {
        is_leaf[parent] = false;
    }
    let joint = |(index, placed): (usize, &PlacedJoint)| {
        let above = placed.parent.filter(|&parent| parent < joints.len());
        let (head, to_parent) =
            above.map_or_else(Default::default, |above| (joints[above].head, rotations[above].inverse()));
        let length = placed.head.distance(placed.tail);
        Joint {
            name: placed.name.clone(),
            parent: placed.parent,
            rest: Transform {
                translation: to_parent * (placed.head - head),
                rotation: to_parent * rotations[index],
                ..Transform::IDENTITY
            },
            tip: (is_leaf[index] && length > 0.0).then_some(length * DVec3::Y),
            ..Joint::default()
        }
    };
    let (skeleton, _) = Skeleton::new(joints.iter().enumerate().map(joint).collect())?;
    Ok(Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() })
}

impl PlacedJoint {
    fn rotation(&self) -> DQuat {
        let axes = (self.tail - self.head).try_normalize().map(axes_along);
        axes.map_or(DQuat::IDENTITY, |axes| DQuat::from_mat3(&axes).normalize())
    }
}

/// Right-handed axes with y along a direction.
fn axes_along(y: DVec3) -> DMat3 {
    if y.z.abs() < ALONG_Z {
        let z = DVec3::Z.reject_from_normalized(y).normalize();
        return DMat3::from_cols(y.cross(z), y, z);
    }
    let x = DVec3::X.reject_from_normalized(y).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bone(name: &str, parent: Option<usize>, head: DVec3, tail: DVec3) -> PlacedJoint {
        PlacedJoint { name: name.into(), parent, head, tail }
    }

    fn point() -> impl Strategy<Value = DVec3> {
        (-9.0..9.0f64, -9.0..9.0f64, -9.0..9.0f64).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn joints_are_at_heads_with_y_towards_tails(places in prop::collection::vec((point(), point(), 0usize..8), 1..8)) {
            let name = |index: usize| index.to_string();
            let joints: Vec<PlacedJoint> = (places.iter().enumerate())
                .map(|(index, &(head, tail, above))| bone(&name(index), (above < index).then_some(above), head, tail))
                .collect();
            let skeleton = placed(&joints).unwrap().skeleton;
            let world = skeleton.rest_world();
            for (index, joint) in joints.iter().enumerate() {
                let found = skeleton.find(&joint.name).unwrap();
                prop_assert!(world[found].translation.distance(joint.head) < 1e-9);
                let along = (joint.tail - joint.head).normalize();
                prop_assert!(world[found].y_axis.distance(along) < 1e-9);
                prop_assert!((world[found].matrix3.determinant() - 1.0).abs() < 1e-9);
                let leaf = joints.iter().all(|other| other.parent != Some(index));
                let tip = skeleton.joints()[found].tip.map(|tip| world[found].transform_point3(tip));
                prop_assert_eq!(tip.is_some(), leaf);
                prop_assert!(tip.is_none_or(|tip| tip.distance(joint.tail) < 1e-9));
            }
        }

        #[test]
        fn the_sides_of_a_body_mirror_each_other(along in point()) {
            let mirror = DVec3::new(-1.0, 1.0, 1.0);
            let (left, right) = (axes_along(along.normalize()), axes_along((mirror * along).normalize()));
            prop_assert!((mirror * left.z_axis).distance(right.z_axis) < 1e-9);
            prop_assert!((mirror * left.x_axis).distance(-right.x_axis) < 1e-9);
        }
    }

    #[test]
    fn children_may_come_first_and_bones_may_have_no_length() {
        let hand = bone("hand", Some(1), DVec3::X, DVec3::X);
        let arm = bone("arm", None, DVec3::ZERO, DVec3::X);
        let skeleton = placed(&[hand, arm]).unwrap().skeleton;
        let names: Vec<_> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["arm", "hand"]);
        assert_eq!(skeleton.joints()[1].tip, None);
        assert!(skeleton.rest_world()[1].translation.distance(DVec3::X) < 1e-12);
    }

    #[test]
    fn cycles_unknown_parents_and_nan_are_refused() {
        let joint = |parent, tail| bone("a", parent, DVec3::ZERO, tail);
        assert!(placed(&[joint(Some(0), DVec3::X)]).is_err());
        assert!(placed(&[joint(Some(7), DVec3::X)]).is_err());
        assert!(placed(&[joint(None, DVec3::NAN)]).is_err());
    }
}
