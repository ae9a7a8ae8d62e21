//! Muscles in motion: quiet at rest, the same at any frame rate, outside bones and inside the skin.

use glam::{DAffine3, DQuat, DVec3};
use sinew::deform::muscle::profile::{Beta, ProfilePair};
use sinew::deform::muscle::{
    Attachment, Bone, BoneShape, Dynamics, DynamicsOptions, Fat, Muscle, MuscleControl, MuscleField, Musculature, Shape,
};
use sinew::field::{Capsule, CompactField, DistanceField, MeshDistance, Sphere};
use std::sync::Arc;

const ELBOW: DVec3 = DVec3::new(0.0, -0.3, 0.0);

/// Shoulder and elbow.
fn rest() -> Vec<DAffine3> {
    vec![DAffine3::IDENTITY, DAffine3::from_translation(ELBOW)]
}

fn pose(shoulder: DAffine3, flexion: f64) -> Vec<DAffine3> {
    let elbow = shoulder * DAffine3::from_rotation_translation(DQuat::from_rotation_x(-flexion), ELBOW);
    vec![shoulder, elbow]
}

fn muscle(name: &str, path: &[(usize, [f64; 3])], width: f64) -> Muscle {
    let path = path.iter().map(|&(joint, at)| Attachment { joint, position: DVec3::from(at) }).collect();
    let profiles = ProfilePair::new(Beta::new(3, 3).unwrap(), Beta::new(4, 7).unwrap()).unwrap();
    Muscle {
        name: name.into(),
        path,
        normals: [DVec3::X; 2],
        shape: Shape { profiles, width, eccentricity: 0.0 },
        stiffness: 0.7,
        group: None,
        part: 0,
    }
}

/// An upper arm of 30 cm with a biceps, a triceps, bones and a skin.
fn arm() -> Musculature {
    let capsule = |start: DVec3, end: DVec3, radius: f64| Capsule { start, end, radius };
    let bone = |joint, start, end| Bone { joint, shape: BoneShape::Capsule(capsule(start, end, 0.012)) };
    let skin = capsule(DVec3::new(0.0, 0.1, 0.0), DVec3::new(0.0, -0.4, 0.0), 0.055);
    Musculature {
        muscles: vec![
            muscle("biceps", &[(0, [0.0, -0.01, 0.02]), (1, [0.0, -0.34, 0.015])], 0.015),
            muscle("triceps", &[(0, [0.0, -0.05, -0.02]), (1, [0.0, -0.285, -0.022])], 0.015),
        ],
        bones: vec![bone(0, DVec3::ZERO, ELBOW), bone(1, ELBOW, DVec3::new(0.0, -0.55, 0.0))],
        skins: [(0, Arc::new(skin) as Arc<dyn DistanceField + Send + Sync>)].into(),
        ..Musculature::default()
    }
}

fn dynamics(musculature: &Musculature) -> Dynamics {
    Dynamics::new(musculature, &rest(), DynamicsOptions::default()).unwrap()
}

