//! A field sampled on a grid and interpolated in between.
//!
//! Trilinear between the eight corners of a cell: cheap, continuous, with a gradient that jumps from
//! cell to cell. Or tricubic over the 64 nodes around, by the convolution of R. Keys (*Cubic
//! convolution interpolation*, 1981) along each axis: continuous with its gradient, and of third order;
//! beyond the border the values go on in a straight line. Both give the exact gradient of what they
//! return. Outside the grid a point is moved onto its border first, and the gradient along the axes it
//! was moved is zero.

use super::lattice::Lattice;
use super::{Box3, Sample};
use crate::Result;
use glam::DVec3;

/// Values in f32 at the nodes of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    lattice: Lattice,
    values: Vec<f32>,
}

impl Grid {
    /// Samples a function over a box, in parallel. The grid covers the box and its cells are cubes of
    /// that size.
    pub fn sample(bounds: &Box3, cell: f64, value: impl Fn(DVec3) -> f64 + Sync) -> Result<Self> {
        let lattice = Lattice::over(bounds, cell)?;
        Ok(Self { values: lattice.values(value), lattice })
    }

    /// A grid from a cached frame and cached values; none if their sizes differ.
    pub fn from_cache(origin: DVec3, cell: f64, counts: [usize; 3], values: Vec<f32>) -> Option<Self> {
        let lattice = Lattice { origin, cell, counts };
        let fits = cell > 0.0 && counts.iter().all(|&count| count >= 2) && lattice.len() == values.len();
        fits.then_some(Self { lattice, values })
    }

    /// The first node, the size of a cell, and the nodes along each axis.
    pub fn frame(&self) -> (DVec3, f64, [usize; 3]) {
        (self.lattice.origin, self.lattice.cell, self.lattice.counts)
    }

    /// The box that it covers.
    pub fn bounds(&self) -> Box3 {
        self.lattice.bounds()
    }

    /// Nodes along each axis.
    pub fn counts(&self) -> [usize; 3] {
        self.lattice.counts
    }

    /// The values, x first, then y, then z.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The trilinear interpolation.
    #[inline]
    pub fn linear(&self, point: DVec3) -> Sample {
        let (cell, t, within) = self.locate(point);
        let [_, sy, sz] = self.lattice.strides();
        let first = cell[0] + cell[1] * sy + cell[2] * sz;
        let along = |k: usize| {
            let pair = &self.values[first + k..first + k + 2];
            let [from, to] = [f64::from(pair[0]), f64::from(pair[1])];
            (from + t.x * (to - from), to - from)
        };
        let ((a, da), (b, db), (c, dc), (d, dd)) = (along(0), along(sy), along(sz), along(sy + sz));
        let (low, high) = (a + t.y * (b - a), c + t.y * (d - c));
        let (d_low, d_high) = (da + t.y * (db - da), dc + t.y * (dd - dc));
        let gradient = DVec3::new(d_low + t.z * (d_high - d_low), (b - a) + t.z * ((d - c) - (b - a)), high - low);
        Sample { value: low + t.z * (high - low), gradient: gradient * within * self.lattice.cell.recip() }
    }

    /// The tricubic interpolation.
    pub fn cubic(&self, point: DVec3) -> Sample {
        let (cell, t, within) = self.locate(point);
        let strides = self.lattice.strides();
        // The shares of the nodes that are clamped here are zero.
        let places: [[usize; 4]; 3] = std::array::from_fn(|axis| {
            let last = self.lattice.counts[axis] - 1;
            [0, 1, 2, 3].map(|k| (cell[axis] + k).saturating_sub(1).min(last) * strides[axis])
        });
        let [(wx, dx), (wy, dy), (wz, dz)] = [0, 1, 2].map(|axis| {
            let (weights, slopes) = keys(t[axis]);
            let (is_first, is_last) = (cell[axis] == 0, cell[axis] + 2 == self.lattice.counts[axis]);
            (within_border(weights, is_first, is_last), within_border(slopes, is_first, is_last))
        });
        let mut sample = Sample::NOTHING;
        for (&layer, (wz, dz)) in places[2].iter().zip(wz.into_iter().zip(dz)) {
            let mut plane = [0.0; 3];
            for (&column, (wy, dy)) in places[1].iter().zip(wy.into_iter().zip(dy)) {
                let row = places[0].map(|k| f64::from(self.values[layer + column + k]));
                let (value, slope) = (dot(row, wx), dot(row, dx));
                plane[0] += wy * value;
                plane[1] += wy * slope;
                plane[2] += dy * value;
            }
            sample.value += wz * plane[0];
            sample.gradient += DVec3::new(wz * plane[1], wz * plane[2], dz * plane[0]);
        }
        Sample { gradient: sample.gradient * within / self.lattice.cell, ..sample }
    }

    /// The cell a point is in, where in it, and for each axis 1 if the point is within the grid along
    /// it, or 0.
    #[inline]
    fn locate(&self, point: DVec3) -> ([usize; 3], DVec3, DVec3) {
        let last = DVec3::from_array(self.lattice.counts.map(|count| (count - 1) as f64));
        let place = (point - self.lattice.origin) * self.lattice.cell.recip();
        let inside = place.clamp(DVec3::ZERO, last);
        let cell = inside.min(last - 1.0).as_ivec3();
        let within = DVec3::select(inside.cmpeq(place), DVec3::ONE, DVec3::ZERO);
        (cell.to_array().map(|k| k as usize), inside - cell.as_dvec3(), within)
    }
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The shares of the four nodes around a place, and their derivatives.
#[inline]
fn keys(t: f64) -> ([f64; 4], [f64; 4]) {
    let s = 1.0 - t;
    let weights = [-0.5 * t * s * s, 1.0 + t * t * (1.5 * t - 2.5), 1.0 + s * s * (1.5 * s - 2.5), -0.5 * s * t * t];
    let slopes = [-0.5 * s * (s - 2.0 * t), t * (4.5 * t - 5.0), -s * (4.5 * s - 5.0), -0.5 * t * (2.0 * s - t)];
    (weights, slopes)
}

/// Shares that do without the node before the first and the one after the last: such a node is on the
/// line through the two next to it.
#[inline]
fn within_border([mut a, mut b, mut c, mut d]: [f64; 4], is_first: bool, is_last: bool) -> [f64; 4] {
    if is_first {
        (a, b, c) = (0.0, b + 2.0 * a, c - a);
    }
    if is_last {
        (b, c, d) = (b - d, c + 2.0 * d, 0.0);
    }
    [a, b, c, d]
}
