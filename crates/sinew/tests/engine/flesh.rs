//! Flesh on the tube: at rest, in a bend, moved as a whole, and what must be refused.

use glam::{DQuat, DVec3, Vec3};
use sinew::deform::flesh::{FleshDeformer, FleshReport};
use sinew::geometry::{MorphTarget, SelfIntersections, Topology};
use sinew::recipe::{Fineness, JointFleshOptions, Recipe};
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface, Time};

fn recipe() -> Recipe {
    let mut recipe = Recipe::default();
    recipe.flesh.fineness = Fineness::Interactive;
    recipe
}

/// The tube's last joint turned about x, and the whole tube moved.
fn bent(tube: &Character, degrees: f64, turn: DQuat, shift: DVec3) -> Pose {
    let mut pose = tube.rest_pose();
    let joint = tube.skeleton.len() - 1;
    pose.joints[joint].rotation *= DQuat::from_rotation_x(degrees.to_radians());
    pose.joints[0].rotation = turn * pose.joints[0].rotation;
    pose.joints[0].translation = turn * pose.joints[0].translation + shift;
    pose
}

fn alone(stack: &mut Stack, pose: &Pose) -> (Vec<Vec3>, FleshReport) {
    let mut surface = Surface::default();
    stack.deform(pose, Time::alone(0.0), &mut surface);
    (surface.positions, stack.get::<FleshDeformer>().unwrap().report())
}

fn worst(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The tube's radius.
fn radius(tube: &Character) -> f32 {
    let positions = &tube.parts[0].mesh.positions;
    let middle = positions.iter().sum::<Vec3>() / positions.len() as f32;
    positions.iter().map(|p| (*p - middle).x.abs()).fold(0.0, f32::max)
}

#[test]
fn at_rest_nothing_moves() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (places, report) = alone(&mut stack, &tube.rest_pose());
    assert!(worst(&places, &tube.parts[0].mesh.positions) < 1e-5 * radius(&tube));
    assert!(report.smallest_volume > 0.999 && report.yielded < 1e-6, "{report:?}");
}

/// In a deep bend, in which the skin alone crosses itself, no triangle crosses another and no tetrahedron is turned over.
#[test]
fn a_deep_bend_has_no_crossing() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let pose = bent(&tube, 100.0, DQuat::IDENTITY, DVec3::ZERO);
    let (places, report) = alone(&mut stack, &pose);
    assert!(report.smallest_volume > 0.0 && report.yielded < 0.3, "{report:?}");
    let mesh = &tube.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    assert_eq!(SelfIntersections::new(&topology, &mesh.positions).count(&places), 0);
    // The skin alone crosses itself there.
    let mut plain = Surface::default();
    Stack::new(&tube, &Recipe::default()).unwrap().deform(&pose, Time::alone(0.0), &mut plain);
    assert!(SelfIntersections::new(&topology, &mesh.positions).count(&plain.positions) > 0);
}

#[test]
fn a_bend_has_the_same_shape_elsewhere() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (places, _) = alone(&mut stack, &bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO));
    let (turn, shift) = (DQuat::from_rotation_z(2.0), DVec3::new(30.0, -4.0, 7.0));
    let (moved, _) = alone(&mut stack, &bent(&tube, 60.0, turn, shift));
    let back: Vec<Vec3> = moved.iter().map(|p| (turn.inverse() * (p.as_dvec3() - shift)).as_vec3()).collect();
    assert!(worst(&back, &places) < 1e-3 * radius(&tube), "{}", worst(&back, &places));
}

/// Below the angle at which the inside folds, a pose has one shape, alone or in a clip.
#[test]
fn a_pose_alone_is_the_pose_in_a_clip() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (single, _) = alone(&mut stack, &bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO));
    let mut surface = Surface::default();
    for (frame, degrees) in [0.0, 12.0, 30.0, 45.0, 60.0, 50.0].into_iter().enumerate() {
        let time = Time { seconds: frame as f64 / 30.0, delta: if frame == 0 { 0.0 } else { 1.0 / 30.0 } };
        stack.deform(&bent(&tube, degrees, DQuat::IDENTITY, DVec3::ZERO), time, &mut surface);
    }
    assert!(worst(&single, &surface.positions) < 0.01 * radius(&tube), "{}", worst(&single, &surface.positions));
}

