//! The plane of symmetry of a body, and its axes.
//!
//! The plane contains the up direction. If the surface is symmetric, the plane's normal is a principal axis of its horizontal
//! covariance and the plane contains its centroid, so these two candidates are exact. Otherwise (a sword in one hand, a
//! turned head) planes at all angles and offsets are tried, and the one that maps most of the inside onto the inside wins.

use super::Template;
use super::occupancy_grid::OccupancyGrid;
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::Face;

/// Cells along the longest side of the coarse grid for the search. The cost of the search grows with its cube. Not
/// tuned.
const SEARCH_CELLS: f64 = 40.0;
/// The number of angles tried over 180°. A step of 2° moves the end of a body of 40 cells by less than one.
const ANGLES: usize = 90;
/// The largest score deficit at which a principal plane, exact for symmetric bodies, beats the searched one. Not tuned.
const PRINCIPAL_BONUS: f64 = 0.03;
/// The weight of the template's proportions (humanoids are wide, quadrupeds long) relative to the overlap. Not tuned.
const PROPORTION_WEIGHT: f64 = 0.3;

/// The body's own axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyAxes {
    /// Columns: the normal of the plane of symmetry, up, and the horizontal direction in it; right-handed.
    pub axes: DMat3,
    /// A point of the plane at the centre of the body.
    pub center: DVec3,
    /// The longest side of the bounding box along the axes.
    pub size: f64,
}

impl BodyAxes {
    /// The axes of a body whose face corners are all finite; none if it has no extent.
    pub fn new(positions: &[Vec3], faces: &[Face], up: DVec3, template: Template) -> Option<Self> {
        let first = up.any_orthonormal_vector();
        let start = Self::along(positions, faces, first, up)?;
        let local = start.to_local(positions);
        let grid = OccupancyGrid::new(&local, faces, bounds(&local, faces)?, 1.0 / SEARCH_CELLS);
        let cells: Vec<DVec3> = (0..grid.inside.len()).filter(|&i| grid.inside[i]).map(|i| grid.center(i)).collect();
        if cells.is_empty() {
            return None;
        }
        let search = PlaneSearch { grid: &grid, cells: &cells, template };
        let principal = principal_planes(&local, faces).map(|plane| (search.score(plane), plane));
        let principal = principal.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let searched = search.search();
        let (_, plane) = if principal.0 + PRINCIPAL_BONUS >= searched.0 { principal } else { searched };
        let across = start.axes * plane.normal();
        let mut body_axes = Self::along(positions, faces, across, up)?;
        let on_plane = start.center + start.size * plane.offset * across;
        body_axes.center += (on_plane - body_axes.center).dot(across) * across;
        Some(body_axes)
    }

    /// The axes with a given plane normal, centred on the bounding box.
    fn along(positions: &[Vec3], faces: &[Face], across: DVec3, up: DVec3) -> Option<Self> {
        let axes = DMat3::from_cols(across, up, across.cross(up));
        let corner = faces.first()?.corners()[0];
        let origin = positions[corner as usize].as_dvec3();
        let local = |v: u32| axes.transpose() * (positions[v as usize].as_dvec3() - origin);
        let corners = faces.iter().flat_map(|face| face.corners().to_vec()).map(local);
        let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let size = (high - low).max_element();
        let center = origin + axes * (0.5 * (low + high));
        (size > 0.0 && size.is_finite()).then_some(Self { axes, center, size })
    }

    /// Points in the body's axes, in units of its longest side. Points that are not finite, which no face uses, become
    /// zero.
    pub fn to_local(self, positions: &[Vec3]) -> Vec<Vec3> {
        let to_local = self.axes.transpose();
        let local = |p: &Vec3| (to_local * ((p.as_dvec3() - self.center) / self.size)).as_vec3();
        positions.iter().map(|p| if p.is_finite() { local(p) } else { Vec3::ZERO }).collect()
    }

    /// A point in world space.
    pub fn to_world(self, local: DVec3) -> DVec3 {
        self.center + self.size * (self.axes * local)
    }
}

/// The corners of the bounding box of all faces; none without faces.
pub(super) fn bounds(positions: &[Vec3], faces: &[Face]) -> Option<[DVec3; 2]> {
    let corners = faces.iter().flat_map(|face| face.corners().to_vec()).map(|v| positions[v as usize].as_dvec3());
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    (!faces.is_empty()).then_some([low, high])
}

/// The vertical plane with the normal `(cos angle, 0, sin angle)` and an offset from the origin.
#[derive(Debug, Clone, Copy)]
struct SymmetryPlane {
    angle: f64,
    offset: f64,
}

