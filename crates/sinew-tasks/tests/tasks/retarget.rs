//! Motions on other bodies: feet that stood stand, and hands that were shaken are shaken.

use glam::{DAffine3, DQuat, DVec3};
use sinew::demo;
use sinew::motion::edit::Ground;
use sinew::recipe::{MotionRecipe, PinRecipe};
use sinew::rig::{Character, Clip, Joint, Pose, Skeleton};
use sinew_tasks::motion::edit::{edited, extent};
use sinew_tasks::motion::retarget_contacts::{MotionOnBody, retarget_pair};

const FPS: f64 = 30.0;

/// The demo figure with bones of another length, and without its mesh.
fn figure(scale: f64) -> Character {
    let figure = demo::character();
    let smaller = |joint: &Joint| {
        let mut joint = joint.clone();
        joint.rest.translation *= scale;
        joint.tip = joint.tip.map(|tip| tip * scale);
        joint
    };
    let (skeleton, _) = Skeleton::new(figure.skeleton.joints().iter().map(smaller).collect()).unwrap();
    Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() }
}

/// Standing still for two seconds.
fn standing(character: &Character) -> Clip {
    let times: Vec<f64> = (0..61).map(|k| f64::from(k) / FPS).collect();
    Clip::from_poses("stand", &times, &vec![character.rest_pose(); 61])
}

fn places(character: &Character, clip: &Clip) -> Vec<Vec<DVec3>> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let frames = clip.frame_times(FPS).unwrap().map(|seconds| {
        clip.sample(seconds, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        world.iter().map(|matrix| matrix.translation).collect()
    });
    frames.collect()
}

/// A right hand that goes forward and back.
fn reaching(character: &Character) -> Clip {
    let still = standing(character);
    let places = places(character, &still);
    let at = |name: &str| places[0][character.skeleton.find(name).unwrap()];
    let reach = at("RightArm").distance(at("RightHand"));
    let ahead = DVec3::new(0.1 * reach, 0.2 * reach, 0.75 * reach);
    let goal = at("RightArm") + ahead - DVec3::Y * 0.5 * reach;
    let pins = (26..=34).map(|frame| PinRecipe {
        joint: "RightHand".into(),
        frame,
        position: Some(goal.to_array()),
        offset: None,
        turn: None,
    });
    let recipe = MotionRecipe { pins: pins.collect(), ..MotionRecipe::default() };
    let edited = edited(character, &still, DVec3::Y, &recipe).unwrap();
    assert!(edited.missed.is_empty(), "{:?}", edited.missed);
    edited.clip
}

