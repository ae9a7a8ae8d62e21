//! Sets of muscles: anatomical names, both sides, inside a body.

use super::dynamics::random;
use glam::{DAffine3, DQuat, DVec3, EulerRot};
use sinew::deform::muscle::{Dynamics, DynamicsOptions, FittedSet, Muscle, MuscleControl, MuscleSet};
use sinew::field::{Box3, DistanceField, MeshDistance};
use sinew::geometry::volume::volume;
use sinew::rig::{Character, Pose};
use std::collections::BTreeSet;
use std::sync::Arc;

fn skin(character: &Character) -> Arc<MeshDistance> {
    let mesh = &character.parts[0].mesh;
    let size = Box3::around(mesh.positions.iter().map(|p| p.as_dvec3())).size().length();
    Arc::new(MeshDistance::new(&mesh.positions, &mesh.faces, size / 100.0, size / 50.0).unwrap())
}

fn fitted(character: &Character) -> (FittedSet, Arc<MeshDistance>) {
    let skin = skin(character);
    (MuscleSet::humanoid().fit(&character.skeleton, Some(skin.clone())).unwrap(), skin)
}

fn find<'a>(muscles: &'a [Muscle], name: &str) -> &'a Muscle {
    muscles.iter().find(|muscle| muscle.name == name).unwrap()
}

#[test]
fn the_sets_are_large_enough_and_every_name_is_there_once() {
    for (set, least) in [(MuscleSet::humanoid(), 50), (MuscleSet::quadruped(), 20)] {
        let names: BTreeSet<&str> = set.muscles.iter().map(|muscle| muscle.name.as_str()).collect();
        assert!(names.len() >= least && names.len() == set.muscles.len(), "{}", names.len());
    }
}

#[test]
fn a_body_gets_both_sides_mirrored() {
    let character = sinew::demo::character();
    let fitted = MuscleSet::humanoid().fit(&character.skeleton, None).unwrap();
    assert!(fitted.left_out.is_empty(), "{:?}", fitted.left_out);
    let muscles = &fitted.musculature.muscles;
    for left in muscles.iter().filter(|muscle| muscle.name.starts_with("left")) {
        let right = find(muscles, &left.name.replacen("left", "right", 1));
        for (a, b) in left.path.iter().zip(&right.path) {
            assert!((a.position * DVec3::new(-1.0, 1.0, 1.0)).distance(b.position) < 1e-6, "{}", left.name);
        }
        assert!((left.shape.width - right.shape.width).abs() < 1e-9);
    }
}

#[test]
fn muscles_lie_where_they_belong() {
    let character = sinew::demo::character();
    let (fitted, _) = fitted(&character);
    let joint = |name: &str| character.skeleton.rest_world()[character.skeleton.find(name).unwrap()].translation;
    let middle = |name: &str| find(&fitted.musculature.muscles, name).rest_points(9)[4];
    // The figure looks along +z with its left at +x.
    let (shoulder, elbow) = (joint("LeftArm"), joint("LeftForeArm"));
    let before = |p: DVec3, a: DVec3, b: DVec3| {
        p.z - a.lerp(b, ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)).z
    };
    assert!(before(middle("left biceps brachii, short head"), shoulder, elbow) > 0.01);
    assert!(before(middle("left triceps brachii, lateral head"), shoulder, elbow) < -0.01);
    let (knee, ankle) = (joint("LeftLeg"), joint("LeftFoot"));
    assert!(before(middle("left gastrocnemius, medial head"), knee, ankle) < -0.02);
    assert!(before(middle("left tibialis anterior"), knee, ankle) > 0.0);
    let (hip, knee) = (joint("LeftUpLeg"), joint("LeftLeg"));
    assert!(before(middle("left rectus femoris"), hip, knee) > 0.02);
    assert!(before(middle("left semitendinosus"), hip, knee) < -0.02);
    assert!(middle("left pectoralis major, sternocostal part 2").z > shoulder.z + 0.03);
    assert!(middle("left latissimus dorsi 2").z < shoulder.z);
    assert!(middle("right biceps brachii, long head").x < 0.0);
}

