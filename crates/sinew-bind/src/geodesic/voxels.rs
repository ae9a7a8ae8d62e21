//! The grid points inside a body, and the steps between them.
//!
//! Triangles cut the lines of the grid. The winding number of a point is the mean over all directions of a ray's exits minus
//! its entries; along the six grid directions the cuts give it. Where all six agree, as on a closed surface, that is the
//! number; otherwise [`Winding::number`] computes it. A point is inside from ½ on, and fully so from [`FULLY_INSIDE`] on.
//!
//! A neighbour is reached if the line to it does not leave a surface. A gap between fingers stays closed to paths however
//! thin it is, since paths follow grid lines. Points and steps change continuously with the surface: the length of a step is
//! divided by its openness ([`super::openness`]) and by the insideness of its ends.

use super::openness::SurfaceObstacles;
use glam::{DVec3, IVec3, UVec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, Winding};

/// The largest number of grid points: this many per vertex of the surface, within limits. They bound time and memory;
/// not tuned.
const POINTS_PER_VERTEX: f64 = 10.0;
const MAX_POINTS: (f64, f64) = (150_000.0, 600_000.0);

/// The limits of the grid spacing, relative to the bounding box diagonal. Not tuned.
const MAX_SPACING: f64 = 1.0 / 64.0;
const MIN_SPACING: f64 = 1.0 / 400.0;

/// Grid points across the thinnest limb. At least two lie inside wherever the grid is.
const POINTS_ACROSS_LIMB: f64 = 2.5;

/// The winding number from which a point is fully inside. Just above ½, so that insideness is continuous; not tuned.
const FULLY_INSIDE: f64 = 0.6;

/// The offset of the grid in spacings: irrational fractions, so that lines do not pass through vertices of regular meshes.
const GRID_OFFSET: DVec3 = DVec3::new(0.381966, 0.472136, 0.437694);

/// A grid over a body.
pub(crate) struct Voxels {
    /// The position of the first grid point.
    pub origin: DVec3,
    pub spacing: f64,
    size: UVec3,
    /// The index of each point among those inside.
    node: Vec<u32>,
    /// The points inside.
    inside: Vec<InsidePoint>,
    /// The lengths of the steps to each of them from its six neighbours, in spacings.
    steps: Vec<[f32; 6]>,
    /// The openness of each of them, 0 on a surface.
    openness: Vec<f32>,
}

/// A point inside the body.
#[derive(Debug, Clone, Copy)]
struct InsidePoint {
    /// Its index among all points.
    point: u32,
    /// Bits −x, +x, −y, +y, −z, +z of the neighbours inside that are reached without leaving a surface.
    open: u8,
    /// Whether all six steps have unit length.
    has_unit_steps: bool,
}

const OUTSIDE: u32 = u32::MAX;

/// A crossing of a grid line: the line's index, the position along it, and +1 for an entry.
type LineCrossing = (u32, f64, i8);

/// The grid spacing that resolves limbs of this thickness, for a body of this extent and number of vertices.
pub(crate) fn spacing(thinnest: f64, extent: DVec3, vertices: usize) -> f64 {
    let volume = extent.max(DVec3::splat(MAX_SPACING)).element_product();
    let most = (POINTS_PER_VERTEX * vertices as f64).clamp(MAX_POINTS.0, MAX_POINTS.1);
    (thinnest / POINTS_ACROSS_LIMB).clamp(MIN_SPACING, MAX_SPACING).max((volume / most).cbrt())
}

impl Voxels {
    /// Samples a surface of welded vertices and consistently oriented faces.
    pub fn new(positions: &[DVec3], faces: &[Face], winding: &Winding, spacing: f64) -> Self {
        let (first, last) =
            positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let origin = first - spacing * (DVec3::ONE + GRID_OFFSET);
        let size = ((last - origin) / spacing).ceil().as_uvec3() + UVec3::splat(2);
        let mut grid = Self {
            origin,
            spacing,
            size,
            node: Vec::new(),
            inside: Vec::new(),
            steps: Vec::new(),
            openness: Vec::new(),
        };
        let corners: Vec<DVec3> = positions.par_iter().map(|&p| (p - origin) / spacing).collect();
        let obstacles = SurfaceObstacles { size, corners: &corners, faces, outward: winding.orientation() };
        let (crossings, (closed_edges, closed_points)): (Vec<Vec<LineCrossing>>, (Vec<_>, _)) =
            sinew_geometry::parallel::join(
                || (0..3).into_par_iter().map(|axis| grid.crossings(&corners, faces, winding, axis)).collect(),
                || {
                    let closed_edges = || (0..3).into_par_iter().map(|axis| obstacles.closed_edges(axis)).collect();
                    sinew_geometry::parallel::join(closed_edges, || obstacles.closed_points())
                },
            );
        let insideness = grid.insideness(&crossings, winding);
        grid.collect_inside_points(&insideness, &closed_points);
        grid.measure_steps(&insideness, &closed_edges);
        grid
    }

