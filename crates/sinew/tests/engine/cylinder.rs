//! The cylinder of Rohmer's thesis, table 4.1: what skinning loses when it bends.

use glam::{DQuat, DVec3};
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::demo;
use sinew::geometry::volume::volume;
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};
use sinew_testing::reference_skin;

fn bent(character: &Character, joint: &str, degrees: f64) -> Pose {
    let mut pose = character.rest_pose();
    let joint = character.skeleton.find(joint).unwrap();
    pose.joints[joint].rotation = DQuat::from_rotation_y(f64::to_radians(degrees));
    pose
}

fn volume_when_bent(character: &Character, method: SkinMethod, joint: &str, degrees: f64) -> f64 {
    let recipe = Recipe { skin: SkinOptions { method }, ..Recipe::default() };
    let mut surface = Surface::default();
    Stack::new(character, &recipe).unwrap().deform(&bent(character, joint, degrees), Time::default(), &mut surface);
    volume(&surface.positions, &character.parts[0].mesh.faces)
}

#[test]
fn linear_skinning_loses_the_volume_in_the_table() {
    let cylinder = demo::cylinder();
    cylinder.check().unwrap();
    assert_eq!(cylinder.parts[0].mesh.positions.len(), 25 * 25 + 2);
    let volume_at = |degrees| volume_when_bent(&cylinder, SkinMethod::Linear, "middle", degrees);
    for (degrees, percent) in [(10.0, "0.17"), (30.0, "1.50"), (50.0, "4.01"), (70.0, "7.38"), (90.0, "11.21")] {
        let lost = 1.0 - volume_at(degrees) / volume_at(0.0);
        assert_eq!(format!("{:.2}", 100.0 * lost), percent, "at {degrees} degrees");
    }
}

/// With weights that are mixed all along the cylinder, dual quaternions bend it into an arc, which keeps
/// nearly all of its volume. The percentages are our own; the blackboard form gives the same.
#[test]
fn dual_quaternions_lose_less() {
    let cylinder = demo::cylinder();
    let faces = &cylinder.parts[0].mesh.faces;
    let narrow = |points: Vec<DVec3>| points.iter().map(|p| p.as_vec3()).collect::<Vec<_>>();
    let rest = volume_when_bent(&cylinder, SkinMethod::DualQuaternion, "middle", 0.0);
    for (degrees, percent) in [(10.0, "0.002"), (30.0, "0.017"), (50.0, "0.048"), (70.0, "0.095"), (90.0, "0.158")] {
        let found = volume_when_bent(&cylinder, SkinMethod::DualQuaternion, "middle", degrees) / rest;
        let pose = bent(&cylinder, "middle", degrees);
        let expected = volume(&narrow(reference_skin::dual_quaternion(&cylinder, &pose)), faces) / rest;
        assert!((found - expected).abs() < 1e-6, "{found} against {expected} at {degrees} degrees");
        assert_eq!(format!("{:.3}", 100.0 * (1.0 - found)), percent, "at {degrees} degrees");
    }
}

#[test]
fn the_tube_is_as_specified() {
    let tube = demo::tube();
    tube.check().unwrap();
    let part = &tube.parts[0];
    assert_eq!(part.mesh.positions.len(), 101 * 48 + 2);
    let (low, high) = part.binding.weights.sum_range();
    assert!(low >= 1.0 - 1e-6 && high <= 1.0 + 1e-6);
    for (position, row) in part.mesh.positions.iter().zip(part.binding.weights.rows()) {
        let share = row.iter().find(|i| i.joint == 1).map_or(0.0, |i| i.weight);
        let t = ((position.z - 4.0) / 2.0).clamp(0.0, 1.0);
        assert!((share - t * t * (3.0 - 2.0 * t)).abs() < 1e-6, "{share} at z = {}", position.z);
    }
    // A prism over a regular polygon of 48 corners.
    let base = 24.0 * (std::f64::consts::TAU / 48.0).sin();
    let rest = volume_when_bent(&tube, SkinMethod::Linear, "bend", 0.0);
    assert!((rest / (10.0 * base) - 1.0).abs() < 1e-6, "{rest}");
    assert!(volume_when_bent(&tube, SkinMethod::Linear, "bend", 90.0) < 0.99 * rest);
}
