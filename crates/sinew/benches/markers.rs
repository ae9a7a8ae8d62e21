//! Milliseconds to fill a capture as large as L13's (chapter 8: 4447 frames of 52 markers, 4 % lost, 30 s there).
//!
//! `cargo bench -p sinew --bench markers` prints a Markdown table, best times.

use glam::{DQuat, DVec3};
use sinew::motion::markers::{MarkerGraph, Markers, fill, find_swaps};
use sinew_testing::timing::best_milliseconds;

const SECONDS: f64 = 2.0;
const RATE: f64 = 150.0;

/// Limbs that swing, four markers on each, which breathe by some millimetres.
fn capture(frames: usize, markers: usize) -> Markers {
    let mut positions = Vec::with_capacity(frames * markers);
    for frame in 0..frames {
        let time = frame as f64 / RATE;
        for marker in 0..markers {
            let limb = (marker / 4) as f64;
            let corner = DVec3::new((marker % 2) as f64, (marker / 2 % 2) as f64, (marker % 4 / 3) as f64) * 0.08;
            let turn = DQuat::from_rotation_z((1.3 * time + limb).sin()) * DQuat::from_rotation_x((0.7 * time).cos());
            let wobble = DVec3::splat(0.002 * (9.0 * time + marker as f64).sin());
            let place = turn * (corner + DVec3::new(0.3, 0.0, 0.1 * limb)) + DVec3::new(0.5 * time, limb * 0.12, 0.0);
            positions.push((place + wobble).as_vec3());
        }
    }
    let labels = (0..markers).map(|k| format!("M{k}")).collect();
    Markers::new(labels, RATE, Some(1.0), positions).unwrap()
}

fn main() {
    let (frames, markers) = (4447, 52);
    let mut lost = capture(frames, markers);
    // Two gaps of 90 frames for each marker: 4 %.
    for marker in 0..markers {
        for start in [(marker * 797) % 2000 + 50, (marker * 613) % 2000 + 2200] {
            (start..start + 90).for_each(|frame| lost.set(frame, marker, None));
        }
    }
    println!("| frames × markers | lost | graph, ms | swaps, ms | fill, ms | L13, ms |");
    println!("|---:|---:|---:|---:|---:|---:|");
    let graph = MarkerGraph::find(&lost);
    let find = best_milliseconds(SECONDS, || drop(MarkerGraph::find(&lost)));
    let swaps = best_milliseconds(SECONDS, || drop(find_swaps(&lost, &graph)));
    let filled = best_milliseconds(SECONDS, || drop(fill(&lost, &graph)));
    let share = 100.0 * lost.missing_share();
    println!("| {frames} × {markers} | {share:.1} % | {find:.1} | {swaps:.1} | {filled:.1} | 30000 |");
}