/// The same motion, turned about the vertical and moved.
fn opposite(character: &Character, clip: &Clip, shift: DVec3) -> Clip {
    let turn = DQuat::from_rotation_y(std::f64::consts::PI);
    let times: Vec<f64> = clip.frame_times(FPS).unwrap().collect();
    let root = character.skeleton.find("Hips").unwrap();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let turned = |&seconds: &f64| {
        let mut pose = Pose::default();
        clip.sample(seconds, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        let above = character.skeleton.joints()[root].parent.map_or(DAffine3::IDENTITY, |parent| world[parent]);
        let place = DAffine3::from_rotation_translation(turn, shift) * world[root];
        pose.joints[root] = sinew::rig::Transform::from_matrix(&(above.inverse() * place));
        pose
    };
    Clip::from_poses("other", &times, &times.iter().map(turned).collect::<Vec<_>>())
}

#[test]
fn hands_that_are_shaken_are_shaken_by_other_bodies() {
    let source = figure(1.0);
    let hand = source.skeleton.find("RightHand").unwrap();
    let first = reaching(&source);
    let met = places(&source, &first)[30][hand];
    // Hands that meet at the palm, a little apart.
    let apart = DVec3::new(0.0, 0.0, 0.04 * extent(&source));
    let turned = DQuat::from_rotation_y(std::f64::consts::PI) * met;
    let second = opposite(&source, &first, met + apart - turned);
    let [adult, child] = [figure(1.1), figure(0.8)];
    let up = [DVec3::Y; 2];
    let bodies = [
        MotionOnBody { motion: &source, clip: &first, target: &adult, table: None, up },
        MotionOnBody { motion: &source, clip: &second, target: &child, table: None, up },
    ];
    let ([one, two], contacts) = retarget_pair([&bodies[0], &bodies[1]], None).unwrap();
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let above = |joint: &usize| std::iter::successors(Some(*joint), |&j| source.skeleton.joints()[j].parent);
    let is_of_the_hand = |joint: &usize| above(joint).any(|j| j == hand);
    assert!(contact.joints.iter().all(is_of_the_hand), "{contact:?}");
    let [a, b] = [places(&adult, &one.clip), places(&child, &two.clip)];
    for (frame, wanted) in contact.frames.clone().zip(&contact.offsets) {
        let error = (b[frame][contact.joints[1]] - a[frame][contact.joints[0]]).distance(*wanted);
        assert!(error < 2e-3 * extent(&source), "frame {frame}: off by {error}");
    }
    for report in [&one.report, &two.report] {
        assert!(report.largest_distance_error < 1e-4, "{report:?}");
        assert!(report.contacts.len() >= 2, "{report:?}");
        assert!(report.contacts.iter().all(|contact| contact.slide < 5e-3 * extent(&source)), "{report:?}");
    }
    // Each by itself, the two would miss each other.
    let alone = [bodies[0].retarget(None).unwrap().clip, bodies[1].retarget(None).unwrap().clip];
    let [a, b] = [places(&adult, &alone[0]), places(&child, &alone[1])];
    assert!((b[30][hand] - a[30][hand]).length() > 0.1 * extent(&source));
    // A single posture is retargeted as it is.
    let posture = Clip::from_poses("posture", &[0.0], &[source.rest_pose()]);
    let still = MotionOnBody { clip: &posture, ..bodies[0] }.retarget(None).unwrap();
    assert!(still.report.contacts.is_empty() && places(&adult, &still.clip).len() == 1);
    // Motions that do not touch are refused.
    let far = opposite(&source, &first, DVec3::Z * 9.0 * extent(&source));
    let away = MotionOnBody { clip: &far, ..bodies[1] };
    assert!(retarget_pair([&bodies[0], &away], None).err().unwrap().to_string().contains("do not touch"));
}

#[test]
fn feet_stand_on_a_block() {
    let source = figure(1.0);
    let clip = reaching(&source);
    let target = figure(0.9);
    let up = [DVec3::Y; 2];
    let body = MotionOnBody { motion: &source, clip: &clip, target: &target, table: None, up };
    let flat = body.retarget(None).unwrap();
    let stand = flat.report.contacts.first().expect("it stands").clone();
    let before = places(&target, &flat.clip);
    let place = before[*stand.frames.start()][stand.joint];
    let size = extent(&target);
    // A step as high as a stair, under that foot alone.
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corner = |[x, z]: [f64; 2]| {
        let at = (place + 0.06 * size * DVec3::new(x, 0.0, z)).with_y(0.05 * size);
        format!("v {} {} {}\n", at.x, at.y, at.z)
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("step.obj");
    std::fs::write(&file, corners.map(corner).concat() + "f 1 4 3 2\n").unwrap();
    let asset = sinew_io::load(&file).unwrap();
    let ground = Ground::new(&asset.character, DVec3::Y);
    let stepped = body.retarget(Some(&ground)).unwrap();
    let after = places(&target, &stepped.clip);
    let frame = *stand.frames.start();
    let raised = after[frame][stand.joint].y - before[frame][stand.joint].y;
    assert!((raised - 0.05 * size).abs() < 2e-3 * size, "raised by {raised}");
    assert!(stepped.report.largest_distance_error < 1e-4);
}
