//! Volume and quality of a tetrahedron.

use glam::DVec3;

/// The quality below which a tetrahedron is a sliver. A regular tetrahedron has 1. Cages of 33 of the 34 test bodies
/// end without one; not tuned.
pub const SLIVER: f64 = 0.1;

/// Quality figures of a set of tetrahedra. Quality is three times the ratio of inradius to circumradius, 1 for a regular
/// tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TetrahedraQuality {
    /// The lowest quality.
    pub least: f64,
    /// The mean quality.
    pub mean: f64,
    /// The number of tetrahedra below [`SLIVER`].
    pub slivers: usize,
    /// The number of cage triangles that were not faces of tetrahedra before improvement.
    pub unmatched: usize,
    /// The number of vertices that are linked because they have no tetrahedron.
    pub linked: usize,
}

/// The volume of a tetrahedron, negative if it is inverted.
pub(crate) fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Three times the ratio of inradius to circumradius, negative if the tetrahedron is inverted.
pub(super) fn quality([a, b, c, d]: [DVec3; 4]) -> f64 {
    let (u, v, w) = (b - a, c - a, d - a);
    let (uv, vw, wu) = (u.cross(v), v.cross(w), w.cross(u));
    let six_volumes = u.dot(vw);
    let twice_areas = uv.length() + vw.length() + wu.length() + (v - u).cross(w - u).length();
    // The radii are 6V / 2A and |n| / 12V.
    let n = u.length_squared() * vw + v.length_squared() * wu + w.length_squared() * uv;
    let quality = 6.0 * six_volumes * six_volumes.abs() / (twice_areas * n.length());
    if quality.is_finite() { quality } else { 0.0 }
}