fn points(muscle: &MuscleField) -> Vec<DVec3> {
    muscle.axis().positions().collect()
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// A forearm that is lifted and lowered twice a second, on an arm that is shaken.
fn shaken(seconds: f64) -> Vec<DAffine3> {
    let swing = (2.0 * std::f64::consts::TAU * seconds).sin();
    let shoulder = DAffine3::from_rotation_translation(
        DQuat::from_rotation_z(0.3 * (7.0 * seconds).sin()),
        DVec3::new(0.05 * (9.0 * seconds).sin(), 0.03 * (20.0 * seconds).cos(), 0.0),
    );
    pose(shoulder, 1.1 * (1.0 - swing))
}

#[test]
fn nothing_gains_energy_at_rest() {
    let mut arm = dynamics(&arm());
    arm.settle(&pose(DAffine3::IDENTITY, 1.0), &[]);
    let first: Vec<f64> = arm.energies().collect();
    for frame in 0..150 {
        arm.advance(&pose(DAffine3::IDENTITY, 1.0), 1.0 / 30.0, &[]);
        for (energy, first) in arm.energies().zip(&first) {
            assert!(energy <= first * (1.0 + 1e-6), "frame {frame}: {energy} of {first}");
        }
    }
}

#[test]
fn after_a_stop_it_comes_to_rest_within_a_second() {
    for stiffness in [0.4, 0.7, 0.9] {
        let controls = [MuscleControl { stiffness: Some(stiffness), ..MuscleControl::default() }; 2];
        // Without bones and skin, which would hold it.
        let mut arm = dynamics(&Musculature { bones: Vec::new(), skins: Default::default(), ..arm() });
        let moved = |x: f64| pose(DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)), 0.6);
        arm.settle(&moved(0.0), &controls);
        (1..=30).for_each(|frame| arm.advance(&moved(2.0 * f64::from(frame) / 30.0), 1.0 / 30.0, &controls));
        let at_stop: Vec<Vec<DVec3>> = arm.muscles().map(points).collect();
        let mut farthest = 0.0f64;
        let mut energies: Vec<f64> = Vec::new();
        for _ in 0..30 {
            arm.advance(&moved(2.0), 1.0 / 30.0, &controls);
            energies.push(arm.energies().sum());
            for (muscle, at_stop) in arm.muscles().zip(&at_stop) {
                farthest = farthest.max(largest_distance(&points(muscle), at_stop));
            }
        }
        assert!(farthest > 0.002, "{stiffness}: it swings, by {farthest}");
        let later: Vec<Vec<DVec3>> = arm.muscles().map(points).collect();
        // What slides along the axis does not show.
        let beside =
            |muscle: &MuscleField, p: DVec3| p.distance(muscle.axis().at(muscle.axis().project(p).share).position);
        (0..60).for_each(|_| arm.advance(&moved(2.0), 1.0 / 30.0, &controls));
        let final_energy: f64 = arm.energies().sum();
        for (muscle, later) in arm.muscles().zip(&later) {
            let left = later.iter().map(|&p| beside(muscle, p)).fold(0.0, f64::max);
            assert!(left < 0.02 * farthest, "{stiffness}: {left} of {farthest} is left after a second");
        }
        for pair in energies.windows(6) {
            assert!(pair[5] <= pair[0] + 1e-3 * final_energy, "{stiffness}: {pair:?}");
        }
    }
}

/// The stated tolerance: 1 % of a muscle's length from 24 frames per second on, 0.3 % from 60 on, in a violent motion.
/// The remaining difference is the motion between frames, which a low rate does not sample.
#[test]
fn the_motion_does_not_depend_on_the_frame_rate() {
    let at_seconds = |fps: f64| {
        let mut arm = dynamics(&arm());
        let mut seen = Vec::new();
        for frame in 0..=(3.0 * fps) as usize {
            arm.advance(&shaken(frame as f64 / fps), 1.0 / fps, &[]);
            if frame > 0 && frame % (fps / 2.0) as usize == 0 {
                seen.push(arm.muscles().map(points).collect::<Vec<_>>());
            }
        }
        seen
    };
    let reference = at_seconds(300.0);
    for (fps, tolerance) in [(24.0, 0.01), (30.0, 0.01), (60.0, 0.003), (100.0, 0.003), (120.0, 0.003)] {
        let seen = at_seconds(fps);
        assert_eq!(seen.len(), reference.len());
        let differences = seen.iter().zip(&reference).flat_map(|(a, b)| a.iter().zip(b));
        let worst = differences.map(|(a, b)| largest_distance(a, b)).fold(0.0, f64::max);
        assert!(worst < tolerance * 0.33, "{fps} fps: {worst}");
    }
}

#[test]
fn no_particle_is_inside_a_bone_or_outside_the_skin() {
    for fps in [30.0, 120.0] {
        let mut arm = dynamics(&arm());
        for frame in 0..(2.0 * fps) as usize {
            let curl = (std::f64::consts::PI * frame as f64 / fps).sin().abs();
            let control = MuscleControl { activation: curl, ..MuscleControl::default() };
            arm.advance(&pose(DAffine3::IDENTITY, 2.27 * curl), 1.0 / fps, &[control; 2]);
            for residuals in arm.residuals() {
                assert!(residuals.bone < 1e-4 && residuals.skin < 1e-6, "frame {frame}: {residuals:?}");
            }
        }
    }
}