#[test]
fn the_number_of_threads_does_not_change_flesh() {
    let tube = sinew::demo::tube();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut stack = Stack::new(&tube, &recipe()).unwrap();
            alone(&mut stack, &bent(&tube, 80.0, DQuat::IDENTITY, DVec3::ZERO)).0
        })
    };
    assert_eq!(with_threads(1), with_threads(3));
}

/// A thicker bone leaves less to the flesh, so that the outside of a bend stands out farther.
#[test]
fn the_bones_of_a_joint_can_be_set() {
    let tube = sinew::demo::tube();
    let pose = bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO);
    let shape = |recipe: &Recipe| alone(&mut Stack::new(&tube, recipe).unwrap(), &pose).0;
    let mut thick = recipe();
    for joint in tube.skeleton.joints() {
        let options = JointFleshOptions { radius: Some(0.7), ..JointFleshOptions::default() };
        thick.flesh.joints.insert(joint.name.clone(), options);
    }
    let difference = worst(&shape(&recipe()), &shape(&thick));
    assert!(difference > 0.02 * radius(&tube), "{difference}");
}

#[test]
fn a_character_without_limbs_is_refused() {
    let mut recipe = recipe();
    recipe.flesh.leave_out.push("tube".into());
    let error = Stack::new(&sinew::demo::tube(), &recipe).unwrap_err().to_string();
    assert!(error.contains("bind"), "{error}");
}

/// A morph target moves the skin on bent flesh, turned with it.
#[test]
fn morph_targets_move_the_skin_on_the_flesh() {
    let mut tube = sinew::demo::tube();
    let mesh = &mut tube.parts[0].mesh;
    let lift = Vec3::new(0.0, 0.0, 0.1 * mesh.positions.iter().map(|p| p.x.abs()).fold(0.0, f32::max));
    mesh.morphs.push(MorphTarget {
        name: "lift".into(),
        positions: vec![lift; mesh.positions.len()],
        ..MorphTarget::default()
    });
    tube.base_pose.morphs = vec![0.0];
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let mut pose = bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO);
    let (plain, _) = alone(&mut stack, &pose);
    pose.morphs[0] = 0.5;
    let (lifted, _) = alone(&mut stack, &pose);
    for (a, b) in plain.iter().zip(&lifted) {
        assert!(((*b - *a).length() - 0.5 * lift.length()).abs() < 1e-5 * lift.length());
    }
    // The first joint stays where it is, the last is turned.
    let (first, last) = (lifted[0] - plain[0], *lifted.last().unwrap() - *plain.last().unwrap());
    assert!(first.angle_between(lift) < 0.2 || last.angle_between(lift) < 0.2, "{first} and {last}");
    assert!(first.angle_between(last) > 0.5, "{first} and {last}");
    pose.morphs[0] = 0.0;
    assert_eq!(alone(&mut stack, &pose).0, plain);
}

/// Time that stands still or goes back, as when a person drags a slider, holds nothing back.
#[test]
fn flesh_follows_a_clip_that_is_played_backwards() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (single, _) = alone(&mut stack, &bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO));
    let mut surface = Surface::default();
    for (degrees, delta) in [(0.0, 0.0), (30.0, 1.0 / 30.0), (60.0, -1.0 / 30.0), (50.0, -1e-320)] {
        stack.deform(&bent(&tube, degrees, DQuat::IDENTITY, DVec3::ZERO), Time { seconds: 0.0, delta }, &mut surface);
    }
    stack.advance_dynamics(&bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO), Time::alone(0.0));
    assert!(worst(&single, &surface.positions) < 0.01 * radius(&tube), "{}", worst(&single, &surface.positions));
}
