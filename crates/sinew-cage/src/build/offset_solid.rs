//! The solid within an offset of a mesh.
//!
//! It contains all points within the offset of the surface and all points with a winding number of at least ½. It is
//! closed, contains the mesh and has no self-intersection, even where the mesh is open or intersects itself. A grid
//! samples the signed distance; a coarser grid of blocks skips nodes too far from the surface to matter.
//!
//! The signed distance has a Lipschitz constant of one. So a triangle is clear of the mesh if the distance at its centre
//! exceeds its radius; otherwise it is subdivided into four.

use crate::Result;
use glam::DVec3;
use sinew_field::{Box3, CompactField, Grid, Polygons, Sample, polygonize};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Face, Topology, Winding};

/// Grid cells along the edge of a block. It affects speed only; not tuned.
const BLOCK_CELLS: f64 = 6.0;

/// The largest number of grid nodes, which bounds memory and time.
const MAX_GRID_NODES: f64 = 6e6;

/// The least offset in cells, larger than √3/2, the largest error of an interpolated distance.
pub(super) const MIN_OFFSET_CELLS: f64 = 1.3;

/// The deepest subdivision of a triangle in a clearance test; one that is still undecided is not clear. Pieces are then
/// 1/1024 of the triangle.
const MAX_SUBDIVISIONS: u32 = 10;

/// The solid within an offset of a mesh.
pub(super) struct OffsetSolid {
    closest: ClosestSurface,
    winding: Winding,
    grid: Grid,
    /// The edge length of the grid's cells.
    pub cell: f64,
    /// The distance between the solid's surface and the mesh.
    pub offset: f64,
}

impl OffsetSolid {
    /// Samples distances around a mesh. An offset below the grid's resolution is enlarged.
    pub fn new(positions: &[glam::Vec3], faces: &[Face], offset: f64) -> Result<Self> {
        let bounds = Box3::around(faces.iter().flat_map(Face::corners).map(|&v| positions[v as usize].as_dvec3()));
        let finest = (bounds.expanded(DVec3::splat(2.0 * offset)).size().element_product() / MAX_GRID_NODES).cbrt();
        let cell = (offset / MIN_OFFSET_CELLS).max(finest);
        let offset = offset.max(MIN_OFFSET_CELLS * cell);
        let reach = offset + 2.0 * cell;
        let closest = ClosestSurface::new(positions, faces);
        let winding = Winding::new(&Topology::new(positions, faces), positions);
        let bounds = bounds.expanded(DVec3::splat(reach));
        let far = FarBlocks::new(&closest, &winding, &bounds, cell, reach);
        let signed = |point| far.at(point).unwrap_or_else(|| signed_distance(&closest, &winding, point));
        let grid = Grid::sample(&bounds, cell, signed)?;
        Ok(Self { closest, winding, grid, cell, offset })
    }

    /// The solid's surface, polygonized at the grid's resolution.
    pub fn surface(&self) -> Result<Polygons> {
        Ok(polygonize(&OffsetDensity(self), 0.5, &self.grid.bounds(), self.cell)?)
    }

    /// Whether a triangle is farther than a margin from the mesh, by interpolated grid distances.
    pub fn is_clear_on_grid(&self, corners: [DVec3; 3], margin: f64) -> bool {
        is_clear(corners, margin, &|point| self.grid.linear(point).value, 0.3 * self.cell)
    }

    /// Whether a triangle is outside the mesh, by exact distances.
    pub fn is_clear(&self, corners: [DVec3; 3]) -> bool {
        is_clear(corners, 0.0, &|point| signed_distance(&self.closest, &self.winding, point), 0.0)
    }
}

fn signed_distance(closest: &ClosestSurface, winding: &Winding, point: DVec3) -> f64 {
    let distance = closest.nearest(point).map_or(f64::INFINITY, |hit| hit.distance);
    if winding.number(point) >= 0.5 { -distance } else { distance }
}

/// Whether a triangle is farther than `margin` from the mesh. Below the radius `finest` only its centre is tested.
fn is_clear(corners: [DVec3; 3], margin: f64, distance: &impl Fn(DVec3) -> f64, finest: f64) -> bool {
    let mut pending = vec![(corners, 0)];
    while let Some(([a, b, c], depth)) = pending.pop() {
        let center = (a + b + c) / 3.0;
        let radius = a.distance(center).max(b.distance(center)).max(c.distance(center));
        let distance = distance(center);
        if distance <= margin {
            return false;
        }
        if distance > margin + radius || radius < finest {
            continue;
        }
        if depth == MAX_SUBDIVISIONS {
            return false;
        }
        let (p, q, r) = (a.midpoint(b), b.midpoint(c), c.midpoint(a));
        pending.extend([[a, p, r], [p, b, q], [r, q, c], [p, q, r]].map(|quarter| (quarter, depth + 1)));
    }
    true
}

/// Blocks of cells beyond the reach of the surface, each with a clamped signed distance.
struct FarBlocks {
    origin: DVec3,
    side: f64,
    counts: [usize; 3],
    values: Vec<Option<f64>>,
}

impl FarBlocks {
    fn new(closest: &ClosestSurface, winding: &Winding, bounds: &Box3, cell: f64, reach: f64) -> Self {
        let side = BLOCK_CELLS * cell;
        // Blocks start a cell before the box because the grid is centred on it.
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

/// The solid as a field of compact support, ½ on its surface.
struct OffsetDensity<'a>(&'a OffsetSolid);

impl CompactField for OffsetDensity<'_> {
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