#[test]
fn a_fitted_set_is_inside_the_skin_and_fills_it() {
    let character = sinew::demo::character();
    let (fitted, skin) = fitted(&character);
    let plain = MuscleSet::humanoid().fit(&character.skeleton, None).unwrap();
    let mut thinned = 0;
    for (muscle, as_written) in fitted.musculature.muscles.iter().zip(&plain.musculature.muscles) {
        let outside = muscle.rest_points(30).iter().map(|&p| skin.distance(p).value).fold(f64::NEG_INFINITY, f64::max);
        assert!(outside < 0.01, "{}: {outside}", muscle.name);
        let change = muscle.shape.width / as_written.shape.width;
        thinned += usize::from(change < 0.3);
        assert!(change < 1.6, "{}", muscle.name);
    }
    assert!(thinned * 10 < fitted.musculature.muscles.len(), "{thinned} have no room");
}

#[test]
fn the_whole_set_follows_the_clips_of_the_figure() {
    let character = sinew::demo::character();
    let (fitted, _) = fitted(&character);
    let rest = character.skeleton.rest_world();
    let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
    let (mut pose, mut world) = (Pose::default(), vec![DAffine3::IDENTITY; rest.len()]);
    for clip in ["elbow curl", "walk"] {
        let clip = character.find_clip(clip).unwrap();
        for fps in [30.0, 120.0] {
            for frame in 0..=(fps * clip.seconds().min(1.0)) as usize {
                clip.sample(frame as f64 / fps, &character.base_pose, &mut pose);
                character.skeleton.world(&pose, &mut world);
                dynamics.advance(&world, if frame == 0 { 0.0 } else { 1.0 / fps }, &[]);
                for (muscle, residuals) in fitted.musculature.muscles.iter().zip(dynamics.residuals()) {
                    assert!(residuals.bone < 1e-3, "{} at {frame}: {residuals:?}", muscle.name);
                    assert!(residuals.skin < 1e-4, "{} at {frame}: {residuals:?}", muscle.name);
                }
            }
        }
    }
}

