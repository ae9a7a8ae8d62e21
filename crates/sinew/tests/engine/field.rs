//! Solids made of fields.

use crate::TABLES;
use glam::{DAffine3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use sinew::field::{
    Box3, Capsule, Compact, CompactField, Controller, DistanceField, Ellipsoid, Falloff, Grid, MeshDistance, Operator,
    Polygons, Sample, Sphere, Transformed, Tree, polygonize,
};
use sinew::geometry::{Face, Topology, volume};
use std::f64::consts::PI;

fn ball(x: f64) -> Compact<Sphere> {
    Compact::new(Sphere { center: DVec3::X * x, radius: 1.0 }, Falloff::Smooth { radius: 1.0 })
}

/// The gradient by central differences.
fn differences(at: impl Fn(DVec3) -> f64, point: DVec3, step: f64) -> DVec3 {
    let along = |axis: DVec3| (at(point + step * axis) - at(point - step * axis)) / (2.0 * step);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
}

fn area(surface: &Polygons) -> f64 {
    let corner = |v: u32| surface.positions[v as usize].as_dvec3();
    let triangles = surface.faces.iter().flat_map(Face::triangles);
    triangles.map(|[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length()).sum()
}

/// 001 fig. 2.13: where two balls overlap there is a flat disc between them.
#[test]
fn the_contact_of_two_balls_is_a_flat_disc() {
    let (left, right) = (ball(-0.8), ball(0.8));
    let at = |point| {
        Operator::Contact.compose(&TABLES, &Controller::constant(1.0), left.density(point), right.density(point))
    };
    let rim = (1.0f64 - 0.64).sqrt();
    for k in 0..100 {
        let (sine, cosine) = (PI * f64::from(k) / 7.0).sin_cos();
        let on_disc = rim * f64::from(k) / 100.0 * DVec3::new(0.0, cosine, sine);
        assert!((at(on_disc).value - 0.5).abs() < 1e-4, "{on_disc}: {}", at(on_disc).value);
        for side in [-1.0, 1.0] {
            let beside = at(on_disc + DVec3::X * side * 0.02);
            assert!(beside.value > 0.5, "{on_disc}");
            assert!(side * beside.gradient.x > 0.05, "{on_disc}: {}", beside.gradient);
        }
        let outside = at((2.0 - f64::from(k) / 100.0) * rim * DVec3::new(0.0, cosine, sine));
        assert!(outside.value < 0.5);
    }
}

#[test]
fn a_bulge_swells_around_the_contact() {
    let (left, right) = (ball(-0.8), ball(0.8));
    let at = |operator: Operator, point| {
        operator.compose(&TABLES, &Controller::constant(1.0), left.density(point), right.density(point)).value
    };
    // Beside the rim of the disc, just outside both balls.
    let beside = DVec3::new(0.03, 0.68, 0.0);
    assert!(at(Operator::Contact, beside) < 0.5 && at(Operator::Bulge, beside) > 0.5);
    assert!(at(Operator::Bulge, DVec3::new(0.0, 0.9, 0.0)) < 0.5, "it ends");
    assert!((at(Operator::Bulge, DVec3::new(1.81, 0.0, 0.0)) - 0.5).abs() < 0.02, "far from the other ball it is none");
}

#[test]
fn a_polygonised_ball_is_closed_and_converges() {
    let ball = ball(0.3);
    let mut before = f64::INFINITY;
    for cell in [0.2, 0.1, 0.05] {
        let surface = polygonize(&ball, 0.5, &ball.bounds(), cell).unwrap();
        let topology = Topology::new(&surface.positions, &surface.faces);
        assert!(topology.is_closed() && topology.shells() == 1);
        let volume = volume::volume(&surface.positions, &surface.faces);
        let (volume_error, area_error) = (1.0 - volume / (4.0 / 3.0 * PI), 1.0 - area(&surface) / (4.0 * PI));
        assert!(volume_error > 0.0 && volume_error < 0.3 * before, "{cell}: {volume_error}");
        assert!(area_error.abs() < volume_error, "{cell}: {area_error}");
        before = volume_error;
    }
    assert!(before < 2e-3, "{before}");
}

#[test]
fn whatever_is_polygonised_is_closed_even_at_the_border_of_the_box() {
    let mut tree = Tree::new(TABLES.clone());
    let ids = [-0.8, 0.8].map(|x| tree.leaf(ball(x)));
    tree.join(Operator::Contact, Controller::default(), ids[0], ids[1]);
    let cut = Box3 { min: DVec3::new(-1.0, -3.0, -0.1), max: DVec3::new(3.0, 3.0, 0.5) };
    for bounds in [tree.bounds(), cut] {
        for level in [0.2, 0.5, 0.8] {
            let surface = polygonize(&tree, level, &bounds, 0.09).unwrap();
            let topology = Topology::new(&surface.positions, &surface.faces);
            assert!(topology.is_closed(), "{level}");
            assert!(volume::volume(&surface.positions, &surface.faces) > 0.1);
        }
    }
    assert!(polygonize(&tree, 0.5, &tree.bounds(), 0.0).is_err());
    assert!(polygonize(&tree, 0.5, &tree.bounds(), 1e-9).is_err());
    assert!(polygonize(&tree, f64::NAN, &tree.bounds(), 0.1).is_err());
    assert_eq!(polygonize(&tree, 0.5, &Box3::EMPTY, 0.1).unwrap(), Polygons::default());
}

#[test]
fn the_number_of_threads_does_not_change_a_surface() {
    let ball = ball(0.0);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| polygonize(&ball, 0.5, &ball.bounds(), 0.08).unwrap())
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn distances_to_a_mesh_are_those_to_the_ball_it_shows() {
    let exact = Sphere { center: DVec3::ZERO, radius: 1.0 };
    let solid = Compact::new(exact, Falloff::Smooth { radius: 0.5 });
    let surface = polygonize(&solid, 0.5, &solid.bounds(), 0.05).unwrap();
    let found = MeshDistance::new(&surface.positions, &surface.faces, 0.1, 0.3).unwrap();
    for k in 0..300 {
        let (a, b, r) = (0.37 * f64::from(k), 0.11 * f64::from(k), 0.4 + f64::from(k) / 150.0);
        let point = r * DVec3::new(a.cos() * b.cos(), a.sin() * b.cos(), b.sin());
        let (here, expected) = (found.distance(point), exact.distance(point));
        let beyond = !found.grid().bounds().contains(point);
        let error = here.value - expected.value;
        assert!(error.abs() < 0.005 || beyond && error > 0.0, "{point}: {error}");
        let gradient = differences(|p| found.distance(p).value, point, 1e-6);
        assert!((here.gradient - gradient).length() < 1e-4, "{point}: {} {gradient}", here.gradient);
        assert!(here.value > 0.4 || found.bounds_within(0.4).contains(point));
    }
    assert!(MeshDistance::new(&[], &[], 0.1, 0.1).is_err());
    assert!(MeshDistance::new(&[Vec3::NAN; 3], &[Face::triangle(0, 1, 2)], 0.1, 0.1).is_err());
    assert!(MeshDistance::new(&surface.positions, &surface.faces, 1e-9, 0.1).is_err());
}

#[test]
fn a_tree_prunes_without_a_change() {
    let ball = |x: f64| Compact::new(Sphere { center: DVec3::X * x, radius: 1.0 }, Falloff::Smooth { radius: 0.4 });
    for operator in [Operator::Min, Operator::Sum, Operator::Contact, Operator::Detail, Operator::Blend] {
        let (near, far) = (ball(0.0), ball(1.3));
        let mut tree = Tree::new(TABLES.clone());
        let ids = [near, far].map(|field| tree.leaf(field));
        tree.join(operator, Controller::default(), ids[0], ids[1]);
        for k in 0..2000 {
            let t = f64::from(k);
            let point = DVec3::new((t * 0.013).sin() * 3.0 + 0.6, (t * 0.37).sin() * 1.5, (t * 0.71).cos() * 1.5);
            let expected = operator.compose(&TABLES, &Controller::default(), near.density(point), far.density(point));
            let found = tree.density(point);
            assert!((found.value - expected.value).abs() < 1e-6, "{operator:?} {point}");
            assert!((found.gradient - expected.gradient).length() < 1e-4, "{operator:?} {point}");
        }
    }
    assert_eq!(Tree::<Compact<Sphere>>::default().density(DVec3::ZERO), Sample::NOTHING);
}

#[test]
fn a_tree_follows_its_leaves() {
    let mut tree = Tree::new(TABLES.clone());
    let here = Transformed::new(ball(0.0), DAffine3::IDENTITY).unwrap();
    let ids = [here, here].map(|field| tree.leaf(field));
    tree.join(Operator::CleanUnion, Controller::default(), ids[0], ids[1]);
    let away = DVec3::new(0.0, 30.0, 0.0);
    assert_eq!(tree.density(away), Sample::NOTHING);
    for leaf in tree.leaves_mut().take(1) {
        leaf.place(DAffine3::from_translation(away)).unwrap();
    }
    tree.refit();
    assert_eq!(tree.density(away).value, 1.0);
    assert_eq!(tree.density(DVec3::ZERO).value, 1.0);
}

#[test]
fn a_transform_that_cannot_be_undone_is_refused() {
    for scale in [DVec3::new(1.0, 0.0, 1.0), DVec3::NAN, DVec3::INFINITY] {
        assert!(Transformed::new(ball(0.0), DAffine3::from_scale(scale)).is_err(), "{scale}");
    }
}

fn point() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from)
}

