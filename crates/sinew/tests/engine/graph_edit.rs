//! An edited graph keeps its shape, its lengths and its fixed vertices.

use glam::{DQuat, DVec3};
use sinew::motion::Error;
use sinew::motion::laplacian_editing::{Graph, LaplacianEditor, LaplacianEditorSetup, Segment};

/// A ribbon of `length` by `width` vertices that bends gently.
fn ribbon(length: u32, width: u32) -> (Vec<DVec3>, Vec<(u32, u32)>) {
    let at = |x: u32, y: u32| x * width + y;
    let place = |x: f64, y: f64| DVec3::new(x, y, (0.3 * x).sin());
    let positions = (0..length * width).map(|v| place(f64::from(v / width), f64::from(v % width))).collect();
    let along = (0..length - 1).flat_map(|x| (0..width).map(move |y| (at(x, y), at(x + 1, y))));
    let across = (0..length).flat_map(|x| (0..width - 1).map(move |y| (at(x, y), at(x, y + 1))));
    (positions, along.chain(across).collect())
}

fn segments(positions: &[DVec3], edges: &[(u32, u32)]) -> Vec<Segment> {
    let length = |a: u32, b: u32| positions[a as usize].distance(positions[b as usize]);
    edges.iter().map(|&(a, b)| Segment { a, b, length: length(a, b) }).collect()
}

fn setup<'a>(
    graph: &'a Graph,
    rest: &'a [DVec3],
    fixed: &'a [u32],
    segments: &'a [Segment],
) -> LaplacianEditorSetup<'a> {
    LaplacianEditorSetup { graph, rest, fixed, soft: &[], segments, segment_weight: 0.5 }
}

#[test]
fn nothing_moves_when_nothing_is_moved() {
    let (rest, edges) = ribbon(30, 3);
    let kept = segments(&rest, &edges);
    let graph = Graph::gaussian(&rest, edges).unwrap();
    let mut edit = LaplacianEditor::new(&setup(&graph, &rest, &[0, 89], &kept)).unwrap();
    assert_eq!(edit.solve(1e-4, 50).iterations, 0);
    assert_eq!(edit.positions(), rest);
}

#[test]
fn the_energy_falls_at_every_step() {
    let (rest, edges) = ribbon(40, 3);
    let kept = segments(&rest, &edges);
    for graph in [Graph::uniform(rest.len(), edges.clone()).unwrap(), Graph::gaussian(&rest, edges).unwrap()] {
        let drawn = [(60, 3.0)];
        let mut edit =
            LaplacianEditor::new(&LaplacianEditorSetup { soft: &drawn, ..setup(&graph, &rest, &[0, 1, 119], &kept) })
                .unwrap();
        edit.place(119, rest[119] + DVec3::new(-9.0, 4.0, 6.0));
        edit.place(60, rest[60] + DVec3::Z);
        let energies: Vec<f64> = (0..60).map(|_| edit.step()).collect();
        assert!(energies.windows(2).all(|e| e[1] <= e[0] * (1.0 + 1e-12)), "{energies:?}");
        assert!(energies[59] < 0.9 * energies[0], "{energies:?}");
    }
}

/// The gradient of the energy, by a difference in each coordinate, is zero where no length is kept.
#[test]
fn without_lengths_the_result_is_the_minimum_of_the_energy() {
    let (rest, edges) = ribbon(8, 2);
    let graph = Graph::uniform(rest.len(), edges).unwrap();
    let drawn = [(7, 0.5)];
    let mut edit =
        LaplacianEditor::new(&LaplacianEditorSetup { soft: &drawn, ..setup(&graph, &rest, &[0, 15], &[]) }).unwrap();
    let target = rest[7] + DVec3::new(0.0, 1.0, 2.0);
    edit.place(7, target);
    edit.place(15, rest[15] + DVec3::Y);
    edit.solve(1e-4, 10);
    let mut wanted = vec![DVec3::ZERO; rest.len()];
    graph.differences(&rest, &mut wanted);
    let energy = |positions: &[DVec3]| {
        let mut found = vec![DVec3::ZERO; rest.len()];
        graph.differences(positions, &mut found);
        let shape: f64 = found.iter().zip(&wanted).map(|(a, b)| a.distance_squared(*b)).sum();
        shape + 0.5 * positions[7].distance_squared(target)
    };
    let best = energy(edit.positions());
    assert!(best > 1e-3, "the pull costs something");
    for vertex in 1..15 {
        for axis in DVec3::AXES {
            let slope = [1e-4, -1e-4].map(|step| {
                let mut moved = edit.positions().to_vec();
                moved[vertex] += axis * step;
                energy(&moved)
            });
            assert!(slope.iter().all(|&e| e > best), "vertex {vertex} along {axis}");
            assert!((slope[0] - slope[1]).abs() < 1e-9, "vertex {vertex} along {axis}");
        }
    }
}

