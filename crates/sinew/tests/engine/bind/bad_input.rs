//! A character that cannot be bound gives an error with the reason; any other is bound.

use super::judge::{bound, check, options, rows, weight};
use super::shapes::{Bone, joints, lone_bone, solid, steps, tube, two_bones, unbound};
use glam::{DVec3, Vec3};
use sinew::bind::Error;
use sinew::bind::{BindMethod, BindOptions, bind};
use sinew::geometry::{Face, Mesh};
use sinew::rig::{Character, Joint, Transform};

fn small_tube() -> Mesh {
    tube([0.0, 10.0], 42, 24, true)
}

/// Binds to all joints by both methods: sound weights, or a sentence.
fn bind_or_error(character: &Character) -> Vec<Result<Character, Error>> {
    let joints: Vec<usize> = character.joints().collect();
    let methods = [BindMethod::Geodesic, BindMethod::Distance { alpha: 2.0 }];
    let run = |method| {
        let result = bind(character, &joints, &BindOptions { method, influences: 4 }, &mut |_| {});
        match &result {
            Ok(bound) => check(&bound.character, 4),
            Err(error) => assert!(error.to_string().len() > 20, "{error}"),
        }
        result.map(|bound| bound.character)
    };
    methods.into_iter().map(run).collect()
}

#[test]
fn no_joint_is_refused() {
    for result in bind_or_error(&unbound(vec![small_tube()], Vec::new())) {
        assert_eq!(result.unwrap_err(), Error::NoJoints);
    }
}

#[test]
fn no_vertex_is_refused() {
    for meshes in [Vec::new(), vec![Mesh::new("empty", Vec::new(), Vec::new())]] {
        for result in bind_or_error(&unbound(meshes, two_bones())) {
            assert_eq!(result.unwrap_err(), Error::NothingToBind);
        }
    }
}

#[test]
fn a_joint_that_is_not_there_is_refused() {
    let character = unbound(vec![small_tube()], two_bones());
    let error = bind(&character, &[0, 7], &options(4), &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Rig(sinew::rig::Error::JointOutOfRange { joint: 7, .. })), "{error}");
}

#[test]
fn a_skeleton_far_away_is_refused() {
    let mut joints = two_bones();
    joints[0].rest = Transform::from_translation(DVec3::X * 1e4);
    for result in bind_or_error(&unbound(vec![small_tube()], joints)) {
        assert!(matches!(result, Err(Error::SkeletonFarAway { .. })), "{result:?}");
    }
}

#[test]
fn a_single_joint_gets_everything() {
    let character = unbound(vec![small_tube()], joints(&[lone_bone("only", DVec3::ZERO, DVec3::Z)]));
    let rows = rows(&bound(&character, &options(4)));
    assert!(rows.iter().all(|row| weight(row, 0) == 1.0));
}

#[test]
fn joints_in_one_point_are_bound_somehow() {
    let bone = |name, parent| Bone { name, parent, head: DVec3::Z * 5.0, tail: None };
    let bones = [bone("a", None), bone("b", Some(0)), bone("c", Some(1)), bone("d", Some(0)), bone("e", None)];
    for result in bind_or_error(&unbound(vec![small_tube()], joints(&bones))) {
        result.unwrap();
    }
}

/// So many joints that the cost of each is what counts, in a surface that adds little to it.
fn thin_tube() -> Mesh {
    tube([0.0, 10.0], 12, 8, true)
}

fn many_joints(parent: impl Fn(usize) -> Option<usize>, place: impl Fn(usize) -> DVec3) -> Vec<Joint> {
    let joint = |index: usize| {
        let origin = parent(index).map_or(DVec3::ZERO, &place);
        let rest = Transform::from_translation(place(index) - origin);
        Joint { name: format!("joint {index}"), parent: parent(index), rest, ..Joint::default() }
    };
    (0..100_000).map(joint).collect()
}

fn anywhere_inside(index: usize) -> DVec3 {
    let angle = index as f64 * 2.4;
    DVec3::new(0.8 * angle.cos(), 0.8 * angle.sin(), 10.0 * (index as f64 + 0.5) / 100_000.0)
}

#[test]
fn a_chain_of_100_000_joints_ends() {
    let along = |index: usize| DVec3::Z * (index as f64 * 1e-4);
    for result in bind_or_error(&unbound(vec![thin_tube()], many_joints(|index| index.checked_sub(1), along))) {
        result.unwrap();
    }
}

