//! What keeping the volume costs on top of the linear skin.
//!
//! `cargo bench -p sinew --bench volume` prints Markdown tables: milliseconds per frame of every method over vertices
//! and bent joints, on one thread and on all; a joint's region that stays the same while the mesh grows; and the change
//! of volume by the faces that bend against skinning the whole mesh again for every joint.
//! `cargo bench -p sinew --bench volume -- quick` runs the rows of the README only.

use glam::{DAffine3, DQuat, DVec3};
use sinew::Time;
use sinew::deform::skinning::{SkinDeformer, SkinMethod};
use sinew::deform::volume::VolumeDeformer;
use sinew::geometry::{ClosedSurface, Face, Mesh, Topology};
use sinew::recipe::{Recipe, VolumeMethod};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Pose, Skeleton, Transform, Weights};
use sinew::{Deformer, Frame, Surface};
use std::time::Instant;

/// The seed's milliseconds on a machine of 2009, by vertices and bent joints [R09 tab. 1].
const SEED: [(usize, usize, f64); 3] = [(1673, 1, 11.0), (6646, 1, 53.0), (6646, 17, 407.0)];

const METHODS: [VolumeMethod; 4] =
    [VolumeMethod::Linear, VolumeMethod::Exact, VolumeMethod::Normal, VolumeMethod::Laplacian];

/// Beyond this the method "laplacian" takes seconds.
const MOST_VERTICES_OF_THE_SLOW: usize = 100_000;

/// How far the weights of a joint reach up and down the limb, in radii.
const BLEND: f64 = 1.0;

/// Radii from one joint to the next.
const BONE: f64 = 5.0;

/// A closed tube of radius 1 along z, with a joint at every place of `joints` but the root's at 0. Between two joints the
/// weights go over as a smoothstep.
fn tube(joints: &[f64], rings: &[f64], around: usize) -> Character {
    let mut positions = Vec::with_capacity(rings.len() * around + 2);
    for z in rings {
        for k in 0..around {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / around as f64).sin_cos();
            positions.push(DVec3::new(cosine, sine, *z).as_vec3());
        }
    }
    let ends = [rings[0], rings[rings.len() - 1]];
    positions.extend(ends.map(|z| DVec3::new(0.0, 0.0, z).as_vec3()));
    let at = |ring: usize, k: usize| (ring * around + k % around) as u32;
    let centers = [0, 1].map(|k| (rings.len() * around + k) as u32);
    let mut faces = Vec::with_capacity(rings.len() * around + around);
    for k in 0..around {
        let wall = |r: usize| Face::quad(at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k));
        faces.extend((0..rings.len() - 1).map(wall));
        let last = rings.len() - 1;
        faces.push(Face::triangle(centers[0], at(0, k + 1), at(0, k)));
        faces.push(Face::triangle(centers[1], at(last, k), at(last, k + 1)));
    }
    let mut weights = Weights::with_capacity(positions.len(), 2 * positions.len());
    for position in &positions {
        let z = f64::from(position.z);
        // The last joint whose blend has begun has a share, and the one before it the rest.
        let joint = joints.iter().rposition(|j| z > j - BLEND).unwrap_or(0);
        let t = ((z - joints[joint] + BLEND) / (2.0 * BLEND)).clamp(0.0, 1.0);
        let share = if joint == 0 { 1.0 } else { t * t * (3.0 - 2.0 * t) };
        let own = Influence { joint: joint as u32, weight: share as f32 };
        let rest = Influence { joint: joint.saturating_sub(1) as u32, weight: (1.0 - share) as f32 };
        weights.push([own, rest].into_iter().filter(|i| i.weight > 0.0));
    }
    let mut mesh = Mesh::new("tube", positions, faces);
    mesh.normals = mesh.positions.iter().map(|p| p.with_z(0.0)).collect();
    let skeleton = (0..joints.len()).map(|j| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1),
        rest: Transform::from_translation(DVec3::Z * (joints[j] - if j > 0 { joints[j - 1] } else { 0.0 })),
        ..Joint::default()
    });
    let (skeleton, _) = Skeleton::new(skeleton.collect()).expect("a chain of joints is a tree");
    let inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
    let binding = Binding { joints: (0..joints.len()).collect(), inverse_bind, weights, dual_quaternion_share: None };
    Character {
        base_pose: skeleton.rest_pose(),
        skeleton,
        parts: vec![Part { node: 0, skinned: true, mesh, binding }],
        ..Character::default()
    }
}

