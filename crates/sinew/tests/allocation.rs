//! Frames do not allocate: after the first, sampling a clip and deforming a character take no memory.

use glam::DQuat;
use sinew::recipe::{Recipe, SkinRecipe};
use sinew::rig::{Character, Clip, Pose};
use sinew::skin::SkinMethod;
use sinew::{Stack, Surface};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, which counts what it hands out.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract, and the pointer came from the system.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract, and the pointer came from the system.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FRAMES: usize = 60;

/// Allocations of sampling and of deforming, over frames after the first.
fn allocations(character: &Character, method: SkinMethod) -> (usize, usize) {
    let recipe = Recipe { skin: SkinRecipe { method }, ..Recipe::default() };
    let mut stack = Stack::new(character, &recipe).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let clip = character.clips.last().unwrap();
    let (mut sampling, mut deforming) = (0, 0);
    for frame in 0..=FRAMES {
        let seconds = frame as f64 / 30.0;
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        clip.sample(seconds, &character.base_pose, &mut pose);
        let between = ALLOCATIONS.load(Ordering::Relaxed);
        stack.deform(&pose, seconds, 1.0 / 30.0, &mut surface);
        let after = ALLOCATIONS.load(Ordering::Relaxed);
        if frame == 0 {
            assert!(between > before && after > between, "the first frame makes the buffers");
            continue;
        }
        sampling += between - before;
        deforming += after - between;
    }
    (sampling, deforming)
}

/// One test, so that no other thread allocates while this one counts.
#[test]
fn frames_after_the_first_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for character in [bending_tube(), sinew::demo::character()] {
        for method in SkinMethod::ALL {
            let found = pool.install(|| allocations(&character, method));
            println!("{}, {} vertices, {method}: {found:?}", character.name, character.vertex_count());
            assert_eq!(found, (0, 0), "{}, {method}: sampling, deforming", character.name);
        }
    }
}

/// A surface too small to be cut into pieces for threads.
fn bending_tube() -> Character {
    let mut tube = sinew::demo::tube();
    let mut bent = tube.skeleton.rest_pose();
    bent.joints[1].rotation = DQuat::from_rotation_x(1.5);
    tube.clips = vec![Clip::from_poses("bend", &[0.0, 2.0], &[tube.skeleton.rest_pose(), bent])];
    tube
}
