//! The piece of a closed surface that a correction may move.
//!
//! A patch lists the *corners* of its faces vertex by vertex, so that gradients (`gradient`) are gathered: in
//! parallel, without conflicts, in a fixed order.

use crate::welded::faces_at;
use glam::{DVec3, Vec3};
use sinew_geometry::{ClosedSurface, Face, Rows};

/// Movable vertices of a surface and everything that their gradient depends on, renumbered: movable
/// vertices first, then those around them, then cap centres.
#[derive(Debug, Clone)]
pub struct Patch {
    points: Vec<u32>,
    pub(super) movable: usize,
    vertices: usize,
    /// The other corners of the faces at each movable vertex, then at each cap centre.
    corners: Rows<[u32; 3]>,
    faces: Vec<Face>,
    pub(super) caps: Vec<Cap>,
}

/// A cap's centre and the vertices of its rim, in the patch's numbers.
#[derive(Debug, Clone)]
pub(super) struct Cap {
    center: u32,
    pub(super) rim: Vec<u32>,
}

/// The third corner of a triangle.
pub(super) const NONE: u32 = u32::MAX;

impl Patch {
    /// The patch of the given welded vertices. `faces_at` lists the faces at every point of the surface.
    pub fn new(surface: &ClosedSurface, faces_at: &FacesAt, movable: &[u32]) -> Self {
        let mut local = vec![NONE; surface.point_count()];
        let mut points: Vec<u32> = movable.to_vec();
        movable.iter().enumerate().for_each(|(k, &v)| local[v as usize] = k as u32);
        let mut touched: Vec<u32> = movable.iter().flat_map(|&v| faces_at.of(v)).copied().collect();
        // A moved rim moves its cap's centre, and so every face of that cap.
        let mut centers: Vec<u32> = touched
            .iter()
            .flat_map(|&f| surface.faces()[f as usize].corners())
            .copied()
            .filter(|&p| surface.rim_of(p).is_some())
            .collect();
        centers.sort_unstable();
        centers.dedup();
        touched.extend(centers.iter().flat_map(|&c| faces_at.of(c)));
        touched.sort_unstable();
        touched.dedup();
        let corners = touched.iter().flat_map(|&f| surface.faces()[f as usize].corners()).copied();
        let rims = centers.iter().flat_map(|&c| surface.rim_of(c).unwrap_or_default()).copied();
        for v in corners.chain(rims).filter(|&v| surface.rim_of(v).is_none()) {
            if local[v as usize] == NONE {
                local[v as usize] = points.len() as u32;
                points.push(v);
            }
        }
        let vertices = points.len();
        for &center in &centers {
            local[center as usize] = points.len() as u32;
            points.push(center);
        }
        let face = |f: u32| surface.faces()[f as usize].map(|v| local[v as usize]);
        let mut corners = Rows::with_capacity(movable.len() + centers.len(), 0);
        for &v in movable.iter().chain(&centers) {
            corners.push(faces_at.of(v).iter().map(|&f| opposite(&face(f), local[v as usize])));
        }
        let rim = |c: u32| surface.rim_of(c).unwrap_or_default().iter().map(|&v| local[v as usize]).collect();
        Self {
            movable: movable.len(),
            vertices,
            corners,
            faces: touched.iter().map(|&f| face(f)).collect(),
            caps: centers.iter().map(|&c| Cap { center: local[c as usize], rim: rim(c) }).collect(),
            points,
        }
    }

    /// The patch of all vertices of a surface.
    pub fn whole(surface: &ClosedSurface) -> Self {
        let movable: Vec<u32> = (0..surface.vertex_count() as u32).collect();
        Self::new(surface, &FacesAt::new(surface), &movable)
    }

    /// The welded vertices of the patch, movable ones first, without cap centres.
    pub fn vertices(&self) -> &[u32] {
        &self.points[..self.vertices]
    }

    /// The welded vertices that may move.
    pub fn movable(&self) -> &[u32] {
        &self.points[..self.movable]
    }

    /// Number of points: vertices and cap centres.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there is nothing to move.
    pub fn is_empty(&self) -> bool {
        self.movable == 0
    }

    /// The faces with a movable corner, over the patch's own numbers.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Places the cap centres; `points` has the vertices in front.
    pub fn close(&self, points: &mut [DVec3]) {
        for cap in &self.caps {
            let sum: DVec3 = cap.rim.iter().map(|&v| points[v as usize]).sum();
            points[cap.center as usize] = sum / cap.rim.len() as f64;
        }
    }

    /// The unit area-weighted normals at a movable vertex, caps left out, of two surfaces at once.
    pub(super) fn normals(&self, vertex: u32, at: impl Fn(u32) -> [Vec3; 2]) -> [Vec3; 2] {
        let origin = at(vertex);
        let mut sums = [Vec3::ZERO; 2];
        for corner in self.corners_at(vertex as usize) {
            let place = |p: u32| {
                let places = if (p as usize) < self.vertices { at(p) } else { origin };
                [places[0] - origin[0], places[1] - origin[1]]
            };
            let [b, c, d] =
                [place(corner[0]), place(corner[1]), place(if corner[2] == NONE { corner[1] } else { corner[2] })];
            for k in 0..2 {
                // The vector area of the face at the vertex, but for a factor that its normal does not need.
                sums[k] += b[k].cross(c[k]) + c[k].cross(d[k]) + b[k].cross(d[k]);
            }
        }
        sums.map(|sum| sum.normalize_or(Vec3::Z))
    }

    pub(super) fn corners_at(&self, at: usize) -> &[[u32; 3]] {
        self.corners.row(at as u32)
    }
}

/// The other corners of a face, from the one after `vertex` on; three for a quad, two for a triangle.
fn opposite(face: &Face, vertex: u32) -> [u32; 3] {
    let corners = face.corners();
    let at = corners.iter().position(|&c| c == vertex).unwrap_or(0);
    let next = |k: usize| corners[(at + k) % corners.len()];
    [next(1), next(2), if face.is_quad() { next(3) } else { NONE }]
}

/// The faces at every point of a closed surface.
#[derive(Debug, Clone)]
pub struct FacesAt(Rows<u32>);

impl FacesAt {
    /// Lists them, in the order of the faces.
    pub fn new(surface: &ClosedSurface) -> Self {
        Self(faces_at(surface.point_count(), surface.faces()))
    }

    /// The faces at a point.
    pub fn of(&self, point: u32) -> &[u32] {
        self.0.row(point)
    }
}
