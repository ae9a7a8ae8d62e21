//! Milliseconds to settle flesh, over the number of tetrahedra.
//!
//! `cargo bench -p sinew --bench flesh` prints a Markdown table: a beam, four times as long as wide, whose ends are held
//! and one of them turned by 5° more in each frame, to and fro up to 30°.

use glam::{DQuat, DVec3};
use sinew::flesh::{Attachment, Lattice, Material, Settings, Solid};
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
}