/// A number from 0 to 1, by a linear congruence.
pub fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn ten_thousand_random_poses_do_no_harm() {
    let mut musculature = arm();
    let through = [(0, [0.0, 0.0, 0.02]), (0, [0.0, -0.25, 0.05]), (1, [0.0, -0.32, 0.04]), (1, [0.0, -0.45, 0.02])];
    musculature.muscles.push(muscle("through loops", &through, 0.01));
    musculature.muscles.iter_mut().for_each(|muscle| muscle.group = Some(0));
    let options = DynamicsOptions { points: 12, ..DynamicsOptions::default() };
    let mut arm = Dynamics::new(&musculature, &rest(), options).unwrap();
    let mut state = 7;
    for frame in 0..10_000 {
        let turn = [0; 3].map(|_| 6.3 * random(&mut state));
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, turn[0], turn[1], turn[2]);
        // Every hundredth frame is far away.
        let far = if frame % 100 == 0 { 1e4 } else { 0.2 };
        let place = DVec3::from([0; 3].map(|_| far * random(&mut state)));
        let world = pose(DAffine3::from_rotation_translation(rotation, place), 2.5 * random(&mut state));
        let fps = [1000.0, 120.0, 60.0, 30.0, 24.0, 5.0][(6.0 * random(&mut state)) as usize];
        arm.advance(&world, 1.0 / fps, &[MuscleControl { activation: random(&mut state), ..MuscleControl::default() }]);
        for muscle in arm.muscles() {
            for point in muscle.axis().positions() {
                assert!(point.is_finite() && point.distance(world[0].translation) < 1.2, "frame {frame}: {point}");
            }
            assert!(muscle.nominal_volume().is_finite());
        }
    }
}

#[test]
fn a_cut_starts_anew() {
    let world = pose(DAffine3::from_translation(DVec3::splat(50.0)), 1.3);
    let (mut moved, mut fresh) = (dynamics(&arm()), dynamics(&arm()));
    (0..20).for_each(|frame| moved.advance(&shaken(f64::from(frame) / 30.0), 1.0 / 30.0, &[]));
    moved.advance(&world, 1.0 / 30.0, &[]);
    fresh.settle(&world, &[]);
    for (moved, fresh) in moved.muscles().zip(fresh.muscles()) {
        assert!(largest_distance(&points(moved), &points(fresh)) < 1e-4);
    }
}

#[test]
fn the_result_does_not_depend_on_threads_and_bad_poses_are_left_out() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut arm = dynamics(&arm());
            for frame in 0..40 {
                arm.advance(&shaken(f64::from(frame) / 30.0), 1.0 / 30.0, &[]);
                arm.advance(&[DAffine3::NAN; 2], 1.0 / 30.0, &[]);
            }
            arm.muscles().cloned().collect::<Vec<_>>()
        })
    };
    assert!(run(1) == run(3));
}

#[test]
fn muscles_of_a_group_keep_apart() {
    let closest = |group: Option<u32>| {
        let mut musculature = Musculature {
            muscles: vec![
                muscle("left", &[(0, [-0.02, 0.0, 0.05]), (1, [-0.02, -0.4, 0.05])], 0.012),
                muscle("right", &[(0, [0.02, 0.0, 0.05]), (1, [0.02, -0.4, 0.05])], 0.012),
            ],
            ..Musculature::default()
        };
        musculature.muscles.iter_mut().for_each(|muscle| muscle.group = group);
        let mut arm = dynamics(&musculature);
        // The forearm turns about its length by half a turn and a bit, so that the two would cross.
        let turned = DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.8), ELBOW);
        arm.settle(&[DAffine3::IDENTITY, turned], &[]);
        let all: Vec<Vec<DVec3>> = arm.muscles().map(points).collect();
        let pairs = all[0][5..25].iter().flat_map(|a| all[1][5..25].iter().map(move |b| a.distance(*b)));
        pairs.fold(f64::INFINITY, f64::min)
    };
    let (free, apart) = (closest(None), closest(Some(3)));
    assert!(apart > 1.3 * free && apart > 0.02, "{free} {apart}");
}

#[test]
fn fat_swings_and_comes_back() {
    let center = Attachment { joint: 0, position: DVec3::new(0.0, -0.2, 0.1) };
    let radii = DVec3::new(0.1, 0.08, 0.05);
    let fat = Fat { name: "belly".into(), center, radii, rotation: DQuat::IDENTITY, stiffness: 0.01 };
    let mut body = dynamics(&Musculature { fats: vec![fat.clone()], ..Musculature::default() });
    let at = |y: f64| pose(DAffine3::from_translation(DVec3::new(0.0, y, 0.0)), 0.0);
    body.settle(&at(0.0), &[]);
    (1..=10).for_each(|frame| body.advance(&at(-0.1 * f64::from(frame)), 1.0 / 30.0, &[]));
    let hung = center.position - DVec3::Y;
    let mut lowest = 0.0f64;
    for _ in 0..60 {
        body.advance(&at(-1.0), 1.0 / 30.0, &[]);
        lowest = lowest.min(body.fats().next().unwrap().center().y - hung.y);
    }
    let field = body.fats().next().unwrap();
    assert!(lowest < -0.01, "it sinks on when the body stops, by {lowest}");
    assert!(field.center().distance(hung) < 1e-4);
    assert!(field.distance(hung + DVec3::Z * 0.05).value.abs() < 1e-4);
    assert!(field.bounds().contains(hung) && field.density(hung).value > 0.9);
    let mut bad = fat;
    bad.radii.x = 0.0;
    assert!(bad.check(2).is_err());
}

