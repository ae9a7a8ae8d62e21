//! A spatial hash of the triangles of a surface that changes.
//!
//! Cells are about the size of a triangle. A triangle that has changed is added at its new position; the entry at its old
//! position stays as a false candidate until the hash is rebuilt for larger triangles.

use glam::{DVec3, IVec3};
use sinew_field::Box3;
use std::collections::HashMap;

/// Triangles by the cells that their bounding boxes overlap.
pub(super) struct TriangleHash {
    cell: f64,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl TriangleHash {
    pub fn new(cell: f64, triangles: impl Iterator<Item = (u32, [DVec3; 3])>) -> Self {
        let mut hash = Self { cell, cells: HashMap::new() };
        triangles.for_each(|(triangle, corners)| hash.add(triangle, corners));
        hash
    }

    pub fn add(&mut self, triangle: u32, corners: [DVec3; 3]) {
        for cell in self.overlapped_cells(corners) {
            let triangles = self.cells.entry(cell).or_default();
            if !triangles.contains(&triangle) {
                triangles.push(triangle);
            }
        }
    }

    /// Whether any triangle near the corners satisfies a condition.
    pub fn any(&self, corners: [DVec3; 3], mut condition: impl FnMut(u32) -> bool) -> bool {
        self.overlapped_cells(corners)
            .any(|cell| self.cells.get(&cell).is_some_and(|triangles| triangles.iter().any(|&t| condition(t))))
    }

    fn overlapped_cells(&self, corners: [DVec3; 3]) -> impl Iterator<Item = IVec3> + use<> {
        let Box3 { min, max } = Box3::around(corners);
        let [low, high] = [min, max].map(|corner| (corner / self.cell).floor().as_ivec3());
        (low.z..=high.z)
            .flat_map(move |z| (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| IVec3::new(x, y, z))))
    }
}
