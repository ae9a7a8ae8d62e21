//! A cage around the character that is open: built beside the session ([`build`]), kept ([`Cages`]), told to the page,
//! and followed frame by frame ([`CageFrames`]).

mod build;
mod describe;
mod follow;
mod kept;

pub use build::build;
pub use follow::{CageFrames, Followed};
pub use kept::{Built, CageKey, Cages};
