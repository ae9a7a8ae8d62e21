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
//! Green coordinates of the whole cage ([`GreenCoordinates`]) and of single tetrahedra are there to be compared.
//!
//! The first two are affine maps of the corners blended by shares; what is blended is the difference from rest, so that rest is
//! kept to the bit. Normals turn with the blended rotations.

use super::tetrahedron_green::TetrahedronGreen;
use super::{ControlMesh, EmbeddingMethod, GreenCoordinates};
use crate::Result;
use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A};
use rayon::prelude::*;

/// Vertices that one thread takes at a time.
const PIECE: usize = 2048;

/// A mesh inside a control mesh.
#[derive(Debug, Clone)]
pub struct Embedding {
    way: Way,
    /// The places of the control mesh at rest.
    control: Vec<DVec3>,
    corners: Vec<[u32; 4]>,
    shares: Vec<[f32; 4]>,
    rest: Vec<Vec3A>,
    normals: Vec<Vec3A>,
    /// What each control vertex adds to a point: `d + t D x`, with t for how much rotations add.
    moves: Vec<(Vec3A, Mat3A)>,
}

/// What positions come from; normals always turn with the corners.
#[derive(Debug, Clone)]
enum Way {
    /// How much rotations add: half or nothing.
    Corners {
        turned: f32,
    },
    Green(GreenCoordinates),
    Tetrahedra(TetrahedronGreen),
}

impl Embedding {
    /// Embeds the mesh that a control mesh was made for, with its normals at rest if it has any.
    pub fn new(control: &ControlMesh, mesh: &[Vec3], normals: &[Vec3], method: EmbeddingMethod) -> Result<Self> {
        sinew_geometry::Error::check_len(
            "embedded",
            "the list of positions",
            mesh.len(),
            control.tetrahedron_of.len(),
        )?;
        if !normals.is_empty() {
            sinew_geometry::Error::check_len("embedded", "the list of normals", normals.len(), mesh.len())?;
        }
        let corners: Vec<[u32; 4]> = control.tetrahedron_of.iter().map(|&t| control.tetrahedra[t as usize]).collect();
        let share = |(corners, x): (&[u32; 4], &Vec3)| {
            shares(corners.map(|v| control.positions[v as usize]), x.as_dvec3()).map(|share| share as f32)
        };
        let way = match method {
            EmbeddingMethod::Continuous => Way::Corners { turned: 0.5 },
            EmbeddingMethod::Barycentric => Way::Corners { turned: 0.0 },
            EmbeddingMethod::Green => Way::Green(GreenCoordinates::new(&control.positions, &control.surface, mesh)?),
            EmbeddingMethod::Tetrahedra => Way::Tetrahedra(TetrahedronGreen::new(control, mesh)),
        };
        Ok(Self {
            way,
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
        let turned = if let Way::Corners { turned } = self.way { turned } else { 0.0 };
        for (((part, rest), place), rotation) in self.moves.iter_mut().zip(&self.control).zip(places).zip(rotations) {
            let change = *rotation - DMat3::IDENTITY;
            *part = (
                (*place - *rest - f64::from(turned) * (change * *rest)).as_vec3a(),
                Mat3A::from_cols_array(&change.to_cols_array().map(|x| x as f32)),
            );
        }
        let Self { corners, shares, rest, normals: rest_normals, moves, way, .. } = self;
        let blended = |vertex: usize| {
            let [a, b, c, d] = corners[vertex].map(|v| &moves[v as usize]);
            let [p, q, r, s] = shares[vertex];
            (a.0 * p + b.0 * q + c.0 * r + d.0 * s, a.1 * p + b.1 * q + c.1 * r + d.1 * s)
        };
        match way {
            Way::Green(coordinates) => coordinates.deform(places, positions),
            Way::Tetrahedra(coordinates) => coordinates.deform(places, positions),
            Way::Corners { .. } => positions.par_chunks_mut(PIECE).enumerate().for_each(|(piece, positions)| {
                for (position, vertex) in positions.iter_mut().zip(piece * PIECE..) {
                    let (shift, change) = blended(vertex);
                    *position = (rest[vertex] + (shift + turned * (change * rest[vertex]))).into();
                }
            }),
        }
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
fn shares(corners: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let [_, p, q, r] = raw_shares(corners, x).map(|share| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 });
    [(1.0 - p - q - r).max(0.0), p, q, r]
}

/// The barycentric shares of a point; not finite in a flat tetrahedron.
pub(super) fn raw_shares([a, b, c, d]: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let [p, q, r] = (DMat3::from_cols(b - a, c - a, d - a).inverse() * (x - a)).to_array();
    [1.0 - p - q - r, p, q, r]
}
