//! Motion of one skeleton on another.
//!
//! [`Mapping`] pairs the joints of two skeletons, by names and anatomy or by a table; [`Retargeter`] is
//! prepared once for two skeletons and retargets any number of clips.

mod align;
mod mapping;
mod rest_body;
mod retargeter;

pub use mapping::{Mapping, Pair};
pub(crate) use rest_body::near_axis;
pub use retargeter::Retargeter;
