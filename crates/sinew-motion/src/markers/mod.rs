//! Gap filling in captures of markers.
//!
//! ```text
//! Markers ──► swaps ──► gaps, graph ──► for each gap: neighbours ─► regression ─► trilateration ──► lengths ──► filled, with confidence
//! ```
//!
//! [`Markers`] is a capture; [`fill`] fills its gaps, with a confidence for each position; [`find_swaps`] finds markers
//! with swapped labels. L13 chapter 8 propagates the Laplacian coordinates of the last complete posture forward and
//! backward and blends the two. Here three sources are combined with weights from the capture itself: the position of a
//! marker relative to its neighbours, its motion at both ends of the gap, and near-constant distances.

mod confidence;
mod fill;
mod frame;
mod gaps;
mod graph;
mod lengths;
mod neighborhood;
mod regression;
mod regression_data;
mod samples;
mod side_path;
mod swaps;
mod take;
mod trilaterated_gap;
mod trilateration;

pub use fill::{FilledGap, Filling, fill};
pub use gaps::{Gap, find_gaps};
pub use graph::{MarkerGraph, PairDistance};
pub use swaps::{Swap, find_swaps, undo_swaps};
pub use take::Markers;
