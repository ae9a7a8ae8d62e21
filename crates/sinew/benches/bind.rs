//! Seconds to bind a figure to 24 bones, phase by phase.
//!
//! `cargo bench -p sinew --bench bind` prints a Markdown table: the best of some runs on all threads, on the mannequin
//! without its fingers' joints, refined to about 10 000, 100 000 and a million vertices, and the most memory that the
//! program has had so far, the figure included. `cargo bench -p sinew --bench bind -- quick` leaves out the million.

use sinew::bind::{BindOptions, Phase, bind};
use sinew::demo;
use sinew::rig::{Character, refined};
use std::time::Instant;

/// Seconds of Blender 5's bone heat on a machine with as many threads, by vertices.
const BONE_HEAT: [(usize, &str); 2] = [(10_000, "0.70–0.85"), (100_000, "11.6–15.8")];

const PHASES: [Phase; 5] = [Phase::Voxels, Phase::Distances, Phase::Factorisation, Phase::Solves, Phase::Pruning];

/// The joints that do without fingers, 24 of them.
fn body_joints(character: &Character) -> Vec<usize> {
    let is_of_body = |name: &str| {
        !["Finger", "Thumb", "HandIndex", "HandMiddle", "HandRing", "HandPinky", "Neck1"]
            .iter()
            .any(|part| name.contains(part))
    };
    let joints: Vec<usize> =
        character.joints().filter(|&joint| is_of_body(&character.skeleton.joints()[joint].name)).collect();
    assert_eq!(joints.len(), 24);
    joints
}

/// The mannequin with about this many vertices: refined as a whole while it fits, then its lower part once more.
fn figure(vertices: usize) -> Character {
    let mut figure = demo::character();
    while 4 * figure.vertex_count() <= vertices {
        figure = refined(&figure, |_, _| true, 1).expect("a figure that is small enough");
    }
    let count = figure.vertex_count();
    let share = (vertices as f64 / count as f64 - 1.0) / 3.0;
    let mut heights: Vec<f32> = figure.parts[0].mesh.positions.iter().map(|p| p.y).collect();
    heights.sort_by(f32::total_cmp);
    let below = heights[((share.clamp(0.0, 1.0) * count as f64) as usize).min(count - 1)];
    let is_low = |part: usize, vertex: usize| figure.parts[part].mesh.positions[vertex].y < below;
    refined(&figure, is_low, 1).expect("a figure that is small enough")
}

/// Seconds before the first phase, of each phase, and in all.
fn time(character: &Character, joints: &[usize]) -> [f64; 7] {
    let start = Instant::now();
    let mut begun: Vec<(Option<Phase>, Instant)> = vec![(None, start)];
    bind(character, joints, &BindOptions::default(), &mut |phase| begun.push((Some(phase), Instant::now())))
        .expect("a figure with its own skeleton");
    let end = Instant::now();
    let mut seconds = [0.0; 7];
    for (k, &(phase, from)) in begun.iter().enumerate() {
        let to = begun.get(k + 1).map_or(end, |&(_, to)| to);
        let column = phase.and_then(|phase| PHASES.iter().position(|&other| other == phase)).map_or(0, |k| k + 1);
        seconds[column] += (to - from).as_secs_f64();
    }
    seconds[6] = (end - start).as_secs_f64();
    seconds
}

/// The peak memory of this program, if the system reports it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.map_or("unknown".into(), |kilobytes: f64| format!("{:.0} MB", kilobytes / 1e3))
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    println!("seconds to bind to 24 bones; {} threads", rayon::current_num_threads());
    println!(
        "| vertices | weld | voxels | distances | factorisation | solves | pruning | in all | bone heat | peak memory |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let sizes = [(10_000, 5), (100_000, 3), (1_000_000, 1)];
    for (vertices, runs) in sizes.into_iter().take(if quick { 2 } else { 3 }) {
        let figure = figure(vertices);
        let joints = body_joints(&figure);
        let best = (0..runs).map(|_| time(&figure, &joints)).min_by(|a, b| a[6].total_cmp(&b[6])).expect("a run");
        let heat = BONE_HEAT.iter().find(|(count, _)| *count == vertices).map_or("", |(_, seconds)| seconds);
        let cells = best.map(|seconds| format!("{seconds:.3}")).join(" | ");
        println!("| {} | {cells} | {heat} | {} |", figure.vertex_count(), peak_memory());
    }
}
