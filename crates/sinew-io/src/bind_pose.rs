//! The bind pose of the joints.
//!
//! A file's default pose often differs from its bind pose, and only the inverse bind matrices define
//! the latter. A skin was bound with its mesh at one transform `G`, so `M_j · inverse_bind_j = G` for each
//! of its joints, and
//!
//! ```text
//! M_j = G · inverse_bind_j⁻¹
//! ```
//!
//! `G` is given, or follows from the topmost joint of the skin, which then keeps its default place.
//! The first skin that lists a joint decides. The cost is `O(n log n)` for `n` joints of all skins.

use glam::DAffine3;
use sinew::rig::{Joint, Transform};

/// Local transforms nearer than this, relative to their size, are taken to be the same.
const SAME: f64 = 1e-5;

/// The joints of one skin and how they were bound.
pub(crate) struct BoundSkin<'a> {
    /// Joints of the skeleton.
    pub joints: &'a [usize],
    /// For each of them, from the mesh's space to the joint's at bind time.
    pub inverse_bind: &'a [DAffine3],
    /// The mesh's world transform at bind time, if the file has it.
    pub mesh_world: Option<DAffine3>,
}

/// Replaces the default rest transforms of skinned joints by those of the bind pose. The joints come
/// parents first, and the skins name none beyond them. One whose default is the bind pose up to
/// rounding keeps its default, bit for bit.
///
/// Returns the joints that had to keep their default because a matrix has no inverse: their own
/// inverse bind matrix in every skin, their parent's place, or the mesh's.
pub(crate) fn rest_from_inverse_binds(joints: &mut [Joint], skins: &[BoundSkin<'_>]) -> Vec<usize> {
    let bounds = first_bounds(joints, skins);
    let mut listed = vec![false; joints.len()];
    skins.iter().flat_map(|skin| skin.joints).for_each(|&joint| listed[joint] = true);
    let mut left = Vec::new();
    let mut world: Vec<DAffine3> = Vec::with_capacity(joints.len());
    // The skin that decides about a joint, and where that skin's mesh was.
    let mut mesh_worlds: Vec<Option<(usize, DAffine3)>> = vec![None; joints.len()];
    for (index, bound) in bounds.iter().enumerate() {
        let parent_world = joints[index].parent.map_or(DAffine3::IDENTITY, |parent| world[parent]);
        let default = parent_world * joints[index].rest.matrix();
        world.push(default);
        let Some(Bound { skin, inverse_bind, above }) = *bound else {
            if listed[index] {
                left.push(index);
            }
            continue;
        };
        let mesh_world = match above {
            Some((above, inverse_bind)) => match mesh_worlds[above] {
                Some((same, mesh_world)) if same == skin => Some(mesh_world),
                _ => Some(world[above] * inverse_bind),
            },
            None => skins[skin].mesh_world,
        };
        mesh_worlds[index] = Some((skin, mesh_world.unwrap_or(default * inverse_bind)));
        let Some(mesh_world) = mesh_world else { continue };
        let local = [parent_world, mesh_world]
            .iter()
            .all(is_regular)
            .then(|| Transform::from_matrix(&(parent_world.inverse() * mesh_world * inverse_bind.inverse())))
            .filter(Transform::is_finite);
        match local {
            None => left.push(index),
            Some(local) if same(&local, &joints[index].rest) => {}
            Some(local) => {
                joints[index].rest = local;
                world[index] = parent_world * local.matrix();
            }
        }
    }
    left
}

/// The warning for joints that [`rest_from_inverse_binds`] left at their default.
pub(crate) fn left_warning(joints: &[Joint], left: &[usize]) -> Option<String> {
    let first = joints.get(*left.first()?)?;
    let others = match left.len() - 1 {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some(format!(
        "joint \"{}\"{others}: a matrix of the bind pose has no inverse, so the default pose is used for it",
        first.name
    ))
}

/// The first skin of a joint with an invertible matrix.
#[derive(Clone, Copy)]
struct Bound {
    skin: usize,
    inverse_bind: DAffine3,
    /// The nearest ancestor in the same skin, with its inverse bind matrix there.
    above: Option<(usize, DAffine3)>,
}

/// The deciding skin of each joint. A skin's joints in preorder have an ancestor before its
/// descendants, and a stack has those whose subtree is not finished.
fn first_bounds(joints: &[Joint], skins: &[BoundSkin<'_>]) -> Vec<Option<Bound>> {
    let (start, end) = preorder(joints);
    let mut bounds: Vec<Option<Bound>> = vec![None; joints.len()];
    for (skin, bound) in skins.iter().enumerate() {
        let mut members: Vec<(usize, DAffine3)> =
            bound.joints.iter().copied().zip(bound.inverse_bind.iter().copied()).collect();
        members.retain(|(_, inverse_bind)| is_regular(inverse_bind));
        members.sort_by_key(|&(joint, _)| start[joint]);
        let mut open: Vec<(usize, DAffine3)> = Vec::new();
        for (joint, inverse_bind) in members {
            while open.last().is_some_and(|&(above, _)| end[above] <= start[joint]) {
                open.pop();
            }
            if open.last().is_some_and(|&(above, _)| above == joint) {
                continue;
            }
            bounds[joint].get_or_insert(Bound { skin, inverse_bind, above: open.last().copied() });
            open.push((joint, inverse_bind));
        }
    }
    bounds
}

/// Where the subtree of each joint starts and ends in a walk that visits parents first.
fn preorder(joints: &[Joint]) -> (Vec<usize>, Vec<usize>) {
    let mut size = vec![1; joints.len()];
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            size[parent] += size[index];
        }
    }
    let mut start = vec![0; joints.len()];
    let mut next_below = vec![0; joints.len()];
    let mut next_root = 0;
    for (index, joint) in joints.iter().enumerate() {
        let next = match joint.parent {
            Some(parent) => &mut next_below[parent],
            None => &mut next_root,
        };
        start[index] = *next;
        *next += size[index];
        next_below[index] = start[index] + 1;
    }
    let end = start.iter().zip(size).map(|(start, size)| start + size).collect();
    (start, end)
}

/// Whether a matrix is finite and can be inverted: its volume is not negligible beside its lengths.
fn is_regular(matrix: &DAffine3) -> bool {
    let m = matrix.matrix3;
    let lengths = m.x_axis.length() * m.y_axis.length() * m.z_axis.length();
    matrix.is_finite() && lengths.is_finite() && m.determinant().abs() > 1e-9 * lengths
}

fn same(a: &Transform, b: &Transform) -> bool {
    nearly_equal(&a.matrix(), &b.matrix(), SAME)
}

/// Whether two transforms agree to a tolerance relative to their own size: axes against the longest
/// axis, translations against the longer of the translation and that axis.
pub(crate) fn nearly_equal(a: &DAffine3, b: &DAffine3, tolerance: f64) -> bool {
    let axes = |m: &DAffine3| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis];
    let size = axes(a).iter().chain(&axes(b)).fold(0.0f64, |size, axis| size.max(axis.length()));
    let reach = size.max(a.translation.length()).max(b.translation.length());
    axes(a).iter().zip(axes(b)).all(|(x, y)| x.distance(y) <= tolerance * size)
        && a.translation.distance(b.translation) <= tolerance * reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    fn chain(locals: [Transform; 3]) -> Vec<Joint> {
        let joint = |(index, rest): (usize, Transform)| Joint {
            name: index.to_string(),
            parent: index.checked_sub(1),
            rest,
            ..Joint::default()
        };
        locals.into_iter().enumerate().map(joint).collect()
    }

    fn worlds(locals: &[Transform]) -> Vec<DAffine3> {
        let mut world = DAffine3::IDENTITY;
        locals
            .iter()
            .map(|local| {
                world *= local.matrix();
                world
            })
            .collect()
    }

    #[test]
    fn a_bent_default_pose_is_straightened_and_the_root_kept() {
        let straight = [DVec3::Y, DVec3::X, DVec3::X].map(Transform::from_translation);
        let mut bent = straight;
        bent[1].rotation = DQuat::from_rotation_z(0.7);
        bent[2].rotation = DQuat::from_rotation_x(-1.1);
        let inverse_bind: Vec<_> = worlds(&straight).iter().map(DAffine3::inverse).collect();
        let mut joints = chain(bent);
        let skin = BoundSkin { joints: &[0, 1, 2], inverse_bind: &inverse_bind, mesh_world: None };
        rest_from_inverse_binds(&mut joints, &[skin]);
        for (joint, expected) in joints.iter().zip(straight) {
            assert!(nearly_equal(&joint.rest.matrix(), &expected.matrix(), 1e-12), "{joint:?}");
        }
    }

    #[test]
    fn a_known_mesh_place_moves_the_root_too_and_gaps_are_bridged() {
        let bound = [DVec3::Y, DVec3::X, DVec3::X].map(Transform::from_translation);
        let mut default = bound;
        default[0].translation = DVec3::new(9.0, 9.0, 9.0);
        default[2].translation = DVec3::Z;
        let worlds = worlds(&bound);
        let inverse_bind = [worlds[0].inverse(), worlds[2].inverse()];
        let mut joints = chain(default);
        let skin = BoundSkin { joints: &[0, 2], inverse_bind: &inverse_bind, mesh_world: Some(DAffine3::IDENTITY) };
        rest_from_inverse_binds(&mut joints, &[skin]);
        for (joint, expected) in joints.iter().zip(bound) {
            assert!(nearly_equal(&joint.rest.matrix(), &expected.matrix(), 1e-12), "{joint:?}");
        }
    }

    #[test]
    fn rounding_changes_nothing() {
        let default = [DVec3::Y, DVec3::X, DVec3::X].map(Transform::from_translation);
        let mut inverse_bind: Vec<_> = worlds(&default).iter().map(DAffine3::inverse).collect();
        inverse_bind[1].translation.x += 1e-7;
        let mut joints = chain(default);
        let before = joints.clone();
        let skin = BoundSkin { joints: &[0, 1, 2], inverse_bind: &inverse_bind, mesh_world: None };
        assert_eq!(rest_from_inverse_binds(&mut joints, &[skin]), [0usize; 0]);
        assert_eq!(joints, before);
    }

    #[test]
    fn a_singular_matrix_affects_only_its_joint_and_is_reported() {
        let bound = [DVec3::Y, DVec3::X, DVec3::X].map(Transform::from_translation);
        let mut default = bound;
        default[2].translation = DVec3::Z;
        for bad in [DAffine3::ZERO, DAffine3::from_scale(DVec3::NAN), DAffine3::from_translation(DVec3::INFINITY)] {
            let mut inverse_bind: Vec<_> = worlds(&bound).iter().map(DAffine3::inverse).collect();
            inverse_bind[1] = bad;
            let mut joints = chain(default);
            let skin = BoundSkin { joints: &[0, 1, 2], inverse_bind: &inverse_bind, mesh_world: None };
            let left = rest_from_inverse_binds(&mut joints, &[skin]);
            assert_eq!(left, [1]);
            assert!(left_warning(&joints, &left).unwrap().starts_with("joint \"1\": "));
            assert_eq!(joints[1].rest, default[1]);
            assert!(nearly_equal(&joints[2].rest.matrix(), &bound[2].matrix(), 1e-12), "{:?}", joints[2]);
        }
    }

    #[test]
    fn a_second_skin_stands_where_its_own_matrices_put_it() {
        let bound = [DVec3::Y, DVec3::X, DVec3::X].map(Transform::from_translation);
        let mut default = bound;
        default[2].translation = DVec3::Z;
        let inverse_bind: Vec<_> = worlds(&bound).iter().map(DAffine3::inverse).collect();
        let aside = DAffine3::from_translation(DVec3::new(0.0, 0.0, 4.0));
        let moved = [1, 2].map(|joint: usize| inverse_bind[joint] * aside);
        let mut joints = chain(default);
        let first = BoundSkin { joints: &[0, 1], inverse_bind: &inverse_bind[..2], mesh_world: None };
        let second = BoundSkin { joints: &[1, 2], inverse_bind: &moved, mesh_world: None };
        assert_eq!(rest_from_inverse_binds(&mut joints, &[first, second]), [0usize; 0]);
        assert!(nearly_equal(&joints[2].rest.matrix(), &bound[2].matrix(), 1e-12), "{:?}", joints[2]);
    }
}
