//! Vertices from corners.
//!
//! FBX and OBJ give materials to faces, and normals, texture coordinates and colours to the *corners* of faces; a vertex
//! of Sinew has one value of each. A vertex of the file whose corners disagree becomes several at one place, and
//! [`Mesh::file_vertices`] remembers the file's.
//!
//! [`Mesh::file_vertices`]: sinew::geometry::Mesh::file_vertices

use glam::Vec3;
use sinew::geometry::{Face, Primitive};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Vertices with one value at all their corners, in runs by material.
#[derive(Debug, PartialEq)]
pub(crate) struct Split {
    /// The file's vertex of each vertex.
    pub file_vertices: Vec<u32>,
    /// A corner that each vertex has its values from; none for a vertex without a face.
    pub corners: Vec<Option<u32>>,
    /// The faces, sorted by material.
    pub faces: Vec<Face>,
    /// A run for each material.
    pub primitives: Vec<Primitive>,
}

impl Split {
    /// Splits `vertices` vertices of a file at the corners of its faces: two corners of a vertex stay one where their
    /// `value` is equal and the faces' materials are the same. `faces` name corners.
    pub fn new<Value: Eq + Hash>(
        vertices: usize,
        faces: &[Face],
        materials: &[Option<usize>],
        vertex: impl Fn(u32) -> u32,
        value: impl Fn(u32) -> Value,
    ) -> Self {
        let ranks = material_ranks(faces, materials, &vertex);
        let rank = |face: usize| ranks.get(&materials[face]).map_or(0, |rank| rank.1);
        let mut order: Vec<usize> = (0..faces.len()).collect();
        order.sort_by_key(|&face| rank(face));

        let mut copies = HashMap::new();
        let mut found: Vec<SplitVertex> = Vec::with_capacity(vertices);
        let mut has_face = vec![None; vertices];
        for &face in &order {
            for &corner in faces[face].corners() {
                let (rank, vertex) = (rank(face), vertex(corner));
                copies.entry((rank, vertex, value(corner))).or_insert_with(|| {
                    found.push(SplitVertex { rank, vertex, corner: Some(corner) });
                    has_face[vertex as usize] = Some(rank);
                    found.len() - 1
                });
            }
        }
        // A vertex without a face joins the one before it.
        let mut before = 0;
        for (vertex, rank) in has_face.iter().enumerate() {
            match rank {
                Some(rank) => before = *rank,
                None => found.push(SplitVertex { rank: before, vertex: vertex as u32, corner: None }),
            }
        }
        let mut sorted: Vec<usize> = (0..found.len()).collect();
        sorted.sort_by_key(|&copy| (found[copy].rank, found[copy].vertex));
        let mut place = vec![0; found.len()];
        for (at, &copy) in sorted.iter().enumerate() {
            place[copy] = at as u32;
        }

        let of_vertices: Vec<usize> = sorted.iter().map(|&copy| found[copy].rank).collect();
        let of_faces: Vec<usize> = order.iter().map(|&face| rank(face)).collect();
        let split_face =
            |&face: &usize| faces[face].map(|corner| place[copies[&(rank(face), vertex(corner), value(corner))]]);
        Self {
            file_vertices: sorted.iter().map(|&copy| found[copy].vertex).collect(),
            corners: sorted.iter().map(|&copy| found[copy].corner).collect(),
            faces: order.iter().map(split_face).collect(),
            primitives: primitives(&ranks, &of_vertices, &of_faces),
        }
    }

    /// What the mesh remembers of the file's vertices: nothing where they are its own.
    pub fn remembered(&self) -> Vec<u32> {
        let is_own = self.file_vertices.iter().enumerate().all(|(vertex, &copied)| vertex == copied as usize);
        if is_own { Vec::new() } else { self.file_vertices.clone() }
    }

    /// An attribute from its values at corners, `otherwise` where there is none.
    pub fn attribute<const N: usize>(&self, value: impl Fn(u32) -> Option<[f32; N]>, otherwise: [f32; N]) -> Vec<f32> {
        self.corners.iter().flat_map(|corner| corner.and_then(&value).unwrap_or(otherwise)).collect()
    }

    /// A list that has a value for each of the file's vertices.
    pub fn gather<Value: Copy>(&self, of_file: &[Value]) -> Vec<Value> {
        self.file_vertices.iter().map(|&vertex| of_file[vertex as usize]).collect()
    }
}

/// One of the vertices that a vertex of the file becomes.
struct SplitVertex {
    rank: usize,
    vertex: u32,
    corner: Option<u32>,
}

/// The first vertex of each material, and the material's rank by it.
fn material_ranks(
    faces: &[Face],
    materials: &[Option<usize>],
    vertex: impl Fn(u32) -> u32,
) -> BTreeMap<Option<usize>, (u32, usize)> {
    let mut ranks: BTreeMap<Option<usize>, (u32, usize)> = BTreeMap::new();
    for (face, &material) in faces.iter().zip(materials) {
        let lowest = face.corners().iter().map(|&corner| vertex(corner)).min().unwrap_or(0);
        let first = &mut ranks.entry(material).or_insert((u32::MAX, 0)).0;
        *first = lowest.min(*first);
    }
    let mut by_vertex: Vec<_> = ranks.iter_mut().map(|(material, (first, rank))| (*first, *material, rank)).collect();
    by_vertex.sort_by_key(|(first, material, _)| (*first, *material));
    for (at, (_, _, rank)) in by_vertex.into_iter().enumerate() {
        *rank = at;
    }
    ranks
}

