//! The muscles of a body as meshes, brighter the more active they are.

use glam::Vec3;
use sinew::deform::muscle::{MuscleControl, MuscleDeformer, MuscleField};
use sinew::geometry::Face;

/// The colour of a muscle that is relaxed, in linear RGB.
pub const RELAXED: Vec3 = Vec3::new(0.45, 0.13, 0.11);

/// The colour of a muscle that is active.
pub const ACTIVE: Vec3 = Vec3::new(0.95, 0.28, 0.18);

/// A muscle to draw.
pub struct MuscleMesh {
    /// The vertices.
    pub positions: Vec<Vec3>,
    /// A unit normal for each.
    pub normals: Vec<Vec3>,
    /// A closed surface, the same for all muscles.
    pub faces: Vec<Face>,
    /// From 0, relaxed, to 1.
    pub activation: f32,
}

impl MuscleMesh {
    /// The colour.
    pub fn color(&self) -> Vec3 {
        RELAXED.lerp(ACTIVE, self.activation)
    }
}

/// The muscles of the last frame, as meshes of `rings` rings with `corners` corners each.
pub fn meshes(stage: &MuscleDeformer, rings: usize, corners: usize) -> Vec<MuscleMesh> {
    let mesh = |(field, control): (&MuscleField, &MuscleControl)| {
        let surface = field.surface(rings, corners);
        MuscleMesh {
            normals: normals(&surface.positions, &surface.faces),
            positions: surface.positions,
            faces: surface.faces,
            activation: control.activation as f32,
        }
    };
    stage.muscles().zip(stage.controls()).map(mesh).collect()
}

fn normals(positions: &[Vec3], faces: &[Face]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        triangle.into_iter().for_each(|v| normals[v as usize] += (b - a).cross(c - a));
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
