//! A character's meshes at rest in world space.
//!
//! `p = Σ wⱼ Mⱼ inverse_bindⱼ p̄` with the joints at rest. For most skins `Mⱼ inverse_bindⱼ` is the same transform for
//! all joints; otherwise each vertex has its own.

use crate::{Character, Influence, Part};
use glam::{DAffine3, DMat3, DVec3, Vec3, Vec4};
use sinew_geometry::{Face, Mesh, MorphTarget};
use std::ops::Range;

/// A part in world space.
#[derive(Debug, Clone)]
pub struct WorldSurface {
    /// The positions of its vertices.
    pub positions: Vec<Vec3>,
    /// Its faces, counter-clockwise seen from outside.
    pub faces: Vec<Face>,
}

/// Each part, with the base pose's morph weights.
pub fn world_surfaces(character: &Character) -> Vec<WorldSurface> {
    let world = character.skeleton.rest_world();
    let surface = |(part, morphs): (&Part, Range<usize>)| {
        let matrices = matrices(part, &world);
        let rest = part.rest_positions(&character.base_pose.morphs[morphs]);
        WorldSurface {
            positions: rest.iter().zip(&matrices).map(|(&p, matrix)| matrix.transform_point3(p).as_vec3()).collect(),
            faces: world_faces(part, &matrices).collect(),
        }
    };
    character.parts.iter().zip(character.morph_ranges()).map(surface).collect()
}

/// Several surfaces as one.
pub fn joined<'a>(surfaces: impl Iterator<Item = (&'a [Vec3], &'a [Face])>) -> (Vec<Vec3>, Vec<Face>) {
    let (mut all_positions, mut all_faces) = (Vec::new(), Vec::new());
    for (positions, faces) in surfaces {
        let first = all_positions.len() as u32;
        all_positions.extend_from_slice(positions);
        all_faces.extend(faces.iter().map(|face| face.map(|v| v + first)));
    }
    (all_positions, all_faces)
}

/// For each part its mesh in world space.
pub fn world_meshes(character: &Character) -> Vec<Mesh> {
    let world = character.skeleton.rest_world();
    character.parts.iter().map(|part| world_mesh(part, &matrices(part, &world))).collect()
}

fn world_mesh(part: &Part, matrices: &[DAffine3]) -> Mesh {
    let mut mesh = part.mesh.clone();
    mesh.faces = world_faces(part, matrices).collect();
    place(&mut mesh.positions, matrices, |matrix, p| matrix.transform_point3(p).as_vec3());
    place(&mut mesh.normals, matrices, |matrix, n| direction(normal_matrix(matrix.matrix3) * n, n));
    for (tangent, matrix) in mesh.tangents.iter_mut().zip(matrices) {
        let along = tangent.truncate().as_dvec3();
        let sign = if is_mirrored(part, matrices) { -tangent.w } else { tangent.w };
        *tangent = Vec4::from((direction(matrix.matrix3 * along, along), sign));
    }
    for MorphTarget { positions, normals, tangents, .. } in &mut mesh.morphs {
        place(positions, matrices, |matrix, change| (matrix.matrix3 * change).as_vec3());
        place(tangents, matrices, |matrix, change| (turn(matrix.matrix3) * change).as_vec3());
        place(normals, matrices, |matrix, change| (turn(normal_matrix(matrix.matrix3)) * change).as_vec3());
    }
    mesh
}

/// The faces, counter-clockwise seen from outside in the world.
fn world_faces(part: &Part, matrices: &[DAffine3]) -> impl Iterator<Item = Face> {
    let turns = is_mirrored(part, matrices);
    part.mesh.faces.iter().map(move |face| if turns { face.reversed() } else { *face })
}

/// Whether the faces of a part are drawn with reversed orientation: a rigid part on a mirrored node. A skinned part
/// does not follow its node.
fn is_mirrored(part: &Part, matrices: &[DAffine3]) -> bool {
    !part.skinned && matrices.first().is_some_and(|m| m.matrix3.determinant() < 0.0)
}

/// The transform of each vertex from the mesh's space to the world.
fn matrices(part: &Part, world: &[DAffine3]) -> Vec<DAffine3> {
    let binding = &part.binding;
    let slots: Vec<DAffine3> =
        binding.joints.iter().zip(&binding.inverse_bind).map(|(&joint, bind)| world[joint] * *bind).collect();
    let blend = |row: &[Influence]| match row {
        [only] => slots[only.joint as usize],
        row => {
            let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
            row.iter().fold(DAffine3::ZERO, |blend, i| {
                let (slot, share) = (&slots[i.joint as usize], f64::from(i.weight) / sum);
                DAffine3 {
                    matrix3: blend.matrix3 + slot.matrix3 * share,
                    translation: blend.translation + slot.translation * share,
                }
            })
        }
    };
    binding.weights.rows().map(blend).collect()
}

fn place(list: &mut [Vec3], matrices: &[DAffine3], to_world: impl Fn(&DAffine3, DVec3) -> Vec3) {
    list.iter_mut().zip(matrices).for_each(|(vector, matrix)| *vector = to_world(matrix, vector.as_dvec3()));
}

fn direction(vector: DVec3, otherwise: DVec3) -> Vec3 {
    vector.normalize_or(otherwise).as_vec3()
}

/// The transform of normals: the cofactors, with the sign that leaves normals on their side of the surface.
fn normal_matrix(m: DMat3) -> DMat3 {
    let cofactors = DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.determinant() < 0.0 { -cofactors } else { cofactors }
}

/// The matrix without its scale.
fn turn(m: DMat3) -> DMat3 {
    let size = m.determinant().abs().cbrt();
    if size > 0.0 { m * (1.0 / size) } else { m }
}
