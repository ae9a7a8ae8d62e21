//! Muscles: what lies between bone and skin?

pub mod profile;
mod sketch;

pub use sketch::{Fitted, Sketch};