/// A tube of about so many vertices with so many joints beside the root.
fn limb(vertices: usize, bends: usize) -> Character {
    let length = BONE * (bends + 1) as f64;
    // Faces about as long as wide.
    let around = ((vertices as f64 * std::f64::consts::TAU / length).sqrt() as usize).max(6);
    let rings = vertices / around;
    let rings: Vec<f64> = (0..rings).map(|r| length * r as f64 / (rings - 1) as f64).collect();
    let joints: Vec<f64> = (0..=bends).map(|j| BONE * j as f64).collect();
    tube(&joints, &rings, around)
}

/// Every joint but the root bent, to the left and to the right in turn.
fn bent(character: &Character) -> (Pose, Vec<DAffine3>) {
    let mut pose = character.rest_pose();
    for (j, joint) in pose.joints.iter_mut().enumerate().skip(1) {
        joint.rotation = DQuat::from_rotation_x(if j.is_multiple_of(2) { 1.0 } else { -1.0 });
    }
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(&pose, &mut world);
    (pose, world)
}

fn recipe(method: VolumeMethod) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.skin.method = SkinMethod::Linear;
    recipe.volume.method = method;
    recipe.volume.contacts = false;
    recipe
}

/// The best milliseconds of the skin and of the volume on top of it, frame by frame in the same run.
fn best(character: &Character, recipe: &Recipe, normals: bool, seconds: f64) -> [f64; 2] {
    let skin = SkinDeformer::new(character, recipe.skin.method).expect("a valid character");
    let mut skin = if normals { skin } else { skin.positions_only() };
    let mut volume = VolumeDeformer::new(character, recipe.skin.method, &recipe.volume).expect("a closed tube");
    let (pose, world) = bent(character);
    let frame = Frame::new(&pose, &world, Time::default());
    let mut surface = Surface::default();
    let mut best = [f64::MAX; 2];
    let begin = Instant::now();
    let mut runs = 0;
    while runs < 2 || begin.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        skin.deform(&frame, &mut surface);
        let between = Instant::now();
        volume.deform(&frame, &mut surface);
        let end = Instant::now();
        best = [best[0].min((between - start).as_secs_f64()), best[1].min((end - between).as_secs_f64())];
        runs += 1;
    }
    best.map(|seconds| 1e3 * seconds)
}

struct Bench {
    one: rayon::ThreadPool,
    all: rayon::ThreadPool,
    seconds: f64,
}

impl Bench {
    /// Milliseconds of the volume alone on one thread and on all, and of the skin on all.
    fn time(&self, character: &Character, recipe: &Recipe, normals: bool) -> [f64; 3] {
        let [_, one] = self.one.install(|| best(character, recipe, normals, self.seconds));
        let [skin, all] = self.all.install(|| best(character, recipe, normals, self.seconds));
        [one, all, skin]
    }

    fn method_rows(&self, vertices: usize, bends: usize, methods: &[VolumeMethod]) {
        let character = limb(vertices, bends);
        let may_run =
            |method: &&VolumeMethod| **method != VolumeMethod::Laplacian || vertices <= MOST_VERTICES_OF_THE_SLOW;
        for &method in methods.iter().filter(may_run) {
            let recipe = recipe(method);
            let [one, all, skin] = self.time(&character, &recipe, true);
            let [one_plain, all_plain, _] = self.time(&character, &recipe, false);
            let seed = SEED.iter().find(|(v, b, _)| (*v, *b) == (vertices, bends));
            let seed = seed.map_or(String::new(), |(_, _, ms)| format!("{ms} ms, {:.0} ×", ms / all));
            println!(
                "| {} | {bends} | {method} | {skin:.3} | {one_plain:.3} / {one:.3} | {all_plain:.3} / {all:.3} | {seed} |",
                character.vertex_count(),
            );
        }
    }

    /// A joint whose rings stay the same while the tube grows away from it.
    fn growing_rows(&self, sizes: &[usize]) {
        const AROUND: usize = 100;
        println!(
            "\n| vertices | skin | volume, one thread | against the smallest | all threads | against the smallest |"
        );
        println!("|---|---|---|---|---|---|");
        let mut smallest = None;
        for &vertices in sizes {
            let rings: Vec<f64> = (0..vertices / AROUND).map(|r| 0.0628 * r as f64).collect();
            let character = tube(&[0.0, 3.1], &rings, AROUND);
            let [one, all, skin] = self.time(&character, &recipe(VolumeMethod::Exact), true);
            let [first, first_all] = *smallest.get_or_insert([one, all]);
            println!(
                "| {} | {skin:.3} | {one:.3} | {:+.0} % | {all:.3} | {:+.0} % |",
                character.vertex_count(),
                100.0 * (one / first - 1.0),
                100.0 * (all / first_all - 1.0)
            );
        }
    }

