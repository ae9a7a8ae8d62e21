//! Milliseconds of muscles in motion, nanoseconds to evaluate them, and bytes that they take.
//!
//! `cargo bench -p sinew --bench muscle` prints Markdown tables, best times of many runs. R18 (table 6.2, six cores of
//! 3.6 GHz) takes 96 ms for the dynamics of a frame of 50 muscles of 30 particles, 42 to 55 ms for 4; with the skin of
//! 19296 and of 2172 vertices 558 to 569 ms and 57 to 68 ms.

use glam::{DAffine3, DVec3};
use sinew::Time;
use sinew::deform::muscle::profile::{Beta, Profile, ProfilePair, SineSeries};
use sinew::deform::muscle::{
    Axis, Dynamics, DynamicsOptions, MuscleChange, MuscleControl, MuscleDeformer, MuscleField, MuscleSet, Musculature,
    Shape,
};
use sinew::deform::skinning::{SkinDeformer, SkinMethod};
use sinew::field::{Box3, CompactField, DistanceField, MeshDistance};
use sinew::recipe::{Recipe, RefineOptions};
use sinew::rig::{Character, Pose};
use sinew::{Deformer, Frame, Surface};
use sinew_testing::timing::best_milliseconds;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Seconds that each time is the best of.
const SECONDS: f64 = 2.0;

/// Points of a run.
const COUNT: usize = 4096;

fn skin(character: &Character) -> Arc<MeshDistance> {
    let mesh = &character.parts[0].mesh;
    let size = Box3::around(mesh.positions.iter().map(|p| p.as_dvec3())).size().length();
    Arc::new(MeshDistance::new(&mesh.positions, &mesh.faces, size / 100.0, size / 50.0).expect("a small grid"))
}

/// World transforms of a walk at 30 frames per second.
fn walk(character: &Character) -> Vec<Vec<DAffine3>> {
    let clip = character.find_clip("walk").expect("the figure walks");
    let mut pose = Pose::default();
    let frames = (clip.seconds() * 30.0) as usize;
    let world = |frame: usize| {
        clip.sample(frame as f64 / 30.0, &character.base_pose, &mut pose);
        let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
        character.skeleton.world(&pose, &mut world);
        world
    };
    (0..frames).map(world).collect()
}

/// Best milliseconds of a frame of the walk, the mean over its frames.
fn frame_of(musculature: &Musculature, character: &Character, frames: &[Vec<DAffine3>]) -> f64 {
    let rest = character.skeleton.rest_world();
    let mut dynamics = Dynamics::new(musculature, &rest, DynamicsOptions::default()).expect("a fitted set");
    dynamics.settle(&frames[0], &[]);
    let run = || frames.iter().for_each(|world| dynamics.advance(world, 1.0 / 30.0, &[]));
    best_milliseconds(SECONDS, run) / frames.len() as f64
}

fn dynamics() {
    let character = sinew::demo::character();
    let frames = walk(&character);
    let whole = MuscleSet::humanoid().fit(&character.skeleton, Some(skin(&character))).expect("a humanoid").musculature;
    let some =
        |count: usize| Musculature { muscles: whole.muscles.iter().take(count).cloned().collect(), ..whole.clone() };
    let bare = |musculature: Musculature| Musculature { skins: Default::default(), ..musculature };
    println!("| muscles × particles | bones | skin | ms per frame at 30 fps |");
    println!("|---|---|---|---|");
    for (name, musculature) in [
        ("4 × 30", bare(some(4))),
        ("4 × 30", some(4)),
        ("50 × 30", Musculature { bones: Vec::new(), ..bare(some(50)) }),
        ("50 × 30", bare(some(50))),
        ("50 × 30", some(50)),
        ("152 × 30, the whole set", some(152)),
    ] {
        let yes = |is: bool| if is { "yes" } else { "no" };
        let time = frame_of(&musculature, &character, &frames);
        println!(
            "| {name} | {} | {} | {time:.2} |",
            yes(!musculature.bones.is_empty()),
            yes(!musculature.skins.is_empty())
        );
    }
    let mut settling =
        Dynamics::new(&whole, &character.skeleton.rest_world(), DynamicsOptions::default()).expect("a set");
    let time = best_milliseconds(SECONDS, || settling.settle(&frames[7], &[]));
    println!("\nComing to rest in a pose, the whole set: {time:.1} ms.");
    per_vertex(&character, &whole);
}

/// All muscles at every vertex of the figure's skin.
fn per_vertex(character: &Character, musculature: &Musculature) {
    let mut dynamics =
        Dynamics::new(musculature, &character.skeleton.rest_world(), DynamicsOptions::default()).expect("a fitted set");
    dynamics.settle(&character.skeleton.rest_world(), &[]);
    let muscles: Vec<&MuscleField> = dynamics.muscles().collect();
    let vertices = &character.parts[0].mesh.positions;
    let mut met = 0;
    let run = || {
        met = 0;
        let mut sum = 0.0;
        for vertex in vertices {
            for muscle in &muscles {
                if muscle.bounds().contains(vertex.as_dvec3()) {
                    met += 1;
                    sum += muscle.density(vertex.as_dvec3()).value;
                }
            }
        }
        black_box(sum);
    };
    let time = best_milliseconds(SECONDS, run);
    let count = vertices.len() as f64;
    println!(
        "\n{} muscles at {count} vertices on one thread: {time:.1} ms, {:.0} ns a vertex, which meets {:.1} of them.",
        muscles.len(),
        1e6 * time / count,
        f64::from(met) / count,
    );
}

