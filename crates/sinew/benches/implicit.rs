//! What the implicit skin costs on top of dual quaternions.
//!
//! `cargo bench -p sinew --bench implicit` prints a Markdown table: milliseconds per frame by phase over vertices and
//! motions, beside the source's figures, with the time and the memory that the set-up takes.

use glam::{DQuat, DVec3};
use sinew::Time;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::deform::skinning::{SkinDeformer, SkinMethod};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Pose};
use sinew::{Deformer, Frame, Surface, demo};
use sinew_testing::timing::best_milliseconds;
use std::time::Instant;

/// The source's milliseconds on six cores of 2013, by vertices [R18 tab. 6.2].
const SEED: [(usize, &str); 2] = [(2172, "5 to 8"), (19296, "50")];

/// Joints that the last two poses bend about odd axes, which folds the skin badly.
const JOINTS: [&str; 5] = ["ForeArm", "Leg", "Arm", "HandIndex2", "HandMiddle2"];

/// Frames per second.
const FPS: f64 = 60.0;

/// How the figure is made finer: steps, and the γ from which faces are split.
const SIZES: [(usize, f64); 3] = [(0, 0.0), (1, 0.45), (1, 0.0)];

fn main() {
    println!(
        "| vertices | motion | set-up | set-up again | fields | ms per frame \
         | pose | strain | fields | membrane | sides | output |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for size in SIZES {
        let figure = finer(demo::character(), size);
        let (mut stage, set_up) = set_up(&figure);
        for (name, poses) in motions(&figure) {
            row(&figure, &mut stage, &set_up, name, &poses);
        }
    }
    let seed: Vec<String> = SEED.iter().map(|(vertices, ms)| format!("{vertices} vertices {ms} ms")).collect();
    println!("\nSource: {}.", seed.join(", "));
}

/// The figure with faces split.
fn finer(mut figure: Character, (steps, threshold): (usize, f64)) -> Character {
    let mut recipe = Recipe::default();
    recipe.volume.refine.steps = steps;
    recipe.volume.refine.threshold = threshold;
    if steps > 0 {
        figure = sinew::deform::volume::refine(&figure, recipe.skin.method, &recipe.volume, None).unwrap();
    }
    figure
}

/// Some frames of clips where they bend most, and of joints that are bent about odd axes.
fn motions(figure: &Character) -> Vec<(&'static str, Vec<Pose>)> {
    let clip = |name: &'static str| {
        let clip = figure.find_clip(name).expect("a clip of the figure");
        let sample = |frame: f64| {
            let mut pose = figure.rest_pose();
            clip.sample(0.5 * clip.seconds() + frame / FPS, &figure.base_pose, &mut pose);
            pose
        };
        (name, frames().map(sample).collect())
    };
    let odd = |name: &'static str, bent: &[&str]| {
        let sample = |frame: f64| {
            let mut pose = figure.rest_pose();
            let names = bent.iter().flat_map(|name| ["Left", "Right"].map(|side| format!("{side}{name}")));
            for joint in names.filter_map(|name| figure.skeleton.find(&name)) {
                let turn = DQuat::from_axis_angle(DVec3::new(0.3, 0.9, 0.3).normalize(), 1.5 + frame / FPS);
                pose.joints[joint].rotation *= turn;
            }
            pose
        };
        (name, frames().map(sample).collect())
    };
    vec![
        clip("walk"),
        clip("elbow curl"),
        clip("knee bend"),
        odd("4 odd bends", &JOINTS[..2]),
        odd("10 odd bends", &JOINTS),
    ]
}

/// Frames before and after the middle.
fn frames() -> impl Iterator<Item = f64> {
    (-4..=4).map(f64::from)
}

/// The stage, and what it took to set up.
fn set_up(figure: &Character) -> (ImplicitDeformer, String) {
    let mut recipe = Recipe::default();
    recipe.implicit.on = true;
    let begin = Instant::now();
    let stage = ImplicitDeformer::new(figure, &recipe.implicit).unwrap();
    let first = begin.elapsed().as_secs_f64();
    let kept = stage.to_bytes();
    let begin = Instant::now();
    ImplicitDeformer::with_cache(figure, &recipe.implicit, &kept).unwrap();
    let again = begin.elapsed().as_secs_f64();
    let megabytes = stage.field_bytes() as f64 / f64::from(1 << 20);
    (stage, format!("{first:.2} s | {again:.2} s | {megabytes:.1} MB"))
}

fn row(figure: &Character, stage: &mut ImplicitDeformer, set_up: &str, name: &str, poses: &[Pose]) {
    let mut skin = SkinDeformer::new(figure, SkinMethod::DualQuaternion).unwrap();
    let posed = poses.iter().map(|pose| {
        let mut world = figure.skeleton.rest_world();
        figure.skeleton.world(pose, &mut world);
        let mut surface = Surface::default();
        skin.deform(&Frame::new(pose, &world, Time::default()), &mut surface);
        (pose, world, surface)
    });
    let posed: Vec<_> = posed.collect();
    let mut surface = posed[0].2.clone();
    let mut phases = [f64::MAX; 6];
    let whole = best_milliseconds(1.0, || {
        let mut times = [0.0; 6];
        for (pose, world, skin) in &posed {
            let frame = Frame::new(pose, world, Time::default());
            surface.clone_from(skin);
            let mut before = Instant::now();
            let mut phase = 0;
            stage.deform_in_phases(&frame, &mut surface, &mut |_| {
                times[phase] += 1e3 * before.elapsed().as_secs_f64() / posed.len() as f64;
                phase += 1;
                before = Instant::now();
            });
        }
        std::iter::zip(&mut phases, times).for_each(|(least, time)| *least = least.min(time));
    });
    let columns = std::iter::once(whole / posed.len() as f64).chain(phases).map(|time| format!("{time:.2}"));
    let columns = columns.collect::<Vec<_>>().join(" | ");
    println!("| {} | {name} | {set_up} | {columns} |", figure.vertex_count());
}
