//! What the implicit skin costs on top of dual quaternions.
//!
//! `cargo bench -p sinew --bench implicit` prints a Markdown table: milliseconds per frame by phase over vertices and bent
//! joints, from scratch and going on from the frame before, beside the source's figures, with the time and the memory
//! that the set-up takes.

use glam::{DQuat, DVec3};
use sinew::implicit::{ImplicitStage, Phase};
use sinew::recipe::Recipe;
use sinew::rig::Character;
use sinew::skin::{SkinMethod, SkinStage};
use sinew::{Deformer, Frame, Surface, demo};
use std::time::Instant;

#[path = "timing/mod.rs"]
mod timing;

/// The source's milliseconds on six cores of 2013, by vertices [R18 tab. 6.2].
const SEED: [(usize, &str); 2] = [(2172, "5 to 8"), (19296, "50")];

/// The demo figure's arms, legs and fingers.
const JOINTS: [&str; 5] = ["ForeArm", "Leg", "Arm", "HandIndex2", "HandMiddle2"];

fn main() {
    println!(
        "| vertices | bent joints | set-up | set-up again | fields | scratch | on from before | pose | hinges | fields | knots | output | source |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for steps in [0, 1] {
        let figure = finer(demo::character(), steps);
        for bent in [2, JOINTS.len()] {
            row(&figure, &JOINTS[..bent]);
        }
    }
    let seed: Vec<String> = SEED.iter().map(|(vertices, ms)| format!("{vertices} vertices {ms} ms")).collect();
    println!("\nSource: {}.", seed.join(", "));
}

/// The figure with every face split so many times.
fn finer(mut figure: Character, steps: usize) -> Character {
    let mut recipe = Recipe::default();
    recipe.volume.refine.steps = steps;
    recipe.volume.refine.threshold = 0.0;
    if steps > 0 {
        figure = sinew::volume::refine(&figure, &recipe, None).unwrap();
    }
    figure
}

fn row(figure: &Character, bent: &[&str]) {
    let mut recipe = Recipe::default();
    recipe.implicit.on = true;
    let begin = Instant::now();
    let mut scratch = ImplicitStage::new(figure, &recipe).unwrap();
    let set_up = begin.elapsed().as_secs_f64();
    let kept = scratch.to_bytes();
    let begin = Instant::now();
    ImplicitStage::with_kept(figure, &recipe, &kept).unwrap();
    let again = begin.elapsed().as_secs_f64();
    recipe.implicit.continues = true;
    let mut on = ImplicitStage::new(figure, &recipe).unwrap();

    let mut pose = figure.rest_pose();
    let names = bent.iter().flat_map(|name| ["Left", "Right"].map(|side| format!("{side}{name}")));
    for joint in names.filter_map(|name| figure.skeleton.find(&name)) {
        pose.joints[joint].rotation *= DQuat::from_axis_angle(DVec3::new(0.3, 0.9, 0.3).normalize(), 1.5);
    }
    let mut world = figure.skeleton.rest_world();
    figure.skeleton.world(&pose, &mut world);
    let frame = Frame { pose: &pose, world: &world, seconds: 0.0, delta_seconds: 1.0 / 60.0 };
    let mut skin = Surface::default();
    SkinStage::new(figure, SkinMethod::DualQuaternion).unwrap().deform(&frame, &mut skin);
    let mut surface = skin.clone();
    let mut time = |stage: &mut ImplicitStage| {
        timing::best_milliseconds(1.0, || {
            surface.clone_from(&skin);
            stage.deform(&frame, &mut surface);
        })
    };
    let times = [time(&mut scratch), time(&mut on)];
    let mut phases = [f64::MAX; 5];
    for _ in 0..50 {
        surface.clone_from(&skin);
        let mut before = Instant::now();
        scratch.deform_in_phases(&frame, &mut surface, |phase| {
            let all = [Phase::Pose, Phase::Hinges, Phase::Fields, Phase::Knots, Phase::Output];
            let place = all.iter().position(|p| *p == phase);
            if let Some(place) = place {
                phases[place] = f64::min(phases[place], 1e3 * before.elapsed().as_secs_f64());
            }
            before = Instant::now();
        });
    }
    let phases = phases.map(|ms| format!("{ms:.2}")).join(" | ");
    let megabytes = scratch.field_bytes() as f64 / f64::from(1 << 20);
    println!(
        "| {} | {} | {set_up:.2} s | {again:.2} s | {megabytes:.1} MB | {:.2} ms | {:.2} ms | {phases} | |",
        figure.vertex_count(),
        2 * bent.len(),
        times[0],
        times[1]
    );
}
