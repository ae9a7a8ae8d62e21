//! Pictures and plots.

mod image;
mod plot;
mod scene;
mod text;
