//! Barycentric coordinates in a tetrahedron.

use glam::{DMat3, DVec3};

/// The barycentric coordinates of `x`; not finite in a tetrahedron without volume.
pub(crate) fn barycentric([a, b, c, d]: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let [p, q, r] = (DMat3::from_cols(b - a, c - a, d - a).inverse() * (x - a)).to_array();
    [1.0 - p - q - r, p, q, r]
}
