//! Motions: edited ([`edit`]), played on other bodies ([`retarget`], with contacts [`retarget_contacts`]), and searched for
//! in folders ([`library`]), with labelled motions to evaluate the search ([`evaluate`]).

pub mod edit;
mod edit_report;
#[cfg(feature = "library")]
pub mod evaluate;
#[cfg(feature = "library")]
mod labels;
#[cfg(feature = "library")]
pub mod library;
pub mod retarget;
pub mod retarget_contacts;

pub use edit_report::{ContactReport, EditReport, PinReport};
