//! Bodies to try things on, and what is measured of them.

use glam::{DVec3, Vec3};
use sinew::cage::{Cage, CageOptions, ControlMesh, Embedding, EmbeddingMethod};
use sinew::geometry::Face;
use sinew::rig::{Character, Joint, Skeleton, Transform};

/// A body with the cage and the tetrahedra around it.
pub struct Body {
    pub positions: Vec<Vec3>,
    pub faces: Vec<Face>,
    pub control: ControlMesh,
}

impl Body {
    pub fn new(positions: &[Vec3], faces: &[Face], skeleton: Option<&Skeleton>, vertices: usize, offset: f64) -> Self {
        let joints: Vec<DVec3> =
            skeleton.iter().flat_map(|s| s.rest_world()).map(|matrix| matrix.translation).collect();
        let options = CageOptions { vertices, offset, ..CageOptions::default() };
        let cage = Cage::build(positions, faces, &joints, &options, &mut |_| {}).unwrap();
        let control = ControlMesh::build(&cage, positions, skeleton, &[], &mut |_| {}).unwrap();
        Self { positions: positions.to_vec(), faces: faces.to_vec(), control }
    }

    pub fn of(character: &Character, vertices: usize, offset: f64) -> Self {
        let mesh = &character.parts[0].mesh;
        Self::new(&mesh.positions, &mesh.faces, Some(&character.skeleton), vertices, offset)
    }

    pub fn embedding(&self, method: EmbeddingMethod) -> Embedding {
        Embedding::new(&self.control, &self.positions, &[], method).unwrap()
    }

    /// The change of the volume, relative to rest.
    pub fn volume_error(&self, positions: &[Vec3]) -> f64 {
        volume(positions, &self.faces) / volume(&self.positions, &self.faces) - 1.0
    }
}

pub fn volume(positions: &[Vec3], faces: &[Face]) -> f64 {
    let triangles = faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| positions[v as usize].as_dvec3()));
    triangles.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// A closed box of quads along z, with so many cells across and along.
pub fn bar(half_width: f64, length: f64, across: i32, along: i32) -> (Vec<Vec3>, Vec<Face>) {
    let mut positions = Vec::new();
    let mut number = std::collections::HashMap::new();
    let mut vertex = |x: i32, y: i32, z: i32| {
        *number.entry((x, y, z)).or_insert_with(|| {
            let place = |k: i32| half_width * (2.0 * f64::from(k) / f64::from(across) - 1.0);
            positions.push(DVec3::new(place(x), place(y), length * f64::from(z) / f64::from(along)).as_vec3());
            positions.len() as u32 - 1
        })
    };
    let mut faces = Vec::new();
    let mut quad = |corners: [(i32, i32, i32); 4]| {
        let [a, b, c, d] = corners.map(|(x, y, z)| vertex(x, y, z));
        faces.push(Face::quad(a, b, c, d));
    };
    for i in 0..across {
        for z in 0..along {
            quad([(i, 0, z), (i + 1, 0, z), (i + 1, 0, z + 1), (i, 0, z + 1)]);
            quad([(i + 1, across, z), (i, across, z), (i, across, z + 1), (i + 1, across, z + 1)]);
            quad([(0, i + 1, z), (0, i, z), (0, i, z + 1), (0, i + 1, z + 1)]);
            quad([(across, i, z), (across, i + 1, z), (across, i + 1, z + 1), (across, i, z + 1)]);
        }
        for j in 0..across {
            quad([(i, j, 0), (i, j + 1, 0), (i + 1, j + 1, 0), (i + 1, j, 0)]);
            quad([(i, j, along), (i + 1, j, along), (i + 1, j + 1, along), (i, j + 1, along)]);
        }
    }
    (positions, faces)
}

/// Joints in a row along z; the last has a tip.
pub fn row(heights: &[f64], tip: f64) -> Skeleton {
    let joint = |(index, &z): (usize, &f64)| {
        let before = if index == 0 { 0.0 } else { heights[index - 1] };
        Joint {
            name: format!("joint {index}"),
            parent: index.checked_sub(1),
            rest: Transform::from_translation(DVec3::Z * (z - before)),
            tip: (index + 1 == heights.len()).then_some(DVec3::Z * (tip - z)),
            ..Joint::default()
        }
    };
    Skeleton::new(heights.iter().enumerate().map(joint).collect()).unwrap().0
}
