//! The surface mesh of a muscle.
//!
//! Rings around the axis at even shares of its length, their corners at even angles to the normal, on the
//! radius of the field there; a triangle fan closes either end. The same muscle always gets the same mesh,
//! so that colours and selections stay where they are while it moves.

use super::MuscleField;
use glam::{DVec3, Vec3};
use sinew_field::Polygons;
use sinew_geometry::Face;
use std::f64::consts::TAU;

impl MuscleField {
    /// A closed surface with so many rings, at least one, of so many corners, at least three.
    pub fn surface(&self, rings: usize, corners: usize) -> Polygons {
        let (rings, corners) = (rings.max(1), corners.max(3));
        let mut surface = Polygons { faces: faces(rings, corners), positions: Vec::new() };
        self.surface_positions(rings, corners, &mut surface.positions);
        surface
    }

    /// Where the vertices of that surface are now.
    pub fn surface_positions(&self, rings: usize, corners: usize, positions: &mut Vec<Vec3>) {
        positions.clear();
        positions.push(self.axis().at(0.0).position.as_vec3());
        for ring in 1..=rings {
            let share = ring as f64 / (rings + 1) as f64;
            let (frame, tangent) = (self.axis().at(share), self.axis().tangent(share));
            let normal = frame.normal.reject_from(tangent).normalize_or_zero();
            let (side, radius) = (tangent.cross(normal), self.radius(share).value);
            let corner = |k: usize| -> DVec3 {
                let (sine, cosine) = (TAU * k as f64 / corners as f64).sin_cos();
                frame.position + (cosine * normal + sine * side) * (radius * self.section(cosine * cosine))
            };
            positions.extend((0..corners).map(|k| corner(k).as_vec3()));
        }
        positions.push(self.axis().at(1.0).position.as_vec3());
    }
}

fn faces(rings: usize, corners: usize) -> Vec<Face> {
    let at = |ring: usize, k: usize| (1 + ring * corners + k % corners) as u32;
    let end = (1 + rings * corners) as u32;
    let mut faces: Vec<Face> = (0..corners).map(|k| Face::triangle(0, at(0, k + 1), at(0, k))).collect();
    for ring in 1..rings {
        faces.extend(
            (0..corners).map(|k| Face::quad(at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k))),
        );
    }
    faces.extend((0..corners).map(|k| Face::triangle(end, at(rings - 1, k), at(rings - 1, k + 1))));
    faces
}
