//! Milliseconds to count the self-intersections of a bent tube.
//!
//! `cargo bench -p sinew --bench intersect` prints a Markdown table: the best of many runs on one
//! thread and on all, for a straight tube, and for one that linear skinning folds into itself at 140°.

use glam::{Quat, Vec3};
use sinew::geometry::{Face, SelfIntersections, Topology};
use sinew_testing::timing::best_milliseconds;
use std::f32::consts::TAU;

/// A tube of about that many triangles along y, from −1 to 1.
fn tube(triangles: usize) -> (Vec<Vec3>, Vec<Face>) {
    let around = (triangles as f32 / 2.0).sqrt() as u32;
    let rings = triangles as u32 / (2 * around);
    let vertex = |index: u32| {
        let (s, c) = (TAU * (index % around) as f32 / around as f32).sin_cos();
        Vec3::new(0.3 * c, 2.0 * (index / around) as f32 / rings as f32 - 1.0, 0.3 * s)
    };
    let positions = (0..(rings + 1) * around).map(vertex).collect();
    let at = |index: u32, ring: u32, step: u32| (index / around + ring) * around + (index + step) % around;
    let face = |index: u32| Face::quad(at(index, 0, 0), at(index, 1, 0), at(index, 1, 1), at(index, 0, 1));
    (positions, (0..rings * around).map(face).collect())
}

/// The tube as linear skinning bends it about z, with weights that change over the middle half.
fn bend(positions: &[Vec3], degrees: f32) -> Vec<Vec3> {
    let turn = Quat::from_rotation_z(degrees.to_radians());
    positions.iter().map(|&p| p.lerp(turn * p, (2.0 * p.y + 0.5).clamp(0.0, 1.0))).collect()
}

/// Seconds that each time is the best of.
const SECONDS: f64 = 0.5;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let all = rayon::ThreadPoolBuilder::new().build().expect("threads");
    println!("milliseconds per count; {} threads in all", all.current_num_threads());
    println!("| triangles | bend | intersections | one thread | all threads | build |");
    println!("|---|---|---|---|---|---|");
    for triangles in [5_000, 27_000, 100_000] {
        let (rest, faces) = tube(triangles);
        let topology = Topology::new(&rest, &faces);
        let build = best_milliseconds(SECONDS, || drop(SelfIntersections::new(&topology, &rest)));
        let mut intersections = SelfIntersections::new(&topology, &rest);
        for degrees in [0.0, 140.0] {
            let posed = bend(&rest, degrees);
            let expected = intersections.count(&posed);
            let mut time = |pool: &rayon::ThreadPool| {
                let count = || assert_eq!(intersections.count(&posed), expected);
                pool.install(|| best_milliseconds(SECONDS, count))
            };
            let (single, parallel) = (time(&one), time(&all));
            let triangles = topology.faces().len() * 2;
            println!("| {triangles} | {degrees}° | {expected} | {single:.2} | {parallel:.2} | {build:.1} |");
        }
    }
}
