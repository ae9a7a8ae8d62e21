//! Muscles: their shape, their motion, and where they are in a body.

mod dynamics;
mod set;
mod shape;
