//! Frames do not allocate: after the first, sampling a clip and deforming a character take no memory,
//! nor do the solvers that stages are made of once they are built. The search for contacts keeps room for as many as
//! it has met, so it is still after a first run of the clip.

use glam::{DQuat, DVec3};
use sinew::Time;
use sinew::cage::{
    Cage, CageOptions, ControlMesh, Driver, DriverOptions, Embedding, EmbeddingMethod, GreenCoordinates, JointRange,
    Release,
};
use sinew::deform::muscle::{AutoActivation, Dynamics, DynamicsOptions, MuscleControl, MuscleSet};
use sinew::deform::skinning::SkinMethod;
use sinew::deform::volume::laplacian::Laplacian;
use sinew::geometry::solve::SparseCholesky;
use sinew::motion::laplacian_editing::{Graph, LaplacianEditor, LaplacianEditorSetup, Segment};
use sinew::recipe::{Recipe, SkinOptions, VolumeMethod};
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_testing::allocations::{CountingAllocator, allocations};

// A program has one allocator. This one counts for each thread, so the module shares the program with all others; what
// it measures runs on the one thread of a pool of its own, so nothing that rayon does is missed.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Frames of a run: a second.
const FRAMES: usize = 30;

/// Allocations of sampling and of deforming, over frames after the first.
fn allocations_of_skin(character: &Character, method: SkinMethod) -> (usize, usize) {
    let recipe = Recipe { skin: SkinOptions { method }, ..Recipe::default() };
    let mut stack = Stack::new(character, &recipe).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let clip = character.clips.last().unwrap();
    let (mut sampling, mut deforming) = (0, 0);
    for frame in 0..=FRAMES {
        let seconds = frame as f64 / 30.0;
        let before = allocations();
        clip.sample(seconds, &character.base_pose, &mut pose);
        let between = allocations();
        stack.deform(&pose, Time { seconds, delta: 1.0 / 30.0 }, &mut surface);
        let after = allocations();
        if frame == 0 {
            assert!(between > before && after > between, "the first frame makes the buffers");
            continue;
        }
        sampling += between - before;
        deforming += after - between;
    }
    (sampling, deforming)
}

/// Allocations of the implicit skin and the muscles in a clip, after a first run.
fn allocations_of_limbs(character: &Character, muscles: &str) -> usize {
    let mut recipe = Recipe::default();
    (recipe.implicit.on, recipe.implicit.apart) = (true, true);
    recipe.muscles.set = muscles.into();
    let mut stack = crate::stack(character, &recipe).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let clip = character.clips.first().unwrap();
    let mut run = |frames: std::ops::Range<usize>| {
        let before = allocations();
        for frame in frames {
            let seconds = frame as f64 / 30.0;
            clip.sample(seconds, &character.base_pose, &mut pose);
            stack.deform(&pose, Time { seconds, delta: if frame == 0 { 0.0 } else { 1.0 / 30.0 } }, &mut surface);
        }
        allocations() - before
    };
    run(0..FRAMES);
    run(0..FRAMES)
}

/// Allocations of keeping the volume in a clip, after a first frame.
fn allocations_of_volume(character: &Character, method: VolumeMethod, contacts: bool) -> usize {
    let mut recipe = Recipe::default();
    recipe.volume.method = method;
    recipe.volume.contacts = contacts;
    let mut stack = Stack::new(character, &recipe).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let clip = character.clips.last().unwrap();
    let mut run = |frames: usize| {
        let before = allocations();
        for frame in 0..frames {
            let seconds = frame as f64 / 30.0;
            clip.sample(seconds, &character.base_pose, &mut pose);
            stack.deform(&pose, Time { seconds, delta: if frame == 0 { 0.0 } else { 1.0 / 30.0 } }, &mut surface);
        }
        allocations() - before
    };
    run(1);
    run(FRAMES)
}

#[test]
fn frames_after_the_first_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for character in [bending_tube(), sinew::demo::character()] {
        for method in SkinMethod::ALL {
            let found = pool.install(|| allocations_of_skin(&character, method));
            println!("{}, {} vertices, {method}: {found:?}", character.name, character.vertex_count());
            assert_eq!(found, (0, 0), "{}, {method}: sampling, deforming", character.name);
        }
    }
    for character in [bending_tube(), sinew::demo::character()] {
        let without = VolumeMethod::ALL.map(|method| (method, false));
        for (method, contacts) in without.into_iter().chain([(VolumeMethod::Exact, true)]) {
            let found = pool.install(|| allocations_of_volume(&character, method, contacts));
            assert_eq!(found, 0, "{}, volume {method}, contacts {contacts}", character.name);
        }
    }
    for muscles in ["off", "humanoid"] {
        let found = pool.install(|| allocations_of_limbs(&sinew::demo::character(), muscles));
        assert_eq!(found, 0, "implicit, muscles {muscles}");
    }
    assert_eq!(pool.install(allocations_of_muscles), 0, "muscles that follow a clip");
    assert_eq!(pool.install(allocations_of_editing), 0, "a graph that is pulled");
    assert_eq!(pool.install(allocations_of_driving), 0, "a mesh in a cage");
    for side in [10, 60, 150] {
        let found = pool.install(|| allocations_of_solving(side));
        assert_eq!(found, [0; 2], "a grid of {side} by {side}: solver, direction");
    }
}

