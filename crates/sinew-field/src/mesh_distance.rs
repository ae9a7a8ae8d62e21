//! The signed distance to a mesh, on a grid.
//!
//! The distance is that to the closest point of the surface, the sign that of the winding number ½, so
//! that a mesh with holes or overlapping parts has an inside, too. Both are found once, at the nodes of
//! a grid around the mesh, and interpolated tricubically. Beyond the grid the distance to the grid is
//! added, which is never too small.

use super::{Box3, DistanceField, Grid, Sample};
use crate::{Error, Result};
use glam::{DVec3, Vec3};
use sinew_geometry::{ClosestSurface, Face, Topology, Winding};

/// The signed distance to a mesh, on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshDistance {
    grid: Grid,
    surface: Box3,
    cell: f64,
}

impl MeshDistance {
    /// Measures distances to a mesh at the nodes of a grid that reaches `margin` beyond it. Vertices
    /// that are not finite are left out with their faces.
    ///
    /// # Panics
    /// If a face names a vertex that `positions` does not have.
    pub fn new(positions: &[Vec3], faces: &[Face], cell: f64, margin: f64) -> Result<Self> {
        let used = faces.iter().flat_map(Face::corners).map(|&v| positions[v as usize].as_dvec3());
        let surface = Box3::around(used.filter(|p| p.is_finite()));
        if surface.is_empty() {
            return Err(Error::NoSurface);
        }
        if margin.is_nan() || margin < 0.0 {
            let (what, range) = ("the margin of a distance grid", "not negative");
            return Err(sinew_geometry::Error::OutOfRange { what, value: margin, range }.into());
        }
        let closest = ClosestSurface::new(positions, faces);
        let winding = Winding::new(&Topology::new(positions, faces), positions);
        let signed = |point| {
            let distance = closest.nearest(point).map_or(f64::INFINITY, |hit| hit.distance);
            if winding.number(point) >= 0.5 { -distance } else { distance }
        };
        Ok(Self { grid: Grid::sample(&surface.expanded(DVec3::splat(margin)), cell, signed)?, surface, cell })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

impl DistanceField for MeshDistance {
    fn distance(&self, point: DVec3) -> Sample {
        let Box3 { min, max } = self.grid.bounds();
        let beyond = point - point.clamp(min, max);
        let sample = self.grid.cubic(point);
        let length = beyond.length();
        if length == 0.0 {
            return sample;
        }
        Sample { value: sample.value + length, gradient: sample.gradient + beyond / length }
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        // A cell more, for what the interpolation is off by.
        self.surface.expanded(DVec3::splat(distance + self.cell))
    }
}
