//! Transforms in the page's format.

use glam::{DAffine3, DMat4};

/// A transform, column by column.
pub fn columns(transform: &DAffine3) -> [f32; 16] {
    DMat4::from(*transform).as_mat4().to_cols_array()
}
