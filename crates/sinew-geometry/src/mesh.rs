//! A surface as files hold it: vertices with attributes, triangles and quads, primitives with a
//! material each.

use super::{Face, Topology};
use crate::{Error, Result};
use glam::{Vec3, Vec4};
use std::ops::Range;

/// A named per-vertex attribute that Sinew carries along: texture coordinates, colours, painted maps.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name in glTF's terms: `TEXCOORD_0`, `COLOR_0`, `_GAMMA`.
    pub name: String,
    /// Numbers per vertex, 1 to 4.
    pub width: usize,
    /// `width` numbers for each vertex.
    pub values: Vec<f32>,
}

/// A shape that is added to the rest surface in proportion to its weight, before skinning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MorphTarget {
    /// Its name, possibly empty.
    pub name: String,
    /// Displacement of each vertex.
    pub positions: Vec<Vec3>,
    /// Change of each normal; empty if the file has none.
    pub normals: Vec<Vec3>,
    /// Change of each tangent's direction; empty if the file has none.
    pub tangents: Vec<Vec3>,
}

/// A run of vertices and faces that share a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Primitive {
    /// Its vertices in the mesh.
    pub vertices: Range<usize>,
    /// Its faces in the mesh.
    pub faces: Range<usize>,
    /// Index of its material in the file it came from.
    pub material: Option<usize>,
}

/// A surface in its rest shape.
///
/// `normals` and `tangents` are empty or as long as `positions`; the primitives cover the file's own
/// vertices and the faces in order and without gaps. Vertices that refinement added come after the file's
/// own and belong to whichever primitive has a face with them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Its name, possibly empty.
    pub name: String,
    /// Rest positions.
    pub positions: Vec<Vec3>,
    /// Unit normals; empty until [`Mesh::compute_normals`] if the file has none.
    pub normals: Vec<Vec3>,
    /// Tangents with the sign of the bitangent in `w`; may be empty.
    pub tangents: Vec<Vec4>,
    /// Triangles and quads.
    pub faces: Vec<Face>,
    /// Runs by material.
    pub primitives: Vec<Primitive>,
    /// Everything else that belongs to a vertex.
    pub attributes: Vec<Attribute>,
    /// Shapes to blend in before skinning.
    pub morphs: Vec<MorphTarget>,
    /// The file's vertex that each vertex is a copy of, where the file gives several texture coordinates, colours or
    /// materials to one vertex; empty where every vertex is the file's. Each of the file's vertices has a copy.
    pub file_vertices: Vec<u32>,
    /// How many of the vertices, the last ones, are not the file's but were added by refinement.
    pub added_vertices: usize,
}

impl Mesh {
    /// A mesh of one primitive with neither normals nor attributes.
    pub fn new(name: impl Into<String>, positions: Vec<Vec3>, faces: Vec<Face>) -> Self {
        let primitives = vec![Primitive { vertices: 0..positions.len(), faces: 0..faces.len(), material: None }];
        Self { name: name.into(), positions, faces, primitives, ..Self::default() }
    }

    /// Number of vertices that are the file's own or copies of them; they come first.
    pub fn own_vertices(&self) -> usize {
        self.positions.len().saturating_sub(self.added_vertices)
    }

    /// The file's vertex that an own vertex is or is a copy of.
    pub fn file_vertex(&self, vertex: usize) -> usize {
        self.file_vertices.get(vertex).map_or(vertex, |&v| v as usize)
    }

    /// The first copy of each of the file's vertices.
    pub fn first_copies(&self) -> Vec<usize> {
        if self.file_vertices.is_empty() {
            return (0..self.own_vertices()).collect();
        }
        let count = self.file_vertices.iter().max().map_or(0, |&last| last as usize + 1);
        let mut first = vec![0; count];
        for (vertex, &copied) in self.file_vertices.iter().enumerate().rev() {
            first[copied as usize] = vertex;
        }
        first
    }

    /// Number of triangles among the faces.
    pub fn triangle_count(&self) -> usize {
        self.faces.len() - self.quad_count()
    }

