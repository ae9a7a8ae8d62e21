//! A cage around the open character: built by a job ([`build`]), cached ([`Cages`]), sent to the page, and evaluated
//! frame by frame ([`CageFrames`]).

mod build;
mod cache;
mod describe;
mod follow;

pub use build::build;
pub use cache::{Built, CageKey, Cages};
pub use follow::{CageFrames, Followed};
