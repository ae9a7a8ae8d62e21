//! Moves a character's meshes to another skeleton.

use crate::Result;
use sinew_rig::rest_surface::world_meshes;
use sinew_rig::{Binding, Character, Joint, JointKind, Part, Pose, Skeleton, Transform};

/// The meshes of `character` at rest in world space, with the skeleton and clips of `rig`, which must stand in the same
/// position. The joints of `rig` keep their indices. The meshes are not bound yet: each follows a node of its own until
/// [`super::bind`] binds it.
///
/// Morph targets stay. The clips of `character` and the morph tracks of `rig` are dropped, since nothing uses them.
pub fn adopt(character: &Character, rig: &Character) -> Result<Character> {
    let mut joints = rig.skeleton.joints().to_vec();
    let mut base_pose = Pose { joints: rig.base_pose.joints.clone(), morphs: character.base_pose.morphs.clone() };
    let mut parts = Vec::with_capacity(character.parts.len());
    for (part, mesh) in character.parts.iter().zip(world_meshes(character)) {
        let node = joints.len();
        let name = character.skeleton.joints()[part.node].name.clone();
        joints.push(Joint { name, kind: JointKind::Node, ..Joint::default() });
        base_pose.joints.push(Transform::IDENTITY);
        let binding = Binding::rigid(node, mesh.positions.len());
        parts.push(Part { node, skinned: false, mesh, binding });
    }
    let mut clips = rig.clips.clone();
    clips.iter_mut().for_each(|clip| clip.morphs.clear());
    clips.retain(|clip| !clip.joints.is_empty());
    let (skeleton, _) = Skeleton::new(joints)?;
    Ok(Character { name: character.name.clone(), skeleton, base_pose, parts, clips })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3, Quat, Vec3};
    use sinew_geometry::{Face, Mesh, MorphTarget};
    use sinew_rig::{Clip, JointTracks, MorphTrack, Track};

    /// A triangle on a node that turns, stretches and mirrors it.
    fn triangle() -> Character {
        let rest = Transform {
            translation: DVec3::new(3.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_z(0.5),
            scale: DVec3::new(-2.0, 1.0, 1.0),
        };
        let node = Joint { name: "card".into(), rest, kind: JointKind::Node, ..Joint::default() };
        let (skeleton, _) = Skeleton::new(vec![node]).unwrap();
        let mut mesh = Mesh::new("card", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![Face::triangle(0, 1, 2)]);
        mesh.morphs = vec![MorphTarget { positions: vec![Vec3::X; 3], ..MorphTarget::default() }];
        let mut base_pose = skeleton.rest_pose();
        base_pose.morphs = vec![0.25];
        let part = Part { node: 0, skinned: false, mesh, binding: Binding::rigid(0, 3) };
        Character { name: "card".into(), skeleton, base_pose, parts: vec![part], clips: Vec::new() }
    }

    #[test]
    fn meshes_stay_where_they_stand() {
        let (card, tube) = (triangle(), sinew_demo::tube());
        let adopted = adopt(&card, &tube).unwrap();
        adopted.check().unwrap();
        let place = card.skeleton.rest_world()[0];
        let part = &adopted.parts[0];
        assert_eq!(adopted.skeleton.rest_world()[part.node], glam::DAffine3::IDENTITY);
        for (local, world) in card.parts[0].mesh.positions.iter().zip(&part.mesh.positions) {
            assert!(place.transform_point3(local.as_dvec3()).as_vec3().distance(*world) < 1e-6);
        }
        let along = place.matrix3 * DVec3::X;
        assert!(part.mesh.morphs[0].positions[0].distance(along.as_vec3()) < 1e-6);
        assert_eq!(adopted.base_pose.morphs, [0.25]);
        assert_eq!(part.mesh.faces, [Face::triangle(0, 2, 1)], "the side that was out is out");
    }

    #[test]
    fn joints_and_what_moves_them_are_the_rigs() {
        let mut tube = sinew_demo::tube();
        let turn = Track::linear(vec![0.0], vec![Quat::IDENTITY]);
        let tracks = JointTracks { joint: 1, rotation: Some(turn), ..JointTracks::default() };
        let morph = MorphTrack { morph: 0, weight: Track::linear(vec![0.0], vec![1.0]) };
        tube.clips = vec![
            Clip { name: "bend".into(), joints: vec![tracks.clone()], morphs: vec![morph.clone()] },
            Clip { name: "swell".into(), joints: Vec::new(), morphs: vec![morph] },
        ];
        let adopted = adopt(&triangle(), &tube).unwrap();
        assert_eq!(adopted.skeleton.joints()[..tube.skeleton.len()], *tube.skeleton.joints());
        assert_eq!(adopted.clips, [Clip { name: "bend".into(), joints: vec![tracks], morphs: Vec::new() }]);
    }
}
