//! Points and their distances: there, back, and with wishes in between. Figures are those of L13, chapters 2 and 3.

use glam::{DQuat, DVec3};
use sinew::motion::Error;
use sinew::motion::distance_geometry::{Constraint, Distances, Kinematics, build_up, classical_scaling};

/// A tree of so many joints, bent by an amount.
fn posture(joints: usize, bend: f64) -> Vec<DVec3> {
    let mut positions: Vec<DVec3> = vec![DVec3::new(3.0, 9.0, -2.0)];
    for joint in 1..joints {
        let k = joint as f64;
        let turn = DQuat::from_scaled_axis(DVec3::new((1.3 * k).sin(), (0.7 * k).cos(), (2.1 * k).sin()) * bend);
        let bone =
            turn * DVec3::new((k * 0.9).cos(), -1.0, (k * 1.7).sin()).normalize() * (1.0 + 0.3 * (k * 3.0).sin());
        positions.push(positions[parent(joint)] + bone);
    }
    positions
}

fn parent(joint: usize) -> usize {
    if joint % 5 == 1 { joint / 6 } else { joint - 1 }
}

fn bones(rest: &[DVec3]) -> Vec<Constraint> {
    let bone = |joint: usize| {
        let length = rest[joint].distance(rest[parent(joint)]);
        Constraint::Distance { a: joint as u32, b: parent(joint) as u32, length }
    };
    (1..rest.len()).map(bone).collect()
}

/// Four places around the points that are in no plane.
fn references(positions: &[DVec3]) -> [DVec3; 4] {
    let low = positions.iter().copied().reduce(DVec3::min).unwrap();
    let high = positions.iter().copied().reduce(DVec3::max).unwrap();
    let size = (high - low).max_element();
    [low, low + DVec3::X * size, low + DVec3::Y * size, low + DVec3::Z * size]
}

fn reference_distances(positions: &[DVec3], references: &[DVec3; 4]) -> Vec<Constraint> {
    let spheres = |(point, p): (usize, &DVec3)| {
        references.map(|center| Constraint::Sphere { point: point as u32, center, radius: p.distance(center) })
    };
    positions.iter().enumerate().flat_map(spheres).collect()
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn all_distances_give_the_points_back() {
    let points = posture(31, 0.4);
    for mirror in [1.0, -1.0] {
        let points: Vec<DVec3> = points.iter().map(|p| *p * DVec3::new(mirror, 1.0, 1.0)).collect();
        let scaling = classical_scaling(&Distances::of(&points));
        assert!(scaling.largest_error < 1e-10, "{}", scaling.largest_error);
        assert!(largest_distance(&scaling.fitted_to(&points), &points) < 1e-11);
    }
    // Three points in a line, and lengths of no triangle at all.
    let line = Distances::from_fn(3, |i, j| i.abs_diff(j) as f64).unwrap();
    assert!(classical_scaling(&line).largest_error < 1e-9);
    let none = Distances::from_fn(3, |i, j| if i + j == 3 { 9.0 } else { 1.0 }).unwrap();
    assert!(classical_scaling(&none).largest_error > 1.0);
    assert!(Distances::from_fn(3, |_, _| f64::NAN).is_err());
    assert!(classical_scaling(&Distances::of(&[])).positions.is_empty());
}

#[test]
fn points_are_built_upon_four_placed_ones() {
    let points = posture(60, 0.4);
    let mut placed = vec![None; 60];
    (0..4).for_each(|k| placed[k] = Some(points[k]));
    // Each point is known from the eight before it only.
    let pairs = (4..60u32).flat_map(|a| (a.saturating_sub(8)..a).map(move |b| (a, b)));
    let distances: Vec<_> = pairs.map(|(a, b)| (a, b, points[a as usize].distance(points[b as usize]))).collect();
    assert!(largest_distance(&build_up(&placed, &distances).unwrap(), &points) < 1e-6);
    let without: Vec<_> = distances.into_iter().filter(|&(a, b, _)| a != 9 && b != 9).collect();
    assert_eq!(build_up(&placed, &without), Err(Error::CannotPlace { point: 9 }));
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)].map(Some);
    let flat: Vec<_> = flat.into_iter().chain([None]).collect();
    let above: Vec<_> = (0..4).map(|k| (4, k, 2.0)).collect();
    assert_eq!(build_up(&flat, &above), Err(Error::CannotPlace { point: 4 }));
}