    /// The position of a point.
    pub fn position(&self, cell: UVec3) -> DVec3 {
        self.origin + self.spacing * cell.as_dvec3()
    }

    /// The index of a point among those inside, if it is inside.
    pub fn node(&self, cell: IVec3) -> Option<usize> {
        let is_in = cell.cmpge(IVec3::ZERO).all() && cell.as_uvec3().cmplt(self.size).all();
        let node = is_in.then(|| self.node[self.index(cell.as_uvec3())])?;
        (node != OUTSIDE).then_some(node as usize)
    }

    /// The lowest of the eight points around a position.
    pub fn cell_of(&self, position: DVec3) -> IVec3 {
        ((position - self.origin) / self.spacing).floor().clamp(DVec3::splat(-10.0), DVec3::splat(1e6)).as_ivec3()
    }

    /// The number of points inside the body.
    pub fn inside_count(&self) -> usize {
        self.inside.len()
    }

    /// The neighbour of an inside point in one of six directions, if it is reached from there.
    pub fn neighbor(&self, node: usize, direction: usize) -> Option<usize> {
        let InsidePoint { point, open, .. } = self.inside[node];
        (open >> direction & 1 == 1).then(|| self.node[self.next(point as usize, direction)] as usize)
    }

    /// The neighbour of an inside point in one of six directions, and the length of the step from there in spacings;
    /// infinite if it does not reach the point.
    pub fn step_from(&self, node: usize, direction: usize) -> (usize, f32) {
        let neighbor = self.node[self.next(self.inside[node].point as usize, direction)];
        (neighbor as usize, if neighbor == OUTSIDE { f32::INFINITY } else { self.steps[node][direction] })
    }

    /// Whether all six steps to a point have unit length.
    pub fn has_unit_steps(&self, node: usize) -> bool {
        self.inside[node].has_unit_steps
    }

    /// The openness of an inside point to paths that start or end there: zero on a surface, one a little away.
    pub fn openness(&self, node: usize) -> f64 {
        self.openness[node].into()
    }

    /// The next point in a direction; outermost points have none.
    fn next(&self, point: usize, direction: usize) -> usize {
        let stride = self.stride(direction / 2);
        if direction % 2 == 1 { point + stride } else { point - stride }
    }

    fn index(&self, cell: UVec3) -> usize {
        (cell.z as usize * self.size.y as usize + cell.y as usize) * self.size.x as usize + cell.x as usize
    }

    fn stride(&self, axis: usize) -> usize {
        [1, self.size.x as usize, self.size.x as usize * self.size.y as usize][axis]
    }

