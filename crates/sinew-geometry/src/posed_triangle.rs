//! A triangle of a surface in a pose.

use super::bounds::Bounds;
use super::triangle_pair::{intersect, is_beside, is_proper};
use glam::{Vec3, Vec3A};

/// A triangle by its vertices, with the positions of its corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct PosedTriangle {
    pub vertices: [u32; 3],
    pub corners: [Vec3; 3],
}

impl PosedTriangle {
    /// Moves to a pose; the box there, if it has moved.
    pub fn follow(&mut self, positions: &[Vec3]) -> Option<Bounds> {
        let corners = self.vertices.map(|v| positions[v as usize]);
        (corners != self.corners).then(|| {
            self.corners = corners;
            self.bounds()
        })
    }

    /// The box around it; empty without an area.
    pub fn bounds(&self) -> Bounds {
        if is_proper(self.corners.map(|p| p.as_dvec3())) {
            Bounds::around(self.corners.map(Vec3A::from))
        } else {
            Bounds::EMPTY
        }
    }

    /// Whether it intersects a triangle with which it shares no vertex.
    pub fn intersects(&self, other: &Self) -> bool {
        let is_adjacent = self.vertices.iter().any(|v| other.vertices.contains(v));
        let is_clear = || is_beside(self.corners, other.corners) || is_beside(other.corners, self.corners);
        !is_adjacent
            && !is_clear()
            && intersect(self.corners.map(|p| p.as_dvec3()), other.corners.map(|p| p.as_dvec3()))
    }
}