impl SymmetryPlane {
    fn normal(self) -> DVec3 {
        DVec3::new(self.angle.cos(), 0.0, self.angle.sin())
    }
}

/// The two vertical principal planes of the surface, weighted by area.
fn principal_planes(positions: &[Vec3], faces: &[Face]) -> [SymmetryPlane; 2] {
    let triangles = faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| positions[v as usize].as_dvec3()));
    let (mut area, mut first, mut second) = (0.0, DVec3::ZERO, [0.0; 3]);
    for [a, b, c] in triangles {
        let weight = (b - a).cross(c - a).length();
        area += weight;
        first += weight * (a + b + c) / 3.0;
        // The second moment of a triangle is that of its edge midpoints.
        for p in [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)] {
            for (sum, product) in second.iter_mut().zip([p.x * p.x, p.z * p.z, p.x * p.z]) {
                *sum += weight * product / 3.0;
            }
        }
    }
    let mean = first / area.max(f64::MIN_POSITIVE);
    let [xx, zz, xz] = second.map(|sum| sum / area.max(f64::MIN_POSITIVE));
    let [xx, zz, xz] = [xx - mean.x * mean.x, zz - mean.z * mean.z, xz - mean.x * mean.z];
    let angle = 0.5 * (2.0 * xz).atan2(xx - zz);
    [angle, angle + std::f64::consts::FRAC_PI_2].map(|angle| {
        let plane = SymmetryPlane { angle, offset: 0.0 };
        SymmetryPlane { offset: plane.normal().dot(mean), ..plane }
    })
}

/// The search for a plane on the cells of a coarse grid.
struct PlaneSearch<'a> {
    grid: &'a OccupancyGrid,
    cells: &'a [DVec3],
    template: Template,
}

impl PlaneSearch<'_> {
    /// The fraction of cells whose mirror image is inside.
    fn overlap(&self, plane: SymmetryPlane) -> f64 {
        let normal = plane.normal();
        let is_inside = |p: DVec3| {
            let cell_position = (p - self.grid.low) / self.grid.cell;
            let is_in = (0..3).all(|k| cell_position[k] >= 0.0 && cell_position[k] < self.grid.size[k] as f64);
            is_in && self.grid.inside[self.grid.index([0, 1, 2].map(|k| cell_position[k] as usize))]
        };
        let mirrored = self.cells.iter().map(|&p| p - 2.0 * (p.dot(normal) - plane.offset) * normal);
        mirrored.filter(|&p| is_inside(p)).count() as f64 / self.cells.len() as f64
    }

    /// The overlap, plus a bonus for the template's proportions.
    fn score(&self, plane: SymmetryPlane) -> f64 {
        let extent = |axis: DVec3| {
            let ends = self.cells.iter().map(|p| p.dot(axis));
            let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| (l.min(d), h.max(d)));
            high - low + self.grid.cell
        };
        let normal = plane.normal();
        let (across, along) = (extent(normal), extent(DVec3::new(-normal.z, 0.0, normal.x)));
        let bonus = match self.template {
            Template::Humanoid => (across - along) / across.max(along),
            Template::Quadruped => (along - across) / across.max(along),
        };
        self.overlap(plane) + PROPORTION_WEIGHT * bonus
    }

    /// The best plane with its score: all angles through the centroid, then a pattern search over angle and offset.
    fn search(&self) -> (f64, SymmetryPlane) {
        let mean = self.cells.iter().sum::<DVec3>() / self.cells.len() as f64;
        let through_mean = |angle: f64| {
            let plane = SymmetryPlane { angle, offset: 0.0 };
            SymmetryPlane { offset: plane.normal().dot(mean), ..plane }
        };
        let step = std::f64::consts::PI / ANGLES as f64;
        let planes = (0..ANGLES).map(|k| through_mean(k as f64 * step));
        let best = planes.map(|plane| (self.score(plane), plane)).max_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = best.unwrap_or((0.0, through_mean(0.0)));
        let (mut angle_step, mut offset_step) = (step, 4.0 * self.grid.cell);
        while offset_step > 0.1 * self.grid.cell {
            let around = [(angle_step, 0.0), (-angle_step, 0.0), (0.0, offset_step), (0.0, -offset_step)];
            let moved = around.map(|(d, s)| SymmetryPlane { angle: best.1.angle + d, offset: best.1.offset + s });
            let moved = moved.map(|plane| (self.score(plane), plane));
            match moved.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|m| m.0 > best.0) {
                Some(better) => best = better,
                None => (angle_step, offset_step) = (0.5 * angle_step, 0.5 * offset_step),
            }
        }
        best
    }
}
