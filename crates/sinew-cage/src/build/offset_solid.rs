//! What is the solid around a mesh, whatever the mesh is like?
//!
//! All points within an offset of the surface, and all that the surface goes round (winding number ½). It is
//! closed, contains the mesh and does not cross itself even where the mesh is open or does. Signed distances are
//! measured at the nodes of a grid; a coarser one tells which nodes are too far away to matter.
//!
//! The signed distance grows by at most a length over that length, so a triangle is clear of the mesh if the
//! distance at its centre is larger than its radius; where it is not, its quarters are asked.

use crate::Result;
use glam::DVec3;
use rayon::prelude::*;
use sinew_field::{Box3, CompactField, Grid, Polygons, Sample, polygonize};
use sinew_geometry::{ClosestSurface, Face, Topology, Winding};

/// Cells of the grid along a block of the coarser one.
const BLOCK: f64 = 6.0;

/// Nodes of the grid at most.
const NODES: f64 = 6e6;

/// Offset in cells at least; more than the √3/2 that an interpolated distance may be off by.
pub(super) const CELLS: f64 = 1.3;

/// Times that a triangle is quartered at most to find out whether it is clear.
const QUARTERINGS: u32 = 10;

/// A mesh as a solid.
pub(super) struct OffsetSolid {
    closest: ClosestSurface,
    winding: Winding,
    grid: Grid,
    /// A side of the grid's cells.
    pub cell: f64,
    /// How far the solid's surface is from the mesh's.
    pub offset: f64,
}

impl OffsetSolid {
    /// Measures distances around a mesh. An offset that the grid is too coarse for is made larger.
    pub fn new(positions: &[glam::Vec3], faces: &[Face], offset: f64) -> Result<Self> {
        let bounds = Box3::around(faces.iter().flat_map(Face::corners).map(|&v| positions[v as usize].as_dvec3()));
        let finest = (bounds.expanded(DVec3::splat(2.0 * offset)).size().element_product() / NODES).cbrt();
        let cell = (offset / CELLS).max(finest);
        let offset = offset.max(CELLS * cell);
        let reach = offset + 2.0 * cell;
        let closest = ClosestSurface::new(positions, faces);
        let winding = Winding::new(&Topology::new(positions, faces), positions);
        let bounds = bounds.expanded(DVec3::splat(reach));
        let far = FarBlocks::new(&closest, &winding, &bounds, cell, reach);
        let signed = |point| far.at(point).unwrap_or_else(|| signed_distance(&closest, &winding, point));
        let grid = Grid::sample(&bounds, cell, signed)?;
        Ok(Self { closest, winding, grid, cell, offset })
    }

    /// The solid's surface by cells of the grid.
    pub fn surface(&self) -> Result<Polygons> {
        Ok(polygonize(&Shell(self), 0.5, &self.grid.bounds(), self.cell)?)
    }

    /// Whether all points of a triangle are farther than a margin from the mesh, as the grid has it.
    pub fn seems_clear(&self, corners: [DVec3; 3], margin: f64) -> bool {
        is_clear(corners, margin, &|point| self.grid.linear(point).value, 0.3 * self.cell)
    }

    /// Whether all points of a triangle are outside the mesh.
    pub fn is_clear(&self, corners: [DVec3; 3]) -> bool {
        is_clear(corners, 0.0, &|point| signed_distance(&self.closest, &self.winding, point), 0.0)
    }
}

fn signed_distance(closest: &ClosestSurface, winding: &Winding, point: DVec3) -> f64 {
    let distance = closest.nearest(point).map_or(f64::INFINITY, |hit| hit.distance);
    if winding.number(point) >= 0.5 { -distance } else { distance }
}

/// `finest` is the radius below which only the margin counts.
fn is_clear(corners: [DVec3; 3], margin: f64, distance: &impl Fn(DVec3) -> f64, finest: f64) -> bool {
    let mut waiting = vec![(corners, 0)];
    while let Some(([a, b, c], depth)) = waiting.pop() {
        let center = (a + b + c) / 3.0;
        let radius = a.distance(center).max(b.distance(center)).max(c.distance(center));
        let distance = distance(center);
        if distance <= margin {
            return false;
        }
        if distance > margin + radius || radius < finest {
            continue;
        }
        if depth == QUARTERINGS {
            return false;
        }
        let (p, q, r) = (a.midpoint(b), b.midpoint(c), c.midpoint(a));
        waiting.extend([[a, p, r], [p, b, q], [r, q, c], [p, q, r]].map(|quarter| (quarter, depth + 1)));
    }
    true
}

/// Blocks of cells that are farther from the surface than matters, with the sign of all their points.
struct FarBlocks {
    origin: DVec3,
    side: f64,
    counts: [usize; 3],
    values: Vec<Option<f64>>,
}

impl FarBlocks {
    fn new(closest: &ClosestSurface, winding: &Winding, bounds: &Box3, cell: f64, reach: f64) -> Self {
        let side = BLOCK * cell;
        // Blocks start a cell before the box, as the grid is centered about it.
        let origin = bounds.min - cell;
        let counts = ((bounds.size() + 2.0 * cell) / side).ceil().max(DVec3::ONE).to_array().map(|n| n as usize);
        let value = |block: usize| {
            let place = [block % counts[0], block / counts[0] % counts[1], block / (counts[0] * counts[1])];
            let center = origin + (DVec3::from_array(place.map(|k| k as f64)) + 0.5) * side;
            let distance = closest.nearest(center)?.distance;
            let is_far = distance > reach + 0.5 * 3f64.sqrt() * side;
            is_far.then(|| if winding.number(center) >= 0.5 { -reach } else { reach })
        };
        let values = (0..counts.iter().product()).into_par_iter().map(value).collect();
        Self { origin, side, counts, values }
    }

    fn at(&self, point: DVec3) -> Option<f64> {
        let place = ((point - self.origin) / self.side).floor().max(DVec3::ZERO).to_array().map(|k| k as usize);
        let [x, y, z] = std::array::from_fn(|axis| place[axis].min(self.counts[axis] - 1));
        self.values[x + self.counts[0] * (y + self.counts[1] * z)]
    }
}

/// The solid as a field of compact support.
struct Shell<'a>(&'a OffsetSolid);

impl CompactField for Shell<'_> {
    fn density(&self, point: DVec3) -> Sample {
        let OffsetSolid { grid, cell, offset, .. } = self.0;
        let Sample { value, gradient } = grid.linear(point);
        let slope = 0.25 / cell;
        let density = (0.5 + slope * (offset - value)).clamp(0.0, 1.0);
        Sample { value: density, gradient: -gradient * slope }
    }

    fn bounds(&self) -> Box3 {
        self.0.grid.bounds()
    }
}
