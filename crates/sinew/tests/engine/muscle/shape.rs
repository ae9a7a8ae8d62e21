//! The shape of a muscle: continuous around any axis, and of a volume that does not change.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use sinew::deform::muscle::profile::{Beta, ProfilePair};
use sinew::deform::muscle::{Axis, MuscleControl, MuscleField, Shape};
use sinew::field::{CompactField, DistanceField, Polygons, polygonize};
use sinew::geometry::Topology;
use sinew::geometry::volume::volume;
use std::f64::consts::PI;

fn shape(width: f64, eccentricity: f64) -> Shape {
    let profiles = ProfilePair::new(Beta::new(3, 3).unwrap(), Beta::new(4, 7).unwrap()).unwrap();
    Shape { profiles, width, eccentricity }
}

fn muscle(points: &[DVec3], normals: [DVec3; 2], shape: Shape) -> MuscleField {
    MuscleField::new(Axis::new(points, normals).unwrap(), shape).unwrap()
}

/// An axis of length 1 that bends by an angle between a tendon and a tendon, in the plane of x and y.
fn bent(points: usize, angle: f64) -> Vec<DVec3> {
    let step = 1.0 / (points - 1) as f64;
    let mut at = DVec3::ZERO;
    let mut all = vec![at];
    for k in 0..points - 1 {
        let share = (k as f64 + 0.5) * step;
        let turned = angle * ((share - 0.25) / 0.5).clamp(0.0, 1.0);
        at += step * DVec3::new(turned.sin(), turned.cos(), 0.0);
        all.push(at);
    }
    all
}

/// A volume by the surface of the field.
fn measured(muscle: &MuscleField, cell: f64) -> f64 {
    let surface = polygonize(muscle, 0.5, &muscle.bounds(), cell).unwrap();
    volume(&surface.positions, &surface.faces)
}

fn is_closed(surface: &Polygons) -> bool {
    Topology::new(&surface.positions, &surface.faces).is_closed()
}

#[test]
fn a_straight_muscle_has_its_nominal_volume_whatever_its_shape() {
    let points: Vec<DVec3> = (0..30).map(|k| DVec3::new(0.0, f64::from(k) / 29.0, 0.0)).collect();
    for (eccentricity, activation) in [(0.0, 0.0), (0.0, 1.0), (0.8, 0.5)] {
        let mut muscle = muscle(&points, [DVec3::X, DVec3::X], shape(0.06, eccentricity));
        muscle.update(&points, [DVec3::X, DVec3::Z], &MuscleControl { activation, ..MuscleControl::default() });
        let nominal = PI * 0.06 * 0.06;
        assert!((muscle.nominal_volume() - nominal).abs() < 1e-6 * nominal);
        let volume = measured(&muscle, 0.006);
        assert!((volume / nominal - 1.0).abs() < 1e-3, "{eccentricity} {activation}: {}", volume / nominal);
    }
}

#[test]
fn a_shorter_muscle_is_wider_and_has_the_same_volume() {
    let points: Vec<DVec3> = (0..30).map(|k| DVec3::new(0.0, f64::from(k) / 29.0, 0.0)).collect();
    let mut muscle = muscle(&points, [DVec3::X; 2], shape(0.06, 0.0));
    let before = measured(&muscle, 0.006);
    let shorter: Vec<DVec3> = points.iter().map(|p| p * 0.7).collect();
    muscle.update(&shorter, [DVec3::X; 2], &MuscleControl::default());
    assert!((muscle.width() - 0.06 / 0.7f64.sqrt()).abs() < 1e-9);
    assert!((measured(&muscle, 0.006) / before - 1.0).abs() < 1e-3);
}

/// R18 fig. 4.21: while the axis bends by more than a right angle, and shortens.
#[test]
fn the_volume_stays_through_a_full_curl() {
    for eccentricity in [0.0, 0.6] {
        let straight = bent(30, 0.0);
        let mut muscle = muscle(&straight, [DVec3::X; 2], shape(0.07, eccentricity));
        let before = measured(&muscle, 0.008);
        for step in 0..=4 {
            let curl = f64::from(step) / 4.0;
            let points: Vec<DVec3> =
                bent(30, 130f64.to_radians() * curl).iter().map(|p| p * (1.0 - 0.25 * curl)).collect();
            let turned = DQuat::from_rotation_z(-130f64.to_radians() * curl) * DVec3::X;
            muscle.update(&points, [DVec3::X, turned], &MuscleControl { activation: curl, ..MuscleControl::default() });
            let change = measured(&muscle, 0.008) / before - 1.0;
            assert!(change.abs() < 0.02, "{eccentricity}, curl {curl}: {change}");
        }
    }
}

/// The largest jump of a function along a path in so many steps.
fn largest_jump(at: impl Fn(DVec3) -> f64, [from, to]: [DVec3; 2], steps: usize) -> f64 {
    let values: Vec<f64> = (0..=steps).map(|k| at(from.lerp(to, k as f64 / steps as f64))).collect();
    values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
}

