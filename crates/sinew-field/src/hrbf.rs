//! Hermite radial basis functions: a smooth field through points with given normals.
//!
//! A Hermite radial basis function [R18 §3.1.1] with φ(r) = r³:
//!
//! ```text
//! f(x)  = Σᵢ aᵢ φ(|x − pᵢ|) + bᵢ · ∇φ(|x − pᵢ|)        with d = x − pᵢ, r = |d|:
//! φ     = r³        ∇φ = 3 r d        ∇∇φ = 3 (r I + d dᵀ / r)
//! ```
//!
//! `f(pᵢ) = 0` and `∇f(pᵢ) = nᵢ` are 4 n linear equations for the 4 n coefficients. They are solved in coordinates in
//! which the points fill a unit box, so that neither units nor place matter. Near the points f is a distance: its
//! gradient has length one there.

use super::{DistanceField, Sample};
use glam::DVec3;
use sinew_geometry::solve::DenseLu;

/// A point of a surface with the outward unit normal there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oriented {
    /// The place.
    pub point: DVec3,
    /// The direction away from the inside.
    pub normal: DVec3,
}

/// The field of a surface through oriented points.
#[derive(Debug, Clone, PartialEq)]
pub struct Hrbf {
    center: DVec3,
    size: f64,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// In coordinates of the unit box.
    point: DVec3,
    a: f64,
    b: DVec3,
}

impl Hrbf {
    /// The surface through some points; none if they define no surface, such as two coincident points.
    pub fn new(samples: &[Oriented]) -> Option<Self> {
        let low = samples.iter().fold(DVec3::INFINITY, |low, s| low.min(s.point));
        let high = samples.iter().fold(DVec3::NEG_INFINITY, |high, s| high.max(s.point));
        let (center, size) = (0.5 * (low + high), (high - low).max_element());
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let points: Vec<DVec3> = samples.iter().map(|s| (s.point - center) / size).collect();
        let matrix = DenseLu::new(4 * points.len(), |row, column| {
            entry(points[row / 4] - points[column / 4], row % 4, column % 4)
        });
        let right: Vec<f64> = samples.iter().flat_map(|s| [0.0, s.normal.x, s.normal.y, s.normal.z]).collect();
        let solved = matrix.solve(&right);
        if solved.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let node = |(&point, c): (&DVec3, &[f64])| Node { point, a: c[0], b: DVec3::new(c[1], c[2], c[3]) };
        Some(Self { center, size, nodes: points.iter().zip(solved.chunks_exact(4)).map(node).collect() })
    }
}

impl DistanceField for Hrbf {
    fn distance(&self, point: DVec3) -> Sample {
        let x = (point - self.center) / self.size;
        let (mut value, mut gradient) = (0.0, DVec3::ZERO);
        for node in &self.nodes {
            let d = x - node.point;
            let squared = d.length_squared();
            let r = squared.sqrt();
            let along = d.dot(node.b);
            // d (d·b) / r has the limit 0 at the point itself.
            let inverse = if r > 0.0 { 1.0 / r } else { 0.0 };
            value += r * (squared * node.a + 3.0 * along);
            gradient += 3.0 * (r * (node.a * d + node.b) + (along * inverse) * d);
        }
        Sample { value: value * self.size, gradient }
    }
}

