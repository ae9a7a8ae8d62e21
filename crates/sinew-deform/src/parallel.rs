//! The grain of parallel loops over vertices.

/// Vertices of a task. Each task writes its own vertices, so the number changes no result.
pub(crate) const VERTICES_PER_TASK: usize = 256;
