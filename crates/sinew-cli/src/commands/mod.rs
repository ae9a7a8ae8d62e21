//! The commands, one file or folder each.

pub mod bake;
pub mod bind;
pub mod cache;
pub mod cage;
pub mod convert;
pub mod demo;
pub mod inspect;
pub mod markers;
pub mod motion;
pub mod muscle;
pub mod pose;
pub mod recipe;
pub mod render;
pub mod studio;
