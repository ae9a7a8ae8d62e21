//! The piece of a closed surface that a correction may move, with the exact gradient of its volume.
//!
//! A vertex `a` of a triangle `abc` has `∂V/∂a = (b × c)/6`; one of a bilinear quad `abcd` has
//! `∂V/∂a = (b × c + c × d + b × d)/12`, since the patch is the mean of its two splits [R09 eq. 2]. A patch
//! lists these *corners* vertex by vertex, so that gradients are gathered: in parallel, without conflicts, in
//! a fixed order. A cap's centre hangs on its rim, so its gradient goes to the rim in equal parts.

use crate::welded::faces_at;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_geometry::{ClosedSurface, Face, Rows};

/// Movable vertices of a surface and everything that their gradient depends on, numbered anew: movable
/// vertices first, then those around them, then cap centres.
#[derive(Debug, Clone)]
pub struct Patch {
    points: Vec<u32>,
    movable: usize,
    vertices: usize,
    /// The other corners of the faces at each movable vertex, then at each cap centre.
    corners: Rows<[u32; 3]>,
    faces: Vec<Face>,
    caps: Vec<Cap>,
}

/// A cap's centre and the vertices it hangs on, in the patch's numbers.
#[derive(Debug, Clone)]
struct Cap {
    center: u32,
    rim: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Vertices that a task gathers. Each task writes its own vertices, so the number changes no result.
const GATHERED_PER_TASK: usize = 2048;

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

    /// `∂V/∂p` at every movable vertex.
    pub fn gradient(&self, points: &[DVec3], gradient: &mut [DVec3]) {
        self.gather(gradient, |at| {
            self.corners_at(at).iter().map(|c| around(c, |v| points[v as usize], DVec3::cross)).sum()
        });
    }

    /// One coordinate of the gradient at every movable vertex where γ is not zero; zero elsewhere.
    pub fn gradient_along(&self, axis: usize, points: &[DVec3], gamma: &[f64], gradient: &mut [f64]) {
        match axis {
            0 => self.gradient_in_plane::<1, 2>(points, gamma, gradient),
            1 => self.gradient_in_plane::<2, 0>(points, gamma, gradient),
            _ => self.gradient_in_plane::<0, 1>(points, gamma, gradient),
        }
    }

    /// The coordinate of the gradient across the plane of two others.
    fn gradient_in_plane<const V: usize, const W: usize>(&self, points: &[DVec3], gamma: &[f64], gradient: &mut [f64]) {
        let cross = |a: DVec3, b: DVec3| a[V] * b[W] - a[W] * b[V];
        self.gather(gradient, |at| {
            if gamma.get(at) == Some(&0.0) {
                return 0.0;
            }
            self.corners_at(at).iter().map(|c| around(c, |v| points[v as usize], cross)).sum()
        });
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

    fn corners_at(&self, at: usize) -> &[[u32; 3]] {
        self.corners.row(at as u32)
    }

    /// Fills in what every movable vertex gathers from its corners, and its part of its caps.
    fn gather<T>(&self, out: &mut [T], at: impl Fn(usize) -> T + Sync)
    where
        T: Copy + Send + std::ops::AddAssign + std::ops::Div<f64, Output = T>,
    {
        let out = &mut out[..self.movable];
        if out.len() <= 2 * GATHERED_PER_TASK {
            out.iter_mut().enumerate().for_each(|(k, g)| *g = at(k));
        } else {
            out.par_chunks_mut(GATHERED_PER_TASK).enumerate().for_each(|(piece, out)| {
                out.iter_mut().enumerate().for_each(|(k, g)| *g = at(piece * GATHERED_PER_TASK + k));
            });
        }
        for (index, cap) in self.caps.iter().enumerate() {
            let share = at(self.movable + index) / cap.rim.len() as f64;
            for &v in cap.rim.iter().filter(|&&v| (v as usize) < self.movable) {
                out[v as usize] += share;
            }
        }
    }
}

/// The other corners of a face, from the one after `vertex` on; three for a quad, two for a triangle.
fn opposite(face: &Face, vertex: u32) -> [u32; 3] {
    let corners = face.corners();
    let at = corners.iter().position(|&c| c == vertex).unwrap_or(0);
    let next = |k: usize| corners[(at + k) % corners.len()];
    [next(1), next(2), if face.is_quad() { next(3) } else { NONE }]
}

/// What a corner adds to the gradient, with some form of the cross product.
#[inline(always)]
fn around<T>(&[b, c, d]: &[u32; 3], at: impl Fn(u32) -> DVec3, cross: impl Fn(DVec3, DVec3) -> T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Div<f64, Output = T>,
{
    let (b, c) = (at(b), at(c));
    if d == NONE {
        return cross(b, c) / 6.0;
    }
    let d = at(d);
    // b × c + c × d + b × d
    (cross(b, c + d) + cross(c, d)) / 12.0
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