/// L13 fig. 3.4: from the rest pose to a posture with given distances to four points.
#[test]
fn tracking_converges_in_a_few_steps_and_the_printed_residual_does_not() {
    for scale in [0.01, 1.0, 1000.0] {
        let [rest, goal] = [0.0, 0.6].map(|bend| posture(31, bend));
        let [rest, goal] = [rest, goal].map(|p| p.iter().map(|p| *p * scale).collect::<Vec<DVec3>>());
        let distances = reference_distances(&goal, &references(&goal));
        let soft = distances.iter().map(|&c| (c, 1.0)).collect();
        let mut kinematics = Kinematics::new(31, &[], bones(&goal), soft).unwrap();
        assert_eq!((kinematics.hard().len(), kinematics.soft().len()), (30, 124));
        let mut positions = rest.clone();
        let outcome = kinematics.solve(&mut positions);
        assert!(largest_distance(&positions, &goal) < 1e-9 * scale, "{outcome:?}");
        assert!(outcome.iterations <= 10 && outcome.is_met, "{outcome:?}");

        // Distances to four places alone, as in the source, with either residual.
        let mut alone = Kinematics::new(31, &[], distances, Vec::new()).unwrap();
        let mut positions = rest.clone();
        let right = alone.solve(&mut positions);
        assert!(largest_distance(&positions, &goal) < 1e-9 * scale, "{right:?}");
        assert!(right.iterations <= 10, "{right:?}");
        let printed = steps_with_the_printed_residual(&rest, &goal, 1e-9 * scale);
        assert!(printed > 25, "{printed} steps");
    }
}

/// Newton's iteration on `(‖x − r‖² − d²)²`, each point by itself since the references do not move, with
/// the pseudo-inverse by normal equations.
fn steps_with_the_printed_residual(rest: &[DVec3], goal: &[DVec3], tolerance: f64) -> usize {
    let references = references(goal);
    let mut positions = rest.to_vec();
    for step in 0..200 {
        if largest_distance(&positions, goal) < tolerance {
            return step;
        }
        for (x, target) in positions.iter_mut().zip(goal) {
            let (mut normal, mut right) = (glam::DMat3::ZERO, DVec3::ZERO);
            for r in references {
                let residual = x.distance_squared(r) - target.distance_squared(r);
                let gradient = (*x - r) * (4.0 * residual);
                normal += glam::DMat3::from_cols(gradient * gradient.x, gradient * gradient.y, gradient * gradient.z);
                right += gradient * (residual * residual);
            }
            let step = normal.inverse() * right;
            if step.is_finite() {
                *x -= step;
            }
        }
    }
    200
}

/// L13 fig. 3.5: ten joints in a row, one end held, the other at a target.
#[test]
fn a_chain_of_ten_reaches_its_target() {
    let rest: Vec<DVec3> = (0..10).map(|k| DVec3::new(f64::from(k), 0.2 * f64::from(k % 2), 0.0)).collect();
    let links = |rest: &[DVec3]| -> Vec<Constraint> {
        let link =
            |k: usize| Constraint::Distance { a: k as u32, b: k as u32 + 1, length: rest[k].distance(rest[k + 1]) };
        (0..9).map(link).collect()
    };
    for target in [DVec3::new(3.0, 4.0, 2.0), DVec3::new(-3.0, 5.0, 1.0), DVec3::new(0.5, 0.0, 0.0)] {
        let held = [(0, rest[0]), (9, target)].map(|(point, position)| Constraint::Target { point, position });
        let mut hard = links(&rest);
        hard.extend(held);
        let mut positions = rest.clone();
        let outcome = Kinematics::new(10, &[], hard.clone(), Vec::new()).unwrap().solve(&mut positions);
        assert!(outcome.is_met && outcome.iterations <= 30, "{target}: {outcome:?}");
        assert!(hard.iter().all(|c| c.error(&positions) < 1e-9), "{target}");
    }
    // Out of reach: links keep their lengths, the end is as near as possible, and the error is reported.
    let target = DVec3::new(9.0, 9.0, 0.0);
    let mut hard = links(&rest);
    hard.extend([(0, rest[0]), (9, target)].map(|(point, position)| Constraint::Target { point, position }));
    let reach: f64 =
        hard[..9].iter().map(|c| if let Constraint::Distance { length, .. } = c { *length } else { 0.0 }).sum();
    let mut kinematics = Kinematics::new(10, &[], hard.clone(), Vec::new()).unwrap();
    let mut positions = rest.clone();
    let outcome = kinematics.solve(&mut positions);
    assert!(!outcome.is_met, "{outcome:?}");
    let apart = positions[0].distance(positions[9]);
    assert!(hard[..9].iter().all(|c| c.error(&positions) < 1e-6), "{outcome:?}");
    assert!(apart > 0.99 * reach, "{apart} of {reach}: {outcome:?}");
    let unmet = kinematics.unmet(&positions);
    assert!(unmet.contains(&9) || unmet.contains(&10), "{unmet:?}");
    assert!(!unmet.contains(&4), "{unmet:?}");
}

