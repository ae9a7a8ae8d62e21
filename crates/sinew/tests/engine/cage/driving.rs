//! The figures of L13 chapter 9 on bars and cylinders, and the demo's clips by joint positions alone.

use super::shapes::{Body, bar, volume};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::Time;
use sinew::cage::{Driver, DriverOptions, EmbeddingMethod, Handle, Recorder, Release};
use sinew::geometry::Topology;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};

fn follow(driver: &mut Driver, character: &Character, pose: &Pose) {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    driver.pose(&world);
}

fn bent(character: &Character, angle: f64) -> Pose {
    let mut pose = character.skeleton.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_x(-angle);
    pose
}

/// L13 fig. 9.15 and tab. 9.2: linear skinning that blends over a third of the length loses 5.6 %.
#[test]
fn a_bend_keeps_its_volume() {
    let tube = sinew::demo::tube();
    let body = Body::of(&tube, 350, 0.022);
    let linear: Vec<Vec3> = {
        let bend = |p: DVec3| DVec3::Z * 5.0 + DQuat::from_rotation_x(-90f64.to_radians()) * (p - DVec3::Z * 5.0);
        let share = |p: DVec3| ((p.z - 5.0 + 5.0 / 3.0) * 0.3).clamp(0.0, 1.0);
        body.positions.iter().map(|p| p.as_dvec3()).map(|p| p.lerp(bend(p), share(p)).as_vec3()).collect()
    };
    assert!((body.volume_error(&linear) + 0.056).abs() < 2e-3, "{}", body.volume_error(&linear));
    for release in [Release::Nowhere, Release::NearJoints, Release::ByEnergy { exponent: 2.0 }] {
        let options = DriverOptions { release, ..DriverOptions::default() };
        let mut driver = Driver::new(&body.control, &body.control.joint_handles(100.0), options).unwrap();
        follow(&mut driver, &tube, &bent(&tube, 90f64.to_radians()));
        let outcome = driver.solve();
        let mut moved = body.positions.clone();
        body.embedding(EmbeddingMethod::Continuous).deform(driver.positions(), driver.rotations(), &mut moved, &mut []);
        let error = body.volume_error(&moved);
        assert!(error.abs() < 0.023, "{release:?}: {error}");
        assert!(
            outcome.bone_error < 1e-3 && outcome.handle_error < 0.01 && outcome.inverted == 0,
            "{release:?}: {outcome:?}"
        );
        for bone in &body.control.bones {
            for w in bone.vertices.windows(2) {
                let length = |p: &[DVec3]| p[w[0] as usize].distance(p[w[1] as usize]);
                assert!((length(driver.positions()) / length(&body.control.positions) - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// L13 fig. 9.16: linear skinning by two joints of half a turn each loses two thirds.
#[test]
fn a_whole_turn_keeps_its_volume() {
    let (positions, faces) = bar(0.8, 10.0, 5, 30);
    let body = Body::new(&positions, &faces, None, 350, 0.022);
    let at_end = |v: &usize| !(0.4..=9.6).contains(&body.control.positions[*v].z);
    let ends = (0..body.control.positions.len()).filter(at_end);
    let handles: Vec<Handle> = ends.map(|v| Handle { vertex: v as u32, weight: 100.0 }).collect();
    let options = DriverOptions { iterations: 15, volume_sweeps: 30, ..DriverOptions::default() };
    let mut driver = Driver::new(&body.control, &handles, options).unwrap();
    let mut embedding = body.embedding(EmbeddingMethod::Continuous);
    let mut moved = positions.clone();
    for step in 1..=24 {
        let turn = DQuat::from_rotation_z(f64::from(step) * 15f64.to_radians());
        for (index, handle) in handles.iter().enumerate() {
            let rest = body.control.positions[handle.vertex as usize];
            driver.set_target(index, if rest.z > 5.0 { turn * rest } else { rest });
        }
        assert_eq!(driver.solve().inverted, 0);
    }
    embedding.deform(driver.positions(), driver.rotations(), &mut moved, &mut []);
    let error = body.volume_error(&moved);
    assert!(error.abs() < 0.015, "{error}");
}

/// L13 fig. 9.7: after 100 turns the volume is off by 0.018 against 0.072 in a bend, and 0.1345 against 0.2205 in a
/// twist, neither of which is given in degrees.
#[test]
fn a_solid_keeps_its_volume_better_than_its_surface_alone() {
    let (positions, faces) = bar(0.8, 10.0, 5, 30);
    let body = Body::new(&positions, &faces, None, 350, 0.022);
    let surface_faces: Vec<_> =
        body.control.surface.iter().map(|&[a, b, c]| sinew::geometry::Face::triangle(a, b, c)).collect();
    let error = |driver: &Driver| {
        let at = |places: &[DVec3]| volume(&places.iter().map(|p| p.as_vec3()).collect::<Vec<_>>(), &surface_faces);
        (at(driver.positions()) / at(&body.control.positions) - 1.0).abs()
    };
    let mut hollow = body.control.clone();
    hollow.links = body.control.surface.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    hollow.tetrahedra.clear();
    // Vertices inside follow any of the surface, as every part must hang on something.
    let mut is_outside = vec![false; body.control.positions.len()];
    body.control.surface.iter().flatten().for_each(|&v| is_outside[v as usize] = true);
    hollow.links.extend((0..is_outside.len() as u32).filter(|&v| !is_outside[v as usize]).map(|v| (v, 0)));
    let handles: Vec<Handle> = (0..is_outside.len())
        .filter(|&v| is_outside[v] && !(0.5..=9.5).contains(&body.control.positions[v].z))
        .map(|v| Handle { vertex: v as u32, weight: 100.0 })
        .collect();
    let errors = |turn: fn(f64) -> DQuat, degrees: f64| {
        [&body.control, &hollow].map(|control| {
            let options = DriverOptions { volume_sweeps: 0, iterations: 100, ..DriverOptions::default() };
            let mut driver = Driver::new(control, &handles, options).unwrap();
            for step in 1..=6 {
                let turn = turn(degrees.to_radians() * f64::from(step) / 6.0);
                for (index, handle) in handles.iter().enumerate() {
                    let rest = control.positions[handle.vertex as usize];
                    let center = DVec3::Z * 5.0;
                    driver.set_target(index, if rest.z > 5.0 { center + turn * (rest - center) } else { rest });
                }
                driver.solve();
            }
            error(&driver)
        })
    };
    let [solid, hollow_one] = errors(DQuat::from_rotation_z, 90.0);
    println!("twisted by 90°: {solid:.4} against {hollow_one:.4}");
    assert!(solid < 0.018 && 4.0 * solid < hollow_one, "{solid} {hollow_one}");
    let [solid, hollow_one] = errors(DQuat::from_rotation_x, -120.0);
    println!("bent by 120°: {solid:.4} against {hollow_one:.4}");
    assert!(2.4 * solid < hollow_one, "{solid} {hollow_one}");
}

#[test]
fn the_energy_falls_with_every_step() {
    let tube = sinew::demo::tube();
    let body = Body::of(&tube, 150, 0.02);
    let mut driver = Driver::new(&body.control, &body.control.joint_handles(1.0), DriverOptions::default()).unwrap();
    let tip = driver.handles().len() - 1;
    // Not even reachable: the bones are too short.
    driver.set_target(tip, DVec3::new(7.0, 6.0, 4.0));
    let energies: Vec<f64> = (0..60).map(|_| driver.step()).collect();
    for pair in energies.windows(2) {
        assert!(pair[1] <= pair[0] * (1.0 + 1e-12), "{pair:?}");
    }
    assert!(energies[59] < 0.5 * energies[0], "{} to {}", energies[0], energies[59]);
}

#[test]
fn a_body_with_few_handles_settles_soon() {
    let (positions, faces) = bar(0.4, 10.0, 3, 40);
    let body = Body::new(&positions, &faces, None, 200, 0.015);
    let at = |place: DVec3| {
        let distance = |v: &u32| body.control.positions[*v as usize].distance(place);
        (0..body.control.positions.len() as u32).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
    };
    let corners = [(-0.4, -0.4), (0.4, -0.4), (0.0, 0.4)];
    let ends = corners.map(|(x, y)| DVec3::new(x, y, 0.0)).into_iter().chain([DVec3::Z * 10.0]);
    let handles: Vec<Handle> = ends.map(|place| Handle { vertex: at(place), weight: 100.0 }).collect();
    let turns = |has_momentum: bool| {
        let mut driver = Driver::new(&body.control, &handles, DriverOptions::default()).unwrap();
        driver.set_target(3, DVec3::new(5.0, 0.0, 5.0));
        let step = |_| {
            // A handle that is placed takes the momentum away.
            if !has_momentum {
                driver.set_target(3, DVec3::new(5.0, 0.0, 5.0));
            }
            driver.step()
        };
        let energies: Vec<f64> = (0..1500).map(step).collect();
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)));
        energies.iter().position(|&energy| energy < 1.01 * energies[1499]).unwrap()
    };
    let [soon, later] = [true, false].map(turns);
    println!("within 1 % after {soon} turns, without momentum after {later}");
    assert!(3 * soon < later, "{soon} {later}");
}

#[test]
fn clips_of_the_demo_by_joint_positions_alone() {
    let character = sinew::demo::character();
    let body = Body::of(&character, 700, 0.008);
    assert!(Topology::new(&body.positions, &body.faces).boundary_edges() == 0);
    let options = DriverOptions { iterations: 15, ..DriverOptions::default() };
    let mut driver = Driver::new(&body.control, &body.control.joint_handles(100.0), options).unwrap();
    let mut embedding = body.embedding(EmbeddingMethod::Continuous);
    let mut stack = Stack::new(&character, &Recipe::default()).unwrap();
    let (mut pose, mut surface, mut moved) = (Pose::default(), Surface::default(), body.positions.clone());
    let mut first = None;
    for clip in &character.clips {
        for frame in 0..=(clip.seconds() * 5.0) as usize {
            let seconds = frame as f64 / 5.0;
            clip.sample(seconds, &character.base_pose, &mut pose);
            follow(&mut driver, &character, &pose);
            let outcome = driver.solve();
            embedding.deform(driver.positions(), driver.rotations(), &mut moved, &mut []);
            stack.deform(&pose, Time { seconds, delta: 0.2 }, &mut surface);
            let distances = moved.iter().zip(&surface.positions).map(|(a, b)| f64::from(a.distance(*b)));
            let mean = distances.sum::<f64>() / moved.len() as f64;
            let (name, error) = (&clip.name, body.volume_error(&moved));
            assert_eq!(outcome.inverted, 0, "{name} at {seconds}");
            assert!(error.abs() < 0.05, "{name} at {seconds}: volume {error}");
            // The figure is 1.75 tall.
            assert!(mean < 0.02, "{name} at {seconds}: {mean} from the skinned mesh");
            assert!(outcome.bone_error < 5e-3 && outcome.handle_error < 5e-3, "{name} at {seconds}: {outcome:?}");
            first.get_or_insert_with(|| moved.clone());
        }
    }
    // The first frame once more: nothing that came between is left.
    character.clips[0].sample(0.0, &character.base_pose, &mut pose);
    follow(&mut driver, &character, &pose);
    driver.solve();
    embedding.deform(driver.positions(), driver.rotations(), &mut moved, &mut []);
    assert!(first.is_some_and(|first| first == moved));
}

/// A few points far away and turned round: the body goes there as it is.
#[test]
fn a_capture_may_begin_anywhere() {
    let tube = sinew::demo::tube();
    let body = Body::of(&tube, 100, 0.025);
    let vertices = [0u32, 11, 29, 47, 60, 83];
    let handles: Vec<Handle> = vertices.iter().map(|&vertex| Handle { vertex, weight: 100.0 }).collect();
    let mut driver = Driver::new(&body.control, &handles, DriverOptions::default()).unwrap();
    let turn = DQuat::from_scaled_axis(DVec3::new(1.9, -2.2, 0.4));
    let moved = |p: DVec3| turn * p + DVec3::new(40.0, -7.0, 13.0);
    for (index, &vertex) in vertices.iter().enumerate() {
        driver.set_target(index, moved(body.control.positions[vertex as usize]));
    }
    driver.start_from_handles();
    let outcome = driver.solve();
    assert!(outcome.rigidity < 1e-6 && outcome.handle_error < 1e-6, "{outcome:?}");
    for (found, rest) in driver.positions().iter().zip(&body.control.positions) {
        assert!(found.distance(moved(*rest)) < 1e-6);
    }
}

/// For any joint positions, no tetrahedron remains inverted.
#[test]
fn even_a_knot_is_untangled() {
    let character = sinew::demo::character();
    let body = Body::of(&character, 250, 0.012);
    let options = DriverOptions { iterations: 10, ..DriverOptions::default() };
    let mut driver = Driver::new(&body.control, &body.control.joint_handles(100.0), options).unwrap();
    for round in 0..4 {
        let mut pose = character.skeleton.rest_pose();
        for (index, joint) in pose.joints.iter_mut().enumerate() {
            let k = (7 * index + 13 * round) as f64;
            joint.rotation *= DQuat::from_scaled_axis(DVec3::new(k.sin(), (1.7 * k).cos(), (2.3 * k).sin()) * 0.9);
        }
        follow(&mut driver, &character, &pose);
        let outcome = driver.solve();
        assert_eq!(outcome.inverted, 0, "round {round}: {outcome:?}");
        assert!(driver.positions().iter().all(|p| p.is_finite()));
    }
}

#[test]
fn rotations_of_joints_are_recovered() {
    let tube = sinew::demo::tube();
    let body = Body::of(&tube, 200, 0.02);
    let mut driver = Driver::new(&body.control, &body.control.joint_handles(100.0), DriverOptions::default()).unwrap();
    let mut recorder = Recorder::new(&body.control, &tube.skeleton);
    for frame in 0..5 {
        follow(&mut driver, &tube, &bent(&tube, 0.3 * f64::from(frame)));
        driver.solve();
        recorder.record(&driver, 0.1 * f64::from(frame));
    }
    let clip = recorder.clip("recovered");
    clip.check(&tube.skeleton, 0).unwrap();
    let mut pose = Pose::default();
    for frame in 0..5 {
        clip.sample(0.1 * f64::from(frame), &tube.base_pose, &mut pose);
        let expected = bent(&tube, 0.3 * f64::from(frame));
        for (found, expected) in pose.joints.iter().zip(&expected.joints) {
            let angle = found.rotation.angle_between(expected.rotation);
            assert!(angle < 0.05, "frame {frame}: {angle}");
            assert!(found.translation.distance(expected.translation) < 0.02);
        }
    }
}
