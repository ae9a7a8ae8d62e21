//! The cells of a regular grid inside a surface.
//!
//! A cell is inside if the generalised winding number w of its centre has `|w| > ½`, which tolerates holes, overlaps and
//! inverted shells. The number jumps by an integer where a line crosses the surface and changes little between, so each line
//! of cells is cut at its crossings and only the middle of each section is evaluated. Where holes make the number
//! non-integer, both ends are evaluated, and if they disagree every cell.

use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, Topology, Winding};

/// The winding number above which a point is inside. It is the middle between 0, outside, and 1.
const INSIDE_WINDING: f64 = 0.5;
/// The largest distance from an integer of the winding number of a closed surface. The error of computed winding
/// numbers stays below 0.01.
const INTEGER_TOLERANCE: f64 = 0.05;

/// Cubic cells that fill the bounding box of a surface. Lines of cells run along x, and the plane x = 0 is a cell boundary
/// with the same number of cells on either side, so that a symmetric surface has a symmetric grid.
#[derive(Debug, Clone)]
pub(super) struct OccupancyGrid {
    /// The numbers of cells along x, y and z.
    pub size: [usize; 3],
    /// The edge length of a cell.
    pub cell: f64,
    /// The lowest corner.
    pub low: DVec3,
    /// Whether the centre of each cell is inside; x varies fastest, then z, then y, so that a horizontal slice is a range.
    pub inside: Vec<bool>,
}

impl OccupancyGrid {
    /// The grid of a surface with the given bounding box.
    pub fn new(positions: &[Vec3], faces: &[Face], [low, high]: [DVec3; 2], cell: f64) -> Self {
        let count = |length: f64| ((length / cell).ceil() as usize).max(1);
        let half = count(low.x.abs().max(high.x.abs()));
        let size = [2 * half, count(high.y - low.y), count(high.z - low.z)];
        let middle = 0.5 * (low + high);
        let extent = cell * DVec3::from_array(size.map(|n| n as f64));
        let low = DVec3::new(-0.5 * extent.x, low.y, middle.z - 0.5 * extent.z);
        let mut grid = Self { size, cell, low, inside: vec![false; size.iter().product()] };
        let crossings = grid.crossings(positions, faces);
        let winding = Winding::new(&Topology::new(positions, faces), positions);
        let mut inside = std::mem::take(&mut grid.inside);
        inside.par_chunks_mut(size[0]).zip(&crossings).enumerate().for_each(|(line, (cells, crossings))| {
            grid.fill_line(line, cells, crossings, &winding);
        });
        grid.inside = inside;
        grid
    }

    /// The centre of a cell.
    pub fn center(&self, index: usize) -> DVec3 {
        let [x, y, z] = self.cell_of(index);
        self.low + self.cell * (DVec3::new(x as f64, y as f64, z as f64) + 0.5)
    }

    /// The coordinates of a cell.
    pub fn cell_of(&self, index: usize) -> [usize; 3] {
        let (line, x) = (index / self.size[0], index % self.size[0]);
        [x, line / self.size[2], line % self.size[2]]
    }

