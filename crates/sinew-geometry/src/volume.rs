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
    sums(faces, |_| 0, 1, |v| positions[v as usize].as_dvec3())[0]
}

/// Signed volume of a part of a character, given a position for each vertex of its file; none if the
/// welded surface is not closed. The sum of its [`shell_volumes`].
pub fn closed_volume(topology: &Topology, positions: &[Vec3]) -> Option<f64> {
    topology.is_closed().then(|| shell_volumes(topology, positions).iter().sum())
}

/// Signed volume of each connected piece, given a position for each vertex of the file. Each is summed
/// about its own centroid, so that a small piece far from the others, such as an eyeball, keeps its digits.
/// What a piece that is not closed gets means nothing.
pub fn shell_volumes(topology: &Topology, positions: &[Vec3]) -> Vec<f64> {
    let representatives = topology.representatives();
    let at = |welded: u32| positions[representatives[welded as usize] as usize].as_dvec3();
    let shells = topology.shell_of_face();
    sums(topology.faces(), |face| shells[face] as usize, topology.shells(), at)
}

/// The volumes of groups of faces, each about the centroid of its corners.
fn sums(faces: &[Face], group: impl Fn(usize) -> usize, groups: usize, at: impl Fn(u32) -> DVec3) -> Vec<f64> {
    let mut centers = vec![(DVec3::ZERO, 0usize); groups];
    for (index, face) in faces.iter().enumerate() {
        let (sum, count) = &mut centers[group(index)];
        *sum += face.corners().iter().map(|&v| at(v)).sum::<DVec3>();
        *count += face.corners().len();
    }
    let centers: Vec<DVec3> = centers.into_iter().map(|(sum, count)| sum / count.max(1) as f64).collect();
    let mut volumes = vec![0.0; groups];
    for (index, face) in faces.iter().enumerate() {
        let center = centers[group(index)];
        volumes[group(index)] += signed_volume(face, |v| at(v) - center);
    }
    volumes
}

/// The contribution of one face to the volume, with corner positions relative to any fixed centre.
pub fn signed_volume(face: &Face, at: impl Fn(u32) -> DVec3) -> f64 {
    match *face.corners() {
        [a, b, c, d] => {
            let (a, b, c, d) = (at(a), at(b), at(c), at(d));
            // The tetrahedra under both pairs of triangles: abc and acd, abd and bcd.
            let far = c.cross(d);
            (a.dot(b.cross(c + d) + far) + b.dot(far)) / 12.0
        }
        ref corners => at(corners[0]).dot(at(corners[1]).cross(at(corners[2]))) / 6.0,
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

    /// A cube of the given side around a point.
    fn cube(center: Vec3, side: f32) -> (Vec<Vec3>, Vec<Face>) {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32) - 0.5;
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let positions = (0..8).map(|i| center + side * corner(i)).collect();
        (positions, sides.iter().map(|&[a, b, c, d]| Face::quad(a, b, c, d)).collect())
    }

    /// About a common centre the small cube's sum would lose the digits that the distance takes.
    #[test]
    fn a_small_shell_far_away_keeps_its_digits() {
        let (mut positions, mut faces) = cube(Vec3::ZERO, 64.0);
        let (small, small_faces) = cube(Vec3::new(8192.0, 4096.0, 0.0), 0.0078125);
        faces.extend(small_faces.iter().map(|face| face.map(|v| v + positions.len() as u32)));
        positions.extend(small);
        let topology = Topology::new(&positions, &faces);
        let volumes = shell_volumes(&topology, &positions);
        assert_eq!(volumes.len(), 2);
        for (volume, side) in volumes.iter().zip([64.0f64, 0.0078125]) {
            assert!((volume / side.powi(3) - 1.0).abs() < 1e-14, "{volume}");
        }
        assert_eq!(closed_volume(&topology, &positions), Some(volumes.iter().sum()));
    }
}
