//! The demo figure matches its documentation: closed, symmetric, cleanly weighted, and it walks.

use glam::{DVec3, Quat, Vec3};
use sinew::demo;
use sinew::geometry::volume::volume;
use sinew::geometry::{Face, Mesh, Topology};
use sinew::rig::{Character, Clip, Pose, Weights};
use sinew_testing::reference_skin;
use std::collections::{HashMap, HashSet};

fn body(character: &Character) -> (&Mesh, &Weights) {
    (&character.parts[0].mesh, &character.parts[0].binding.weights)
}

#[test]
fn the_surface_is_a_sphere_of_quads() {
    let figure = demo::character();
    figure.check().unwrap();
    let (mesh, _) = body(&figure);
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    assert!(topology.is_closed());
    assert_eq!(topology.shells(), 1);
    assert_eq!(topology.welded_count(), mesh.positions.len());
    let edges: HashSet<(u32, u32)> =
        mesh.faces.iter().flat_map(Face::edges).map(|(a, b)| (a.min(b), a.max(b))).collect();
    assert_eq!(mesh.positions.len() + mesh.faces.len(), edges.len() + 2, "Euler's characteristic");
    assert_eq!(mesh.quad_count(), mesh.faces.len());
    assert!((5_000..=10_000).contains(&mesh.positions.len()), "{}", mesh.positions.len());
}

#[test]
fn it_has_the_size_of_a_person_and_stands_on_the_ground() {
    let figure = demo::character();
    let (mesh, _) = body(&figure);
    let low = mesh.positions.iter().copied().reduce(Vec3::min).unwrap();
    let high = mesh.positions.iter().copied().reduce(Vec3::max).unwrap();
    assert!(low.y.abs() < 0.005, "{low}");
    assert!((1.73..1.77).contains(&high.y), "{high}");
    let litres = 1000.0 * volume(&mesh.positions, &mesh.faces);
    assert!((60.0..90.0).contains(&litres), "{litres}");
    // The nose is the foremost point of the head.
    let head = mesh.positions.iter().filter(|p| p.y > 1.55);
    let nose = head.copied().reduce(|a, b| if a.z > b.z { a } else { b }).unwrap();
    assert!(nose.x.abs() < 0.01 && nose.z > 0.1, "{nose}");
}

#[test]
fn no_face_is_folded_or_flat() {
    let figure = demo::character();
    let (mesh, _) = body(&figure);
    for face in &mesh.faces {
        let at = |k: usize| mesh.positions[face.corners()[k % 4] as usize];
        let normal = (at(2) - at(0)).cross(at(3) - at(1));
        assert!(normal.length() > 1e-7, "{face:?} has no area");
        for k in 0..4 {
            let corner = (at(k + 1) - at(k)).cross(at(k + 3) - at(k));
            assert!(corner.dot(normal) > 0.0, "{face:?} is not convex at {}", at(k));
        }
        let outwards = face.corners().iter().map(|&v| mesh.normals[v as usize]).sum::<Vec3>();
        assert!(outwards.dot(normal) > 0.0);
    }
}

#[test]
fn left_and_right_are_mirror_images_to_the_last_bit() {
    let figure = demo::character();
    let (mesh, weights) = body(&figure);
    let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let vertex_at: HashMap<_, _> = mesh.positions.iter().enumerate().map(|(v, &p)| (key(p), v)).collect();
    let joints = figure.skeleton.joints();
    let mirrored_joint = |index: u32| {
        let name = &joints[index as usize].name;
        let swapped = match (name.split_at(1), name.strip_prefix("Left"), name.strip_prefix("Right")) {
            (_, Some(rest), _) => format!("Right{rest}"),
            (_, _, Some(rest)) => format!("Left{rest}"),
            (("L", rest), ..) if rest.starts_with("Thumb") || rest.starts_with("Hip") => format!("R{rest}"),
            (("R", rest), ..) if rest.starts_with("Thumb") || rest.starts_with("Hip") => format!("L{rest}"),
            _ => name.clone(),
        };
        figure.skeleton.find(&swapped).unwrap() as u32
    };
    let sorted = |mut row: Vec<(u32, u32)>| {
        row.sort();
        row
    };
    for (vertex, &position) in mesh.positions.iter().enumerate() {
        let image = vertex_at[&key(Vec3::new(-position.x, position.y, position.z))];
        let own = sorted(weights.row(vertex).iter().map(|i| (mirrored_joint(i.joint), i.weight.to_bits())).collect());
        let other = sorted(weights.row(image).iter().map(|i| (i.joint, i.weight.to_bits())).collect());
        assert_eq!(own, other, "at {position}");
    }
}

#[test]
fn weights_are_few_and_sum_to_one() {
    let figure = demo::character();
    let (_, weights) = body(&figure);
    assert!(weights.max_influences() <= 4);
    assert!(weights.rows().flatten().all(|i| i.weight > 0.0));
    let (low, high) = weights.sum_range();
    assert!(low > 1.0 - 1e-6 && high < 1.0 + 1e-6, "{low} to {high}");
    let used: HashSet<u32> = weights.rows().flatten().map(|i| i.joint).collect();
    let unused: Vec<&str> = (0..figure.skeleton.len())
        .filter(|j| !used.contains(&(*j as u32)))
        .map(|j| figure.skeleton.joints()[j].name.as_str())
        .collect();
    assert_eq!(unused, ["LHipJoint", "LeftFingerBase", "RHipJoint", "RightFingerBase"]);
}

