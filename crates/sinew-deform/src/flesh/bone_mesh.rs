//! Bones as triangle meshes, to be drawn.

use super::bones::BoneSolid;
use glam::{DVec3, Vec3};
use sinew_geometry::{Face, Mesh};
use std::f64::consts::{PI, TAU};

/// Corners around a shaft or a ball, and rings from one pole of a ball to the other.
const CORNERS: u32 = 24;
const RINGS: u32 = 12;

impl BoneSolid {
    /// Its surface at rest.
    pub(super) fn mesh(&self, name: &str) -> Mesh {
        match self {
            Self::Shaft { ends: [a, b], radii: [r, s] } => {
                // Each strip has vertices of its own, so that the edges at the ends are hard.
                lathe(
                    name,
                    (*b - *a).normalize_or(DVec3::Z),
                    &[&[(*a, 0.0), (*a, *r)], &[(*a, *r), (*b, *s)], &[(*b, *s), (*b, 0.0)]],
                )
            }
            Self::Ball { center, radius } => {
                let ring = |k: u32| {
                    let (sine, cosine) = (PI * f64::from(k) / f64::from(RINGS)).sin_cos();
                    (*center - cosine * *radius * DVec3::Z, if k.is_multiple_of(RINGS) { 0.0 } else { sine * *radius })
                };
                lathe(name, DVec3::Z, &[&(0..=RINGS).map(ring).collect::<Vec<_>>()])
            }
            Self::Mesh { points, faces, .. } => {
                Mesh::new(name, points.iter().map(|p| p.as_vec3()).collect(), faces.clone())
            }
        }
    }
}

/// Strips of rings around an axis, each ring with its middle and its radius.
fn lathe(name: &str, axis: DVec3, strips: &[&[(DVec3, f64)]]) -> Mesh {
    let u = axis.any_orthonormal_vector();
    let v = axis.cross(u);
    let (mut positions, mut faces): (Vec<Vec3>, Vec<Face>) = (Vec::new(), Vec::new());
    for strip in strips {
        let first = positions.len() as u32;
        for &(middle, radius) in *strip {
            positions.extend((0..CORNERS).map(|k| {
                let (sine, cosine) = (TAU * f64::from(k) / f64::from(CORNERS)).sin_cos();
                (middle + radius * (cosine * u + sine * v)).as_vec3()
            }));
        }
        let at = |ring: u32, k: u32| first + ring * CORNERS + k % CORNERS;
        for ring in 1..strip.len() as u32 {
            faces.extend(
                (0..CORNERS).map(|k| Face::quad(at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k))),
            );
        }
    }
    Mesh::new(name, positions, faces)
}
