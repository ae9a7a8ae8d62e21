//! All vertices of a shell: its volume, and corrections of it that no single joint can take.

use super::correction::{self, Buffers, Request};
use super::patch::{FacesAt, Patch};
use glam::DVec3;
use sinew_geometry::ClosedSurface;

/// A shell's patch with room to compute in.
pub(super) struct Whole {
    pub patch: Patch,
    points: Vec<DVec3>,
    buffers: Buffers,
}

impl Whole {
    pub fn new(surface: &ClosedSurface, faces_at: &FacesAt, vertices: &[u32]) -> Self {
        let patch = Patch::new(surface, faces_at, vertices);
        Self { points: vec![DVec3::ZERO; patch.len()], buffers: Buffers::new(&patch), patch }
    }

    /// The volume of the shell with its vertices at given places.
    pub fn volume(&mut self, at: impl Fn(usize) -> DVec3) -> f64 {
        self.gather(at);
        correction::volume_of(self.patch.faces(), &self.points, self.points[0])
    }

    /// Adds a volume to `base + displacement`, along the normals, without moving a vertex beyond the limit.
    pub fn correct(&mut self, request: Request<'_>, base: impl Fn(usize) -> DVec3, displacement: &mut [DVec3]) {
        self.gather(|k| base(k) + displacement[k]);
        let center = self.points[0];
        self.points.iter_mut().for_each(|p| *p -= center);
        let Self { patch, points, buffers } = self;
        let left = correction::normal(patch, points, request, buffers);
        if left.abs() > 1e-12 * request.volume.abs() && request.limit.is_infinite() {
            let request = Request { volume: left, ..request };
            correction::exact(patch, points, request, [1.0 / 3.0; 3], buffers);
        }
        for (k, displacement) in displacement.iter_mut().enumerate() {
            *displacement = points[k] + center - base(k);
        }
    }

    fn gather(&mut self, at: impl Fn(usize) -> DVec3) {
        let count = self.patch.vertices().len();
        self.points[..count].iter_mut().enumerate().for_each(|(k, point)| *point = at(k));
        self.patch.close(&mut self.points);
    }
}
