//! Deforming any graph of points by moving some of them.
//!
//! [`Graph`] says who is whose neighbour; [`LaplacianEditor`] is prepared once for the vertices that are
//! held and then follows them, with lengths kept; [`FixedSystem`] is the factored system below it and [`SegmentGoals`] the
//! lengths, for any other quadratic energy of a graph.

mod fixed_system;
mod graph;
mod laplacian;
mod segments;

pub use fixed_system::FixedSystem;
pub use graph::Graph;
pub use laplacian::{LaplacianEditor, LaplacianEditorOutcome, LaplacianEditorSetup};
pub use segments::{Segment, SegmentGoals};
