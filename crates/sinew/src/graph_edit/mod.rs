//! Deforming any graph of points by moving some of them.
//!
//! [`Graph`] says who is whose neighbour; [`GraphEdit`] is prepared once for the vertices that are
//! held and then follows them, with lengths kept; [`FixedSystem`] is the factored system below it, for any
//! other quadratic energy of a graph.

mod fixed_system;
mod graph;
mod laplacian;

pub use fixed_system::FixedSystem;
pub use graph::Graph;
pub use laplacian::{GraphEdit, GraphEditOutcome, GraphEditSetup, Segment};
