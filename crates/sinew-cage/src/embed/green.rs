//! Where does a point go when a closed surface around it moves, if shapes are to be kept?
//!
//! Green coordinates (Y. Lipman, D. Levin, D. Cohen-Or, *Green coordinates*, 2008; L13 eq. 9.18):
//!
//! ```text
//! x' = Σ φ_i v'_i + Σ ψ_j s_j n'_j,      4π φ_i = ∫ λ_i (ξ − x)·n / r³,   4π ψ_j = ∫ 1 / r
//! ```
//!
//! over the surface, with the hat function λ of a vertex and r the distance to x. Over a triangle at height `h` seen
//! under the solid angle Ω, with the unit normals m of its sides in its plane, their distances t from the foot of
//! x, `l = ∫ 1/r` along them, and the gradient g of λ, by the divergence theorem in the plane
//!
//! ```text
//! ∫ 1/r = Σ t l − h Ω,      ∫ λ h / r³ = λ(foot) Ω − h g · Σ m l.
//! ```
//!
//! The factor s of a triangle is how much its sides have grown; it makes the map nearly conformal. Coordinates of
//! the whole cage are dense: a number for each vertex and triangle of it for every point of the mesh.

use crate::Result;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_geometry::solid_angle;
use std::f64::consts::PI;

/// Numbers that coordinates may take: one gibibyte.
const MOST: usize = 1 << 28;

/// The coordinates of points with regard to a closed surface.
#[derive(Debug, Clone)]
pub struct GreenCoordinates {
    /// The vertices that the surface has.
    used: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Two sides of each triangle at rest.
    sides: Vec<[DVec3; 2]>,
    /// For each point φ of all vertices, then ψ of all triangles.
    rows: Vec<f32>,
    /// The places of vertices and the grown normals of triangles of a frame.
    parts: Vec<DVec3>,
    /// What sums of coordinates lack to give the point back, from rounding.
    rest: Vec<DVec3>,
}

impl GreenCoordinates {
    /// Finds the coordinates of points inside a closed surface, triangles counterclockwise seen from outside. Vertices
    /// that no triangle has do not count.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], points: &[Vec3]) -> Result<Self> {
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let surface: Vec<DVec3> = used.iter().map(|&v| vertices[v as usize]).collect();
        let mut number = vec![0; vertices.len()];
        (0..).zip(&used).for_each(|(k, &v)| number[v as usize] = k);
        let numbered: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| number[v as usize])).collect();
        let width = surface.len() + triangles.len();
        if width.saturating_mul(points.len()) > MOST {
            return Err(sinew_geometry::Error::SystemTooLarge { size: width.saturating_mul(points.len()) }.into());
        }
        let mut rows = vec![0.0; width * points.len()];
        rows.par_chunks_mut(width.max(1)).zip(points).for_each_init(
            || vec![0.0; width],
            |row, (target, point)| {
                row.fill(0.0);
                let (phi, psi) = row.split_at_mut(surface.len());
                green(&surface, &numbered, point.as_dvec3(), phi, psi);
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
            parts: vec![DVec3::ZERO; width],
            rest: points.iter().map(|p| p.as_dvec3()).collect(),
        };
        coordinates.set_parts(vertices);
        let lacking: Vec<DVec3> = (0..points.len()).map(|k| coordinates.rest[k] - coordinates.sum(k)).collect();
        coordinates.rest = lacking;
        Ok(coordinates)
    }

    /// Bytes that the coordinates take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }

    /// Writes where the points go when the surface's vertices have these places.
    ///
    /// # Panics
    /// If the lists are not as long as the surface and the points.
    pub fn deform(&mut self, places: &[DVec3], positions: &mut [Vec3]) {
        self.set_parts(places);
        let this = &*self;
        positions.par_iter_mut().enumerate().with_min_len(64).for_each(|(point, position)| {
            *position = (this.sum(point) + this.rest[point]).as_vec3();
        });
    }

    fn set_parts(&mut self, places: &[DVec3]) {
        let (of_vertices, of_triangles) = self.parts.split_at_mut(self.used.len());
        for (part, &vertex) in of_vertices.iter_mut().zip(&self.used) {
            *part = places[vertex as usize];
        }
        let triangles = self.triangles.iter().zip(&self.sides);
        for (part, (triangle, sides)) in of_triangles.iter_mut().zip(triangles) {
            *part = grown_normal(*sides, triangle.map(|k| places[k as usize]));
        }
    }

    fn sum(&self, point: usize) -> DVec3 {
        let width = self.parts.len();
        let row = &self.rows[point * width..(point + 1) * width];
        row.iter().zip(&self.parts).map(|(&share, &part)| part * f64::from(share)).sum()
    }
}

/// The normal of a triangle times how much it has grown, given two of its sides at rest: `s n'` above.
pub(super) fn grown_normal([u, v]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (now_u, now_v) = (b - a, c - a);
    let grown = now_u.length_squared() * v.length_squared() - 2.0 * now_u.dot(now_v) * u.dot(v)
        + now_v.length_squared() * u.length_squared();
    let scale = grown.max(0.0).sqrt() / (2f64.sqrt() * u.cross(v).length());
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
                    for (k, share) in [1.0 - u - v, u, v].into_iter().enumerate() {
                        phi_sum[triangle[k] as usize] += share * dipole;
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
        let places: Vec<DVec3> = surface.iter().map(|&p| map(p)).collect();
        let mut moved = [Vec3::ZERO; 2];
        coordinates.deform(&places, &mut moved);
        for (found, point) in moved.iter().zip(points) {
            // What is left of rounding at rest is not turned along.
            assert!(found.as_dvec3().distance(map(point.as_dvec3())) < 2e-6);
        }
    }
}