    /// Number of quads among the faces.
    pub fn quad_count(&self) -> usize {
        self.faces.iter().filter(|f| f.is_quad()).count()
    }

    /// Sets the normals to the area-weighted mean of the faces around each *position*, so that the
    /// copies of a vertex at a seam get the same normal and no edge shows.
    pub fn compute_normals(&mut self, topology: &Topology) {
        self.normals = self.face_normals(topology);
    }

    /// The normals of [`Mesh::compute_normals`].
    pub fn face_normals(&self, topology: &Topology) -> Vec<Vec3> {
        self.mean_normals(topology.welded_count(), |vertex| topology.welded(vertex))
    }

    /// The area-weighted mean of the faces around each of `count` places, at the vertices that lie there.
    pub fn mean_normals(&self, count: usize, place: impl Fn(usize) -> usize) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; count];
        for face in &self.faces {
            let vector = self.vector_area(face);
            for &corner in face.corners() {
                sums[place(corner as usize)] += vector;
            }
        }
        (0..self.positions.len()).map(|vertex| sums[place(vertex)].normalize_or(Vec3::Y)).collect()
    }

    /// Area times normal of a face: half the cross product of its diagonals, which for a triangle
    /// `a b c` (its fourth corner being `a` again) is half the cross product of two sides.
    fn vector_area(&self, face: &Face) -> Vec3 {
        let p = |k: usize| self.positions[face.corners()[k] as usize];
        let last = if face.is_quad() { p(3) } else { p(0) };
        0.5 * (p(2) - p(0)).cross(last - p(1))
    }

    /// Checks that lengths agree, faces are in range and every number is finite.
    pub fn check(&self) -> Result<()> {
        let count = self.positions.len();
        let length = |what: &str, found, expected| Error::check_len(&self.name, what, found, expected);
        let finite = |what: &'static str, bad: Option<usize>| match bad {
            Some(vertex) => Err(Error::VertexNotFinite { mesh: self.name.clone(), what, vertex }),
            None => Ok(()),
        };
        finite("the position", self.positions.iter().position(|p| !p.is_finite()))?;
        if !self.normals.is_empty() {
            length("the list of normals", self.normals.len(), count)?;
            finite("the normal", self.normals.iter().position(|n| !n.is_finite()))?;
        }
        if !self.tangents.is_empty() {
            length("the list of tangents", self.tangents.len(), count)?;
            finite("the tangent", self.tangents.iter().position(|t| !t.is_finite()))?;
        }
        for attribute in &self.attributes {
            length(&attribute.name, attribute.values.len(), count * attribute.width)?;
        }
        for morph in &self.morphs {
            length(&format!("morph target \"{}\"", morph.name), morph.positions.len(), count)?;
            finite("a morph target", morph.positions.iter().position(|p| !p.is_finite()))?;
            for (what, list) in [("normals", &morph.normals), ("tangents", &morph.tangents)] {
                if !list.is_empty() {
                    length(&format!("the {what} of morph target \"{}\"", morph.name), list.len(), count)?;
                    finite("a morph target", list.iter().position(|p| !p.is_finite()))?;
                }
            }
        }
        for (index, face) in self.faces.iter().enumerate() {
            if let Some(&vertex) = face.corners().iter().find(|&&v| v as usize >= count) {
                return Err(Error::FaceOutOfRange { mesh: self.name.clone(), face: index, vertex, count });
            }
        }
        if !self.file_vertices.is_empty() {
            length("the list of the file's vertices", self.file_vertices.len(), self.own_vertices())?;
            let mut distinct = self.file_vertices.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let count = distinct.last().map_or(0, |&last| last as usize + 1);
            length("the list of the file's vertices that have a copy", distinct.len(), count)?;
        }
        let (mut vertices, mut faces) = (0, 0);
        for primitive in &self.primitives {
            length("the primitives' vertices", primitive.vertices.start, vertices)?;
            length("the primitives' faces", primitive.faces.start, faces)?;
            (vertices, faces) = (primitive.vertices.end, primitive.faces.end);
        }
        length("the primitives' vertices", vertices, self.own_vertices())?;
        length("the primitives' faces", faces, self.faces.len())
    }
}
