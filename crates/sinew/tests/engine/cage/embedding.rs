//! What the embedding of a mesh keeps, beside the baselines it was chosen over.

use super::shapes::{Body, bar};
use glam::{DMat3, DQuat, DVec3, Vec3};
use sinew::cage::{ControlMesh, Embedding, EmbeddingMethod, GreenCoordinates};

fn small_bar() -> Body {
    let (positions, faces) = bar(0.8, 8.0, 12, 80);
    Body::new(&positions, &faces, None, 120, 0.03)
}

/// A bend about the x axis, of radius 6, with its rotation.
fn bend(p: DVec3) -> (DVec3, DMat3) {
    let turn = DQuat::from_rotation_x(-p.z / 6.0);
    let center = DVec3::new(0.0, 6.0, 0.0);
    (center + turn * (DVec3::new(p.x, p.y, 0.0) - center), DMat3::from_quat(turn))
}

#[test]
fn rest_is_kept_and_rigid_motion_is_exact() {
    let body = small_bar();
    let control = &body.control;
    let identity = vec![DMat3::IDENTITY; control.positions.len()];
    let turn = DQuat::from_scaled_axis(DVec3::new(0.4, -1.9, 0.7));
    let turned = vec![DMat3::from_quat(turn); control.positions.len()];
    let moved = |p: DVec3| turn * p + DVec3::new(3.0, -1.0, 2.0);
    let places: Vec<DVec3> = control.positions.iter().map(|&p| moved(p)).collect();
    let normals = vec![Vec3::Y; body.positions.len()];
    for method in [EmbeddingMethod::Continuous, EmbeddingMethod::Barycentric] {
        let mut embedding = Embedding::new(control, &body.positions, &normals, method).unwrap();
        let (mut positions, mut turned_normals) = (body.positions.clone(), normals.clone());
        embedding.deform(&control.positions, &identity, &mut positions, &mut turned_normals);
        assert_eq!((&positions, &turned_normals), (&body.positions, &normals));
        embedding.deform(&places, &turned, &mut positions, &mut turned_normals);
        let error = positions.iter().zip(&body.positions).map(|(a, b)| a.as_dvec3().distance(moved(b.as_dvec3())));
        assert!(error.fold(0.0, f64::max) < 1e-5, "{method:?}");
    }
    let mut green = GreenCoordinates::new(&control.positions, &control.surface, &body.positions[..200]).unwrap();
    let mut positions = vec![Vec3::ZERO; 200];
    green.deform(&control.positions, &mut positions);
    assert!(positions.iter().zip(&body.positions).all(|(a, b)| a.distance(*b) < 1e-5));
    green.deform(&places, &mut positions);
    assert!(positions.iter().zip(&body.positions).all(|(a, b)| a.as_dvec3().distance(moved(b.as_dvec3())) < 1e-3));
}

/// Two tetrahedra with a face in common, and a point on either side of it.
#[test]
fn nothing_jumps_across_a_face_but_green_coordinates_of_single_tetrahedra() {
    let positions: Vec<DVec3> =
        [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.3, 0.3, 0.8], [0.3, 0.3, -0.8]].map(DVec3::from).to_vec();
    let points = [Vec3::new(0.25, 0.3, 1e-4), Vec3::new(0.25, 0.3, -1e-4)];
    let control = ControlMesh {
        tetrahedra: vec![[0, 1, 2, 3], [1, 0, 2, 4]],
        tetrahedron_of: vec![0, 1],
        links: Vec::new(),
        surface: Vec::new(),
        joints: Vec::new(),
        bones: Vec::new(),
        markers: Vec::new(),
        anchors: Vec::new(),
        quality: Default::default(),
        positions: positions.clone(),
    };
    let mut places = positions.clone();
    places[3] += DVec3::new(0.3, 0.0, 0.0);
    let turn = |k: usize| DMat3::from_quat(DQuat::from_rotation_y(0.1 * k as f64));
    let rotations: Vec<DMat3> = (0..5).map(turn).collect();
    for method in [EmbeddingMethod::Continuous, EmbeddingMethod::Barycentric] {
        let mut moved = points;
        Embedding::new(&control, &points, &[], method).unwrap().deform(&places, &rotations, &mut moved, &mut []);
        assert!(moved[0].distance(moved[1]) < 1e-3, "{method:?}: {}", moved[0].distance(moved[1]));
    }
    let mut torn = points;
    let mut single = Embedding::new(&control, &points, &[], EmbeddingMethod::Tetrahedra).unwrap();
    single.deform(&positions, &rotations, &mut torn, &mut []);
    assert!(torn.iter().zip(points).all(|(a, b)| a.distance(b) < 1e-6), "{torn:?}");
    single.deform(&places, &rotations, &mut torn, &mut []);
    assert!(torn[0].distance(torn[1]) > 0.02, "single tetrahedra tear: {}", torn[0].distance(torn[1]));
}

#[test]
fn a_bend_has_smaller_creases_than_barycentric() {
    let body = small_bar();
    let (places, rotations): (Vec<DVec3>, Vec<DMat3>) = body.control.positions.iter().map(|&p| bend(p)).unzip();
    let normal = |positions: &[Vec3], k: usize| {
        let [a, b, c] = [0, 1, 2].map(|corner| positions[body.faces[k].corners()[corner] as usize].as_dvec3());
        (b - a).cross(c - a).normalize()
    };
    let found = [EmbeddingMethod::Continuous, EmbeddingMethod::Barycentric].map(|method| {
        let mut moved = body.positions.clone();
        body.embedding(method).deform(&places, &rotations, &mut moved, &mut []);
        // From one quad to the next along the bar.
        let pairs = (0..body.faces.len() - 4)
            .filter(|&k| normal(&body.positions, k).dot(normal(&body.positions, k + 4)) > 0.999);
        let crease = pairs.map(|k| normal(&moved, k).angle_between(normal(&moved, k + 4))).fold(0.0, f64::max);
        let error = moved.iter().zip(&body.positions).map(|(a, b)| a.as_dvec3().distance(bend(b.as_dvec3()).0));
        (crease, error.fold(0.0, f64::max))
    });
    let [(crease, error), (barycentric_crease, barycentric_error)] = found;
    assert!(crease < 0.7 * barycentric_crease, "{found:?}");
    assert!(error < barycentric_error, "{found:?}");
    println!("{found:?}");
}
