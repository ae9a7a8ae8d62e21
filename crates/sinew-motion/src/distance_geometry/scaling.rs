//! Classical multidimensional scaling: points from all their distances.
//!
//! Classical scaling (L13 eq. 2.9–2.11, with the centroid in place of the last point as the origin, which
//! favours no point): with `D²` the squared distances and `C = 1 − 11ᵀ/n`, `B = −½ C D² C` is the Gram matrix of the
//! centred points, of rank three. Its three largest eigenvalues and their eigenvectors give
//! the points up to a rotation and a mirror image, `X = U₃ Σ₃^½`. If the distances belong to no points in
//! space, these are the nearest in the sense of B, and what is lost is reported.

use crate::Result;
use glam::{DMat3, DVec3};
use sinew_geometry::solve::symmetric_eigen;

/// All distances between points.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    count: usize,
    /// The rows of the lower triangle, without its diagonal.
    values: Vec<f64>,
}

impl Distances {
    /// The distances between positions.
    pub fn of(positions: &[DVec3]) -> Self {
        let pairs = (0..positions.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        Self { count: positions.len(), values: pairs.map(|(i, j)| positions[i].distance(positions[j])).collect() }
    }

    /// Distances `d(i, j)` for `j < i < count`.
    pub fn from_fn(count: usize, distance: impl Fn(usize, usize) -> f64) -> Result<Self> {
        let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
        let values: Vec<f64> = pairs.map(|(i, j)| distance(i, j)).collect();
        match values.iter().find(|d| !d.is_finite() || **d < 0.0) {
            Some(&value) => {
                Err(sinew_geometry::Error::OutOfRange { what: "a distance", value, range: "zero or more" }.into())
            }
            None => Ok(Self { count, values }),
        }
    }

    /// How many points there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The distance between two points.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (low, high) = (i.min(j), i.max(j));
        if low == high { 0.0 } else { self.values[high * (high - 1) / 2 + low] }
    }
}

/// Points from distances.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// The points, their centroid at the origin, along their principal axes.
    pub positions: Vec<DVec3>,
    /// The largest difference between a given distance and the one between the points.
    pub largest_error: f64,
}

/// Points of given distances, up to a rigid motion and a mirror image.
pub fn classical_scaling(distances: &Distances) -> Scaling {
    let count = distances.count();
    let square = |i: usize, j: usize| distances.get(i, j).powi(2);
    let means: Vec<f64> = (0..count).map(|i| (0..count).map(|j| square(i, j)).sum::<f64>() / count as f64).collect();
    let mean = means.iter().sum::<f64>() / count.max(1) as f64;
    let gram = |i: usize, j: usize| -0.5 * (square(i, j) - means[i] - means[j] + mean);
    let eigen = symmetric_eigen(count, gram, 3);
    let mut positions = vec![DVec3::ZERO; count];
    for (axis, (value, vector)) in eigen.iter().enumerate() {
        for (position, component) in positions.iter_mut().zip(vector) {
            position[axis] = component * value.max(0.0).sqrt();
        }
    }
    let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
    let error = |(i, j): (usize, usize)| (positions[i].distance(positions[j]) - distances.get(i, j)).abs();
    let largest_error = pairs.map(error).fold(0.0, f64::max);
    Scaling { positions, largest_error }
}

impl Scaling {
    /// Moves and, where needed, mirrors the points so that they lie as near as possible to others.
    pub fn fitted_to(&self, others: &[DVec3]) -> Vec<DVec3> {
        let count = self.positions.len().min(others.len()).max(1) as f64;
        let pairs = || self.positions.iter().zip(others);
        let from = pairs().map(|(p, _)| *p).sum::<DVec3>() / count;
        let to = pairs().map(|(_, q)| *q).sum::<DVec3>() / count;
        let mut covariance = DMat3::ZERO;
        for (p, q) in pairs() {
            let (p, q) = (*p - from, *q - to);
            covariance += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
        }
        let turn = nearest_orthogonal(covariance);
        self.positions.iter().map(|p| to + turn * (*p - from)).collect()
    }
}

/// The orthogonal matrix, a mirror or not, that is nearest to another: `U Vᵀ` of its singular vectors.
fn nearest_orthogonal(matrix: DMat3) -> DMat3 {
    let squared = matrix.transpose() * matrix;
    let eigen = symmetric_eigen(3, |i, j| squared.col(j)[i], 3);
    let right: Vec<DVec3> = eigen.iter().map(|(_, v)| DVec3::new(v[0], v[1], v[2])).collect();
    let image = |k: usize| (matrix * right[k]).try_normalize();
    let first = image(0).unwrap_or(DVec3::X);
    let second = image(1).map(|v| v.reject_from_normalized(first)).and_then(DVec3::try_normalize);
    let second = second.unwrap_or_else(|| first.any_orthonormal_vector());
    // Points of a plane have no third direction; either side will do.
    let upright = first.cross(second);
    let side = if (matrix * right[2]).dot(upright) < 0.0 { -1.0 } else { 1.0 };
    DMat3::from_cols(first, second, upright * side) * DMat3::from_cols(right[0], right[1], right[2]).transpose()
}