    /// The two other axes, and the number of lines along the first of them.
    fn cross_axes(&self, axis: usize) -> (usize, usize, u32) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (u, v, self.size[u])
    }

    /// The crossings of lines along an axis with the surface, sorted by line and position.
    fn crossings(&self, corners: &[DVec3], faces: &[Face], winding: &Winding, axis: usize) -> Vec<LineCrossing> {
        let (u, v, lines) = self.cross_axes(axis);
        let outward = winding.orientation();
        let mut crossings: Vec<LineCrossing> = Vec::new();
        for triangle in faces.iter().flat_map(Face::triangles) {
            let corners = triangle.map(|k| corners[k as usize]);
            let [a, b, c] = corners.map(|p| (p[u], p[v]));
            let (low_u, high_u) = (a.0.min(b.0).min(c.0).ceil(), a.0.max(b.0).max(c.0));
            let (low_v, high_v) = (a.1.min(b.1).min(c.1).ceil(), a.1.max(b.1).max(c.1));
            let area = cross(a, b, c);
            if area == 0.0 || low_u > high_u || low_v > high_v {
                continue;
            }
            let sign = if (area < 0.0) == (outward > 0.0) { 1 } else { -1 };
            let mut y = low_v;
            while y <= high_v {
                let mut x = low_u;
                while x <= high_u {
                    let coordinates = [cross(b, c, (x, y)), cross(c, a, (x, y)), cross(a, b, (x, y))].map(|s| s / area);
                    if coordinates.iter().all(|&coordinate| coordinate >= 0.0) {
                        let along = (0..3).map(|k| coordinates[k] * corners[k][axis]).sum();
                        crossings.push((y as u32 * lines + x as u32, along, sign));
                    }
                    x += 1.0;
                }
                y += 1.0;
            }
        }
        crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        crossings
    }

    /// The insideness of each point, 0 to 1, by the crossings of lines along each axis.
    fn insideness(&self, crossings: &[Vec<LineCrossing>], winding: &Winding) -> Vec<f32> {
        let count = self.size.element_product() as usize;
        // For the six rays of each point, the sum of their winding numbers and the count of those ≥ 1.
        let mut sums = vec![0i16; count];
        let mut votes = vec![0u8; count];
        for (axis, crossings) in crossings.iter().enumerate() {
            let (u, v, lines) = self.cross_axes(axis);
            let stride = self.stride(axis);
            for line in crossings.chunk_by(|a, b| a.0 == b.0) {
                let mut cell = UVec3::ZERO;
                (cell[u], cell[v]) = (line[0].0 % lines, line[0].0 / lines);
                let row = self.index(cell);
                let total: i16 = line.iter().map(|&(_, _, sign)| i16::from(sign)).sum();
                let mut before = 0i16;
                for k in 0..=line.len() {
                    let (from, to) = match k {
                        0 => (0.0, line[0].1),
                        _ => (line[k - 1].1, line.get(k).map_or(f64::from(self.size[axis]), |next| next.1)),
                    };
                    before += k.checked_sub(1).map_or(0, |crossed| i16::from(line[crossed].2));
                    for at in (from.max(0.0).ceil() as u32)..(to.ceil() as u32).min(self.size[axis]) {
                        let index = row + at as usize * stride;
                        sums[index] += before + (before - total);
                        votes[index] += u8::from(before >= 1) + u8::from(before - total >= 1);
                    }
                }
            }
        }
        let decide = |index: usize| match (sums[index], votes[index]) {
            (0, 0) => 0.0,
            (_, 6) => 1.0,
            _ => ((winding.number(self.position(self.cell_at(index))) - 0.5) / (FULLY_INSIDE - 0.5)).clamp(0.0, 1.0)
                as f32,
        };
        (0..count).into_par_iter().map(decide).collect()
    }

    fn cell_at(&self, index: usize) -> UVec3 {
        let (row, plane) = (self.stride(1), self.stride(2));
        UVec3::new((index % row) as u32, (index % plane / row) as u32, (index / plane) as u32)
    }

    fn collect_inside_points(&mut self, insideness: &[f32], closed: &[f32]) {
        self.node = vec![OUTSIDE; insideness.len()];
        for (index, &inside) in insideness.iter().enumerate() {
            let openness = inside * (1.0 - closed[index]);
            if openness <= 0.0 {
                continue;
            }
            let cell = self.cell_at(index);
            if cell.cmpgt(UVec3::ZERO).all() && (cell + UVec3::ONE).cmplt(self.size).all() {
                self.node[index] = self.inside.len() as u32;
                self.inside.push(InsidePoint { point: index as u32, open: 0, has_unit_steps: true });
                self.openness.push(openness);
            }
        }
    }

    /// Computes the lengths of steps between inside neighbours.
    fn measure_steps(&mut self, insideness: &[f32], closed: &[Vec<[f32; 2]>]) {
        self.steps = vec![[f32::INFINITY; 6]; self.inside.len()];
        for node in 0..self.inside.len() {
            let point = self.inside[node].point as usize;
            for direction in 0..6 {
                let from = self.next(point, direction);
                let openness = match direction % 2 {
                    0 => 1.0 - closed[direction / 2][from][0],
                    _ => 1.0 - closed[direction / 2][point][1],
                };
                let openness = openness * insideness[from] * insideness[point];
                let is_open = self.node[from] != OUTSIDE && openness > 0.0;
                if is_open {
                    self.steps[node][direction] = openness.recip();
                    self.inside[self.node[from] as usize].open |= 1 << (direction ^ 1);
                }
                self.inside[node].has_unit_steps &= is_open && openness == 1.0;
            }
        }
    }
}

/// Twice the signed area of a triangle in a plane.
fn cross(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}
