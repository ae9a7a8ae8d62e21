//! Milliseconds of Laplacian editing with lengths kept, beside the figures of L13 tab. 7.1.
//!
//! `cargo bench -p sinew --bench graph_edit` prints a Markdown table, best times on one thread. The graphs are as large
//! as those of L13's walks: postures whose joints are tied to their neighbours in the body and in time.

use glam::{DQuat, DVec3};
use sinew::motion::laplacian_editing::{Graph, LaplacianEditor, LaplacianEditorSetup, Segment};
use sinew_testing::timing::best_milliseconds;

const SECONDS: f64 = 0.5;
/// After so many turns, lengths are left to Newton's iteration.
const TURNS: usize = 12;

struct Walk {
    rest: Vec<DVec3>,
    graph: Graph,
    segments: Vec<Segment>,
}

/// Limbs that swing about a root on its way.
fn walk(frames: usize, joints: usize) -> Walk {
    let parent = |joint: usize| joint.checked_sub(if joint % 3 == 1 { joint } else { 1 });
    let (mut rest, mut edges): (Vec<DVec3>, Vec<_>) = (Vec::new(), Vec::new());
    let (mut weights, mut segments) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        let time = frame as f64 / 30.0;
        for joint in 0..joints {
            let vertex = rest.len() as u32;
            let swing = (6.0 * time + joint as f64).sin();
            let bone = DVec3::new(swing, (joint as f64).cos() - 1.5, 0.3 * joint as f64 - 1.5).normalize() * 0.3;
            let above = parent(joint).map(|parent| frame * joints + parent);
            rest.push(above.map_or(DVec3::X * time, |above| rest[above] + bone));
            if let Some(above) = above {
                edges.push((vertex, above as u32));
                weights.push(1.0);
                segments.push(Segment { a: vertex, b: above as u32, length: 0.3 });
            }
            if frame > 0 {
                edges.push((vertex, vertex - joints as u32));
                weights.push(5.0);
            }
        }
    }
    Walk { graph: Graph::new(rest.len(), edges, weights).unwrap(), rest, segments }
}

fn main() {
    println!("| vertices | factor, ms | a turn, ms | converged to 1e-4, ms | turns | L13: factor, ms | edit, ms |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for (frames, joints, seed) in [(147, 9, "3200 | 64"), (291, 10, "12480 | 150"), (1000, 28, " | ")] {
        let Walk { rest, graph, segments } = walk(frames, joints);
        let vertices = rest.len();
        let root = frames / 2 * joints;
        let end = root + joints - 1;
        let held = (0..2 * joints).chain(vertices - 2 * joints..vertices).chain([root, end]);
        let fixed: Vec<u32> = held.map(|v| v as u32).collect();
        let setup = LaplacianEditorSetup {
            graph: &graph,
            rest: &rest,
            fixed: &fixed,
            soft: &[],
            segments: &segments,
            segment_weight: 0.5,
        };
        let factor = best_milliseconds(SECONDS, || drop(LaplacianEditor::new(&setup)));
        let mut edit = LaplacianEditor::new(&setup).unwrap();
        let target = rest[root] + DQuat::from_rotation_x(0.4) * (rest[end] - rest[root]) * 0.9;
        edit.place(end, target);
        let turn = best_milliseconds(SECONDS, || {
            edit.step();
        });
        let mut iterations = 0;
        let converged = best_milliseconds(SECONDS, || {
            edit.reset();
            edit.place(end, target);
            iterations = edit.solve(1e-4, TURNS).iterations;
        });
        println!("| {vertices} | {factor:.2} | {turn:.2} | {converged:.2} | {iterations} | {seed} |");
    }
}