#[test]
fn every_muscle_keeps_its_volume_through_a_full_curl() {
    let character = sinew::demo::character();
    let (fitted, _) = fitted(&character);
    let rest = character.skeleton.rest_world();
    let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
    let clip = character.find_clip("elbow curl").unwrap();
    let (mut pose, mut world) = (Pose::default(), rest.clone());
    let volumes = |dynamics: &Dynamics| {
        let surfaces = dynamics.muscles().map(|muscle| muscle.surface(60, 32));
        surfaces.map(|surface| volume(&surface.positions, &surface.faces)).collect::<Vec<_>>()
    };
    dynamics.settle(&rest, &[]);
    let at_rest = volumes(&dynamics);
    for frame in (0..=(30.0 * clip.seconds()) as usize).step_by(5) {
        clip.sample(frame as f64 / 30.0, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        for activation in [0.0, 1.0] {
            dynamics.settle(&world, &[MuscleControl { activation, ..MuscleControl::default() }; 200]);
            for ((muscle, now), at_rest) in fitted.musculature.muscles.iter().zip(volumes(&dynamics)).zip(&at_rest) {
                let change = now / at_rest - 1.0;
                assert!(change.abs() < 0.02, "{} at {frame}: {change}", muscle.name);
            }
        }
    }
}

/// One muscle goes through ten thousand in `dynamics`; here each of these has all 152.
#[test]
fn two_thousand_random_poses_of_the_whole_body_do_no_harm() {
    let character = sinew::demo::character();
    let (fitted, skin) = fitted(&character);
    let rest = character.skeleton.rest_world();
    let size = skin.bounds_within(0.0).size().length();
    let options = DynamicsOptions { points: 12, ..DynamicsOptions::default() };
    let mut dynamics = Dynamics::new(&fitted.musculature, &rest, options).unwrap();
    let (mut pose, mut world) = (character.base_pose.clone(), rest.clone());
    let mut state = 5;
    for frame in 0..2_000 {
        for (joint, base) in pose.joints.iter_mut().zip(&character.base_pose.joints) {
            let [x, y, z] = [0; 3].map(|_| 3.0 * random(&mut state) - 1.5);
            joint.rotation = base.rotation * DQuat::from_euler(EulerRot::XYZ, x, y, z);
        }
        character.skeleton.world(&pose, &mut world);
        let control = MuscleControl { activation: random(&mut state), ..MuscleControl::default() };
        dynamics.advance(&world, 1.0 / 60.0, &[control; 200]);
        let body = Box3::around(world.iter().map(|joint| joint.translation)).expanded(DVec3::splat(0.25 * size));
        for (muscle, field) in fitted.musculature.muscles.iter().zip(dynamics.muscles()) {
            let is_near = field.axis().positions().all(|point| point.is_finite() && body.contains(point));
            assert!(is_near && field.nominal_volume().is_finite(), "{} at {frame}", muscle.name);
        }
    }
}

#[test]
fn a_curl_swells_the_biceps_and_stretches_the_triceps() {
    let character = sinew::demo::character();
    let (fitted, _) = fitted(&character);
    let rest = character.skeleton.rest_world();
    let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
    let clip = character.find_clip("elbow curl").unwrap();
    let (mut pose, mut world) = (Pose::default(), rest.clone());
    let biceps = fitted.musculature.muscles.iter().position(|m| m.name == "left biceps brachii, short head").unwrap();
    let triceps =
        fitted.musculature.muscles.iter().position(|m| m.name == "left triceps brachii, lateral head").unwrap();
    dynamics.settle(&rest, &[]);
    let lengths = |dynamics: &Dynamics| [biceps, triceps].map(|k| dynamics.muscles().nth(k).unwrap().axis().length());
    let before = lengths(&dynamics);
    let radius = dynamics.muscles().nth(biceps).unwrap().largest_radius();
    let mut shortest = before;
    for frame in (0..=(30.0 * clip.seconds()) as usize).step_by(4) {
        clip.sample(frame as f64 / 30.0, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        dynamics.settle(&world, &[MuscleControl { activation: 1.0, ..MuscleControl::default() }; 200]);
        let now = lengths(&dynamics);
        if now[0] < shortest[0] {
            shortest = now;
            let swollen = dynamics.muscles().nth(biceps).unwrap().largest_radius();
            assert!(swollen > radius, "{swollen} {radius}");
        }
    }
    assert!(shortest[0] < 0.85 * before[0], "{shortest:?} of {before:?}");
    assert!(shortest[1] > 1.02 * before[1], "{shortest:?} of {before:?}");
}

#[test]
fn sets_that_cannot_be_are_refused_with_the_line_or_the_muscle() {
    let good = "[[muscle]]\nname = \"a\"\nfrom = [[\"thigh\", 0.1, 0.0, 0.0]]\nto = [[\"shank\", 0.1, 0.0, 0.0]]\nradius = 0.1\npart = \"thigh\"\n";
    assert!(MuscleSet::from_toml(good).is_ok());
    let refused = |from: &str, to: &str| MuscleSet::from_toml(&good.replace(from, to)).unwrap_err().to_string();
    assert!(refused("\"shank\"", "\"tail\"").contains("line 4"));
    assert!(refused("radius = 0.1", "radius = 0.0").contains("line 5"));
    assert!(refused("radius", "colour = 1\nradius").contains("colour"));
    assert!(refused("part", "shape = [1, 3, 4, 7]\npart").contains("line 6"));
    assert!(refused("part", "fibres = 99\npart").contains("line 6"));
    assert!(refused("[[\"thigh\", 0.1, 0.0, 0.0]]", "[]").contains("line 3"));
    assert!(refused("0.1, 0.0, 0.0]]\nto", "nan, 0.0, 0.0]]\nto").contains("line 3"));
    let twice = format!("{good}{good}");
    assert!(MuscleSet::from_toml(&twice).unwrap_err().to_string().contains("\"a\" is there twice"));
    assert!(MuscleSet::humanoid().fit(&sinew::demo::tube().skeleton, None).is_err());
}
