//! The change of local volume, as pictures are coloured by.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::rig::{Character, Joint, LocalVolume, Part, Pose, Skeleton, Transform};
use sinew_testing::{reference_skin, shapes};

/// The rod with a bone along each half: from y = −1 to the joint in the middle, and on to a tip.
fn rod(rings: usize, around: usize) -> Character {
    let mut character = shapes::rod(rings, around);
    let lower = Joint { name: "lower".into(), rest: Transform::from_translation(-DVec3::Y), ..Joint::default() };
    let upper = Joint {
        name: "upper".into(),
        parent: Some(0),
        rest: Transform::from_translation(DVec3::Y),
        tip: Some(DVec3::Y),
        ..Joint::default()
    };
    (character.skeleton, _) = Skeleton::new(vec![lower, upper]).unwrap();
    character.base_pose = character.skeleton.rest_pose();
    character.parts[0].binding.inverse_bind = character.skeleton.rest_world().iter().map(DAffine3::inverse).collect();
    character
}

/// The measure on linear skin.
fn measure(character: &Character, pose: &Pose) -> Vec<f32> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    let positions: Vec<Vec3> = reference_skin::linear(character, pose).iter().map(|p| p.as_vec3()).collect();
    let mut out = vec![7.0; 3];
    LocalVolume::new(character).measure(&world, &positions, &mut out);
    assert_eq!(out.len(), character.vertex_count());
    out
}

fn assert_unchanged(changes: &[f32], what: &str) {
    let worst = changes.iter().fold(0.0f32, |worst, c| worst.max(c.abs()));
    assert!(worst < 1e-4, "{what}: {worst}");
}

/// The rod with its skeleton under an armature that scales by 100, as exporters leave it.
fn scaled(factor: f64) -> Character {
    let mut character = rod(21, 16);
    let mut pose = character.rest_pose();
    pose.joints[0].scale = DVec3::splat(factor);
    character.base_pose = pose;
    character
}

#[test]
fn what_moves_rigidly_or_scales_as_a_whole_is_unchanged() {
    let character = rod(21, 16);
    assert_unchanged(&measure(&character, &character.rest_pose()), "rest");
    let mut moved = character.rest_pose();
    moved.joints[0] = Transform {
        rotation: DQuat::from_euler(glam::EulerRot::XYZ, 1.0, 2.0, 3.0),
        ..Transform::from_translation(DVec3::new(3.0, -4.0, 5.0))
    };
    assert_unchanged(&measure(&character, &moved), "rigid motion");
    for factor in [100.0, 0.01, -1.0] {
        let character = scaled(factor);
        assert_unchanged(&measure(&character, &character.base_pose), "scaled armature");
    }
}

#[test]
fn a_bend_of_linear_skin_loses_volume_on_its_inner_side() {
    let character = rod(21, 16);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.5);
    let changes = measure(&character, &pose);
    // A turn about +z takes +y to −x: the inner side of the bend is at −x, the eighth of 16 vertices.
    let (inner, outer) = (changes[10 * 16 + 8], changes[10 * 16]);
    assert!(inner < -0.3, "{inner}");
    assert!(inner < outer, "{inner} against {outer}");
    let total: f32 = changes[9 * 16..12 * 16].iter().sum();
    assert!(total < 0.0, "the joint as a whole loses: {total}");
    assert!(changes.iter().all(|c| c.is_finite()));
}

/// Seen from the bone, a ring drawn in to half its radius leaves a quarter of its volume.
#[test]
fn a_thinner_rod_is_measured_from_its_bone() {
    let character = rod(21, 16);
    let world = character.skeleton.rest_world();
    let squeeze = Vec3::new(0.5, 1.0, 0.5);
    let positions: Vec<Vec3> = character.parts[0].mesh.positions.iter().map(|&p| p * squeeze).collect();
    let mut changes = Vec::new();
    LocalVolume::new(&character).measure(&world, &positions, &mut changes);
    for (vertex, change) in changes.iter().enumerate() {
        assert!((change + 0.75).abs() < 1e-4, "vertex {vertex}: {change}");
    }
}

#[test]
fn a_collapsed_ring_has_lost_nearly_everything() {
    let character = rod(21, 16);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_y(0.999 * std::f64::consts::PI);
    let changes = measure(&character, &pose);
    for change in &changes[10 * 16..11 * 16] {
        assert!(*change < -0.9, "{change}");
    }
}

#[test]
fn parts_follow_each_other_and_what_cannot_be_measured_is_zero() {
    let mut character = rod(21, 16);
    let mut lonely = character.parts[0].clone();
    lonely.mesh.faces.clear();
    lonely.mesh.primitives[0].faces = 0..0;
    character.parts.insert(0, lonely);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.5);
    let changes = measure(&character, &pose);
    let vertices = 21 * 16;
    assert!(changes[..vertices].iter().all(|&c| c == 0.0));
    let alone = Character { parts: vec![character.parts[1].clone()], ..character.clone() };
    assert_eq!(changes[vertices..], measure(&alone, &pose));
    let flat = |part: &mut Part| part.mesh.positions.iter_mut().for_each(|p| p.x = 0.0);
    flat(&mut character.parts[1]);
    assert!(measure(&character, &pose)[vertices..].iter().all(|&c| c == 0.0), "bones in the surface");
}
