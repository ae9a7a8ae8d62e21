//! The volume that a closed surface of triangles and bilinear quads encloses.
//!
//! By the divergence theorem `V = ⅓ ∮ p·dA`. A triangle `abc` contributes the signed tetrahedron
//! `[abc]/6` with the origin. A quad is the bilinear patch of its corners [R09 eq. 2]; the two ways to
//! split it into triangles differ by the tetrahedron of its corners, which the patch halves, so the
//! patch contributes the mean of both splits.

use super::{Face, Topology};
use glam::{DVec3, Vec3};

/// Signed volume of a closed surface; positive when its faces are counter-clockwise seen from
/// outside. Summed in f64, in face order, about the centroid of the corners, so that neither the
/// distance from the origin nor the thread count shows in the digits.
pub fn volume(positions: &[Vec3], faces: &[Face]) -> f64 {
    sum(faces, |v| positions[v as usize].as_dvec3())
}

/// Signed volume of a part of a character, given a position for each vertex of its file; none if the
/// welded surface is not closed.
pub fn closed_volume(topology: &Topology, positions: &[Vec3]) -> Option<f64> {
    let representatives = topology.representatives();
    let at = |welded: u32| positions[representatives[welded as usize] as usize].as_dvec3();
    topology.is_closed().then(|| sum(topology.faces(), at))
}

fn sum(faces: &[Face], at: impl Fn(u32) -> DVec3) -> f64 {
    let (sum, count) =
        faces.iter().flat_map(Face::corners).fold((DVec3::ZERO, 0usize), |(sum, count), &v| (sum + at(v), count + 1));
    let center = sum / count.max(1) as f64;
    faces.iter().map(|face| signed_volume(face, |v| at(v) - center)).sum()
}

/// What one face adds to the volume, with corner positions relative to any fixed centre.
pub(crate) fn signed_volume(face: &Face, at: impl Fn(u32) -> DVec3) -> f64 {
    let tetrahedron = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c)) / 6.0;
    match *face.corners() {
        [a, b, c, d] => {
            let (a, b, c, d) = (at(a), at(b), at(c), at(d));
            0.5 * (tetrahedron(a, b, c) + tetrahedron(a, c, d) + tetrahedron(a, b, d) + tetrahedron(b, c, d))
        }
        ref corners => tetrahedron(at(corners[0]), at(corners[1]), at(corners[2])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [R09 eq. 2] integrates ⅓ p·(p_u × p_v) over the patch; Gauss-Legendre with three points is
    /// exact for its degree (at most three in each parameter).
    #[test]
    fn a_quad_is_the_integral_over_its_bilinear_patch() {
        let corners =
            [Vec3::new(0.1, 0.2, 0.9), Vec3::new(1.3, -0.1, 1.2), Vec3::new(1.1, 0.8, 0.4), Vec3::new(-0.2, 1.4, 1.7)];
        let [a, b, c, d] = corners.map(|p| p.as_dvec3());
        let node = (0.6f64).sqrt() / 2.0;
        let rule = [(0.5 - node, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + node, 5.0 / 18.0)];
        let mut integral = 0.0;
        for (u, wu) in rule {
            for (v, wv) in rule {
                let p = a * (1.0 - u) * (1.0 - v) + b * u * (1.0 - v) + c * u * v + d * (1.0 - u) * v;
                let pu = (b - a) * (1.0 - v) + (c - d) * v;
                let pv = (d - a) * (1.0 - u) + (c - b) * u;
                integral += wu * wv * p.dot(pu.cross(pv)) / 3.0;
            }
        }
        let patch = signed_volume(&Face::quad(0, 1, 2, 3), |v| corners[v as usize].as_dvec3());
        assert!((patch - integral).abs() < 1e-15, "{patch} against {integral}");
    }
}
