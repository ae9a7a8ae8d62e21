//! Binding of generated shapes: what it must get right, what it must survive, and what must not matter.

mod bad_input;
mod continuity;
mod dirty;
mod judge;
mod limbs;
mod properties;
mod report;
mod samples;
mod shapes;
mod spoil;
mod tongue;
