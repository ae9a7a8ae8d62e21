//! Authored rigs bound again: how near are automatic weights to those that a person painted?
//!
//! The metric is that of the shared reference `binding.md`, with Blender's bone heat and inverse squared distance
//! beside it. `cargo test --release -p sinew-acceptance -- --nocapture rebound` prints its tables in Markdown.

mod inverse_distance;
mod metric;
mod rebind;
mod reference;
mod rig;
mod units;