proptest! {
    #[test]
    fn gradients_of_primitives_are_theirs_also_when_transformed(
        point in point(), angles in prop::array::uniform3(-3.0..3.0f64), scale in prop::array::uniform3(0.3..2.0f64),
        shift in point(),
    ) {
        let map = DAffine3::from_scale_rotation_translation(
            DVec3::from(scale), DQuat::from_euler(glam::EulerRot::XYZ, angles[0], angles[1], angles[2]), shift,
        );
        let sphere = Sphere { center: DVec3::new(0.1, 0.2, -0.4), radius: 0.7 };
        let capsule = Capsule { start: DVec3::new(-0.5, 0.0, 0.2), end: DVec3::new(0.9, 0.6, 0.1), radius: 0.4 };
        let ellipsoid = Ellipsoid { center: DVec3::new(0.3, 0.0, 0.0), radii: DVec3::new(0.5, 1.0, 0.8) };
        let fields: [&dyn DistanceField; 3] = [&sphere, &capsule, &ellipsoid];
        for field in fields {
            let moved = Transformed::new(field, map).unwrap();
            let here = moved.distance(point);
            let own = field.distance(map.inverse().transform_point3(point));
            prop_assert_eq!(here.value, own.value);
            prop_assert!(own.gradient.length() < 1.0 + 1e-12);
            let gradient = differences(|p| moved.distance(p).value, point, 1e-6);
            prop_assert!((here.gradient - gradient).length() < 1e-4, "{} {}", here.gradient, gradient);
            prop_assert!(moved.bounds_within(here.value + 1e-9).expanded(DVec3::splat(1e-9)).contains(point));
            let compact = Compact::new(moved, Falloff::Smooth { radius: 0.6 });
            prop_assert!(compact.bounds().contains(point) || compact.density(point) == Sample::NOTHING);
        }
    }

    #[test]
    fn grids_give_back_what_they_can_hold(point in point(), shape in prop::array::uniform4(-1.0..1.0f64)) {
        let [a, b, c, d] = shape;
        let bounds = Box3 { min: DVec3::splat(-2.5), max: DVec3::splat(2.5) };
        let bent = |p: DVec3| a * p.x * p.y * p.z + b * p.x + c * p.y * p.z + d;
        let grid = Grid::sample(&bounds, 0.25, bent).unwrap();
        let smooth = Grid::sample(&bounds, 0.25, |p| bent(p) + b * p.x * p.x - c * p.z * p.z).unwrap();
        let gradient = DVec3::new(a * point.y * point.z + b, a * point.x * point.z + c * point.z, a * point.x * point.y + c * point.y);
        for found in [grid.linear(point), grid.cubic(point)] {
            prop_assert!((found.value - bent(point)).abs() < 1e-5);
            prop_assert!((found.gradient - gradient).length() < 1e-4);
        }
        let found = smooth.cubic(point);
        prop_assert!((found.value - bent(point) - b * point.x * point.x + c * point.z * point.z).abs() < 1e-5);
        let gradient = gradient + DVec3::new(2.0 * b * point.x, 0.0, -2.0 * c * point.z);
        prop_assert!((found.gradient - gradient).length() < 1e-4);
    }
}
