//! Gap filling in captures of markers.
//!
//! ```text
//! Markers ──► swaps ──► gaps, graph ──► for each gap: neighbours ─► regression ─► trilateration ──► lengths ──► filled, with confidence
//! ```
//!
//! [`Markers`] is a capture; [`fill`] fills its gaps and says how far each place can be trusted; [`find_swaps`] finds
//! markers that exchanged their names. L13 chapter 8 carries the Laplacian coordinates of the last complete posture
//! forward and backward and blends the two. Here the same three sources are used with the weights that the capture
//! itself gives them: where a marker is among its neighbours, what it did at both ends of the gap, and which distances
//! hardly change.

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
