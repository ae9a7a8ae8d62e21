//! The largest accepted clips and meshes.

/// No clip is sampled at more frames than this.
pub const MAX_FRAMES: usize = 1_000_000;

/// Key times lie within this of zero: thirty years.
pub const MAX_SECONDS: f64 = 1e9;

/// The most faces that a part may have after a step of refinement.
pub const MAX_REFINED_FACES: usize = 1 << 24;
