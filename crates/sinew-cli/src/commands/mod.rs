//! The verbs.

pub mod bake;
pub mod convert;
pub mod demo;
pub mod inspect;
pub mod pose;
pub mod recipe;
pub mod render;
