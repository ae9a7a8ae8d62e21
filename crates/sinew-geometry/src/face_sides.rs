//! The sides of faces, grouped by the edge that they lie on.
//!
//! Sides are ordered by the lower end of their edge, then by its higher end, then by their number: those of one edge are
//! next to each other. Cost: linear in the number of faces.

use super::{Face, Rows};

/// The sides of a surface's faces, edge by edge.
#[derive(Debug, Clone)]
pub struct FaceSides<'a> {
    faces: &'a [Face],
    order: Vec<Side>,
}

/// A side of a face, from one corner to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side(u32);

impl Side {
    /// The most sides of a face. Faces are triangles and quads.
    pub const PER_FACE: usize = 4;

    /// The face that it belongs to.
    pub fn face(self) -> usize {
        self.0 as usize / Self::PER_FACE
    }

    /// Its index among the sides of its face.
    pub fn of_face(self) -> usize {
        self.0 as usize % Self::PER_FACE
    }
}

impl<'a> FaceSides<'a> {
    /// Orders the sides of faces over so many vertices.
    pub fn new(vertices: usize, faces: &'a [Face]) -> Self {
        let sides_of = |(face, corners): (u32, &'a Face)| {
            let ends = (0..).zip(corners.edges());
            ends.map(move |(k, (a, b))| (a.min(b), a.max(b), Side(Side::PER_FACE as u32 * face + k)))
        };
        let sides: Vec<(u32, u32, Side)> = (0..).zip(faces).flat_map(sides_of).collect();
        let mut by_lower_end = Rows::grouped(vertices, sides.iter().map(|side| side.0));
        by_lower_end.sort_rows_by_key(&|k| sides[k as usize]);
        Self { faces, order: by_lower_end.values().iter().map(|&k| sides[k as usize].2).collect() }
    }

    /// The sides of each edge, in increasing order of its lower and then its higher end.
    pub fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.order.chunk_by(|&a, &b| {
            let ((a, b), (c, d)) = (self.ends(a), self.ends(b));
            (a.min(b), a.max(b)) == (c.min(d), c.max(d))
        })
    }

    /// Where a side begins and ends.
    pub fn ends(&self, side: Side) -> (u32, u32) {
        let corners = self.faces[side.face()].corners();
        let next = side.of_face() + 1;
        (corners[side.of_face()], corners[if next < corners.len() { next } else { 0 }])
    }

    /// Whether a side runs from the lower end of its edge to the higher.
    pub fn is_forward(&self, side: Side) -> bool {
        let (a, b) = self.ends(side);
        a < b
    }
}
