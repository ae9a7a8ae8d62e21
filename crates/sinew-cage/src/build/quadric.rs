//! The quadric error metric: the squared distance of a point from a set of planes.
//!
//! Weighted by area (M. Garland, P. Heckbert, *Surface simplification using quadric error metrics*, 1997),
//! `Q(x) = xᵀ A x + 2 b·x + c` with `A = Σ a n nᵀ` and so on.

use glam::{DMat3, DVec3};
use std::ops::Add;

/// The least determinant, relative to the cube of the largest entry, of planes that meet in a point. Not tuned.
const MIN_DETERMINANT: f64 = 1e-4;

/// A sum of squared distances from planes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quadric {
    matrix: DMat3,
    vector: DVec3,
    constant: f64,
}

impl Quadric {
    pub const ZERO: Self = Self { matrix: DMat3::ZERO, vector: DVec3::ZERO, constant: 0.0 };

    /// The plane of a triangle, weighted by its area.
    pub fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let cross = (b - a).cross(c - a);
        let Some(normal) = cross.try_normalize() else { return Self::ZERO };
        let (area, offset) = (0.5 * cross.length(), -normal.dot(a));
        Self {
            matrix: DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z) * area,
            vector: normal * (offset * area),
            constant: offset * offset * area,
        }
    }

    /// The error at a point, never negative.
    pub fn at(&self, point: DVec3) -> f64 {
        (point.dot(self.matrix * point) + 2.0 * self.vector.dot(point) + self.constant).max(0.0)
    }

    /// The point of least error, if it is unique.
    pub fn minimizer(&self) -> Option<DVec3> {
        let largest = self.matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let is_unique = self.matrix.determinant() > MIN_DETERMINANT * largest.powi(3);
        is_unique.then(|| -(self.matrix.inverse() * self.vector))
    }
}

impl Add for Quadric {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            matrix: self.matrix + other.matrix,
            vector: self.vector + other.vector,
            constant: self.constant + other.constant,
        }
    }
}
