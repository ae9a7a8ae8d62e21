//! Green coordinates of single tetrahedra, for comparison.
//!
//! L13 eq. 9.18 as printed, eight numbers a point. The coordinates of adjacent tetrahedra disagree on their common face, so
//! a surface that crosses it tears.

use super::green::{green, stretched_normal};
use crate::control_mesh::ControlMesh;
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;

/// The faces of a tetrahedron with a positive volume, counterclockwise seen from outside.
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// Points with Green coordinates in their tetrahedra.
#[derive(Debug, Clone)]
pub(super) struct TetrahedronGreen {
    tetrahedra: Vec<[u32; 4]>,
    /// Two sides of each face of each tetrahedron at rest.
    sides: Vec<[[DVec3; 2]; 4]>,
    /// The current stretched normals of the faces.
    normals: Vec<[DVec3; 4]>,
    points: Vec<EmbeddedPoint>,
}

#[derive(Debug, Clone, Copy)]
struct EmbeddedPoint {
    tetrahedron: u32,
    /// φ of the corners, then ψ of the faces.
    coordinates: [f64; 8],
}

impl TetrahedronGreen {
    pub fn new(control: &ControlMesh, mesh: &[Vec3]) -> Self {
        let corners = |t: &[u32; 4]| t.map(|v| control.positions[v as usize]);
        let sides = |t: &[u32; 4]| {
            let corners = corners(t);
            FACES.map(|face| {
                let [a, b, c] = face.map(|k| corners[k as usize]);
                [b - a, c - a]
            })
        };
        let point = |(&tetrahedron, point): (&u32, &Vec3)| {
            let mut coordinates = [0.0; 8];
            let (phi, psi) = coordinates.split_at_mut(4);
            green(&corners(&control.tetrahedra[tetrahedron as usize]), &FACES, point.as_dvec3(), phi, psi);
            EmbeddedPoint { tetrahedron, coordinates }
        };
        Self {
            tetrahedra: control.tetrahedra.clone(),
            sides: control.tetrahedra.iter().map(sides).collect(),
            normals: vec![[DVec3::ZERO; 4]; control.tetrahedra.len()],
            points: control.tetrahedron_of.par_iter().zip(mesh).map(point).collect(),
        }
    }

    pub fn deform(&mut self, control_positions: &[DVec3], positions: &mut [Vec3]) {
        for ((normals, sides), tetrahedron) in self.normals.iter_mut().zip(&self.sides).zip(&self.tetrahedra) {
            let now = tetrahedron.map(|v| control_positions[v as usize]);
            for ((normal, rest), face) in normals.iter_mut().zip(sides).zip(FACES) {
                *normal = stretched_normal(*rest, face.map(|k| now[k as usize]));
            }
        }
        let Self { tetrahedra, normals, points, .. } = &*self;
        positions.par_iter_mut().zip(points).with_min_len(1024).for_each(|(position, point)| {
            let t = point.tetrahedron as usize;
            let (phi, psi) = point.coordinates.split_at(4);
            let corners =
                tetrahedra[t].iter().zip(phi).map(|(&v, &coordinate)| control_positions[v as usize] * coordinate);
            let faces = normals[t].iter().zip(psi).map(|(&normal, &coordinate)| normal * coordinate);
            *position = corners.chain(faces).sum::<DVec3>().as_vec3();
        });
    }
}