#[test]
fn a_bush_of_100_000_joints_ends() {
    let bush = many_joints(|index| (index > 0).then_some(0), anywhere_inside);
    for result in bind_or_error(&unbound(vec![thin_tube()], bush)) {
        result.unwrap();
    }
}

#[test]
fn a_sheet_is_bound() {
    let (x, y) = (steps(0.0, 10.0, 40), steps(-1.0, 1.0, 8));
    let positions = x.iter().flat_map(|&x| y.iter().map(move |&y| Vec3::new(x as f32, y as f32, 0.0))).collect();
    let at = |i: u32, j: u32| 9 * i + j;
    let faces =
        (0..40).flat_map(|i| (0..8).map(move |j| Face::quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))));
    let sheet = Mesh::new("sheet", positions, faces.collect());
    for height in [0.0, 0.5] {
        let at = |x: f64| DVec3::new(x, 0.0, height);
        let bones = joints(&[
            Bone { name: "root", parent: None, head: at(0.0), tail: None },
            Bone { name: "bend", parent: Some(0), head: at(5.0), tail: Some(at(10.0)) },
        ]);
        let sheet = unbound(vec![sheet.clone()], bones);
        for result in bind_or_error(&sheet) {
            let rows = rows(&result.unwrap());
            assert!(weight(&rows[4], 0) > 0.9 && weight(&rows[rows.len() - 5], 1) > 0.9, "{height}: {rows:?}");
        }
    }
}

#[test]
fn little_surface_is_bound() {
    let [a, b, c] = [Vec3::ZERO, Vec3::X, Vec3::Z * 10.0];
    let meshes = [
        ("a triangle", Mesh::new("a triangle", vec![a, b, c], vec![Face::triangle(0, 1, 2)])),
        ("a triangle without area", Mesh::new("a line", vec![a, 0.5 * c, c], vec![Face::triangle(0, 1, 2)])),
        ("a vertex", Mesh::new("a vertex", vec![b], Vec::new())),
        ("points", Mesh::new("points", small_tube().positions, Vec::new())),
        ("a point as a mesh", Mesh::new("a point", vec![a; 12], vec![Face::triangle(0, 1, 2), Face::quad(3, 4, 5, 6)])),
    ];
    for (what, mesh) in meshes {
        for result in bind_or_error(&unbound(vec![mesh], two_bones())) {
            println!("{what}: {}", result.map_or_else(|error| error.to_string(), |_| "bound".into()));
        }
    }
}

/// Two cubes that share an edge only, a face that is there three times, and a face that names a vertex twice.
#[test]
fn what_is_no_surface_is_bound() {
    let line = steps(0.0, 2.0, 2);
    let (positions, mut faces) = solid([&line, &line, &line], |p| (p.x > 1.0) == (p.y > 1.0));
    faces.extend([faces[0], faces[0], Face::triangle(0, 0, 1), Face::quad(0, 1, 1, 2)]);
    let mesh = super::shapes::mesh("cubes", &positions, faces);
    for result in bind_or_error(&unbound(vec![mesh], two_bones())) {
        result.unwrap();
    }
}

/// Files with such positions are refused before; nothing here may panic all the same.
#[test]
fn positions_that_are_no_numbers_do_not_panic() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut character = unbound(vec![small_tube()], two_bones());
        character.parts[0].mesh.positions[100].y = bad;
        assert!(character.check().is_err());
        _ = bind(&character, &[0, 1], &options(4), &mut |_| {});
    }
}

#[test]
fn no_influence_is_taken_for_one() {
    let character = unbound(vec![small_tube()], two_bones());
    let bound = bind(&character, &[0, 1], &options(0), &mut |_| {}).unwrap().character;
    check(&bound, 1);
}

#[test]
fn sizes_at_the_ends_of_f32_are_bound_or_refused() {
    for scale in [1e-30f32, 1e30] {
        let mut mesh = small_tube();
        mesh.positions.iter_mut().for_each(|p| *p *= scale);
        let joints = two_bones().into_iter().map(|mut joint| {
            joint.rest.translation *= f64::from(scale);
            joint.tip = joint.tip.map(|tip| tip * f64::from(scale));
            joint
        });
        bind_or_error(&unbound(vec![mesh], joints.collect()));
    }
}
