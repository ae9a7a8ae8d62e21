//! A field and its gradient on a grid, both interpolated.
//!
//! The gradient of a trilinear value jumps from cell to cell, and a point that is moved along it jumps with it. Here
//! the gradient at the nodes, the central difference of the values, is interpolated like the value: both are continuous,
//! and they agree up to second order in the size of a cell. Outside the grid a point is moved onto its border first.

use super::{Box3, Grid, Sample};
use glam::DVec3;

/// Values and gradients in f32 at the nodes of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopedGrid {
    origin: DVec3,
    cell: f64,
    counts: [usize; 3],
    /// The gradient and the value of each node, x first, then y, then z.
    nodes: Vec<[f32; 4]>,
}

impl SlopedGrid {
    /// Takes the values of a grid, and the gradients from them.
    pub fn new(grid: &Grid) -> Self {
        let (origin, cell, counts) = grid.frame();
        let values = grid.values();
        let strides = [1, counts[0], counts[0] * counts[1]];
        let nodes = (0..values.len()).map(|node| {
            let place = [node % counts[0], node / strides[1] % counts[1], node / strides[2]];
            let slope = |axis: usize| {
                let (back, ahead) = (usize::from(place[axis] > 0), usize::from(place[axis] + 1 < counts[axis]));
                let rise = values[node + ahead * strides[axis]] - values[node - back * strides[axis]];
                (f64::from(rise) / ((back + ahead) as f64 * cell)) as f32
            };
            [slope(0), slope(1), slope(2), values[node]]
        });
        Self { origin, cell, counts, nodes: nodes.collect() }
    }

    /// The first node, the size of a cell, and the nodes along each axis.
    pub fn frame(&self) -> (DVec3, f64, [usize; 3]) {
        (self.origin, self.cell, self.counts)
    }

    /// The values, x first, then y, then z.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.nodes.iter().map(|node| node[3])
    }

    /// The box that it covers.
    pub fn bounds(&self) -> Box3 {
        let size = DVec3::from_array(self.counts.map(|count| (count - 1) as f64)) * self.cell;
        Box3 { min: self.origin, max: self.origin + size }
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }

    /// The value and the gradient at a place.
    #[inline]
    pub fn sample(&self, place: DVec3) -> Sample {
        let last = DVec3::from_array(self.counts.map(|count| (count - 1) as f64));
        let inside = ((place - self.origin) / self.cell).clamp(DVec3::ZERO, last);
        let cell = inside.min(last - 1.0).as_ivec3();
        let t = (inside - cell.as_dvec3()).as_vec3();
        let [x, y, z] = cell.to_array().map(|k| k as usize);
        let first = x + self.counts[0] * (y + self.counts[1] * z);
        let node = |k: usize| glam::Vec4::from_array(self.nodes[first + k]);
        let (row, layer) = (self.counts[0], self.counts[0] * self.counts[1]);
        let along = |k: usize| node(k).lerp(node(k + 1), t.x);
        let across = |k: usize| along(k).lerp(along(k + row), t.y);
        let found = across(0).lerp(across(layer), t.z);
        Sample { value: f64::from(found.w), gradient: found.truncate().as_dvec3() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bumpy(p: DVec3) -> f64 {
        (1.3 * p.x).sin() * p.y + (0.7 * p.z).cos()
    }

    fn sampled(cell: f64) -> SlopedGrid {
        let bounds = Box3 { min: DVec3::splat(-1.0), max: DVec3::new(1.0, 1.5, 1.2) };
        SlopedGrid::new(&Grid::sample(&bounds, cell, bumpy).unwrap())
    }

    /// With half the cell, value and gradient are four times as near.
    #[test]
    fn value_and_gradient_are_of_second_order() {
        let worst = |cell: f64| {
            let grid = sampled(cell);
            let places = (0..200).map(|k| {
                let t = f64::from(k) / 200.0;
                DVec3::new(0.7 * (9.0 * t).sin(), 0.8 * (5.0 * t).cos(), 0.7 * (7.0 * t).sin())
            });
            places.fold([0.0; 2], |[value, slope]: [f64; 2], p| {
                let found = grid.sample(p);
                let gradient = DVec3::new(1.3 * (1.3 * p.x).cos() * p.y, (1.3 * p.x).sin(), -0.7 * (0.7 * p.z).sin());
                [value.max((found.value - bumpy(p)).abs()), slope.max(found.gradient.distance(gradient))]
            })
        };
        let (coarse, fine) = (worst(0.1), worst(0.05));
        for k in 0..2 {
            assert!(fine[k] < 0.32 * coarse[k] && fine[k] < 2e-3, "{coarse:?} {fine:?}");
        }
    }

    /// Across the faces of cells nothing jumps, and beyond the border it is as on it.
    #[test]
    fn it_is_continuous() {
        let grid = sampled(0.25);
        for k in 0..1000 {
            let p = DVec3::new(-1.2 + 0.0024 * f64::from(k), 0.3, -0.4);
            let (here, there) = (grid.sample(p), grid.sample(p + DVec3::X * 1e-5));
            assert!((here.value - there.value).abs() < 1e-4 && here.gradient.distance(there.gradient) < 1e-4, "{p}");
        }
        assert_eq!(grid.sample(DVec3::splat(-3.0)), grid.sample(grid.bounds().min));
    }
}
