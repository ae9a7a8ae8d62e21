//! Which triangles of a surface that is being changed are near others?
//!
//! A hash of cells of about the size of a triangle. A triangle that has changed is added where it is now, and where it
//! was it stays behind as a false hint, until everything is sorted in anew as triangles have grown.

use glam::{DVec3, IVec3};
use sinew_field::Box3;
use std::collections::HashMap;

/// Triangles by the cells their boxes meet.
pub(super) struct Vicinity {
    cell: f64,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Vicinity {
    pub fn new(cell: f64, triangles: impl Iterator<Item = (u32, [DVec3; 3])>) -> Self {
        let mut vicinity = Self { cell, cells: HashMap::new() };
        triangles.for_each(|(triangle, corners)| vicinity.add(triangle, corners));
        vicinity
    }

    pub fn add(&mut self, triangle: u32, corners: [DVec3; 3]) {
        for cell in self.covered(corners) {
            let held = self.cells.entry(cell).or_default();
            if !held.contains(&triangle) {
                held.push(triangle);
            }
        }
    }

    /// Whether any triangle that may be near the corners fulfils a condition.
    pub fn any(&self, corners: [DVec3; 3], mut condition: impl FnMut(u32) -> bool) -> bool {
        self.covered(corners).any(|cell| self.cells.get(&cell).is_some_and(|held| held.iter().any(|&t| condition(t))))
    }

    fn covered(&self, corners: [DVec3; 3]) -> impl Iterator<Item = IVec3> + use<> {
        let Box3 { min, max } = Box3::around(corners);
        let [low, high] = [min, max].map(|corner| (corner / self.cell).floor().as_ivec3());
        (low.z..=high.z)
            .flat_map(move |z| (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| IVec3::new(x, y, z))))
    }
}
