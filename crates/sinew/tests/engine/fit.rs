//! A fitted skeleton turns, moves and scales with the surface, and what cannot be fitted is refused.

use glam::{DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use sinew::bind::Error;
use sinew::bind::skeleton_fit::{Fitted, Template, fit};
use sinew::demo;
use sinew::geometry::Face;
use sinew::rig::Anatomy;
use sinew::rig::anatomy::names::{Limb, Side};
use sinew::rig::{Joint, Skeleton, Transform};

const HEIGHT: f64 = 1.75;

fn figure() -> (Vec<Vec3>, Vec<Face>) {
    let mesh = demo::character().parts.remove(0).mesh;
    (mesh.positions, mesh.faces)
}

fn fitted(positions: &[Vec3], faces: &[Face]) -> Fitted {
    fit(positions, faces, Template::Humanoid, DVec3::Y).unwrap()
}

/// The largest distance between joints of two skeletons of the same names.
fn difference(a: &Fitted, b: &Fitted, from_a: impl Fn(DVec3) -> DVec3) -> f64 {
    assert_eq!(a.joints.len(), b.joints.len());
    let distances = a.joints.iter().zip(&b.joints).map(|(a, b)| {
        assert_eq!((&a.name, a.parent), (&b.name, b.parent));
        from_a(a.head).distance(b.head).max(from_a(a.tail).distance(b.tail))
    });
    distances.fold(0.0, f64::max)
}

#[test]
fn it_turns_moves_and_scales_with_the_surface() {
    let (positions, faces) = figure();
    let original = fitted(&positions, &faces);
    for (scale, degrees, shift) in [
        (1e-3, 0.0, DVec3::ZERO),
        (1e3, 0.0, DVec3::ZERO),
        (1.0, 37.0, DVec3::ZERO),
        (1.0, 180.0, DVec3::new(3.0, -2.0, 5.0)),
        (20.0, -101.0, DVec3::new(-40.0, 7.0, 0.0)),
    ] {
        let turn = DQuat::from_rotation_y(f64::to_radians(degrees));
        let moved = |p: DVec3| shift + scale * (turn * p);
        let positions: Vec<Vec3> = positions.iter().map(|p| moved(p.as_dvec3()).as_vec3()).collect();
        let error = difference(&original, &fitted(&positions, &faces), moved) / (scale * HEIGHT);
        assert!(error < 0.01, "scaled by {scale}, turned by {degrees}°: {error}");
    }
}

#[test]
fn any_direction_can_be_up() {
    let (positions, faces) = figure();
    let original = fitted(&positions, &faces);
    for up in [DVec3::Z, -DVec3::Y, DVec3::X, DVec3::new(1.0, 2.0, -3.0).normalize()] {
        let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Y, up));
        let turned: Vec<Vec3> = positions.iter().map(|p| (turn * p.as_dvec3()).as_vec3()).collect();
        let fitted = fit(&turned, &faces, Template::Humanoid, 2.5 * up).unwrap();
        let error = difference(&original, &fitted, |p| turn * p) / HEIGHT;
        assert!(error < 0.01, "up {up}: {error}");
    }
}

#[test]
fn the_order_of_vertices_and_the_winding_do_not_matter() {
    let (positions, faces) = figure();
    let original = fitted(&positions, &faces);
    let last = positions.len() as u32 - 1;
    let backwards: Vec<Vec3> = positions.iter().rev().copied().collect();
    let renumbered: Vec<Face> = faces.iter().rev().map(|face| face.map(|v| last - v)).collect();
    assert!(difference(&original, &fitted(&backwards, &renumbered), |p| p) < 1e-3 * HEIGHT);
    let reversed: Vec<Face> = faces
        .iter()
        .map(|face| match *face.corners() {
            [a, b, c, d] => Face::quad(d, c, b, a),
            _ => *face,
        })
        .collect();
    assert!(difference(&original, &fitted(&positions, &reversed), |p| p) < 1e-3 * HEIGHT);
}

#[test]
fn it_is_the_same_every_time_on_any_number_of_threads() {
    let (positions, faces) = figure();
    let original = fitted(&positions, &faces);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| fitted(&positions, &faces)), original);
    }
}

/// Appends a cube.
fn add_cube(positions: &mut Vec<Vec3>, faces: &mut Vec<Face>, at: Vec3, edge: f32) {
    let first = positions.len() as u32;
    let corner = |i: u32| at + edge * Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
    positions.extend((0..8).map(corner));
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    faces.extend(sides.map(|[a, b, c, d]| Face::quad(a, b, c, d).map(|v| v + first)));
}

