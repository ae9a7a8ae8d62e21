//! Deformation of a mesh embedded in a control mesh.
//!
//! A vertex x with barycentric coordinates λ in its tetrahedron moves to
//!
//! ```text
//! x' = Σ λ_i (v'_i + ½ R_i (x − v_i)),
//! ```
//!
//! with the rotations R of the tetrahedron's corners. As `Σ λ_i (x − v_i) = 0`, it reproduces the rest position and rigid
//! motions exactly, and it is continuous across faces, where the fourth coordinate is zero. If the corners sample a smooth
//! map f with `R = ∇f`, a Taylor series about x gives `f(x) + ½ Σ λ_i f''(v_i − x)²` for `Σ λ_i v'_i` alone and the same
//! with a minus for `Σ λ_i (v'_i + R_i (x − v_i))`: half of the second term cancels the error, and with it the creases at
//! faces. Without rotations the surface has a crease at every face.
//!
//! Green coordinates of the whole cage ([`GreenCoordinates`]) and of single tetrahedra serve for comparison.
//!
//! The first two methods blend affine maps of the corners by barycentric coordinates. They blend differences from rest, so
//! that the rest shape is exact to the bit. Normals rotate with the blended rotations.

mod green;
mod tetrahedron_green;

pub use green::GreenCoordinates;

use crate::Result;
use crate::control_mesh::ControlMesh;
use crate::recipe::EmbeddingMethod;
use crate::tetrahedralize::barycentric;
use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A};
use sinew_geometry::parallel::*;
use tetrahedron_green::TetrahedronGreen;

/// Vertices per parallel task; a granularity, without effect on results.
const VERTICES_PER_TASK: usize = 2048;

/// A mesh embedded in a control mesh.
#[derive(Debug, Clone)]
pub struct Embedding {
    interpolation: Interpolation,
    /// The rest positions of the control mesh.
    control: Vec<DVec3>,
    corners: Vec<[u32; 4]>,
    coordinates: Vec<[f32; 4]>,
    rest: Vec<Vec3A>,
    normals: Vec<Vec3A>,
    /// The affine map of each control vertex, `d + t D x`, with t the rotation factor.
    vertex_maps: Vec<(Vec3A, Mat3A)>,
}

/// The source of positions; normals always rotate with the corners.
#[derive(Debug, Clone)]
enum Interpolation {
    /// The factor of rotations: ½ or 0.
    Corners {
        rotation_factor: f32,
    },
    Green(GreenCoordinates),
    Tetrahedra(TetrahedronGreen),
}

impl Embedding {
    /// Embeds the mesh that a control mesh was built for, with its rest normals if any.
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
        let coordinate = |(corners, x): (&[u32; 4], &Vec3)| {
            clamped_barycentric(corners.map(|v| control.positions[v as usize]), x.as_dvec3())
                .map(|coordinate| coordinate as f32)
        };
        let interpolation = match method {
            EmbeddingMethod::Continuous => Interpolation::Corners { rotation_factor: 0.5 },
            EmbeddingMethod::Barycentric => Interpolation::Corners { rotation_factor: 0.0 },
            EmbeddingMethod::Green => {
                Interpolation::Green(GreenCoordinates::new(&control.positions, &control.surface, mesh)?)
            }
            EmbeddingMethod::Tetrahedra => Interpolation::Tetrahedra(TetrahedronGreen::new(control, mesh)),
        };
        Ok(Self {
            interpolation,
            coordinates: corners.iter().zip(mesh).map(coordinate).collect(),
            corners,
            control: control.positions.clone(),
            rest: mesh.iter().map(|&p| p.into()).collect(),
            normals: normals.iter().map(|&n| n.into()).collect(),
            vertex_maps: vec![(Vec3A::ZERO, Mat3A::ZERO); control.positions.len()],
        })
    }

    /// The number of mesh vertices.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether the mesh has no vertices.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Writes the mesh positions for these positions and rotations of the control mesh, and normals if the mesh has some;
    /// otherwise `normals` is unchanged.
    ///
    /// # Panics
    /// If the lists are not as long as the control mesh and the mesh.
    pub fn deform(
        &mut self,
        control_positions: &[DVec3],
        rotations: &[DMat3],
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        let rotation_factor =
            if let Interpolation::Corners { rotation_factor } = self.interpolation { rotation_factor } else { 0.0 };
        for (((part, rest), position), rotation) in
            self.vertex_maps.iter_mut().zip(&self.control).zip(control_positions).zip(rotations)
        {
            let rotation_change = *rotation - DMat3::IDENTITY;
            *part = (
                (*position - *rest - f64::from(rotation_factor) * (rotation_change * *rest)).as_vec3a(),
                Mat3A::from_cols_array(&rotation_change.to_cols_array().map(|x| x as f32)),
            );
        }
        let Self { corners, coordinates, rest, normals: rest_normals, vertex_maps, interpolation, .. } = self;
        let blended_map = |vertex: usize| {
            let [a, b, c, d] = corners[vertex].map(|v| &vertex_maps[v as usize]);
            let [p, q, r, s] = coordinates[vertex];
            (a.0 * p + b.0 * q + c.0 * r + d.0 * s, a.1 * p + b.1 * q + c.1 * r + d.1 * s)
        };
        match interpolation {
            Interpolation::Green(green) => green.deform(control_positions, positions),
            Interpolation::Tetrahedra(green) => green.deform(control_positions, positions),
            Interpolation::Corners { .. } => {
                positions.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(task, positions)| {
                    for (position, vertex) in positions.iter_mut().zip(task * VERTICES_PER_TASK..) {
                        let (shift, rotation_change) = blended_map(vertex);
                        *position =
                            (rest[vertex] + (shift + rotation_factor * (rotation_change * rest[vertex]))).into();
                    }
                })
            }
        }
        if rest_normals.is_empty() {
            return;
        }
        normals.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(task, normals)| {
            for (normal, vertex) in normals.iter_mut().zip(task * VERTICES_PER_TASK..) {
                let rotated = rest_normals[vertex] + blended_map(vertex).1 * rest_normals[vertex];
                *normal = rotated.normalize_or(rest_normals[vertex]).into();
            }
        });
    }
}

/// The barycentric coordinates of a point, clamped to the tetrahedron against rounding.
fn clamped_barycentric(corners: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let [_, p, q, r] =
        barycentric(corners, x).map(|coordinate| if coordinate.is_finite() { coordinate.clamp(0.0, 1.0) } else { 0.0 });
    [(1.0 - p - q - r).max(0.0), p, q, r]
}
