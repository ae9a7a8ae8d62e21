//! Meshes as they come are all weighted, and nearly as the clean ones are.
//!
//! The differences are half the sum over joints, so 1 is another bone altogether. `--nocapture dirty` prints what was
//! measured.

use super::judge::{Differences, Row, bound, difference, options, rows};
use super::samples::{SAMPLES, Sample};
use super::shapes::{positions, tube, two_bones, unbound};
use super::spoil::{
    Spoiled, diagonal, doubled_faces, doubled_shell, flipped, scaled, soup, triangulated, with_box_through, with_cubes,
    with_holes, with_slivers,
};
use glam::Vec3;
use sinew::rig::Character;

/// Where the weights of a spoiled character may be, as mean and largest difference from the clean ones.
struct Limit {
    mean: f64,
    largest: f64,
}

/// The weights of each sample once it is spoiled, after they were found to be near the clean ones.
fn check(
    what: &str,
    samples: &[Sample],
    spoil: impl Fn(&Character) -> Spoiled,
    limit: Limit,
) -> Vec<(Spoiled, Vec<Row>)> {
    let mut failed = Vec::new();
    let mut results = Vec::new();
    for Sample { name, character, rows: before } in samples {
        let spoiled = spoil(character);
        let after = rows(&bound(&spoiled.character, &options(4)));
        let pairs = after.iter().zip(&spoiled.origins);
        let from_clean = |(row, origin): (&Row, &Option<usize>)| origin.map_or(0.0, |o| difference(row, &before[o]));
        let Differences { mean, largest, at } = Differences::new(pairs.map(from_clean));
        println!("| {what} | {name} | {mean:.1e} | {largest:.1e} | ≤ {:.0e} | ≤ {:.0e} |", limit.mean, limit.largest);
        if mean > limit.mean || largest > limit.largest {
            let place = positions(&spoiled.character)[at];
            failed.push(format!("{name}: {mean:.1e} in the mean, {largest:.1e} at {place}"));
        }
        results.push((spoiled, after));
    }
    assert!(failed.is_empty(), "{what}: {}", failed.join("; "));
    results
}

#[test]
fn dirty_holes() {
    // A vertex of the doll that loses the faces between it and its neighbours may change hands altogether.
    check("20 % of the faces missing", &*SAMPLES, |clean| with_holes(clean, 0.2), Limit { mean: 0.12, largest: 1.01 });
}

#[test]
fn dirty_soup() {
    check("every face on its own", &*SAMPLES, |clean| soup(clean, 0.0), Limit { mean: 1e-6, largest: 1e-5 });
}

#[test]
fn dirty_soup_with_gaps() {
    check(
        "every face on its own, moved by 1e-7",
        &*SAMPLES,
        |clean| soup(clean, 1e-7),
        Limit { mean: 0.02, largest: 0.2 },
    );
}

#[test]
fn dirty_normals() {
    check("all faces reversed", &*SAMPLES, |clean| flipped(clean, 1.0), Limit { mean: 1e-6, largest: 1e-5 });
}

#[test]
fn dirty_normals_of_half() {
    check("half of the faces reversed", &*SAMPLES, |clean| flipped(clean, 0.5), Limit { mean: 1e-6, largest: 1e-5 });
}

#[test]
fn dirty_doubled_faces() {
    check("every face twice", &*SAMPLES, doubled_faces, Limit { mean: 1e-3, largest: 0.02 });
}

#[test]
fn dirty_doubled_shell() {
    check(
        "a second shell 1e-5 aside",
        &*SAMPLES,
        |clean| doubled_shell(clean, 1e-5),
        Limit { mean: 0.06, largest: 0.7 },
    );
}

#[test]
fn dirty_millimetres_and_kilometres() {
    for scale in [1e-3, 1e3] {
        check(&format!("times {scale}"), &*SAMPLES, |clean| scaled(clean, scale), Limit { mean: 1e-5, largest: 1e-4 });
    }
}

#[test]
fn dirty_slivers() {
    let triangles = SAMPLES.iter().map(|sample| Sample::new(sample.name, triangulated(&sample.character)));
    check(
        "triangles as thin as rounding allows",
        &triangles.collect::<Vec<_>>(),
        with_slivers,
        Limit { mean: 0.01, largest: 0.4 },
    );
}

#[test]
fn dirty_box_through() {
    check("a box that sticks in it", &*SAMPLES, with_box_through, Limit { mean: 0.02, largest: 0.5 });
}

/// Each cube moves as one, with the surface below it.
#[test]
fn dirty_cubes() {
    let limit = Limit { mean: 5e-3, largest: 0.15 };
    let results = check("thirteen floating cubes", &*SAMPLES, |clean| with_cubes(clean, 13), limit);
    for (Sample { name, character, rows: body }, (spoiled, after)) in SAMPLES.iter().zip(results) {
        let places = positions(&spoiled.character);
        let body_places = positions(character);
        let added: Vec<usize> = (0..after.len()).filter(|&vertex| spoiled.origins[vertex].is_none()).collect();
        assert_eq!(added.len(), 13 * 8);
        let (mut torn, mut astray) = (0.0f64, 0.0f64);
        for cube in added.chunks_exact(8) {
            let center = cube.iter().map(|&vertex| places[vertex]).sum::<Vec3>() / 8.0;
            let distance = |vertex: usize| body_places[vertex].distance(center);
            let nearest = (0..body.len()).map(distance).fold(f32::INFINITY, f32::min);
            // The nearest vertex may be an edge away from the nearest point, so the best of those about as near counts.
            let about = nearest + 0.03 * diagonal(character) as f32;
            let near = (0..body.len()).filter(|&vertex| distance(vertex) <= about);
            astray = astray.max(near.map(|vertex| difference(&after[cube[0]], &body[vertex])).fold(1.0, f64::min));
            torn = cube.iter().map(|&vertex| difference(&after[vertex], &after[cube[0]])).fold(torn, f64::max);
        }
        println!("{name}: within a cube {torn:.1e}, from the surface below it {astray:.1e}");
        assert!(torn <= 0.02 && astray <= 0.2, "{name}: {torn} within a cube, {astray} from the surface below it");
    }
}

/// Two closed tubes that overlap are one limb, and the caps inside it part nothing.
#[test]
fn dirty_tubes_that_interpenetrate_are_one_limb() {
    let whole = unbound(vec![tube([0.0, 10.0], 51, 24, true)], two_bones());
    let one = rows(&bound(&whole, &options(4)));
    let two = unbound(vec![tube([0.0, 6.0], 31, 24, true), tube([4.0, 10.0], 31, 24, true)], two_bones());
    let halves = rows(&bound(&two, &options(4)));
    let on_wall = positions(&two).into_iter().zip(&halves).filter(|(p, _)| p.truncate().length() > 0.5);
    let differences = on_wall.map(|(position, row)| {
        let same = whole.parts[0].mesh.positions.iter().position(|p| p.distance(position) < 1e-4);
        difference(row, &one[same.expect("the rings of both are in the same places")])
    });
    let Differences { mean, largest, .. } = Differences::new(differences);
    println!("| two tubes that overlap | tube | {mean:.1e} | {largest:.1e} | ≤ 5e-2 | ≤ 3e-1 |");
    assert!(mean <= 0.05 && largest <= 0.3, "{mean} in the mean, {largest} at most");
}