#[test]
fn dirt_hardly_moves_the_joints() {
    let (positions, faces) = figure();
    let original = fitted(&positions, &faces);
    let holes: Vec<Face> = faces.iter().enumerate().filter(|(k, _)| k % 10 != 3).map(|(_, face)| *face).collect();
    let twice = [faces.clone(), faces.clone()].concat();
    let (mut with_islands, mut island_faces) = (positions.clone(), faces.clone());
    for k in 0..13 {
        let at = Vec3::new(0.3 * (k as f32).sin(), 0.1 + 0.12 * k as f32, 0.2);
        add_cube(&mut with_islands, &mut island_faces, at, 0.012);
    }
    let mut broken = positions.clone();
    broken[77] = Vec3::NAN;
    for (what, positions, faces, most) in [
        ("a tenth of the faces missing", &positions, &holes, 0.04),
        ("every face twice", &positions, &twice, 0.01),
        ("thirteen islands", &with_islands, &island_faces, 0.02),
        ("a vertex that is not finite", &broken, &faces, 0.01),
    ] {
        let error = difference(&original, &fitted(positions, faces), |p| p) / HEIGHT;
        assert!(error < most, "{what}: {error}");
    }
}

#[test]
fn an_asymmetric_body_keeps_its_sides_with_a_warning() {
    let character = demo::character();
    let mesh = &character.parts[0].mesh;
    // The right arm is bent away at the shoulder: everything beyond it turns about the front axis.
    let shoulder = Vec3::new(-0.180, 1.405, -0.028);
    let turn = glam::Quat::from_rotation_z(-40f32.to_radians());
    let bent = mesh.positions.iter().map(|&p| if p.x < -0.2 { shoulder + turn * (p - shoulder) } else { p });
    let fitted = fitted(&bent.collect::<Vec<_>>(), &mesh.faces);
    assert!(fitted.warnings.iter().any(|w| w.contains("differ")), "{:?}", fitted.warnings);
    let head = |name: &str| fitted.joints.iter().find(|joint| joint.name == name).unwrap().head;
    assert!(head("LeftHand").distance(DVec3::new(0.556, 1.026, 0.006)) < 0.05 * HEIGHT);
    let wrist = shoulder + turn * (Vec3::new(-0.556, 1.026, 0.006) - shoulder);
    assert!(head("RightHand").distance(wrist.as_dvec3()) < 0.05 * HEIGHT);
}

/// The figure's vertices and its own joints' places by name, both moved.
fn assert_joints_follow(what: &str, moved: impl Fn(DVec3) -> DVec3) {
    let character = demo::character();
    let mesh = &character.parts[0].mesh;
    let positions: Vec<Vec3> = mesh.positions.iter().map(|p| moved(p.as_dvec3()).as_vec3()).collect();
    let rest = character.skeleton.rest_world();
    let fitted = fitted(&positions, &mesh.faces);
    for joint in fitted.joints.iter().filter(|joint| !joint.name.contains("Back") && !joint.name.contains("Spine")) {
        let authored = moved(rest[character.skeleton.find(&joint.name).unwrap()].translation);
        let error = joint.head.distance(authored) / HEIGHT;
        assert!(error < 0.05, "{what}: {} is {:.1} % of the height off", joint.name, 100.0 * error);
    }
}

#[test]
fn stout_and_slender_figures_are_understood() {
    assert_joints_follow("as it is", |p| p);
    assert_joints_follow("stout", |p| p * DVec3::new(1.35, 1.0, 1.35));
    assert_joints_follow("slender", |p| p * DVec3::new(0.7, 1.0, 0.7));
    assert_joints_follow("a large head", |p| {
        let top = DVec3::new(0.0, 1.56, -0.01);
        if p.y > top.y { top + 1.4 * (p - top) } else { p }
    });
    assert_joints_follow("long legs", |p| if p.y < 0.85 { p - DVec3::Y * 0.2 * (0.85 - p.y) } else { p });
}

#[test]
fn thighs_that_touch_are_still_two() {
    assert_joints_follow("legs together", |p| {
        let share = ((0.92 - p.y) / 0.12).clamp(0.0, 1.0);
        let is_arm = p.x.abs() > 0.25;
        if is_arm { p } else { p - DVec3::X * p.x.signum() * f64::min(0.035 * share, p.x.abs()) }
    });
}

#[test]
fn a_thin_upper_arm_ends_where_the_thick_forearm_begins() {
    let character = demo::character();
    let mesh = &character.parts[0].mesh;
    let rest = character.skeleton.rest_world();
    let [shoulder, elbow, wrist] =
        ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| rest[character.skeleton.find(name).unwrap()].translation);
    let (axis, length) = ((elbow - shoulder).normalize(), shoulder.distance(elbow));
    // A rod up to the round end of a forearm that is twice as long.
    let as_robot = |p: DVec3| {
        let along = (p - shoulder).dot(axis);
        let on_axis = shoulder + along * axis;
        if along > length {
            p + (along - length) * axis
        } else if along > 0.2 * length && along < length - 0.04 {
            on_axis + 0.35 * (p - on_axis)
        } else {
            p
        }
    };
    let mirror = DVec3::new(-1.0, 1.0, 1.0);
    let moved = mesh.positions.iter().map(|p| match p.as_dvec3() {
        p if p.x > 0.25 => as_robot(p),
        p if p.x < -0.25 => mirror * as_robot(mirror * p),
        p => p,
    });
    let fitted = fitted(&moved.map(|p| p.as_vec3()).collect::<Vec<_>>(), &mesh.faces);
    for (name, expected) in [("LeftArm", shoulder), ("LeftForeArm", elbow), ("LeftHand", as_robot(wrist))] {
        let head = fitted.joints.iter().find(|joint| joint.name == name).unwrap().head;
        let error = head.distance(expected) / HEIGHT;
        assert!(error < 0.03, "{name} is {:.1} % of the height off", 100.0 * error);
    }
}