/// Allocations of factoring the Laplacian of a square grid and solving with it, and of directions over
/// the grid, both after the first time.
fn allocations_of_solving(side: u32) -> [usize; 2] {
    let size = (side * side) as usize;
    let right = (0..side * side).filter(|v| v % side + 1 < side).map(|v| (v, v + 1));
    let edges: Vec<_> = right.chain((0..side * (side - 1)).map(|v| (v, v + side))).collect();
    let mut cholesky = SparseCholesky::new(size, &edges, 8).unwrap();
    let (diagonal, values) = (vec![5.0; size], vec![-1.0; edges.len()]);
    let (mut one, mut many) = (vec![1.0; size], vec![1.0; 11 * size]);
    let solving = allocations_after_the_first(|| {
        cholesky.factor(&diagonal, &values).unwrap().solve(&mut one);
        cholesky.last_factor().unwrap().solve(&mut many);
    });
    let mut rows = vec![Vec::new(); size];
    for (a, b) in edges {
        rows[a as usize].push(b);
        rows[b as usize].push(a);
    }
    let offsets: Vec<u32> = (0..=size).map(|v| rows[..v].iter().map(|row| row.len() as u32).sum()).collect();
    let mut laplacian = Laplacian::new(&offsets, &rows.concat()).unwrap();
    let (ones, normals) = (vec![1.0; size], vec![DVec3::Z; size]);
    let directions = allocations_after_the_first(|| laplacian.direction(&ones, &normals, &ones, 2.0, &mut one));
    [solving, directions]
}

/// Allocations of muscles, with bones and with what activates them, in a clip at a frame rate that leaves a remainder.
fn allocations_of_muscles() -> usize {
    let figure = sinew::demo::character();
    let musculature = MuscleSet::humanoid().fit(&figure.skeleton, None).unwrap().musculature;
    let rest = figure.skeleton.rest_world();
    let mut muscles = Dynamics::new(&musculature, &rest, DynamicsOptions::default()).unwrap();
    let mut activation = AutoActivation::new(&musculature.muscles, &rest);
    let mut controls = vec![MuscleControl::default(); musculature.muscles.len()];
    let (mut pose, mut world, mut seconds) = (Pose::default(), rest.clone(), 0.0);
    let clip = figure.find_clip("walk").unwrap();
    allocations_after_the_first(|| {
        seconds += 1.0 / 24.0;
        clip.sample(seconds, &figure.base_pose, &mut pose);
        figure.skeleton.world(&pose, &mut world);
        let activations = activation.advance(&world, 1.0 / 24.0, 1.0);
        controls.iter_mut().zip(activations).for_each(|(control, &activation)| control.activation = activation);
        muscles.advance(&world, 1.0 / 24.0, &controls);
    })
}

/// Allocations of dragging a vertex of a chain whose lengths are kept.
fn allocations_of_editing() -> usize {
    let rest: Vec<DVec3> = (0..200).map(|k| DVec3::new(f64::from(k), f64::from(k % 2), 0.0)).collect();
    let edges: Vec<(u32, u32)> = (0..199).map(|k| (k, k + 1)).collect();
    let graph = Graph::uniform(200, edges.clone()).unwrap();
    let length = 2.0f64.sqrt();
    let segments: Vec<Segment> = edges.iter().map(|&(a, b)| Segment { a, b, length }).collect();
    let setup = LaplacianEditorSetup {
        graph: &graph,
        rest: &rest,
        fixed: &[0, 1, 199],
        soft: &[],
        segments: &segments,
        segment_weight: 0.5,
    };
    let mut edit = LaplacianEditor::new(&setup).unwrap();
    let mut height = 0.0;
    allocations_after_the_first(|| {
        height += 5.0;
        edit.place(199, rest[199] - DVec3::new(20.0, height, 0.0));
        edit.solve(1e-4, 10);
    })
}

/// Allocations of a tube that bends by way of a cage.
fn allocations_of_driving() -> usize {
    let tube = sinew::demo::tube();
    let mesh = &tube.parts[0].mesh;
    let options = CageOptions { vertices: 60, offset: 0.03, ..CageOptions::default() };
    let cage = Cage::build(&mesh.positions, &mesh.faces, &[], &options, &mut |_| {}).unwrap();
    let control = ControlMesh::build(&cage, &mesh.positions, Some(&tube.skeleton), &[], &mut |_| {}).unwrap();
    let range = JointRange { joint: 1, twist_rad: [0.0; 2], swing_y_rad: [-1.0, 1.0], swing_z_rad: [-1.0, 1.0] };
    let release = Release::ByEnergy { exponent: 2.0 };
    let options = DriverOptions { ranges: vec![range], release, ..DriverOptions::default() };
    let mut driver = Driver::new(&control, &control.joint_handles(10.0), options).unwrap();
    let mut embedding =
        Embedding::new(&control, &mesh.positions, &mesh.positions, EmbeddingMethod::Continuous).unwrap();
    let mut green = GreenCoordinates::new(&control.positions, &control.surface, &mesh.positions[..50]).unwrap();
    let (mut positions, mut normals) = (mesh.positions.clone(), mesh.positions.clone());
    let tip = driver.handles().len() - 1;
    let mut height = 0.0;
    allocations_after_the_first(|| {
        height += 2.0;
        driver.set_target(tip, DVec3::new(0.0, height, 9.0));
        driver.start_from_bones();
        driver.solve();
        embedding.deform(driver.positions(), driver.rotations(), &mut positions, &mut normals);
        green.deform(driver.positions(), &mut positions[..50]);
    })
}

fn allocations_after_the_first(mut work: impl FnMut()) -> usize {
    work();
    let before = allocations();
    work();
    work();
    allocations() - before
}

/// A surface too small to be cut into pieces for threads.
fn bending_tube() -> Character {
    let mut tube = sinew::demo::tube();
    let mut bent = tube.skeleton.rest_pose();
    bent.joints[1].rotation = DQuat::from_rotation_x(1.5);
    tube.clips = vec![Clip::from_poses("bend", &[0.0, 2.0], &[tube.skeleton.rest_pose(), bent])];
    tube
}
