//! Numbers side by side, as the processor's wide registers hold them.
//!
//! Arrays of them are written out: `map` of an array is not always inlined into code for wide registers.

use glam::{DMat3, DVec3};
use std::ops::{Add, Mul, Sub};

/// How many there are.
pub(crate) const LANES: usize = 8;

/// Numbers side by side.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Wide(pub [f64; LANES]);

impl Wide {
    #[inline(always)]
    pub(crate) fn new(lane: impl FnMut(usize) -> f64) -> Self {
        Self(std::array::from_fn(lane))
    }

    #[inline(always)]
    pub(crate) fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        Self::new(|k| if other.0[k] < self.0[k] { other.0[k] } else { self.0[k] })
    }

    #[inline(always)]
    pub(crate) fn max(self, least: f64) -> Self {
        Self::new(|k| if self.0[k] > least { self.0[k] } else { least })
    }
}

impl Add for Wide {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(|k| self.0[k] + other.0[k])
    }
}

impl Sub for Wide {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(|k| self.0[k] - other.0[k])
    }
}

impl Mul for Wide {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::new(|k| self.0[k] * other.0[k])
    }
}

impl Sub<f64> for Wide {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: f64) -> Self {
        Self::new(|k| self.0[k] - other)
    }
}

impl Mul<f64> for Wide {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        Self::new(|k| self.0[k] * other)
    }
}

/// Matrices side by side, by columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WideMat3(pub [[Wide; 3]; 3]);

impl WideMat3 {
    /// The edges of tetrahedra from their first corner.
    #[inline(always)]
    pub(crate) fn edges([a, b, c, d]: [[Wide; 3]; 4]) -> Self {
        let edge = |to: [Wide; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        Self([edge(b), edge(c), edge(d)])
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> DMat3 {
        let column = |c: usize| DVec3::new(self.0[c][0].0[lane], self.0[c][1].0[lane], self.0[c][2].0[lane]);
        DMat3::from_cols(column(0), column(1), column(2))
    }

    /// Squares of Frobenius norms.
    #[inline(always)]
    pub(crate) fn squares(&self) -> Wide {
        let column = |[x, y, z]: [Wide; 3]| x * x + y * y + z * z;
        column(self.0[0]) + column(self.0[1]) + column(self.0[2])
    }

    #[inline(always)]
    pub(crate) fn determinant(&self) -> Wide {
        let [x, y, z] = self.0;
        let cross = cross(y, z);
        x[0] * cross[0] + x[1] * cross[1] + x[2] * cross[2]
    }

    /// Cofactors: the derivatives of determinants.
    #[inline(always)]
    pub(crate) fn cofactors(&self) -> Self {
        let [x, y, z] = self.0;
        Self([cross(y, z), cross(z, x), cross(x, y)])
    }

    #[inline(always)]
    pub(crate) fn scaled(&self, by: Wide) -> Self {
        let column = |[x, y, z]: [Wide; 3]| [x * by, y * by, z * by];
        Self([column(self.0[0]), column(self.0[1]), column(self.0[2])])
    }

    /// `A Bᵀ`.
    #[inline(always)]
    pub(crate) fn times_transposed(self, other: Self) -> Self {
        let [b0, b1, b2] = other.0;
        let column = |k: usize| self.combined([b0[k], b1[k], b2[k]]);
        Self([column(0), column(1), column(2)])
    }

    /// The sum of the columns, each times a number.
    #[inline(always)]
    fn combined(&self, [x, y, z]: [Wide; 3]) -> [Wide; 3] {
        let [a, b, c] = self.0;
        let row = |k: usize| a[k] * x + b[k] * y + c[k] * z;
        [row(0), row(1), row(2)]
    }
}

#[inline(always)]
fn cross(a: [Wide; 3], b: [Wide; 3]) -> [Wide; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Add for WideMat3 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let column = |[x, y, z]: [Wide; 3], [u, v, w]: [Wide; 3]| [x + u, y + v, z + w];
        let (a, b) = (self.0, other.0);
        Self([column(a[0], b[0]), column(a[1], b[1]), column(a[2], b[2])])
    }
}

impl Mul for WideMat3 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let [x, y, z] = other.0;
        Self([self.combined(x), self.combined(y), self.combined(z)])
    }
}

/// Numbers side by side in single precision, to be kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Narrow([f32; LANES]);

impl Narrow {
    pub(crate) fn new(lane: impl Fn(usize) -> f64) -> Self {
        Self(std::array::from_fn(|k| lane(k) as f32))
    }

    #[inline(always)]
    pub(crate) fn wide(&self) -> Wide {
        Wide::new(|k| f64::from(self.0[k]))
    }
}

/// Matrices side by side in single precision, by columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NarrowMat3([[Narrow; 3]; 3]);

impl NarrowMat3 {
    pub(crate) fn new(lane: impl Fn(usize) -> DMat3) -> Self {
        Self([0, 1, 2].map(|column| [0, 1, 2].map(|row| Narrow::new(|k| lane(k).col(column)[row]))))
    }

    #[inline(always)]
    pub(crate) fn wide(&self) -> WideMat3 {
        let column = |[x, y, z]: &[Narrow; 3]| [x.wide(), y.wide(), z.wide()];
        WideMat3([column(&self.0[0]), column(&self.0[1]), column(&self.0[2])])
    }
}
