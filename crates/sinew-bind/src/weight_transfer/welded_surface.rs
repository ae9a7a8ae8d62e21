//! A surface without its seams: what lies in one place is one vertex.

use glam::{DVec3, Vec3};
use sinew_geometry::Face;
use sinew_geometry::refine::seams::Weld;

/// Places and the faces between them.
pub(super) struct Welded {
    weld: Weld,
    pub places: Vec<DVec3>,
    /// Over places; some may have lost corners.
    pub faces: Vec<Face>,
}

impl Welded {
    pub fn new(positions: &[Vec3], faces: &[Face]) -> Self {
        let weld = Weld::new(positions);
        let faces = faces.iter().map(|face| face.map(|v| weld.number(v as usize) as u32)).collect();
        let mut places = vec![DVec3::ZERO; weld.len()];
        positions.iter().enumerate().for_each(|(vertex, p)| places[weld.number(vertex)] = p.as_dvec3());
        Self { weld, places, faces }
    }

    /// The place of a vertex.
    pub fn place(&self, vertex: usize) -> usize {
        self.weld.number(vertex)
    }

    /// Area times normal, summed over the faces around each place.
    pub fn vector_areas(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.places.len()];
        for face in &self.faces {
            let area: DVec3 = face
                .triangles()
                .map(|triangle| triangle.map(|v| self.places[v as usize]))
                .map(|[a, b, c]| 0.5 * (b - a).cross(c - a))
                .sum();
            face.corners().iter().for_each(|&v| sums[v as usize] += area);
        }
        sums
    }

    /// Length of the diagonal of the box around it.
    pub fn diagonal(&self) -> f64 {
        let bounds = |(low, high): (DVec3, DVec3), &p: &DVec3| (low.min(p), high.max(p));
        let (low, high) = self.places.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
        if self.places.is_empty() { 0.0 } else { low.distance(high) }
    }
}