/// A ball of triangles for a bone, next to the same ball as a field.
#[test]
fn a_bone_can_be_a_mesh() {
    let ball = sinew::field::Compact::new(
        Sphere { center: DVec3::new(0.0, -0.15, 0.04), radius: 0.03 },
        sinew::field::Falloff::Smooth { radius: 0.01 },
    );
    let surface = sinew::field::polygonize(&ball, 0.5, &ball.bounds(), 0.004).unwrap();
    let mesh = MeshDistance::new(&surface.positions, &surface.faces, 0.004, 0.02).unwrap();
    let settled = |shape: BoneShape| {
        let straight = muscle("straight", &[(0, [0.0, 0.0, 0.02]), (1, [0.0, -0.3, 0.02])], 0.01);
        let mut arm = dynamics(&Musculature {
            muscles: vec![straight],
            bones: vec![Bone { joint: 0, shape }],
            ..Musculature::default()
        });
        arm.settle(&rest(), &[]);
        assert!(arm.residuals().all(|residuals| residuals.bone < 1e-3));
        points(arm.muscles().next().unwrap())
    };
    let by_mesh = settled(BoneShape::Field(Arc::new(mesh)));
    let by_field = settled(BoneShape::Field(Arc::new(ball.field)));
    assert!(largest_distance(&by_mesh, &by_field) < 0.003, "{}", largest_distance(&by_mesh, &by_field));
    assert!(by_field.iter().any(|p| p.z < 0.015), "it goes around");
}

#[test]
fn a_loop_holds_a_muscle_that_slides_through_it() {
    let path = [(0, [0.0, 0.0, 0.02]), (0, [0.0, -0.25, 0.05]), (1, [0.0, -0.45, 0.02])];
    let mut arm =
        dynamics(&Musculature { muscles: vec![muscle("over a pulley", &path, 0.01)], ..Musculature::default() });
    for flexion in [0.0, 0.7, 1.4] {
        arm.settle(&pose(DAffine3::IDENTITY, flexion), &[]);
        let points = points(arm.muscles().next().unwrap());
        let distance = points.windows(2).map(|pair| {
            let along = pair[1] - pair[0];
            let t = ((DVec3::new(0.0, -0.25, 0.05) - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (pair[0] + t * along).distance(DVec3::new(0.0, -0.25, 0.05))
        });
        let nearest = distance.fold(f64::INFINITY, f64::min);
        let width = arm.muscle(0).width();
        assert!(nearest < width, "{flexion}: {nearest} at the width {width}");
    }
}

#[test]
fn muscles_that_cannot_be_are_refused() {
    let refused = |change: &dyn Fn(&mut Musculature)| {
        let mut musculature = arm();
        change(&mut musculature);
        Dynamics::new(&musculature, &rest(), DynamicsOptions::default())
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert!(
        refused(&|musculature| musculature.muscles[0].path[1].joint = 9).contains("\"biceps\" is attached to joint 9")
    );
    assert!(
        refused(&|musculature| musculature.muscles[1].path[1] = musculature.muscles[1].path[0]).contains("no length")
    );
    assert!(refused(&|musculature| musculature.muscles[0].stiffness = 0.0).contains("stiffness"));
    assert!(refused(&|musculature| musculature.muscles[0].shape.width = f64::NAN).contains("width"));
    assert!(refused(&|musculature| musculature.muscles[0].path.truncate(1)).contains("path"));
    assert!(refused(&|musculature| musculature.bones[0].joint = 4).contains("a bone names joint 4"));
    assert!(refused(&|musculature| musculature.muscles[0].part = 4).contains("skin"));
    for options in [
        DynamicsOptions { points: 2, ..DynamicsOptions::default() },
        DynamicsOptions { damping: 0.0, ..DynamicsOptions::default() },
        DynamicsOptions { friction: 2.0, ..DynamicsOptions::default() },
    ] {
        assert!(Dynamics::new(&arm(), &rest(), options).is_err());
    }
}
