//! The surface of a part at rest, and the bones in it.

use super::gaps::freedom_at;
use super::patch::FacesAt;
use super::surface::PartSurface;
use glam::DVec3;

/// Rest coordinates of a part, in the world of the bind pose.
pub(super) struct RestSurface<'a> {
    pub surface: &'a PartSurface,
    pub faces_at: &'a FacesAt,
    pub points: &'a [DVec3],
    /// The area around each welded vertex.
    pub areas: &'a [f64],
    /// The factor of γ from a painted attribute, for each welded vertex.
    pub paint: &'a [f64],
    /// How far each is from other skin outside; infinite where that does not matter.
    pub gaps: &'a [f64],
}

impl RestSurface<'_> {
    /// The factor of γ at a welded vertex of a limb: what is painted, and the room that it has.
    pub fn freedom(&self, vertex: u32, radius: f64) -> f64 {
        self.paint[vertex as usize] * freedom_at(self.gaps[vertex as usize], radius)
    }
}

/// The rest surface of a part, owned.
pub(super) struct PartRest {
    pub faces_at: FacesAt,
    pub points: Vec<DVec3>,
    pub areas: Vec<f64>,
    pub paint: Vec<f64>,
    pub gaps: Vec<f64>,
}

impl PartRest {
    pub fn surface<'a>(&'a self, surface: &'a PartSurface) -> RestSurface<'a> {
        let Self { faces_at, points, areas, paint, gaps } = self;
        RestSurface { surface, faces_at, points, areas, paint, gaps }
    }
}

/// The line of a joint's bone at rest.
#[derive(Clone, Copy)]
pub(super) struct BoneLine {
    pub center: DVec3,
    pub direction: DVec3,
    /// How far it is to the next joint.
    pub length: f64,
}

/// γ divided by the area around each vertex, relative to the mean. The norm `Σ A ‖u‖²/γ` is then that of the
/// surface and not that of its tessellation: vertices that stand close do not pull each other along.
pub(super) fn by_area(rest: &RestSurface<'_>, vertices: &[u32], gamma: impl Fn(u32) -> f64) -> Vec<f64> {
    let area = |v: u32| rest.areas[v as usize];
    let mean = vertices.iter().map(|&v| area(v)).sum::<f64>() / vertices.len() as f64;
    // A vertex without area has no gradient either.
    vertices.iter().map(|&v| gamma(v) * mean / area(v).max(1e-3 * mean)).collect()
}
