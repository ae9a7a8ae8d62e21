//! What the program and the studio do with characters.

mod cage;
#[cfg(feature = "library")]
mod library;
mod retarget;
