//! Meshes that follow joints and markers by way of a cage, held against what is known of bars and cylinders.

mod driving;
mod embedding;
mod enclosing;
mod limits;
mod refusing;
mod shapes;