#[test]
fn names_mean_the_parts_they_are() {
    let (positions, faces) = figure();
    let fitted = fitted(&positions, &faces);
    let joints = fitted.joints.iter().map(|joint| {
        let origin = joint.parent.map_or(DVec3::ZERO, |parent| fitted.joints[parent].head);
        let rest = Transform::from_translation(joint.head - origin);
        Joint { name: joint.name.clone(), parent: joint.parent, rest, ..Joint::default() }
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
    let anatomy = Anatomy::of(&skeleton).unwrap();
    assert_eq!((anatomy.spine.len(), anatomy.neck.len()), (3, 1));
    for limb in
        [Limb::Clavicle, Limb::UpperArm, Limb::Forearm, Limb::Hand, Limb::Thigh, Limb::Calf, Limb::Foot, Limb::Toes]
    {
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let joint = anatomy.limb(limb, side).unwrap();
            assert!(sign * fitted.joints[joint].head.x > 0.0, "{limb:?} {side:?}");
        }
    }
}

/// A sphere of quads.
fn ball() -> (Vec<Vec3>, Vec<Face>) {
    let (rings, sides) = (16u32, 24u32);
    let point = |ring: u32, side: u32| {
        let polar = std::f32::consts::PI * ring as f32 / rings as f32;
        let azimuth = std::f32::consts::TAU * side as f32 / sides as f32;
        Vec3::new(polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin())
    };
    let positions = (0..=rings).flat_map(|ring| (0..sides).map(move |side| point(ring, side))).collect();
    let at = |ring: u32, side: u32| ring * sides + side % sides;
    let quad = |ring: u32, side: u32| {
        Face::quad(at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side))
    };
    (positions, (0..rings).flat_map(|ring| (0..sides).map(move |side| quad(ring, side))).collect())
}

#[test]
fn what_is_no_body_is_refused() {
    let triangle = ([Vec3::ZERO, Vec3::X, Vec3::Y].to_vec(), vec![Face::triangle(0, 1, 2)]);
    let sheet: Vec<Vec3> = (0..100).map(|k| Vec3::new((k % 10) as f32, (k / 10) as f32, 0.0)).collect();
    let sheet_faces = (0..81).map(|k| k / 9 * 10 + k % 9).map(|v| Face::quad(v, v + 1, v + 11, v + 10)).collect();
    let point = (vec![Vec3::ONE; 3], vec![Face::triangle(0, 1, 2)]);
    for template in [Template::Humanoid, Template::Quadruped] {
        for (positions, faces) in
            [(vec![], vec![]), triangle.clone(), (sheet.clone(), Vec::clone(&sheet_faces)), point.clone()]
        {
            assert_eq!(fit(&positions, &faces, template, DVec3::Y), Err(Error::NothingEnclosed));
        }
        let (positions, faces) = ball();
        assert!(matches!(fit(&positions, &faces, template, DVec3::Y), Err(Error::NotFound { .. })));
        assert_eq!(fit(&positions, &faces, template, DVec3::ZERO), Err(Error::Rig(sinew::rig::Error::NoUp)));
        let stray = fit(&positions, &[Face::triangle(0, 1, 9999)], template, DVec3::Y);
        assert!(matches!(stray, Err(Error::Geometry(sinew::geometry::Error::FaceOutOfRange { vertex: 9999, .. }))));
    }
    let (positions, faces) = figure();
    assert!(matches!(fit(&positions, &faces, Template::Quadruped, DVec3::Y), Err(Error::NotFound { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn no_soup_of_triangles_panics(
        points in prop::collection::vec(prop::array::uniform3(-1f32..1.0), 4..24),
        corners in prop::collection::vec(prop::array::uniform3(0u32..4), 4..40),
        is_humanoid: bool,
    ) {
        let positions: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let count = positions.len() as u32;
        let faces: Vec<Face> = (0..).zip(corners).map(|(k, [a, b, c])| {
            Face::triangle((a + k) % count, (b + 3 * k) % count, (c + 5 * k + 1) % count)
        }).collect();
        let template = if is_humanoid { Template::Humanoid } else { Template::Quadruped };
        if let Ok(fitted) = fit(&positions, &faces, template, DVec3::Y) {
            for joint in &fitted.joints {
                prop_assert!(joint.head.is_finite() && joint.tail.is_finite(), "{joint:?}");
            }
        }
    }
}
