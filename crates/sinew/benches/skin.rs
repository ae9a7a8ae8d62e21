//! Nanoseconds per vertex of every skinning method, beside the machine's copy bandwidth.
//!
//! `cargo bench -p sinew --bench skin` prints a Markdown table: the best of many runs, sizes from a
//! thousand to a million vertices, with and without normals, on one thread and on all. A second table has the same
//! surfaces with their vertices shuffled, against the order of the file.
//! `cargo bench -p sinew --bench skin -- quick` runs the sizes and widths of the README only.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::Time;
use sinew::deform::skinning::{SkinDeformer, SkinMethod};
use sinew::geometry::{Face, Mesh};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Pose, Skeleton, Transform, Weights};
use sinew::{Deformer, Frame, Surface};
use std::time::Instant;

const JOINTS: usize = 64;

/// A surface whose every vertex has exactly `influences` joints out of 64. Neighbours share joints, as
/// on a real character, unless they are `scattered` as nobody's are.
fn character(vertices: usize, influences: usize, scattered: bool) -> Character {
    let positions: Vec<Vec3> = (0..vertices)
        .map(|v| {
            let angle = v as f32 * 0.1;
            Vec3::new(angle.cos(), v as f32 * 10.0 / vertices as f32, angle.sin())
        })
        .collect();
    let faces = (0..vertices as u32 / 3).map(|k| Face::triangle(3 * k, 3 * k + 1, 3 * k + 2)).collect();
    let mut mesh = Mesh::new("bench", positions, faces);
    mesh.normals = mesh.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.z)).collect();
    let mut weights = Weights::with_capacity(vertices, vertices * influences);
    let total = (influences * (influences + 1) / 2) as f32;
    for v in 0..vertices {
        let first = if scattered { v * 29 } else { v * JOINTS / vertices };
        weights.push(
            (0..influences)
                .map(|k| Influence { joint: ((first + k) % JOINTS) as u32, weight: (influences - k) as f32 / total }),
        );
    }
    let joints = (0..JOINTS)
        .map(|j| Joint {
            name: format!("joint {j}"),
            parent: j.checked_sub(1),
            rest: Transform::from_translation(DVec3::Y * 0.1),
            ..Joint::default()
        })
        .collect();
    let (skeleton, _) = Skeleton::new(joints).expect("a chain of joints is a tree");
    let inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
    let binding = Binding { joints: (0..JOINTS).collect(), inverse_bind, weights, dual_quaternion_share: None };
    Character {
        base_pose: skeleton.rest_pose(),
        skeleton,
        parts: vec![Part { node: 0, skinned: true, mesh, binding }],
        ..Character::default()
    }
}

/// The character with the vertices of its first part in an order without locality.
fn shuffled(character: &Character) -> Character {
    let mut character = character.clone();
    let Part { mesh, binding, .. } = &mut character.parts[0];
    let count = mesh.positions.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&v| (v as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut number = vec![0; count];
    order.iter().enumerate().for_each(|(k, &v)| number[v] = k as u32);
    for list in [&mut mesh.positions, &mut mesh.normals] {
        *list = order.iter().map(|&v| list[v]).collect();
    }
    mesh.faces.iter_mut().for_each(|face| *face = face.map(|v| number[v as usize]));
    let mut weights = Weights::with_capacity(count, binding.weights.max_influences() * count);
    order.iter().for_each(|&v| weights.push(binding.weights.row(v).iter().copied()));
    binding.weights = weights;
    character
}

/// The best time of a run in nanoseconds, over half a second of runs.
fn best_nanoseconds(mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = f64::MAX;
    let mut runs = 0;
    while runs < 5 || begin.elapsed().as_secs_f64() < 0.25 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    best * 1e9
}

fn main() {
    let quick = std::env::args().any(|a| a == "quick");
    let sizes: &[usize] = if quick { &[10_000, 100_000, 1_000_000] } else { &[1_000, 10_000, 100_000, 1_000_000] };
    let widths: &[usize] = if quick { &[4] } else { &[1, 2, 4, 8] };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let all = rayon::ThreadPoolBuilder::new().build().expect("threads");
    println!("ns per vertex; positions / with normals; {} threads in all", all.current_num_threads());
    println!("| vertices | influences | method | one thread | all threads |");
    println!("|---|---|---|---|---|");
    for &vertices in sizes {
        let source = vec![Vec3::ONE; vertices];
        let mut target = vec![Vec3::ZERO; vertices];
        let copy = best_nanoseconds(|| {
            target.copy_from_slice(&source);
            std::hint::black_box(&mut target);
        });
        let (single, double) = (copy / vertices as f64, 2.0 * copy / vertices as f64);
        println!("| {vertices} | | copy of positions / and normals | {single:.2} / {double:.2} | |");
        for &influences in widths {
            rows(&character(vertices, influences, false), &influences.to_string(), [&one, &all]);
        }
        rows(&character(vertices, 4, true), "4, scattered", [&one, &all]);
    }
    rows(&sinew::demo::character(), "the demo's 1 to 4", [&one, &all]);
    println!("\nIn another order of the vertices, one thread: ns per vertex in the file's order / shuffled\n");
    println!("| vertices | influences | method | positions | with normals |");
    println!("|---|---|---|---|---|");
    for &vertices in sizes {
        shuffled_rows(&character(vertices, 4, false), "4", &one);
    }
    shuffled_rows(&sinew::demo::character(), "the demo's 1 to 4", &one);
}

/// A row for each method: the file's order against a shuffled one.
fn shuffled_rows(character: &Character, influences: &str, pool: &rayon::ThreadPool) {
    let other = shuffled(character);
    let vertices = character.vertex_count();
    for method in SkinMethod::ALL {
        let [positions, normals] = [false, true].map(|normals| {
            let [file, shuffled] = [character, &other].map(|character| time(character, method, pool, normals));
            format!("{file:.2} / {shuffled:.2}, {:.2} ×", shuffled / file)
        });
        println!("| {vertices} | {influences} | {method} | {positions} | {normals} |");
    }
}

/// A row for each method.
fn rows(character: &Character, influences: &str, pools: [&rayon::ThreadPool; 2]) {
    let vertices = character.vertex_count();
    for method in SkinMethod::ALL {
        let of = |pool, normals| time(character, method, pool, normals);
        let [one, all] = pools.map(|pool| format!("{:.2} / {:.2}", of(pool, false), of(pool, true)));
        println!("| {vertices} | {influences} | {method} | {one} | {all} |");
    }
}

/// Nanoseconds per vertex.
fn time(character: &Character, method: SkinMethod, pool: &rayon::ThreadPool, normals: bool) -> f64 {
    let mut pose = Pose::default();
    pose.copy_from(&character.base_pose);
    pose.joints.iter_mut().for_each(|j| j.rotation *= DQuat::from_rotation_z(0.05));
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(&pose, &mut world);
    let frame = Frame::new(&pose, &world, Time::default());
    let deformer = SkinDeformer::new(character, method).expect("a valid character");
    let mut deformer = if normals { deformer } else { deformer.positions_only() };
    let mut surface = Surface::default();
    pool.install(|| best_nanoseconds(|| deformer.deform(&frame, &mut surface))) / character.vertex_count() as f64
}