#[test]
fn every_joint_of_the_cmu_motions_is_there_and_leaves_have_tips() {
    let figure = demo::character();
    let sided = ["UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand", "FingerBase", "HandIndex1"];
    let middle = ["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head"].map(String::from);
    let short = ["LHipJoint", "RHipJoint", "LThumb", "RThumb"].map(String::from);
    let sided = sided.iter().flat_map(|name| [format!("Left{name}"), format!("Right{name}")]);
    for name in middle.into_iter().chain(short).chain(sided) {
        assert!(figure.skeleton.find(&name).is_some(), "{name} is missing");
    }
    for (index, joint) in figure.skeleton.joints().iter().enumerate() {
        assert_eq!(
            joint.tip.is_some(),
            !figure.skeleton.joints().iter().any(|j| j.parent == Some(index)),
            "{}",
            joint.name
        );
    }
}

fn pose(figure: &Character, clip: &Clip, seconds: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(seconds, &figure.base_pose, &mut pose);
    pose
}

#[test]
fn clips_start_and_end_in_the_same_pose() {
    let figure = demo::character();
    let names: Vec<&str> = figure.clips.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["elbow curl", "knee bend", "twist", "walk"]);
    for clip in &figure.clips {
        let (start, end) = clip.range();
        let (first, last) = (pose(&figure, clip, start), pose(&figure, clip, end));
        for (a, b) in first.joints.iter().zip(&last.joints) {
            assert!(a.matrix().abs_diff_eq(b.matrix(), 1e-6), "{} does not loop", clip.name);
        }
    }
}

#[test]
fn the_bends_reach_their_angles() {
    let figure = demo::character();
    let angle = |clip: &str, joint: &str| {
        let clip = figure.find_clip(clip).unwrap();
        let tracks = clip.joints.iter().find(|t| t.joint == figure.skeleton.find(joint).unwrap()).unwrap();
        let rotations = tracks.rotation.as_ref().unwrap().values.iter();
        rotations.map(|q| Quat::IDENTITY.angle_between(*q).to_degrees()).fold(0.0, f32::max)
    };
    assert!((angle("elbow curl", "LeftForeArm") - 140.0).abs() < 0.1);
    assert!((angle("elbow curl", "RightForeArm") - 140.0).abs() < 0.1);
    assert!((100.0..130.0).contains(&angle("knee bend", "LeftLeg")));
    assert!((angle("twist", "LeftForeArm") - 150.0).abs() < 0.1);
}

/// The lowest point of each foot at a time of a clip.
fn lowest_points(figure: &Character, clip: &Clip, seconds: f64) -> [f32; 2] {
    let posed =
        reference_skin::linear(figure, &pose(figure, clip, seconds)).iter().map(|p| p.as_vec3()).collect::<Vec<_>>();
    let (mesh, _) = body(figure);
    let lowest = |side: f32| {
        let of_side = mesh.positions.iter().zip(&posed).filter(|(rest, _)| rest.x * side > 0.0 && rest.y < 0.1);
        of_side.map(|(_, p)| p.y).fold(f32::MAX, f32::min)
    };
    [lowest(1.0), lowest(-1.0)]
}

#[test]
fn the_walk_keeps_a_foot_on_the_ground_and_lifts_the_other() {
    let figure = demo::character();
    let walk = figure.find_clip("walk").unwrap();
    let mut highest = [0.0f32; 2];
    for seconds in walk.frame_times(30.0).unwrap() {
        let feet = lowest_points(&figure, walk, seconds);
        assert!(feet[0].min(feet[1]).abs() < 0.012, "{feet:?} at {seconds}");
        highest = [highest[0].max(feet[0]), highest[1].max(feet[1])];
    }
    assert!(highest.iter().all(|h| (0.01..0.1).contains(h)), "{highest:?}");
}

#[test]
fn the_knee_bend_keeps_both_feet_down() {
    let figure = demo::character();
    let squat = figure.find_clip("knee bend").unwrap();
    for seconds in squat.frame_times(5.0).unwrap() {
        let feet = lowest_points(&figure, squat, seconds);
        assert!(feet.iter().all(|y| y.abs() < 0.005), "{feet:?} at {seconds}");
    }
}

#[test]
fn the_tube_bends_up_and_back() {
    let tube = demo::tube();
    let clip = tube.find_clip("bend").unwrap();
    let end = |seconds: f64| {
        let mut world = tube.skeleton.rest_world();
        tube.skeleton.world(&pose(&tube, clip, seconds), &mut world);
        world[1].transform_point3(DVec3::new(0.0, 0.0, 5.0)) - world[1].translation
    };
    let degrees = |seconds: f64| end(seconds).angle_between(DVec3::Z).to_degrees();
    assert_eq!(clip.range(), (0.0, 3.0));
    for (seconds, angle) in [(0.0, 0.0), (0.5, 30.0), (0.75, 60.0), (1.0, 90.0), (1.5, 120.0), (3.0, 0.0)] {
        assert!((degrees(seconds) - angle).abs() < 0.2, "{} at {seconds} s", degrees(seconds));
    }
    assert!(end(1.0).y > 4.99, "{}", end(1.0));
}
