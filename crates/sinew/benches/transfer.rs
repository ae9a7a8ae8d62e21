//! Milliseconds to give a mesh the weights of the demo figure.
//!
//! `cargo bench -p sinew --bench transfer` prints a Markdown table, the best of several runs each on one
//! thread and on all: for the figure subdivided (a level of detail), and for the same 2 cm farther out
//! (clothes, where fingers touch and gaps are filled in), with the surface's Laplacian apart.

use glam::{DVec3, Vec3};
use sinew::bind::weight_transfer::{TransferOptions, WeightedSurface, transfer};
use sinew::demo;
use sinew::geometry::subdivide::catmull_clark;
use sinew::geometry::{Mesh, SurfaceLaplacian, Topology};
use sinew_testing::timing::best_milliseconds;

/// Seconds that each time is the best of.
const SECONDS: f64 = 1.0;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let all = rayon::ThreadPoolBuilder::new().build().expect("threads");
    let figure = demo::character();
    let part = &figure.parts[0];
    let source = WeightedSurface {
        positions: &part.mesh.positions,
        faces: &part.mesh.faces,
        weights: &part.binding.weights,
        dual_quaternion_share: None,
    };
    println!("from {} vertices; {} threads in all", part.mesh.positions.len(), all.current_num_threads());
    println!("| vertices | target | inpainted | one thread | all threads | Laplacian alone |");
    println!("|---|---|---|---|---|---|");
    let (mut positions, mut faces) = (part.mesh.positions.clone(), part.mesh.faces.clone());
    for _ in 0..3 {
        let mesh = Mesh::new("", positions.clone(), faces.clone());
        let normals = mesh.face_normals(&Topology::new(&positions, &faces));
        let cloth: Vec<Vec3> = positions.iter().zip(normals).map(|(p, n)| p + 0.02 * n).collect();
        for (name, target) in [("figure", &positions), ("clothes", &cloth)] {
            let run = || transfer(&source, target, &faces, &TransferOptions::default()).expect("a transfer");
            let inpainted = run().inpainted;
            let [single, parallel] =
                [&one, &all].map(|pool| pool.install(|| best_milliseconds(SECONDS, || drop(run()))));
            let places: Vec<DVec3> = target.iter().map(|p| p.as_dvec3()).collect();
            let laplacian = all.install(|| best_milliseconds(SECONDS, || drop(SurfaceLaplacian::new(&places, &faces))));
            let count = target.len();
            println!("| {count} | {name} | {inpainted} | {single:.1} | {parallel:.1} | {laplacian:.1} |");
        }
        let step = catmull_clark(positions.len(), &faces);
        positions = step.apply(&positions);
        faces = step.faces().to_vec();
    }
}
