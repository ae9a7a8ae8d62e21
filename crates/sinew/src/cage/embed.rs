//! Where does the mesh go when the control mesh around it moves?
//!
//! A vertex x in a tetrahedron with barycentric shares λ goes to
//!
//! ```text
//! x' = Σ λ_i (v'_i + ½ R_i (x − v_i)),
//! ```
//!
//! with the rotations R of the tetrahedron's corners. As `Σ λ_i (x − v_i) = 0`, it stays where it was at rest and
//! follows a rigid motion exactly; and it has no jump across a face, where the fourth share is zero. Where the
//! corners sample a smooth map f with `R = ∇f`, a Taylor series about x gives `f(x) + ½ Σ λ_i f''(v_i − x)²` for
//! `Σ λ_i v'_i` alone and the same with a minus for `Σ λ_i (v'_i + R_i (x − v_i))`: half of the second term cancels
//! the error, and the creases at faces with it. Without rotations the surface has a crease at every face.
//!
//! Both are affine maps of the corners blended by shares; what is blended is the difference from rest, so that rest is
//! kept to the bit. Normals turn with the blended rotations.

use super::ControlMesh;
use crate::{Error, Result};
use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A};
use rayon::prelude::*;

/// Vertices that one thread takes at a time.
const PIECE: usize = 2048;

/// How a vertex follows its tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmbeddingMethod {
    /// With the rotations of the corners.
    #[default]
    Rotations,
    /// By the places of the corners alone; for comparison.
    Barycentric,
}

/// A mesh inside a control mesh.
#[derive(Debug, Clone)]
pub struct Embedding {
    method: EmbeddingMethod,
    /// The places of the control mesh at rest.
    control: Vec<DVec3>,
    corners: Vec<[u32; 4]>,
    shares: Vec<[f32; 4]>,
    rest: Vec<Vec3A>,
    normals: Vec<Vec3A>,
    /// What each control vertex adds to a point: `d + ½ D x`.
    moves: Vec<(Vec3A, Mat3A)>,
}

impl Embedding {
    /// Embeds the mesh that a control mesh was made for, with its normals at rest if it has any.
    pub fn new(control: &ControlMesh, mesh: &[Vec3], normals: &[Vec3], method: EmbeddingMethod) -> Result<Self> {
        Error::unless_as_long("embedded", "the list of positions", mesh.len(), control.tetrahedron_of.len())?;
        if !normals.is_empty() {
            Error::unless_as_long("embedded", "the list of normals", normals.len(), mesh.len())?;
        }
        let corners: Vec<[u32; 4]> = control.tetrahedron_of.iter().map(|&t| control.tetrahedra[t as usize]).collect();
        let share = |(corners, x): (&[u32; 4], &Vec3)| {
            shares(corners.map(|v| control.positions[v as usize]), x.as_dvec3()).map(|share| share as f32)
        };
        Ok(Self {
            method,
            shares: corners.iter().zip(mesh).map(share).collect(),
            corners,
            control: control.positions.clone(),
            rest: mesh.iter().map(|&p| p.into()).collect(),
            normals: normals.iter().map(|&n| n.into()).collect(),
            moves: vec![(Vec3A::ZERO, Mat3A::ZERO); control.positions.len()],
        })
    }

    /// Number of vertices of the mesh.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether the mesh has no vertices.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Writes where the vertices go when the control mesh has these places and rotations, and their normals if the
    /// mesh came with some; otherwise `normals` is left alone.
    ///
    /// # Panics
    /// If the lists are not as long as the control mesh and the mesh.
    pub fn deform(&mut self, places: &[DVec3], rotations: &[DMat3], positions: &mut [Vec3], normals: &mut [Vec3]) {
        let method = self.method;
        for (((part, rest), place), rotation) in self.moves.iter_mut().zip(&self.control).zip(places).zip(rotations) {
            *part = match method {
                EmbeddingMethod::Rotations => {
                    let change = *rotation - DMat3::IDENTITY;
                    (
                        (*place - *rest - 0.5 * (change * *rest)).as_vec3a(),
                        Mat3A::from_cols_array(&change.to_cols_array().map(|x| x as f32)),
                    )
                }
                EmbeddingMethod::Barycentric => ((*place - *rest).as_vec3a(), Mat3A::ZERO),
            };
        }
        let Self { corners, shares, rest, normals: rest_normals, moves, .. } = &*self;
        let blended = |vertex: usize| {
            let [a, b, c, d] = corners[vertex].map(|v| &moves[v as usize]);
            let [p, q, r, s] = shares[vertex];
            (a.0 * p + b.0 * q + c.0 * r + d.0 * s, a.1 * p + b.1 * q + c.1 * r + d.1 * s)
        };
        positions.par_chunks_mut(PIECE).enumerate().for_each(|(piece, positions)| {
            for (position, vertex) in positions.iter_mut().zip(piece * PIECE..) {
                let (shift, change) = blended(vertex);
                *position = (rest[vertex] + (shift + 0.5 * (change * rest[vertex]))).into();
            }
        });
        if rest_normals.is_empty() {
            return;
        }
        normals.par_chunks_mut(PIECE).enumerate().for_each(|(piece, normals)| {
            for (normal, vertex) in normals.iter_mut().zip(piece * PIECE..) {
                let turned = rest_normals[vertex] + blended(vertex).1 * rest_normals[vertex];
                *normal = turned.normalize_or(rest_normals[vertex]).into();
            }
        });
    }
}

/// The barycentric shares of a point, clamped to the tetrahedron where rounding leaves them outside.
fn shares([a, b, c, d]: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse();
    let [p, q, r] =
        (inverse * (x - a)).to_array().map(|share| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 });
    [(1.0 - p - q - r).max(0.0), p, q, r]
}