/// The field by the nearest point of the axis, which R18 fig. 4.6 shows to jump.
fn by_nearest_point(muscle: &MuscleField, point: DVec3) -> f64 {
    let points: Vec<DVec3> = muscle.axis().positions().collect();
    let mut passed = 0.0;
    let mut best = (f64::INFINITY, 0.0);
    for pair in points.windows(2) {
        let along = pair[1] - pair[0];
        let t = ((point - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let distance = point.distance(pair[0] + t * along);
        if distance < best.0 {
            best = (distance, (passed + t * along.length()) / muscle.axis().length());
        }
        passed += along.length();
    }
    best.0 - muscle.radius(best.1).value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_field_is_continuous_around_any_axis(
        turns in prop::collection::vec((-1.2..1.2f64, -1.2..1.2f64), 3..12),
        paths in prop::collection::vec(prop::array::uniform6(-0.5..0.5f64), 4),
        eccentricity in prop::sample::select(vec![0.0, 0.7, 0.96]),
    ) {
        let mut direction = DVec3::Y;
        let mut points = vec![DVec3::ZERO];
        for (x, z) in turns {
            direction = DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z) * direction;
            points.push(points[points.len() - 1] + 0.1 * direction);
        }
        let muscle = muscle(&points, [DVec3::X, DVec3::Z], shape(0.08, eccentricity));
        let middle = points[points.len() / 2];
        for [a, b, c, d, e, f] in paths {
            let path = [DVec3::new(a, b, c) + middle, DVec3::new(d, e, f) + middle];
            let length = path[0].distance(path[1]);
            for steps in [500, 5000] {
                let jump = largest_jump(|p| muscle.distance(p).value, path, steps);
                prop_assert!(jump < 60.0 * length / steps as f64, "{} of {}", jump, length / steps as f64);
            }
        }
    }

    #[test]
    fn gradients_are_derivatives_and_boxes_hold(
        turns in prop::collection::vec((-0.5..0.5f64, -0.5..0.5f64), 6),
        at in prop::array::uniform3(-0.3..0.3f64),
        eccentricity in prop::sample::select(vec![0.0, 0.7, 0.96]),
        activation in 0.0..1.0f64,
    ) {
        let mut direction = DVec3::Y;
        let mut points = vec![DVec3::ZERO];
        for (x, z) in turns {
            direction = DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z) * direction;
            points.push(points[points.len() - 1] + 0.1 * direction);
        }
        let mut muscle = muscle(&points, [DVec3::X, DVec3::Z], shape(0.08, eccentricity));
        muscle.update(&points, [DVec3::X, DVec3::Z], &MuscleControl { activation, ..MuscleControl::default() });
        let point = DVec3::from(at) + points[3];
        let sample = muscle.distance(point);
        let step = 1e-5;
        let along = |axis: DVec3, step: f64| {
            (muscle.distance(point + step * axis).value - muscle.distance(point - step * axis).value) / (2.0 * step)
        };
        let by = |step: f64| DVec3::new(along(DVec3::X, step), along(DVec3::Y, step), along(DVec3::Z, step));
        let (coarse, fine) = (by(step), by(0.1 * step));
        // Where the two differ, a crease of the polyline runs through the stencil.
        if (coarse - fine).length() < 1e-5 {
            prop_assert!((sample.gradient - fine).length() < 1e-3, "{} {}", sample.gradient, fine);
        }
        let density = muscle.density(point);
        prop_assert!(density.value >= 0.0 && density.value <= 1.0);
        prop_assert!(density.value == 0.0 || muscle.bounds().contains(point));
        prop_assert_eq!(density.value > 0.5, sample.value < 0.0);
    }
}

#[test]
fn the_nearest_point_alone_jumps() {
    // A sharp bend in the first quarter, where the radius grows fast.
    let points = [(0.0, 0.0), (0.0, 0.25), (0.6, 0.4)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let muscle = muscle(&points, [DVec3::Z; 2], shape(0.08, 0.0));
    let path = [DVec3::new(0.05, 0.02, 0.0), DVec3::new(0.16, 0.28, 0.0)];
    let jumps = |at: &dyn Fn(DVec3) -> f64| [2000, 20_000].map(|steps| largest_jump(at, path, steps));
    let [coarse, fine] = jumps(&|p| by_nearest_point(&muscle, p));
    assert!(fine > 0.02 && fine > 0.8 * coarse, "{coarse} {fine}");
    let [coarse, fine] = jumps(&|p| muscle.distance(p).value);
    assert!(fine < 0.2 * coarse, "{coarse} {fine}");
}

#[test]
fn the_mesh_for_display_is_closed_and_on_the_surface() {
    let muscle = muscle(&bent(30, 0.8), [DVec3::Z; 2], shape(0.06, 0.7));
    let surface = muscle.surface(24, 12);
    assert!(is_closed(&surface));
    for &position in &surface.positions {
        let value = muscle.distance(position.as_dvec3()).value;
        assert!(value.abs() < 0.003, "{value}");
    }
    let measured = measured(&muscle, 0.008);
    let shown = volume(&surface.positions, &surface.faces);
    assert!((shown / measured - 1.0).abs() < 0.06, "{shown} {measured}");
    assert_eq!(surface, muscle.surface(24, 12));
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let axis = || Axis::new(&[DVec3::ZERO, DVec3::Y], [DVec3::X; 2]).unwrap();
    for (width, eccentricity) in [(0.0, 0.0), (f64::NAN, 0.0), (-1.0, 0.0), (0.1, 1.0), (0.1, -0.1), (0.1, f64::NAN)] {
        assert!(MuscleField::new(axis(), shape(width, eccentricity)).is_err(), "{width} {eccentricity}");
    }
    assert!(Beta::new(1, 3).is_err() && Beta::new(3, 10).is_err());
}
