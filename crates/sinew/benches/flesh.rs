//! Milliseconds to settle flesh, over the number of tetrahedra.
//!
//! `cargo bench -p sinew --bench flesh` prints a Markdown table: a beam, four times as long as wide, whose ends are held
//! and one of them turned by 5° more in each frame, to and fro up to 30°. A second table holds solvers against each other:
//! how far they are from the shape at rest, which Newton's method finds to the last digits, after so many milliseconds of
//! a turn by 5° more.

use glam::{DQuat, DVec3};
use sinew::flesh::{Attachment, Lattice, Material, Settings, Solid};
use sinew_testing::newton::{self, Energy};
use std::time::Instant;

/// Frames that a time is the mean of.
const FRAMES: usize = 24;

/// A beam of two by two by eight, with cells of an edge.
fn beam(edge: f64) -> Solid {
    let lattice = Lattice::new(DVec3::ZERO, DVec3::new(2.0, 2.0, 8.0), edge, |_, _| false).expect("a small lattice");
    let volumes = lattice.volumes();
    let is_held = |p: &DVec3| (p.z - 4.0).abs() > 3.0;
    let held = lattice.nodes.iter().enumerate().filter(|(_, p)| is_held(p));
    let attachments = held.map(|(node, p)| Attachment::of_node(node as u32, *p, 100.0 * edge)).collect();
    Solid::new(lattice, &volumes, Material::FLESH, attachments).expect("both ends are held")
}

/// Turns the upper end about the middle.
fn turn(solid: &mut Solid, degrees: f64) {
    let (turn, middle) = (DQuat::from_rotation_x(degrees.to_radians()), DVec3::new(1.0, 1.0, 4.0));
    for attachment in &mut solid.attachments {
        let rest = solid.lattice.nodes[attachment.nodes[0] as usize];
        if rest.z > 4.0 {
            attachment.target = middle + turn * (rest - middle);
        }
    }
}

/// What Newton's method minimises.
struct OfSolid<'a>(&'a mut Solid);

impl Energy for OfSolid<'_> {
    fn energy(&mut self, places: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        self.0.energy(places, gradient)
    }

    fn precondition(&mut self, vector: &mut [DVec3]) {
        self.0.precondition(vector);
    }
}

/// The largest distance from a shape, in edges.
fn error(of: &[DVec3], from: &[DVec3], edge: f64) -> f64 {
    of.iter().zip(from).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / edge
}

fn compare_solvers(edge: f64) {
    let mut solid = beam(edge);
    turn(&mut solid, 25.0);
    solid.settle(&Settings { iterations: 2000, tolerance: 1e-7 });
    let start = solid.nodes().to_vec();
    turn(&mut solid, 30.0);
    let exact = newton::minimize(&mut OfSolid(&mut solid), &start, 1e-10, 100);
    println!("\n{} tetrahedra, {} steps of Newton's method\n", solid.lattice.tetrahedra.len(), exact.steps);
    println!("| solver | steps | ms | farthest node, edges |\n|:--|--:|--:|--:|");
    for iterations in [5, 10, 20, 40, 80, 160] {
        solid.nodes_mut().copy_from_slice(&start);
        let begin = Instant::now();
        solid.settle(&Settings { iterations, tolerance: 0.0 });
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        println!("| quasi-Newton | {iterations} | {ms:.0} | {:.5} |", error(solid.nodes(), &exact.places, edge));
    }
    for steps in [1, 2, 3, 5, 8] {
        let begin = Instant::now();
        let found = newton::minimize(&mut OfSolid(&mut solid), &start, 1e-10, steps);
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        println!("| Newton | {steps} | {ms:.0} | {:.5} |", error(&found.places, &exact.places, edge));
    }
}

fn main() {
    println!("| tetrahedra | nodes | set-up ms | ms a frame | iterations a frame | ms an iteration |");
    println!("|--:|--:|--:|--:|--:|--:|");
    for edge in [0.48, 0.3, 0.24, 0.19, 0.14] {
        let start = Instant::now();
        let mut solid = beam(edge);
        let set_up = start.elapsed().as_secs_f64() * 1e3;
        let (mut iterations, start) = (0, Instant::now());
        for frame in 0..FRAMES {
            let up = frame % 12;
            turn(&mut solid, 5.0 * up.min(12 - up) as f64);
            iterations += solid.settle(&Settings { iterations: 60, tolerance: 5e-3 }).iterations;
        }
        let time = start.elapsed().as_secs_f64() * 1e3;
        println!(
            "| {} | {} | {set_up:.0} | {:.1} | {:.1} | {:.2} |",
            solid.lattice.tetrahedra.len(),
            solid.lattice.nodes.len(),
            time / FRAMES as f64,
            iterations as f64 / FRAMES as f64,
            time / iterations.max(1) as f64
        );
    }
    compare_solvers(0.3);
}
