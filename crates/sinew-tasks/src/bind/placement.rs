//! Is a skeleton inside its mesh?
//!
//! Most that are not have other units, or were never placed: a motion's skeleton often has its hips at the origin. A
//! [`Misplacement`] has the positions of both, and the scale and offset that would align their boxes.

use crate::misplacement::{Bounds, Misplacement};
use crate::{Error, Result};
use glam::{DVec3, Vec3};
use sinew::rig::{Character, Joint, JointKind, Skeleton, Transform};
use sinew_io::Asset;

/// How far outside the mesh's box a joint still belongs to it, in diagonals of that box.
const REACH: f64 = 0.25;
/// A skeleton smaller than this part of the mesh is probably in other units.
const SMALL: f64 = 0.1;
/// Middles farther apart than this many diagonals of the mesh are probably not meant to be.
const ASIDE: f64 = 0.3;

/// From the units and axes of one file to those of another, where both are known.
pub fn between(from: &Asset, to: &Asset) -> Transform {
    match (from.meters_per_unit, to.meters_per_unit) {
        (Some(source), Some(target)) if source > 0.0 && target > 0.0 => Transform {
            rotation: to.up.to_y_up().inverse() * from.up.to_y_up(),
            scale: DVec3::splat(source / target),
            ..Transform::IDENTITY
        },
        _ => Transform::IDENTITY,
    }
}

/// A character transformed as a whole, by a plain node above its roots.
pub fn moved(mut character: Character, place: Transform) -> Result<Character> {
    if place == Transform::IDENTITY {
        return Ok(character);
    }
    let carrier = Joint { name: "placed".into(), rest: place, kind: JointKind::Node, ..Joint::default() };
    let below = |joint: &Joint| Joint { parent: Some(joint.parent.map_or(0, |parent| parent + 1)), ..joint.clone() };
    let joints = std::iter::once(carrier).chain(character.skeleton.joints().iter().map(below)).collect();
    (character.skeleton, _) = Skeleton::new(joints)?;
    character.base_pose.joints.insert(0, place);
    for part in &mut character.parts {
        part.node += 1;
        part.binding.joints.iter_mut().for_each(|joint| *joint += 1);
    }
    character.clips.iter_mut().flat_map(|clip| &mut clip.joints).for_each(|tracks| tracks.joint += 1);
    Ok(character)
}

/// An error if most joints are nowhere near the mesh, and a warning if the skeleton is suspiciously small or
/// far to one side.
pub fn check(mesh: &[Vec3], character: &Character, joints: &[usize]) -> Result<Option<Misplacement>> {
    let world = character.skeleton.rest_world();
    let heads: Vec<DVec3> = joints.iter().map(|&joint| world[joint].translation).collect();
    let tip = |&joint: &usize| Some(world[joint].transform_point3(character.skeleton.joints()[joint].tip?));
    let body = Bounds::of(mesh.iter().map(|p| p.as_dvec3()));
    let skeleton = Bounds::of(heads.iter().copied().chain(joints.iter().filter_map(tip)));
    let near = heads.iter().filter(|&&head| body.distance(head) <= REACH * body.diagonal()).count();
    let misplacement = Misplacement { skeleton, mesh: body };
    if 2 * near < heads.len() {
        return Err(Error::SkeletonOutside { near, joints: heads.len(), misplacement });
    }
    let is_small = skeleton.diagonal() < SMALL * body.diagonal();
    let is_aside = skeleton.middle().distance(body.middle()) > ASIDE * body.diagonal();
    Ok((joints.len() > 1 && (is_small || is_aside)).then_some(misplacement))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(place: Transform) -> Result<Option<Misplacement>> {
        let figure = sinew::demo::character();
        let mesh = figure.parts[0].mesh.positions.clone();
        let rig = moved(figure, place)?;
        let joints: Vec<usize> = rig.joints().collect();
        check(&mesh, &rig, &joints)
    }

    fn scaled(scale: f64) -> Transform {
        Transform { scale: DVec3::splat(scale), ..Transform::IDENTITY }
    }

    #[test]
    fn a_skeleton_in_its_mesh_passes() {
        assert_eq!(checked(Transform::IDENTITY).unwrap(), None);
        assert_eq!(checked(Transform::from_translation(DVec3::X * 0.05)).unwrap(), None);
    }

    #[test]
    fn other_units_and_other_places_have_a_remedy() {
        let error = checked(scaled(100.0)).unwrap_err().to_string();
        assert!(error.contains("a scale of 0.01") && error.contains("joints are near"), "{error}");
        let small = checked(scaled(0.01)).unwrap().unwrap();
        assert!(small.remedy().unwrap().scale > 90.0, "{small}");
        let aside = checked(Transform::from_translation(DVec3::Y * -0.955)).unwrap().unwrap();
        assert!(aside.to_string().contains("an offset of 0,0.9"), "{aside}");
        assert!(checked(Transform::from_translation(DVec3::X * 9.0)).is_err());
    }

    #[test]
    fn a_moved_character_moves_its_skin_and_its_clips_with_it() {
        let figure = sinew::demo::character();
        let place = Transform { translation: DVec3::X, ..scaled(2.0) };
        let before = sinew_io::rest_surface(&figure).unwrap();
        let turning: Vec<String> = tracked(&figure);
        let moved = moved(figure, place).unwrap();
        moved.check().unwrap();
        let after = sinew_io::rest_surface(&moved).unwrap();
        for (a, b) in before.positions.iter().zip(&after.positions) {
            assert!((2.0 * *a + Vec3::X).distance(*b) < 1e-5);
        }
        assert_eq!(tracked(&moved), turning);
    }

    fn tracked(character: &Character) -> Vec<String> {
        let name = |joint: usize| character.skeleton.joints()[joint].name.clone();
        character.clips.iter().flat_map(|clip| &clip.joints).map(|tracks| name(tracks.joint)).collect()
    }
}