#[test]
fn lengths_and_held_vertices_are_kept_at_any_scale() {
    for scale in [1e-3, 1.0, 1e4] {
        let (rest, edges) = ribbon(40, 3);
        let rest: Vec<DVec3> = rest.iter().map(|p| *p * scale).collect();
        let kept = segments(&rest, &edges);
        let graph = Graph::uniform(rest.len(), edges).unwrap();
        let mut edit = LaplacianEditor::new(&setup(&graph, &rest, &[0, 1, 2, 118], &kept)).unwrap();
        let target = rest[118] + DVec3::new(-8.0, 5.0, 3.0) * scale;
        edit.place(118, target);
        let outcome = edit.solve(1e-4, 400);
        assert!(outcome.largest_error < 1e-4, "{scale}: {outcome:?}");
        assert!(outcome.iterations > 3, "{scale}: {outcome:?}");
        assert_eq!(edit.positions()[118], target);
        assert_eq!(edit.positions()[1], rest[1]);
        edit.reset();
        assert_eq!(edit.positions(), rest);
    }
}

#[test]
fn a_graph_that_is_turned_and_held_accordingly_is_turned_as_a_whole() {
    let (rest, edges) = ribbon(20, 3);
    let kept = segments(&rest, &edges);
    let graph = Graph::uniform(rest.len(), edges).unwrap();
    let mut edit = LaplacianEditor::new(&setup(&graph, &rest, &[0, 1, 59], &kept)).unwrap();
    let turn = DQuat::from_scaled_axis(DVec3::new(0.4, 1.1, -0.3));
    for vertex in [0, 1, 59] {
        edit.place(vertex, turn * rest[vertex]);
    }
    edit.rotate(&[turn; 60]);
    edit.solve(1e-9, 5);
    for (position, rest) in edit.positions().iter().zip(&rest) {
        assert!(position.distance(turn * *rest) < 1e-9, "{position} is not {}", turn * *rest);
    }
}

#[test]
fn unsolvable_systems_are_refused() {
    let (rest, edges) = ribbon(4, 2);
    assert!(Graph::uniform(7, edges.clone()).is_err());
    assert!(Graph::new(8, edges.clone(), vec![-1.0; edges.len()]).is_err());
    assert!(Graph::new(8, edges.clone(), vec![1.0]).is_err());
    let graph = Graph::uniform(8, edges.clone()).unwrap();
    let error = LaplacianEditor::new(&setup(&graph, &rest, &[], &[])).err();
    assert_eq!(error, Some(Error::Unanchored { vertex: 0 }));
    let apart = Graph::uniform(8, vec![(0, 1), (2, 3), (4, 5), (6, 7)]).unwrap();
    assert_eq!(
        LaplacianEditor::new(&setup(&apart, &rest, &[0, 2, 6], &[])).err(),
        Some(Error::Unanchored { vertex: 4 })
    );
    assert!(LaplacianEditor::new(&setup(&graph, &rest, &[8], &[])).is_err());
    assert!(LaplacianEditor::new(&setup(&graph, &rest, &[0], &[Segment { a: 0, b: 1, length: 0.0 }])).is_err());
    assert!(LaplacianEditor::new(&setup(&graph, &rest[1..], &[0], &[])).is_err());
}

/// Two ends of a stretched chain that are too far apart: the error is reported, and the solution is finite.
#[test]
fn what_is_out_of_reach_is_a_compromise() {
    let rest: Vec<DVec3> = (0..10).map(|k| DVec3::new(f64::from(k), 0.1 * f64::from(k % 2), 0.0)).collect();
    let edges: Vec<(u32, u32)> = (0..9).map(|k| (k, k + 1)).collect();
    let kept = segments(&rest, &edges);
    let graph = Graph::uniform(10, edges).unwrap();
    let mut edit = LaplacianEditor::new(&setup(&graph, &rest, &[0, 9], &kept)).unwrap();
    edit.place(9, DVec3::new(18.0, 0.0, 0.0));
    let outcome = edit.solve(1e-4, 200);
    assert!((0.9..1.5).contains(&outcome.largest_error), "{outcome:?}");
    assert!(edit.positions().iter().all(|p| p.is_finite() && p.length() < 20.0));
}
