//! A surface without seams: coincident vertices are merged.

use glam::{DVec3, Vec3};
use sinew_geometry::Face;
use sinew_geometry::refine::seams::Weld;

/// A surface over merged vertices.
pub(super) struct WeldedSurface {
    weld: Weld,
    pub positions: Vec<DVec3>,
    /// Faces over merged vertices; some may be degenerate.
    pub faces: Vec<Face>,
}

impl WeldedSurface {
    pub fn new(positions: &[Vec3], faces: &[Face]) -> Self {
        let weld = Weld::new(positions);
        let faces = faces.iter().map(|face| face.map(|v| weld.number(v as usize) as u32)).collect();
        let mut merged_positions = vec![DVec3::ZERO; weld.len()];
        positions.iter().enumerate().for_each(|(vertex, p)| merged_positions[weld.number(vertex)] = p.as_dvec3());
        Self { weld, positions: merged_positions, faces }
    }

    /// The merged vertex of a vertex.
    pub fn welded_vertex(&self, vertex: usize) -> usize {
        self.weld.number(vertex)
    }

    /// The sum of the vector areas of the faces around each merged vertex.
    pub fn vector_areas(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.positions.len()];
        for face in &self.faces {
            let area: DVec3 = face
                .triangles()
                .map(|triangle| triangle.map(|v| self.positions[v as usize]))
                .map(|[a, b, c]| 0.5 * (b - a).cross(c - a))
                .sum();
            face.corners().iter().for_each(|&v| sums[v as usize] += area);
        }
        sums
    }

    /// The diagonal of the bounding box.
    pub fn diagonal(&self) -> f64 {
        let bounds = |(low, high): (DVec3, DVec3), &p: &DVec3| (low.min(p), high.max(p));
        let (low, high) = self.positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
        if self.positions.is_empty() { 0.0 } else { low.distance(high) }
    }
}