/// The share of coefficient `column` (a, then b) of a node in equation `row` (value, then gradient) at a place `d`
/// away.
fn entry(d: DVec3, row: usize, column: usize) -> f64 {
    let r = d.length();
    match (row, column) {
        (0, 0) => r * r * r,
        (0, axis) | (axis, 0) => 3.0 * r * d[axis - 1],
        (i, j) if r > 0.0 => 3.0 * (d[i - 1] * d[j - 1] / r + if i == j { r } else { 0.0 }),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    /// Points spread evenly over a sphere.
    fn sphere(count: usize, center: DVec3, radius: f64) -> Vec<Oriented> {
        let golden = PI * (3.0 - 5f64.sqrt());
        let at = |k: usize| {
            let z = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
            let (sine, cosine) = (golden * k as f64).sin_cos();
            let across = (1.0 - z * z).sqrt();
            let normal = DVec3::new(across * cosine, across * sine, z);
            Oriented { point: center + radius * normal, normal }
        };
        (0..count).map(at).collect()
    }

    /// Points on a torus around z, and its exact distance.
    fn torus(around: usize, across: usize) -> Vec<Oriented> {
        let ring = |k: usize| TAU * k as f64 / around as f64;
        let at = |k: usize, l: usize| {
            let out = DVec3::new(ring(k).cos(), ring(k).sin(), 0.0);
            let (sine, cosine) = (TAU * (l as f64 + 0.5 * (k % 2) as f64) / across as f64).sin_cos();
            let normal = cosine * out + sine * DVec3::Z;
            Oriented { point: 2.0 * out + 0.7 * normal, normal }
        };
        (0..around).flat_map(|k| (0..across).map(move |l| at(k, l))).collect()
    }

    fn assert_interpolates(field: &Hrbf, samples: &[Oriented], size: f64) {
        for sample in samples {
            let found = field.distance(sample.point);
            assert!(found.value.abs() < 1e-6 * size, "{}", found.value);
            assert!((found.gradient - sample.normal).length() < 1e-6, "{}", found.gradient);
        }
    }

    #[test]
    fn a_sphere_is_a_sphere_in_any_unit_and_place() {
        for (center, radius) in [(DVec3::ZERO, 1.0), (DVec3::new(1e3, -2e3, 5e2), 0.01), (DVec3::ONE, 1e4)] {
            let samples = sphere(50, center, radius);
            let field = Hrbf::new(&samples).unwrap();
            assert_interpolates(&field, &samples, radius);
            for probe in sphere(200, center, radius) {
                assert!(field.distance(probe.point).value.abs() < 4e-3 * radius);
                let outside = field.distance(probe.point + 0.1 * radius * probe.normal).value;
                assert!((outside - 0.1 * radius).abs() < 0.02 * radius, "{outside}");
            }
        }
    }

    #[test]
    fn a_torus_is_a_torus() {
        let samples = torus(14, 7);
        let field = Hrbf::new(&samples).unwrap();
        assert_interpolates(&field, &samples, 1.0);
        for probe in torus(61, 17) {
            assert!(field.distance(probe.point).value.abs() < 0.02, "{}", field.distance(probe.point).value);
        }
        assert!(field.distance(DVec3::ZERO).value > 0.3, "the hole is outside");
        assert!(field.distance(DVec3::new(0.0, 2.0, 0.0)).value < -0.3, "the tube is inside");
    }

    /// The sums of the definition, written down once more without any rearrangement.
    #[test]
    fn the_field_solves_the_equations_of_the_definition() {
        let samples = torus(6, 4);
        let field = Hrbf::new(&samples).unwrap();
        let plain = |x: DVec3| -> f64 {
            let basis = |p: DVec3, x: DVec3| (x - p).length().powi(3);
            let slope = |p: DVec3, x: DVec3| {
                let h = 1e-5;
                let along = |axis: DVec3| (basis(p, x + h * axis) - basis(p, x - h * axis)) / (2.0 * h);
                DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
            };
            let x = (x - field.center) / field.size;
            let sum = field.nodes.iter().map(|n| n.a * basis(n.point, x) + n.b.dot(slope(n.point, x)));
            sum.sum::<f64>() * field.size
        };
        for k in 0..40 {
            let k = f64::from(k);
            let probe = 3.0 * DVec3::new((1.7 * k).sin(), (2.3 * k).cos(), (0.9 * k).sin());
            let found = field.distance(probe);
            assert!((found.value - plain(probe)).abs() < 1e-6 * (1.0 + found.value.abs()));
            let h = 1e-5;
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let slope =
                    (field.distance(probe + h * axis).value - field.distance(probe - h * axis).value) / (2.0 * h);
                assert!((found.gradient.dot(axis) - slope).abs() < 1e-6 * (1.0 + slope.abs()));
            }
        }
    }

    #[test]
    fn points_that_tell_no_surface_are_refused() {
        assert!(Hrbf::new(&[]).is_none());
        let one = Oriented { point: DVec3::ONE, normal: DVec3::X };
        assert!(Hrbf::new(&[one]).is_none());
        assert!(Hrbf::new(&[one, one]).is_none());
        let far = Oriented { point: DVec3::NAN, ..one };
        assert!(Hrbf::new(&[one, far]).is_none());
    }
}
