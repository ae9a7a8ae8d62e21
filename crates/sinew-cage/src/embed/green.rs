//! Green coordinates: shape-preserving interpolation from a closed surface.
//!
//! Y. Lipman, D. Levin, D. Cohen-Or, *Green coordinates*, 2008; L13 eq. 9.18:
//!
//! ```text
//! x' = Σ φ_i v'_i + Σ ψ_j s_j n'_j,      4π φ_i = ∫ λ_i (ξ − x)·n / r³,   4π ψ_j = ∫ 1 / r
//! ```
//!
//! over the surface, with the hat function λ of a vertex and r the distance to x. For a triangle at height `h` with solid
//! angle Ω, the unit normals m of its sides in its plane, their distances t from the foot of x, `l = ∫ 1/r` along them and
//! the gradient g of λ, the divergence theorem in the plane gives
//!
//! ```text
//! ∫ 1/r = Σ t l − h Ω,      ∫ λ h / r³ = λ(foot) Ω − h g · Σ m l.
//! ```
//!
//! The factor s is the stretch of a triangle; it makes the map nearly conformal. Coordinates of the whole cage are dense:
//! one number for each of its vertices and triangles at every point of the mesh.

use crate::Result;
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::solid_angle;
use std::f64::consts::PI;

/// The largest number of coordinates: one gibibyte of `f32`.
const MAX_COORDINATES: usize = 1 << 28;

/// The Green coordinates of points inside a closed surface.
#[derive(Debug, Clone)]
pub struct GreenCoordinates {
    /// The vertices of the surface.
    used: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Two sides of each triangle at rest.
    sides: Vec<[DVec3; 2]>,
    /// For each point, φ of all vertices, then ψ of all triangles.
    rows: Vec<f32>,
    /// The current positions of vertices and stretched normals of triangles.
    basis: Vec<DVec3>,
    /// The rounding error of each point at rest, which is added back.
    residuals: Vec<DVec3>,
}

impl GreenCoordinates {
    /// Computes the coordinates of points inside a closed surface with triangles counterclockwise seen from outside.
    /// Vertices without a triangle are ignored.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], points: &[Vec3]) -> Result<Self> {
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let surface: Vec<DVec3> = used.iter().map(|&v| vertices[v as usize]).collect();
        let mut index = vec![0; vertices.len()];
        (0..).zip(&used).for_each(|(k, &v)| index[v as usize] = k);
        let indexed: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| index[v as usize])).collect();
        let width = surface.len() + triangles.len();
        if width.saturating_mul(points.len()) > MAX_COORDINATES {
            return Err(sinew_geometry::Error::SystemTooLarge { size: width.saturating_mul(points.len()) }.into());
        }
        let mut rows = vec![0.0; width * points.len()];
        rows.par_chunks_mut(width.max(1)).zip(points).for_each_init(
            || vec![0.0; width],
            |row, (target, point)| {
                row.fill(0.0);
                let (phi, psi) = row.split_at_mut(surface.len());
                green(&surface, &indexed, point.as_dvec3(), phi, psi);
                target.iter_mut().zip(row).for_each(|(stored, value)| *stored = *value as f32);
            },
        );
        let side = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|v| vertices[v as usize]);
            [b - a, c - a]
        };
        let mut coordinates = Self {
            triangles: triangles.to_vec(),
            sides: triangles.iter().map(side).collect(),
            rows,
            used,
            basis: vec![DVec3::ZERO; width],
            residuals: points.iter().map(|p| p.as_dvec3()).collect(),
        };
        coordinates.set_basis(vertices);
        let lacking: Vec<DVec3> = (0..points.len()).map(|k| coordinates.residuals[k] - coordinates.sum(k)).collect();
        coordinates.residuals = lacking;
        Ok(coordinates)
    }

    /// The memory of the coordinates in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }

    /// Writes the points for these positions of the surface's vertices.
    ///
    /// # Panics
    /// If the lists are not as long as the surface and the points.
    pub fn deform(&mut self, vertex_positions: &[DVec3], positions: &mut [Vec3]) {
        self.set_basis(vertex_positions);
        let this = &*self;
        positions.par_iter_mut().enumerate().with_min_len(64).for_each(|(point, position)| {
            *position = (this.sum(point) + this.residuals[point]).as_vec3();
        });
    }

    fn set_basis(&mut self, vertex_positions: &[DVec3]) {
        let (of_vertices, of_triangles) = self.basis.split_at_mut(self.used.len());
        for (basis_vector, &vertex) in of_vertices.iter_mut().zip(&self.used) {
            *basis_vector = vertex_positions[vertex as usize];
        }
        let triangles = self.triangles.iter().zip(&self.sides);
        for (basis_vector, (triangle, sides)) in of_triangles.iter_mut().zip(triangles) {
            *basis_vector = stretched_normal(*sides, triangle.map(|k| vertex_positions[k as usize]));
        }
    }

    fn sum(&self, point: usize) -> DVec3 {
        let width = self.basis.len();
        let row = &self.rows[point * width..(point + 1) * width];
        row.iter().zip(&self.basis).map(|(&coordinate, &basis_vector)| basis_vector * f64::from(coordinate)).sum()
    }
}

