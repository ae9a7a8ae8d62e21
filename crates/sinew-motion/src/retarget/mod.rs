//! Motion of one skeleton on another.
//!
//! [`Mapping`] says which joint follows which, by names and anatomy or by a table; [`Transfer`] is
//! prepared once for two skeletons and carries over any number of clips.

mod align;
mod body;
mod mapping;
mod transfer;

pub(crate) use body::near_axis;
pub use mapping::{Mapping, Pair};
pub use transfer::Transfer;
