//! Deformation of a graph of points by moving some of them.
//!
//! [`Graph`] has the neighbours of each vertex. [`LaplacianEditor`] is prepared once for a set of fixed vertices and
//! then follows them, with segment lengths preserved. [`FixedSystem`] is its factored system and [`SegmentGoals`] has
//! the lengths, for any other quadratic energy of a graph.

mod fixed_system;
mod graph;
mod laplacian;
mod segments;

pub use fixed_system::FixedSystem;
pub use graph::Graph;
pub use laplacian::{LaplacianEditor, LaplacianEditorOutcome, LaplacianEditorSetup};
pub use segments::{Segment, SegmentGoals};