/// L13 fig. 3.11: a ring of twenty that is pulled apart at two places, limp and stiff.
#[test]
fn a_ring_of_twenty_is_pulled_at_two_points() {
    let place =
        |k: usize| DVec3::new((k as f64 * 0.314_159).cos(), (k as f64 * 0.314_159).sin(), 0.01 * (k % 3) as f64);
    let rest: Vec<DVec3> = (0..20).map(place).collect();
    let between =
        |a: usize, b: usize| Constraint::Distance { a: a as u32, b: b as u32, length: rest[a].distance(rest[b]) };
    let mut hard: Vec<Constraint> = (0..20).map(|k| between(k, (k + 1) % 20)).collect();
    let targets = [(0, DVec3::new(1.3, 0.1, 0.2)), (10, DVec3::new(-1.3, 0.0, -0.2))];
    hard.extend(targets.map(|(point, position)| Constraint::Target { point, position }));
    let braces: Vec<(Constraint, f64)> =
        (0..20).flat_map(|k| [2, 5, 10].map(|step| (between(k, (k + step) % 20), 1.0))).collect();
    let mut shape_errors = Vec::new();
    for soft in [Vec::new(), braces.clone()] {
        let mut positions = rest.clone();
        let outcome = Kinematics::new(20, &[], hard.clone(), soft).unwrap().solve(&mut positions);
        assert!(outcome.is_met, "{outcome:?}");
        assert!(hard.iter().all(|c| c.error(&positions) < 1e-8), "{outcome:?}");
        shape_errors.push(braces.iter().map(|(c, _)| c.error(&positions).powi(2)).sum::<f64>());
    }
    assert!(shape_errors[1] < 0.999 * shape_errors[0], "{shape_errors:?}");
}

#[test]
fn soft_wishes_never_cost_hard_constraints() {
    let rest = posture(31, 0.3);
    let hand = rest.len() - 1;
    let sphere = Constraint::Sphere { point: hand as u32, center: rest[hand] + DVec3::Y, radius: 0.7 };
    let plane = Constraint::Plane { point: 5, normal: DVec3::Y, offset: rest[5].y + 0.2 };
    let mut hard = bones(&rest);
    hard.extend([sphere, plane]);
    // However heavy the wishes are: they are for the points to stay where they are.
    for weight in [1e-6, 1.0, 1e6] {
        let stay = reference_distances(&rest, &references(&rest)).into_iter().map(|c| (c, weight)).collect();
        let mut kinematics = Kinematics::new(31, &[], hard.clone(), stay).unwrap();
        let mut positions = rest.clone();
        let outcome = kinematics.solve(&mut positions);
        assert!(outcome.is_met, "{weight}: {outcome:?}");
        assert!(hard.iter().all(|c| c.error(&positions) < 1e-8), "{weight}: {outcome:?}");
        assert!(outcome.soft_error > 1e-3, "{weight}: {outcome:?}");
        assert!(kinematics.unmet(&positions).is_empty());
        // A second solve from there has nothing left to do.
        let before = positions.clone();
        kinematics.solve(&mut positions);
        assert!(largest_distance(&positions, &before) < 1e-4);
    }
}

#[test]
fn points_that_touch_are_at_one_place() {
    let rest = posture(12, 0.2);
    let mut hard = bones(&rest);
    hard.push(Constraint::Distance { a: 11, b: 3, length: 0.0 });
    let mut positions = rest.clone();
    let outcome = Kinematics::new(12, &[0], hard, Vec::new()).unwrap().solve(&mut positions);
    assert!(outcome.is_met && positions[11].distance(positions[3]) < 1e-9, "{outcome:?}");
    assert_eq!(positions[0], rest[0]);
}

#[test]
fn contradictions_are_named() {
    let distance = |a, b, length| Constraint::Distance { a, b, length };
    let target = |point, x| Constraint::Target { point, position: DVec3::X * x };
    for (hard, pair) in [
        (vec![distance(0, 1, 1.0), distance(1, 2, 1.0), distance(1, 0, 2.0)], (0, 2)),
        (vec![target(0, 1.0), distance(0, 1, 1.0), target(0, 2.0)], (0, 2)),
        (vec![target(0, 1.0), target(1, 5.0), distance(0, 1, 1.0)], (0, 2)),
        (vec![distance(0, 1, 1.0), distance(1, 2, 1.0), distance(2, 0, 3.0)], (2, 0)),
    ] {
        match Kinematics::new(3, &[], hard, Vec::new()).err() {
            Some(Error::Contradiction { first, second, .. }) => assert_eq!((first, second), pair),
            other => panic!("{other:?} instead of {pair:?}"),
        }
    }
    assert!(Kinematics::new(2, &[], vec![distance(0, 2, 1.0)], Vec::new()).is_err());
    assert!(Kinematics::new(2, &[], vec![distance(0, 1, f64::NAN)], Vec::new()).is_err());
    assert!(Kinematics::new(2, &[2], Vec::new(), Vec::new()).is_err());
    let mut kinematics = Kinematics::new(2, &[], vec![distance(0, 1, 1.0)], Vec::new()).unwrap();
    assert!(kinematics.set_hard(0, distance(1, 0, 1.0)).is_err());
    assert!(kinematics.set_hard(0, distance(0, 1, 2.0)).is_ok());
}