/// A primitive for each rank, from the ranks of vertices and faces in their order; one at least.
fn primitives(
    ranks: &BTreeMap<Option<usize>, (u32, usize)>,
    of_vertices: &[usize],
    of_faces: &[usize],
) -> Vec<Primitive> {
    let mut materials = vec![None; ranks.len().max(1)];
    for (&material, &(_, rank)) in ranks {
        materials[rank] = material;
    }
    let run =
        |ranks: &[usize], rank: usize| ranks.partition_point(|&r| r < rank)..ranks.partition_point(|&r| r <= rank);
    let primitive =
        |(rank, material)| Primitive { vertices: run(of_vertices, rank), faces: run(of_faces, rank), material };
    materials.into_iter().enumerate().map(primitive).collect()
}

/// The mean direction of the corners' normals at each vertex of the file; up where there is none. So a hard edge does
/// not split vertices.
pub(crate) fn mean_normals(vertices: usize, corners: impl Iterator<Item = (usize, Vec3)>) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices];
    for (vertex, normal) in corners {
        sums[vertex] += normal.normalize_or_zero();
    }
    sums.iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Corners that are numbered as they come, with a vertex and a value each.
    fn split(vertices: usize, faces: &[[(u32, u8); 3]], materials: &[Option<usize>]) -> Split {
        let corners: Vec<(u32, u8)> = faces.iter().flatten().copied().collect();
        let named: Vec<Face> = (0..faces.len() as u32).map(|f| Face::triangle(3 * f, 3 * f + 1, 3 * f + 2)).collect();
        Split::new(vertices, &named, materials, |c| corners[c as usize].0, |c| corners[c as usize].1)
    }

    #[test]
    fn separate_materials_become_primitives_and_keep_the_order() {
        let faces = [[(4, 0), (5, 0), (6, 0)], [(0, 0), (1, 0), (2, 0)], [(4, 0), (6, 0), (7, 0)]];
        let split = split(9, &faces, &[Some(0), Some(1), Some(0)]);
        assert!(split.remembered().is_empty());
        let first = Primitive { vertices: 0..4, faces: 0..1, material: Some(1) };
        assert_eq!(split.primitives, [first, Primitive { vertices: 4..9, faces: 1..3, material: Some(0) }]);
        assert_eq!(split.faces[0], Face::triangle(0, 1, 2));
    }

    #[test]
    fn vertices_that_materials_share_are_split() {
        let faces = [[(0, 0), (1, 0), (2, 0)], [(2, 0), (1, 0), (3, 0)], [(1, 0), (4, 0), (3, 0)]];
        let split = split(5, &faces, &[Some(0), Some(1), Some(1)]);
        assert_eq!(split.file_vertices, [0, 1, 2, 1, 2, 3, 4]);
        let first = Primitive { vertices: 0..3, faces: 0..1, material: Some(0) };
        assert_eq!(split.primitives, [first, Primitive { vertices: 3..7, faces: 1..3, material: Some(1) }]);
        assert_eq!(split.faces[1], Face::triangle(4, 3, 5));
    }

    #[test]
    fn a_mesh_without_faces_is_one_primitive() {
        let split = split(3, &[], &[]);
        assert_eq!(split.primitives, [Primitive { vertices: 0..3, faces: 0..0, material: None }]);
        assert_eq!(split.corners, [None; 3]);
    }

    proptest! {
        /// Every corner keeps its vertex, its value and its material; every vertex of the file has a copy, and no copy
        /// more than its corners differ.
        #[test]
        fn corners_keep_what_they_have(
            faces in prop::collection::vec(([(0u32..6, 0u8..3), (0u32..6, 0u8..3), (0u32..6, 0u8..3)], prop::option::of(0usize..3)), 0..12),
        ) {
            let (corners, materials): (Vec<_>, Vec<_>) = faces.into_iter().unzip();
            let split = split(6, &corners, &materials);
            let flat: Vec<(u32, u8)> = corners.iter().flatten().copied().collect();
            let of = |vertex: u32| split.corners[vertex as usize].map(|corner| flat[corner as usize]);
            let mut seen = Vec::new();
            for primitive in &split.primitives {
                for face in &split.faces[primitive.faces.clone()] {
                    let [a, b, c] = [0, 1, 2].map(|k| face.corners()[k]);
                    prop_assert!([a, b, c].iter().all(|&v| primitive.vertices.contains(&(v as usize))));
                    seen.push((primitive.material, [a, b, c].map(|v| of(v).unwrap())));
                }
            }
            let mut expected: Vec<_> = materials.iter().copied().zip(corners.iter().copied()).collect();
            expected.sort();
            seen.sort();
            prop_assert_eq!(seen, expected);
            let mut distinct: Vec<_> = materials.iter().zip(&corners).flat_map(|(m, face)| face.map(|c| (*m, c))).collect();
            distinct.sort();
            distinct.dedup();
            let loose = (0..6).filter(|&v| flat.iter().all(|&(vertex, _)| vertex != v)).count();
            prop_assert_eq!(split.file_vertices.len(), distinct.len() + loose);
            prop_assert!((0..6).all(|v| split.file_vertices.contains(&v)));
            prop_assert_eq!(split.primitives.last().unwrap().vertices.end, split.file_vertices.len());
        }
    }
}
