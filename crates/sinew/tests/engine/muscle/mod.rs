//! Muscles: their shape, their motion, and where they are in a body.

mod activation;
mod dynamics;
mod set;
mod shape;
mod skin;
