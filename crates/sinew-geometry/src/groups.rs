//! The counting sort of [`Rows::grouped`] as two lists.

use crate::Rows;

/// The offsets and the values of [`Rows::grouped`].
pub fn grouped(groups: usize, group_of: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    Rows::grouped(groups, group_of).into_parts()
}