    /// The change of volume of every joint, by the stage and by skinning everything before and after each joint.
    fn change_rows(&self, sizes: &[usize], bends: &[usize]) {
        println!(
            "\n| vertices | bent joints | whole stage | whole mesh for every joint | ratio | largest difference |"
        );
        println!("|---|---|---|---|---|---|");
        for (&vertices, &bends) in sizes.iter().flat_map(|v| bends.iter().map(move |b| (v, b))) {
            let character = limb(vertices, bends);
            let (stage, global, difference) = self.one.install(|| compare_changes(&character, self.seconds));
            let vertices = character.vertex_count();
            println!("| {vertices} | {bends} | {stage:.3} | {global:.3} | {:.1} | {difference:.0e} |", global / stage);
        }
    }
}

/// Milliseconds of a frame of the whole stage and of all joints' changes by the whole mesh, and how far the changes are
/// apart as a share of the volume.
fn compare_changes(character: &Character, seconds: f64) -> (f64, f64, f64) {
    let recipe = recipe(VolumeMethod::Exact);
    let [_, stage] = best(character, &recipe, false, seconds);
    let mut volume = VolumeDeformer::new(character, recipe.skin.method, &recipe.volume).expect("a closed tube");
    let mut skin = SkinDeformer::new(character, recipe.skin.method).expect("a valid character").positions_only();
    let mesh = &character.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let closed = ClosedSurface::new(&topology);
    let (target, world) = bent(character);
    let mut surface = Surface::default();
    skin.deform(&Frame::new(&target, &world, Time::default()), &mut surface);
    volume.deform(&Frame::new(&target, &world, Time::default()), &mut surface);

    let mut world = world.clone();
    let mut points = Vec::new();
    let mut measure = |pose: &Pose| {
        character.skeleton.world(pose, &mut world);
        skin.deform(&Frame::new(pose, &world, Time::default()), &mut surface);
        points.clear();
        points.extend(topology.representatives().iter().map(|&v| surface.positions[v as usize].as_dvec3()));
        closed.close(&mut points);
        closed.shell_volumes(&points)[0]
    };
    let rest = measure(&character.rest_pose());
    let mut pose = character.rest_pose();
    let mut changes = vec![0.0; character.skeleton.len()];
    let start = Instant::now();
    for (joint, change) in changes.iter_mut().enumerate().skip(1) {
        let before = measure(&pose);
        pose.joints[joint] = target.joints[joint];
        *change = measure(&pose) - before;
    }
    let global = 1e3 * start.elapsed().as_secs_f64();
    let apart = volume.joint_changes().map(|(joint, change)| (change - changes[joint]).abs()).fold(0.0, f64::max);
    (stage, global, apart / rest)
}

fn main() {
    let quick = std::env::args().any(|a| a == "quick");
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let bench = Bench { one: pool(1), all: pool(0), seconds: if quick { 0.5 } else { 0.15 } };
    println!(
        "ms per frame on top of the skin, without / with normals; {} threads in all\n",
        bench.all.current_num_threads()
    );
    println!("| vertices | bent joints | method | skin | one thread | all threads | the seed in 2009 |");
    println!("|---|---|---|---|---|---|---|");
    for (vertices, bends, _) in SEED {
        bench.method_rows(vertices, bends, &[VolumeMethod::Exact]);
    }
    let (sizes, bends): (&[usize], &[usize]) =
        if quick { (&[100_000], &[17]) } else { (&[1_000, 10_000, 100_000, 1_000_000], &[1, 17, 50]) };
    for &vertices in sizes {
        for &bends in bends {
            bench.method_rows(vertices, bends, &METHODS);
        }
    }
    println!("\nThe same joint on a mesh that grows elsewhere, exact:");
    bench.growing_rows(if quick { &[10_000, 1_000_000] } else { &[10_000, 30_000, 100_000, 300_000, 1_000_000] });
    println!("\nAll joints' changes of volume on one thread, exact:");
    bench.change_rows(
        if quick { &[100_000] } else { &[10_000, 100_000, 1_000_000] },
        if quick { &[17] } else { &[1, 17, 50] },
    );
}
