//! The largest accepted clips and meshes.

/// No clip is sampled at more frames than this. Nine hours at 30 frames per second.
pub const MAX_FRAMES: usize = 1_000_000;

/// Key times lie within this of zero: thirty years. Differences of such times in f64 are still good to 1e-7 s.
pub const MAX_SECONDS: f64 = 1e9;

/// The most faces that a part may have after a step of refinement. Their indices take 256 MiB.
pub const MAX_REFINED_FACES: usize = 1 << 24;
