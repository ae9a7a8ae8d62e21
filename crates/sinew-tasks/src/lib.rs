//! What people do with characters, whether they ask on the command line or in the studio: prepare a character for a
//! recipe, pose it, carry a motion over, bind it, bake it and measure the result.
//!
//! Everything here says what there is to say in its results; nothing prints. There is no clock: who wants times
//! brings a [`Clock`].

pub mod bake;
pub mod bind;
pub mod bind_report;
pub mod cage;
pub mod carry;
pub mod ecorche;
pub mod kept;
#[cfg(feature = "library")]
pub mod library;
pub mod markers;
pub mod measure;
mod misfits;
pub mod motion_edit;
mod place;
pub mod pose_file;
pub mod retarget;
pub mod rigging;
pub mod sketch;
pub mod stage;
mod suggest;

pub use misfits::misfits;
pub use suggest::nearest;

/// Tells the time in milliseconds from some moment on.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// The chain of causes as one sentence, without the repetitions that nested errors bring.
pub fn one_sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause);
        }
    }
    text
}
