//! Which way does a body stand: where is the plane that mirrors one side to the other?
//!
//! The plane contains the direction up. Where a surface is symmetric the plane's normal is a principal
//! axis of its horizontal covariance and the plane goes through its centroid, so these two candidates
//! are exact. Where it is not (a sword in one hand, a turned head), planes are tried at all angles and
//! offsets, and the one that maps most of the inside to the inside wins.

use super::Template;
use super::occupancy_grid::OccupancyGrid;
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::Face;

/// Cells along the longest side of the grid that planes are tried on.
const CELLS: f64 = 40.0;
/// Angles that are tried in half a turn.
const ANGLES: usize = 90;
/// A principal plane whose overlap is this near to the best one's is taken instead of it.
const AS_GOOD: f64 = 0.03;
/// What the template's proportions (humanoids are wide, quadrupeds long) weigh beside the overlap.
const PROPORTIONS: f64 = 0.3;

/// The body's own axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyAxes {
    /// Columns: across the plane of symmetry, up, and along it; right-handed.
    pub axes: DMat3,
    /// A point of the plane, in the middle of the body.
    pub center: DVec3,
    /// The longest side of the box along the axes.
    pub size: f64,
}

impl BodyAxes {
    /// The frame of a body whose corners of faces are all finite; none where it has no extent.
    pub fn new(positions: &[Vec3], faces: &[Face], up: DVec3, template: Template) -> Option<Self> {
        let first = up.any_orthonormal_vector();
        let start = Self::along(positions, faces, first, up)?;
        let local = start.to_local(positions);
        let grid = OccupancyGrid::new(&local, faces, bounds(&local, faces)?, 1.0 / CELLS);
        let cells: Vec<DVec3> = (0..grid.inside.len()).filter(|&i| grid.inside[i]).map(|i| grid.center(i)).collect();
        if cells.is_empty() {
            return None;
        }
        let mirror = Mirror { grid: &grid, cells: &cells, template };
        let principal = principal_planes(&local, faces).map(|plane| (mirror.score(plane), plane));
        let principal = principal.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let searched = mirror.search();
        let (_, plane) = if principal.0 + AS_GOOD >= searched.0 { principal } else { searched };
        let across = start.axes * plane.normal();
        let mut frame = Self::along(positions, faces, across, up)?;
        let on_plane = start.center + start.size * plane.offset * across;
        frame.center += (on_plane - frame.center).dot(across) * across;
        Some(frame)
    }

    /// The frame with a given axis across, in the middle of the box.
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

    /// Points in the body's axes, with the body's longest side as unit. Points that are not finite
    /// become zero; no face uses them.
    pub fn to_local(self, positions: &[Vec3]) -> Vec<Vec3> {
        let to_local = self.axes.transpose();
        let local = |p: &Vec3| (to_local * ((p.as_dvec3() - self.center) / self.size)).as_vec3();
        positions.iter().map(|p| if p.is_finite() { local(p) } else { Vec3::ZERO }).collect()
    }

    /// A point back in the world.
    pub fn to_world(self, local: DVec3) -> DVec3 {
        self.center + self.size * (self.axes * local)
    }
}

/// The lowest and highest corner of the box around all faces; none without faces.
pub(super) fn bounds(positions: &[Vec3], faces: &[Face]) -> Option<[DVec3; 2]> {
    let corners = faces.iter().flat_map(|face| face.corners().to_vec()).map(|v| positions[v as usize].as_dvec3());
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    (!faces.is_empty()).then_some([low, high])
}

/// The upright plane with the normal `(cos angle, 0, sin angle)`, at a distance from the origin.
#[derive(Debug, Clone, Copy)]
struct Plane {
    angle: f64,
    offset: f64,
}

impl Plane {
    fn normal(self) -> DVec3 {
        DVec3::new(self.angle.cos(), 0.0, self.angle.sin())
    }
}

/// The two upright principal planes of the surface, each face taken with its area.
fn principal_planes(positions: &[Vec3], faces: &[Face]) -> [Plane; 2] {
    let triangles = faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| positions[v as usize].as_dvec3()));
    let (mut area, mut first, mut second) = (0.0, DVec3::ZERO, [0.0; 3]);
    for [a, b, c] in triangles {
        let weight = (b - a).cross(c - a).length();
        area += weight;
        first += weight * (a + b + c) / 3.0;
        // The second moment of a triangle is that of its edges' midpoints.
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
        let plane = Plane { angle, offset: 0.0 };
        Plane { offset: plane.normal().dot(mean), ..plane }
    })
}

/// Planes tried on the cells of a coarse grid.
struct Mirror<'a> {
    grid: &'a OccupancyGrid,
    cells: &'a [DVec3],
    template: Template,
}

impl Mirror<'_> {
    /// The share of the cells whose mirror image is inside.
    fn overlap(&self, plane: Plane) -> f64 {
        let normal = plane.normal();
        let is_inside = |p: DVec3| {
            let place = (p - self.grid.low) / self.grid.cell;
            let is_in = (0..3).all(|k| place[k] >= 0.0 && place[k] < self.grid.size[k] as f64);
            is_in && self.grid.inside[self.grid.index([0, 1, 2].map(|k| place[k] as usize))]
        };
        let mirrored = self.cells.iter().map(|&p| p - 2.0 * (p.dot(normal) - plane.offset) * normal);
        mirrored.filter(|&p| is_inside(p)).count() as f64 / self.cells.len() as f64
    }

    /// The overlap, with a bonus for a body that has the template's proportions in this plane.
    fn score(&self, plane: Plane) -> f64 {
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
        self.overlap(plane) + PROPORTIONS * bonus
    }

    /// The best plane with its score: all angles through the middle of the cells, then smaller steps
    /// of angle and offset around the best.
    fn search(&self) -> (f64, Plane) {
        let mean = self.cells.iter().sum::<DVec3>() / self.cells.len() as f64;
        let through_mean = |angle: f64| {
            let plane = Plane { angle, offset: 0.0 };
            Plane { offset: plane.normal().dot(mean), ..plane }
        };
        let step = std::f64::consts::PI / ANGLES as f64;
        let planes = (0..ANGLES).map(|k| through_mean(k as f64 * step));
        let best = planes.map(|plane| (self.score(plane), plane)).max_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = best.unwrap_or((0.0, through_mean(0.0)));
        let (mut turn, mut shift) = (step, 4.0 * self.grid.cell);
        while shift > 0.1 * self.grid.cell {
            let around = [(turn, 0.0), (-turn, 0.0), (0.0, shift), (0.0, -shift)];
            let moved = around.map(|(d, s)| Plane { angle: best.1.angle + d, offset: best.1.offset + s });
            let moved = moved.map(|plane| (self.score(plane), plane));
            match moved.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|m| m.0 > best.0) {
                Some(better) => best = better,
                None => (turn, shift) = (0.5 * turn, 0.5 * shift),
            }
        }
        best
    }
}
