//! Milliseconds of a mesh that follows handles by way of a cage, beside the figures of L13 tab. 9.3.
//!
//! `cargo bench -p sinew --bench cage` prints a Markdown table: best times on one thread but for the building, those of
//! a turn on one / on all, and what the process grows by for the solver and the mesh in it. The meshes have as many
//! vertices as L13's: 172914 around 423 and 27350 control vertices, and a hand's 5023 around 368.

use glam::{DQuat, DVec3, Vec3};
use sinew::cage::{Cage, CageOptions, ControlMesh, Driver, DriverOptions, Embedding, EmbeddingMethod, Handle};
use sinew::geometry::Face;
use sinew_testing::timing::best_milliseconds;
use std::time::Instant;

const SECONDS: f64 = 0.5;

/// A closed tube of radius 1 and length 10 along z, of about so many vertices.
fn tube(vertices: usize) -> (Vec<Vec3>, Vec<Face>) {
    let around = ((vertices as f64 * 0.63).sqrt().round() as u32).max(8);
    let rings = vertices as u32 / around;
    let mut positions = Vec::new();
    for ring in 0..rings {
        let z = 10.0 * f64::from(ring) / f64::from(rings - 1);
        for k in 0..around {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(around)).sin_cos();
            positions.push(DVec3::new(cosine, sine, z).as_vec3());
        }
    }
    let at = |ring: u32, k: u32| ring * around + k % around;
    let mut faces: Vec<Face> = (0..rings - 1)
        .flat_map(|r| (0..around).map(move |k| Face::quad(at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k))))
        .collect();
    for (ring, z) in [(0, 0.0), (rings - 1, 10.0)] {
        let center = positions.len() as u32;
        positions.push(Vec3::new(0.0, 0.0, z));
        let cap = |k: u32| {
            let (a, b) = (at(ring, k), at(ring, k + 1));
            if ring == 0 { Face::triangle(center, b, a) } else { Face::triangle(center, a, b) }
        };
        faces.extend((0..around).map(cap));
    }
    (positions, faces)
}

/// The memory of the process in megabytes; zero if unknown.
fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1e3
}

fn main() {
    println!(
        "| mesh | control | tetrahedra | cage, ms | fill, ms | factor, ms | a turn, ms | solve of 10, ms | surface, ms | memory, MB \
         | L13: factor, ms | a turn, ms | surface, ms |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let cases = [
        (5023, 250, 0.02, "102 | 12 | 2"),
        (172_914, 285, 0.02, "101 | 12 | 63"),
        (172_914, 5700, 0.01, "264432 | 986 | 236"),
    ];
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    for (vertices, cage_vertices, offset, seed) in cases {
        let (positions, faces) = tube(vertices);
        let start = Instant::now();
        let options = CageOptions { vertices: cage_vertices, offset, ..CageOptions::default() };
        let cage = Cage::build(&positions, &faces, &[], &options, &mut |_| {}).expect("a tube has a cage");
        let built = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let control = ControlMesh::build(&cage, &positions, None, &[], &mut |_| {}).expect("a cage can be filled");
        let filled = start.elapsed().as_secs_f64() * 1e3;
        let is_held = |v: &usize| !(0.5..=9.5).contains(&control.positions[*v].z);
        let held = (0..control.positions.len()).filter(is_held);
        let handles: Vec<Handle> = held.map(|v| Handle { vertex: v as u32, weight: 100.0 }).collect();
        let options = DriverOptions { iterations: 10, tolerance: 1e-12, ..DriverOptions::default() };
        let new = || Driver::new(&control, &handles, options.clone()).expect("handles hold every part");
        // On a thread that has nothing of the building left to use again.
        let (mut driver, mut embedding, memory) = one_thread.install(|| {
            let (before, driver) = (resident_megabytes(), new());
            let embedding = Embedding::new(&control, &positions, &[], EmbeddingMethod::Continuous);
            (driver, embedding.expect("the mesh it was made for"), resident_megabytes() - before)
        });
        let alone = |run: &mut (dyn FnMut() + Send)| one_thread.install(|| best_milliseconds(SECONDS, run));
        let factor = alone(&mut || drop(new()));
        let (turn, center) = (DQuat::from_rotation_x(0.5), DVec3::Z * 5.0);
        for (index, handle) in handles.iter().enumerate() {
            let rest = control.positions[handle.vertex as usize];
            driver.set_target(index, if rest.z > 5.0 { center + turn * (rest - center) } else { rest });
        }
        let step = alone(&mut || _ = driver.step());
        let step_on_all = best_milliseconds(SECONDS, || _ = driver.step());
        let solve = alone(&mut || _ = driver.solve());
        let mut moved = positions.clone();
        let surface = alone(&mut || embedding.deform(driver.positions(), driver.rotations(), &mut moved, &mut []));
        println!(
            "| {} | {} | {} | {built:.0} | {filled:.0} | {factor:.2} | {step:.2} / {step_on_all:.2} | {solve:.2} | {surface:.2} | {memory:.0} | {seed} |",
            positions.len(),
            control.positions.len(),
            control.tetrahedra.len()
        );
    }
}