fn fields() {
    println!("\n| a muscle of 30 points | ns | bytes |");
    println!("|---|---|---|");
    let straight: Vec<DVec3> = (0..30).map(|k| DVec3::Y * (f64::from(k) / 29.0)).collect();
    let bent: Vec<DVec3> = (0..30)
        .map(|k| {
            let (sine, cosine) = (2.2 * f64::from(k) / 29.0).sin_cos();
            DVec3::new(0.5 - 0.5 * cosine, 0.5 * sine, 0.0)
        })
        .collect();
    let beta = |a, b| Beta::new(a, b).expect("a profile");
    let pair = ProfilePair::new(beta(3, 3), beta(4, 7)).expect("a pair");
    let series = SineSeries::new(&[1.0, 0.1, 0.3, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.02]).expect("a series");
    let series = ProfilePair::constant(Profile::from(series));
    for (name, points, profiles, eccentricity) in [
        ("straight, round", &straight, &pair, 0.0),
        ("bent by 126°, round", &bent, &pair, 0.0),
        ("bent, flat", &bent, &pair, 0.8),
        ("bent, ten harmonics", &bent, &series, 0.0),
    ] {
        let shape = Shape { profiles: profiles.clone(), width: 0.06, eccentricity };
        let axis = Axis::new(points, [DVec3::Z; 2]).expect("an axis");
        let mut muscle = MuscleField::new(axis, shape).expect("a muscle");
        muscle.update(points, [DVec3::Z; 2], &MuscleControl { activation: 0.5, ..MuscleControl::default() });
        let bounds = muscle.bounds();
        // Fractions of multiples of the powers of the root of x⁴ = x + 1 (M. Roberts's sequence).
        let spread = |k: usize| [1, 2, 3].map(|power| (0.5 + k as f64 / 1.220_744_084_605_76_f64.powi(power)).fract());
        let inputs: Vec<DVec3> = (0..COUNT).map(|k| bounds.min + bounds.size() * DVec3::from(spread(k))).collect();
        let run = || {
            black_box(inputs.iter().map(|&p| muscle.distance(p)).map(|s| s.value + s.gradient.x).sum::<f64>());
        };
        let nanoseconds = best_milliseconds(0.3, run) * 1e6 / COUNT as f64;
        println!("| {name} | {nanoseconds:.0} | {} |", muscle.bytes());
    }
}

/// The skin over muscles, by vertices and muscles.
fn skins() {
    println!("\n| vertices | muscles | dynamics | skin | ms per frame at 30 fps |");
    println!("|--:|--:|--:|--:|--:|");
    for (steps, threshold) in [(0, 0.0), (1, 0.35), (1, 0.0)] {
        let mut recipe = Recipe::default();
        recipe.muscles.set = "humanoid".into();
        recipe.volume.refine = RefineOptions { steps, threshold };
        let mut figure = sinew::demo::character();
        if steps > 0 {
            figure = sinew::deform::volume::refine(&figure, recipe.skin.method, &recipe.volume, None)
                .expect("a finer figure");
        }
        let set = MuscleSet::humanoid().muscles;
        for kept in [2, 22, set.len()] {
            // The last ones of the set are those of the legs.
            let off = set[..set.len() - kept].iter();
            let change = MuscleChange { off: true, ..MuscleChange::default() };
            recipe.muscles.muscle = off.map(|muscle| (muscle.name.clone(), change.clone())).collect();
            skin_row(&figure, &recipe);
        }
    }
}

/// Mean milliseconds of a frame of a walk, by phase.
fn skin_row(figure: &Character, recipe: &Recipe) {
    let mut stage = MuscleDeformer::new(figure, &recipe.muscles).expect("muscles");
    let mut skin = SkinDeformer::new(figure, SkinMethod::DualQuaternion).expect("a skin");
    let clip = figure.find_clip("walk").expect("the figure walks");
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut world = figure.skeleton.rest_world();
    let mut best = [f64::MAX; 2];
    for _ in 0..3 {
        let mut sums = [0.0; 2];
        let frames = (clip.seconds() * 30.0) as usize;
        for frame in 0..frames {
            let seconds = frame as f64 / 30.0;
            clip.sample(seconds, &figure.base_pose, &mut pose);
            figure.skeleton.world(&pose, &mut world);
            let frame = Frame::new(&pose, &world, Time { seconds, delta: 1.0 / 30.0 });
            skin.deform(&frame, &mut surface);
            let mut before = Instant::now();
            let mut on_phase_end = |phase: &'static str| {
                sums[usize::from(phase == "muscles_skin")] += 1e3 * before.elapsed().as_secs_f64();
                before = Instant::now();
            };
            stage.prepare(&frame, &mut on_phase_end);
            stage.deform_in_phases(&frame, &mut surface, &mut on_phase_end);
        }
        best = [0, 1].map(|k| f64::min(best[k], sums[k] / frames as f64));
    }
    let (vertices, muscles) = (figure.vertex_count(), stage.musculature().muscles.len());
    let [dynamics, skin] = best;
    println!("| {vertices} | {muscles} | {dynamics:.2} | {skin:.2} | {:.2} |", dynamics + skin);
}

fn main() {
    fields();
    println!();
    dynamics();
    skins();
}
