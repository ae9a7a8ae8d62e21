//! The height of the ground at a place.

use glam::DVec3;
use sinew_geometry::{Mesh, Topology, Winding};
use sinew_rig::Character;
use sinew_rig::rest_surface::world_meshes;

/// Meshes that feet stand on. Beside them the ground is flat, at the height of the origin.
pub struct Ground {
    up: DVec3,
    meshes: Vec<Winding>,
    /// The lowest and the highest that any of them goes, with some room.
    range: [f64; 2],
}

impl Ground {
    /// The meshes of a file, as they are at rest; `up` is the direction away from the ground.
    pub fn new(scene: &Character, up: DVec3) -> Self {
        Self::of_meshes(&world_meshes(scene), up)
    }

    fn of_meshes(meshes: &[Mesh], up: DVec3) -> Self {
        let mut range = [0.0f64, 0.0];
        let mut windings = Vec::new();
        for mesh in meshes {
            for height in mesh.positions.iter().map(|p| p.as_dvec3().dot(up)).filter(|height| height.is_finite()) {
                range = [range[0].min(height), range[1].max(height)];
            }
            windings.push(Winding::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions));
        }
        let room = 0.1 * (range[1] - range[0]);
        Self { up, meshes: windings, range: [range[0] - room, range[1] + room] }
    }

    /// The height of the highest surface above or below a place.
    pub fn height(&self, place: DVec3) -> f64 {
        let level = place - self.up * place.dot(self.up);
        let [low, high] = self.range;
        let (from, to) = (level + self.up * high, level + self.up * low);
        let mut found = Vec::new();
        let mut highest = 0.0f64;
        let mut is_over_a_mesh = false;
        for mesh in &self.meshes {
            mesh.segment_intersections(from, to, &mut found);
            if let Some(first) = found.first() {
                let height = high + first.parameter * (low - high);
                highest = if is_over_a_mesh { highest.max(height) } else { height };
                is_over_a_mesh = true;
            }
        }
        highest
    }
}

impl std::fmt::Debug for Ground {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Ground").field("up", &self.up).field("meshes", &self.meshes.len()).finish()
    }
}

/// A height field: heights at the points of a grid over the two axes across `up`, bilinear in between and flat beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    /// The place of the first height.
    pub origin: DVec3,
    /// The steps from one column to the next, and from one row to the next.
    pub steps: [DVec3; 2],
    /// How many heights a row has.
    pub columns: usize,
    /// The heights, row by row.
    pub heights: Vec<f64>,
}

impl HeightField {
    /// The height at a place; zero beside the field.
    pub fn height(&self, place: DVec3) -> f64 {
        let rows = self.heights.len().checked_div(self.columns).unwrap_or(0);
        let along = |axis: usize| (place - self.origin).dot(self.steps[axis]) / self.steps[axis].length_squared();
        let (x, y) = (along(0), along(1));
        let is_inside = x >= 0.0 && y >= 0.0 && x <= self.columns as f64 - 1.0 && y <= rows as f64 - 1.0;
        if !is_inside {
            return 0.0;
        }
        let (column, row) = ((x as usize).min(self.columns.max(2) - 2), (y as usize).min(rows.max(2) - 2));
        let at = |r: usize, c: usize| self.heights[r.min(rows - 1) * self.columns + c.min(self.columns - 1)];
        let (u, v) = (x - column as f64, y - row as f64);
        let near = at(row, column) * (1.0 - u) + at(row, column + 1) * u;
        let far = at(row + 1, column) * (1.0 - u) + at(row + 1, column + 1) * u;
        near * (1.0 - v) + far * v
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::Face;

    /// A box by its middle on the ground and its sizes.
    fn block(middle: Vec3, sizes: Vec3) -> Mesh {
        let corner = |k: u32| {
            let side = |bit: u32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
            middle + Vec3::new(side(0) * sizes.x, (side(1) + 0.5) * sizes.y, side(2) * sizes.z)
        };
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = faces.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec();
        Mesh::new("block", (0..8).map(corner).collect(), faces)
    }

    #[test]
    fn a_block_is_as_high_as_it_is_and_beside_it_is_the_ground() {
        let step = block(Vec3::new(2.0, 0.0, 0.0), Vec3::new(1.0, 0.4, 3.0));
        let tower = block(Vec3::new(2.2, 0.0, 0.0), Vec3::new(0.4, 0.9, 0.4));
        let ground = Ground::of_meshes(&[step, tower], DVec3::Y);
        for (x, height) in [(0.0, 0.0), (1.6, 0.4), (2.2, 0.9), (2.45, 0.4), (3.0, 0.0)] {
            for y in [-5.0, 0.2, 7.0] {
                let found = ground.height(DVec3::new(x, y, 0.01));
                assert!((found - height).abs() < 1e-6, "{x}: {found}, not {height}");
            }
        }
        let pit = block(Vec3::new(0.0, -0.5, 0.0), Vec3::new(1.0, 0.3, 1.0));
        let found = Ground::of_meshes(&[pit], DVec3::Y).height(DVec3::new(0.1, 1.0, 0.2));
        assert!((found + 0.2).abs() < 1e-6, "{found}");
    }

    #[test]
    fn a_height_field_is_bilinear() {
        let field = HeightField {
            origin: DVec3::new(1.0, 0.0, 2.0),
            steps: [DVec3::X * 0.5, DVec3::Z * 2.0],
            columns: 3,
            heights: vec![0.0, 1.0, 2.0, 4.0, 5.0, 6.0],
        };
        for (x, z, height) in [(1.0, 2.0, 0.0), (1.25, 2.0, 0.5), (2.0, 4.0, 6.0), (1.25, 3.0, 2.5), (0.9, 2.0, 0.0)] {
            let found = field.height(DVec3::new(x, 9.0, z));
            assert!((found - height).abs() < 1e-12, "{x}, {z}: {found}");
        }
    }
}
