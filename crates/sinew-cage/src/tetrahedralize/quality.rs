//! How good is a tetrahedron?

use glam::DVec3;

/// The quality below which a tetrahedron is a sliver.
pub const SLIVER: f64 = 0.1;

/// How good tetrahedra are: three times the ratio of the radii of the inner and the outer sphere, 1 for a regular one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TetrahedraQuality {
    /// The least.
    pub least: f64,
    /// The mean.
    pub mean: f64,
    /// How many are below [`SLIVER`].
    pub slivers: usize,
    /// Triangles of the cage that were no face of a tetrahedron when it was filled.
    pub unmatched: usize,
    /// Vertices that are linked, for lack of a tetrahedron.
    pub linked: usize,
}

/// The volume of a tetrahedron, negative if it is turned over.
pub(crate) fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Three times the ratio of the radii of the inner and the outer sphere, negative if it is turned over.
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
