//! Muscles as meshes, for pictures of a body without its skin.

use glam::Vec3;
use sinew::Stack;
use sinew::geometry::Face;
use sinew_render::{Coloring, Surface};

/// Rings of a muscle's mesh, and corners of each.
const RINGS: usize = 24;
const CORNERS: usize = 16;

/// The colours of a muscle that is relaxed, one that is active, and fat.
const RELAXED: Vec3 = Vec3::new(0.45, 0.13, 0.11);
const ACTIVE: Vec3 = Vec3::new(0.95, 0.28, 0.18);

/// A muscle to draw.
pub struct MuscleMesh {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    faces: Vec<Face>,
    color: Vec3,
}

impl MuscleMesh {
    /// As something to draw.
    pub fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            normals: &self.normals,
            faces: &self.faces,
            coloring: Coloring::Plain(self.color),
        }
    }
}

/// The muscles of the frame deformed last, the redder the more active.
pub fn flesh(stack: &Stack) -> Vec<MuscleMesh> {
    let Some(stage) = stack.muscles() else { return Vec::new() };
    let mesh = |(field, tone): (&sinew::muscle::MuscleField, &sinew::muscle::Tone)| {
        let surface = field.surface(RINGS, CORNERS);
        let color = RELAXED.lerp(ACTIVE, tone.activation as f32);
        MuscleMesh {
            normals: normals(&surface.positions, &surface.faces),
            positions: surface.positions,
            faces: surface.faces,
            color,
        }
    };
    stage.muscles().zip(stage.tones()).map(mesh).collect()
}

fn normals(positions: &[Vec3], faces: &[Face]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        triangle.into_iter().for_each(|v| normals[v as usize] += (b - a).cross(c - a));
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