    /// The index of a cell.
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (y * self.size[2] + z) * self.size[0] + x
    }

    /// The cells of a horizontal slice.
    pub fn slice(&self, y: usize) -> std::ops::Range<usize> {
        let cells = self.size[0] * self.size[2];
        y * cells..(y + 1) * cells
    }

    /// The height of a slice's centre.
    pub fn slice_height(&self, y: usize) -> f64 {
        self.low.y + (y as f64 + 0.5) * self.cell
    }

    /// The up to 26 neighbours of a cell, with their distances in cells.
    pub fn neighbors(&self, index: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        const LENGTHS: [f64; 4] = [0.0, 1.0, std::f64::consts::SQRT_2, 1.732_050_807_568_877_2];
        let [x, y, z] = self.cell_of(index);
        let around = |at: usize, axis: usize| at.saturating_sub(1)..=(at + 1).min(self.size[axis] - 1);
        let (columns, rows, slices) = (around(x, 0), around(z, 2), around(y, 1));
        let cells =
            slices.flat_map(move |to_y| rows.clone().map(move |to_z| (to_y, to_z))).flat_map(move |(to_y, to_z)| {
                let line = (to_y * self.size[2] + to_z) * self.size[0];
                let steps = to_y.abs_diff(y) + to_z.abs_diff(z);
                columns.clone().map(move |to_x| (line + to_x, LENGTHS[steps + to_x.abs_diff(x)]))
            });
        cells.filter(move |&(cell, _)| cell != index)
    }

    /// The cells reachable from `starts` through allowed neighbours, in breadth-first order. Starts that are not allowed
    /// are skipped.
    pub fn flood_fill(&self, starts: impl Iterator<Item = usize>, allowed: impl Fn(usize) -> bool) -> Vec<usize> {
        self.flood(starts, &mut (0..self.inside.len()).map(allowed).collect::<Vec<bool>>())
    }

    /// The connected components of the allowed cells, the largest first.
    pub fn components(&self, allowed: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut left: Vec<bool> = (0..self.inside.len()).map(allowed).collect();
        let mut components: Vec<Vec<usize>> = Vec::new();
        for start in 0..self.inside.len() {
            if left[start] {
                components.push(self.flood([start].into_iter(), &mut left));
            }
        }
        components.sort_by_key(|component| std::cmp::Reverse(component.len()));
        components
    }

    /// Removes the reachable cells from `left` and returns them.
    fn flood(&self, starts: impl Iterator<Item = usize>, left: &mut [bool]) -> Vec<usize> {
        let mut found: Vec<usize> = starts.filter(|&start| std::mem::take(&mut left[start])).collect();
        let mut next = 0;
        while next < found.len() {
            let around = self.neighbors(found[next]);
            found.extend(around.map(|(cell, _)| cell).filter(|&cell| std::mem::take(&mut left[cell])));
            next += 1;
        }
        found
    }

    /// The ascending x coordinates, in cells, where each line of cells crosses the surface.
    fn crossings(&self, positions: &[Vec3], faces: &[Face]) -> Vec<Vec<f64>> {
        let mut crossings = vec![Vec::new(); self.size[1] * self.size[2]];
        let in_cells = |v: u32| (positions[v as usize].as_dvec3() - self.low) / self.cell - 0.5;
        for triangle in faces.iter().flat_map(Face::triangles) {
            let corners = triangle.map(in_cells);
            let [a, b, c] = corners;
            let twice_area = cross(b - a, c - a);
            if twice_area == 0.0 || !twice_area.is_finite() {
                continue;
            }
            let low = a.min(b).min(c).ceil().max(DVec3::ZERO);
            let high = a.max(b).max(c).floor();
            let last = |axis: usize| high[axis].min(self.size[axis] as f64 - 1.0);
            let range = |axis: usize| low[axis] as usize..(last(axis) + 1.0).max(0.0) as usize;
            for y in range(1) {
                for z in range(2) {
                    let at = DVec3::new(0.0, y as f64, z as f64);
                    let coordinates = [cross(b - at, c - at), cross(c - at, a - at), cross(a - at, b - at)];
                    let coordinates = coordinates.map(|coordinate| coordinate / twice_area);
                    if coordinates.iter().all(|&coordinate| coordinate >= 0.0) {
                        let x = corners.iter().zip(coordinates).map(|(corner, coordinate)| coordinate * corner.x).sum();
                        crossings[y * self.size[2] + z].push(x);
                    }
                }
            }
        }
        crossings.par_iter_mut().for_each(|line| line.sort_by(f64::total_cmp));
        crossings
    }

    fn fill_line(&self, line: usize, cells: &mut [bool], crossings: &[f64], winding: &Winding) {
        let number = |x: usize| winding.number(self.center(line * self.size[0] + x)).abs();
        let count = cells.len();
        let ends = crossings.iter().map(|x| (x.ceil().max(0.0) as usize).min(count)).chain([count]);
        let mut start = 0;
        for end in ends.filter(|&end| end > 0) {
            if end > start {
                let middle = number((start + end) / 2);
                let is_closed = (middle - middle.round()).abs() <= INTEGER_TOLERANCE;
                let is_inside = middle > INSIDE_WINDING;
                if is_closed || [start, end - 1].iter().all(|&x| (number(x) > INSIDE_WINDING) == is_inside) {
                    cells[start..end].fill(is_inside);
                } else {
                    (start..end).for_each(|x| cells[x] = number(x) > INSIDE_WINDING);
                }
                start = end;
            }
        }
    }
}

/// The cross product of two vectors in the yz plane.
fn cross(a: DVec3, b: DVec3) -> f64 {
    a.y * b.z - a.z * b.y
}