/// The unit normal of a triangle times its stretch, given two sides at rest: `s n'` above.
pub(super) fn stretched_normal([u, v]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (now_u, now_v) = (b - a, c - a);
    let stretch_squared = now_u.length_squared() * v.length_squared() - 2.0 * now_u.dot(now_v) * u.dot(v)
        + now_v.length_squared() * u.length_squared();
    let scale = stretch_squared.max(0.0).sqrt() / (2f64.sqrt() * u.cross(v).length());
    now_u.cross(now_v).normalize_or_zero() * scale
}

/// Adds the coordinates of a point to φ and ψ.
pub(super) fn green(surface: &[DVec3], triangles: &[[u32; 3]], point: DVec3, phi: &mut [f64], psi: &mut [f64]) {
    for (triangle, psi) in triangles.iter().zip(psi) {
        let corners = triangle.map(|v| surface[v as usize] - point);
        let [a, b, c] = corners;
        let across = (b - a).cross(c - a);
        let double_area = across.length();
        let Some(normal) = across.try_normalize() else { continue };
        let height = a.dot(normal);
        let foot = normal * height;
        // Seen from inside, the winding number's solid angle is positive.
        let angle = solid_angle(corners, DVec3::ZERO);
        let (mut potential, mut flow) = (-height * angle, DVec3::ZERO);
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let length = p.distance(q);
            let outward = ((q - p) / length).cross(normal);
            let sum = p.length() + q.length();
            let along = ((sum + length) / (sum - length).max(f64::MIN_POSITIVE)).ln();
            potential += (p - foot).dot(outward) * along;
            flow += outward * along;
        }
        *psi += potential / (4.0 * PI);
        for k in 0..3 {
            let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let gradient = normal.cross(q - p) / double_area;
            let at_foot = gradient.dot(foot - p);
            phi[triangle[k] as usize] += (at_foot * angle - height * gradient.dot(flow)) / (4.0 * PI);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};

    fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corners = (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        (corners, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
    }

    /// Sums over many small triangles.
    #[test]
    fn closed_forms_are_the_integrals() {
        let (surface, triangles) = cube();
        let point = DVec3::new(0.3, 0.45, 0.6);
        let (mut phi, mut psi) = (vec![0.0; 8], vec![0.0; 12]);
        green(&surface, &triangles, point, &mut phi, &mut psi);
        let steps = 200;
        let (mut phi_sum, mut psi_sum) = (vec![0.0; 8], vec![0.0; 12]);
        for (t, triangle) in triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|v| surface[v as usize]);
            let across = (b - a).cross(c - a);
            let area = 0.5 * across.length() / f64::from(steps * steps);
            for i in 0..steps {
                for j in 0..2 * i + 1 {
                    // The centroids of the small triangles of row i.
                    let (i, j) = (f64::from(i), f64::from(j));
                    let v = ((j / 2.0).floor() + if j % 2.0 == 0.0 { 1.0 / 3.0 } else { 2.0 / 3.0 }) / f64::from(steps);
                    let u = (i + if j % 2.0 == 0.0 { 2.0 / 3.0 } else { 1.0 / 3.0 }) / f64::from(steps) - v;
                    let to = a + (b - a) * u + (c - a) * v - point;
                    psi_sum[t] += area / (4.0 * PI * to.length());
                    let dipole = area * to.dot(across.normalize()) / (4.0 * PI * to.length().powi(3));
                    for (k, coordinate) in [1.0 - u - v, u, v].into_iter().enumerate() {
                        phi_sum[triangle[k] as usize] += coordinate * dipole;
                    }
                }
            }
        }
        for (found, sum) in phi.iter().chain(&psi).zip(phi_sum.iter().chain(&psi_sum)) {
            assert!((found - sum).abs() < 2e-4, "{found} {sum}");
        }
        assert!((phi.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn similar_surfaces_have_similar_insides() {
        let (surface, triangles) = cube();
        let points = [Vec3::new(0.3, 0.45, 0.6), Vec3::new(0.9, 0.1, 0.2)];
        let mut coordinates = GreenCoordinates::new(&surface, &triangles, &points).unwrap();
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.3, 1.2, -0.4)));
        let map = |p: DVec3| turn * p * 2.5 + DVec3::new(1.0, 2.0, 3.0);
        let vertex_positions: Vec<DVec3> = surface.iter().map(|&p| map(p)).collect();
        let mut moved = [Vec3::ZERO; 2];
        coordinates.deform(&vertex_positions, &mut moved);
        for (found, point) in moved.iter().zip(points) {
            // The rounding error at rest does not rotate.
            assert!(found.as_dvec3().distance(map(point.as_dvec3())) < 2e-6);
        }
    }
}
