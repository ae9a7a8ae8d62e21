//! Points of a box in rows, columns and layers.

use super::Box3;
use crate::{Error, Result};
use glam::DVec3;
use sinew_geometry::parallel::*;

/// The most nodes of a lattice. The number is 512 along each axis, and values in f32 take half a gibibyte.
const MOST: f64 = (1u32 << 27) as f64;

/// Nodes at equal distances along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lattice {
    pub origin: DVec3,
    pub cell: f64,
    pub counts: [usize; 3],
}

impl Lattice {
    /// Nodes that cover a box, two along each axis at least.
    pub fn over(bounds: &Box3, cell: f64) -> Result<Self> {
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the size of a grid's cells",
                value: cell,
                range: "positive",
            }
            .into());
        }
        let size = bounds.size().max(DVec3::ZERO);
        let counts = (size / cell).ceil().max(DVec3::ONE) + 1.0;
        let fits = bounds.min.is_finite() && counts.element_product() <= MOST;
        if !fits {
            return Err(Error::GridTooLarge { cell, size: size.to_array() });
        }
        // Centered about the box.
        let origin = bounds.min - 0.5 * ((counts - 1.0) * cell - size);
        Ok(Self { origin, cell, counts: counts.to_array().map(|count| count as usize) })
    }

    pub fn len(&self) -> usize {
        self.counts.iter().product()
    }

    /// How far the number of a node is from that of the next along each axis.
    pub fn strides(&self) -> [usize; 3] {
        [1, self.counts[0], self.counts[0] * self.counts[1]]
    }

    /// The coordinates of a node in cells.
    pub fn place(&self, node: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [node % nx, node / nx % ny, node / (nx * ny)]
    }

    pub fn point(&self, place: [usize; 3]) -> DVec3 {
        self.origin + self.cell * DVec3::from_array(place.map(|k| k as f64))
    }

    pub fn bounds(&self) -> Box3 {
        Box3 { min: self.origin, max: self.point(self.counts.map(|count| count - 1)) }
    }

    /// A number for every node, found in parallel.
    pub fn values(&self, value: impl Fn(DVec3) -> f64 + Sync) -> Vec<f32> {
        let at = |node| value(self.point(self.place(node))) as f32;
        (0..self.len()).into_par_iter().with_min_len(64).map(at).collect()
    }
}
