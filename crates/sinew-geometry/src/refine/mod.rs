//! Local subdivision: a surface is refined only where it has to be [R09 §4.3].
//!
//! Some faces are *selected*. A selected quad becomes four quads by the rules of Catmull and Clark, a
//! selected triangle four triangles by those of Loop; faces beside them are closed by patterns
//! (`closing`), so that there are no hanging vertices and a closed surface stays closed. A face whose edges
//! are all split counts as selected. With `a b` the ends of an edge and n the valence:
//!
//! | point | in the middle of selected faces | elsewhere |
//! |---|---|---|
//! | face | mean of its corners | the same |
//! | edge | ⅜ (a + b) + ⅛ of the mean of the far corners on either side | ½ (a + b) |
//! | vertex, quads | `(F + 2R + (n − 3) p)/n` [Catmull and Clark 1978] | stays |
//! | vertex, triangles | `(1 − nβ) p + β Σ neighbours`, β = 3/(8n), or 3/16 for n = 3 [Warren 1995] | stays |
//!
//! The rule for edges is Loop's between triangles and Catmull and Clark's between quads, and takes half of
//! either between one and the other, as in [Stam and Loop 2003]. Both rules for vertices are sums over the
//! faces around with `1/n` of the whole for each, so a vertex between triangles and quads takes from each
//! face what its rule gives. Whatever touches an unselected face stays, so that what lies beyond is
//! untouched; borders stay too, since another surface may lie against them.
//!
//! Everything is linear, an [`InterpolationMatrix`] over the old vertices. Cost: linear in the edges of the region
//! and, with a small factor, in the faces of the surface.

mod closing;
pub mod seams;

use super::Face;
use super::edges::{Edges, Star};
use super::interpolation::{InterpolationMatrix, MatrixBuilder, RowBuilder};
use closing::Rim;
use std::ops::Range;

/// The location of an added vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The middle of the edge between these vertices.
    Edge(u32, u32),
    /// The middle of this face.
    Face(u32),
}

/// One step of local subdivision. Its vertices are the old ones in their order, then one for each face
/// that got a point in its middle, then one for each split edge.
#[derive(Debug, Clone)]
pub struct LocalStep {
    faces: Vec<Face>,
    children: Vec<u32>,
    origins: Vec<Origin>,
    interpolation: InterpolationMatrix,
}

/// Splits the selected faces of a welded surface, and their neighbours as needed.
///
/// The corners of each face are different and below `vertices`; `selected` has an entry for each face.
///
/// ```
/// use sinew_geometry::{Face, refine::local_step};
///
/// let strip = [Face::quad(0, 1, 4, 3), Face::quad(1, 2, 5, 4)];
/// let step = local_step(6, &strip, &[true, false]);
/// // Four quads, and three triangles that close the neighbour.
/// assert_eq!((step.children(0), step.children(1)), (0..4, 4..7));
/// ```
pub fn local_step(vertices: usize, faces: &[Face], selected: &[bool]) -> LocalStep {
    let region = Region::new(vertices, faces, selected);
    let (refined, children) = region.close(faces);
    LocalStep { faces: refined, children, origins: region.origins(), interpolation: region.interpolation(vertices) }
}

impl LocalStep {
    /// The refined faces: the children of a face stand together, in the order of the faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The faces that replace a face; the face itself, if nothing around it was selected.
    pub fn children(&self, face: usize) -> Range<usize> {
        self.children[face] as usize..self.children[face + 1] as usize
    }

    /// The location of each of the vertices after the old ones.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The share of every old vertex in every vertex.
    pub fn interpolation(&self) -> &InterpolationMatrix {
        &self.interpolation
    }
}

/// The selected faces and all that touch them. Beyond it nothing changes.
struct Region {
    /// Its faces among those of the surface, in increasing order.
    numbers: Vec<u32>,
    faces: Vec<Face>,
    edges: Edges,
    /// The edges that get a point.
    split: Vec<u32>,
    rims: Vec<Rim>,
    /// The faces that get a point in their middle.
    centered: Vec<u32>,
    first_center: u32,
}

impl Region {
    fn new(vertices: usize, faces: &[Face], selected: &[bool]) -> Self {
        let mut is_touched = vec![false; vertices];
        let selected_faces = faces.iter().zip(selected).filter(|(_, selected)| **selected);
        selected_faces.flat_map(|(face, _)| face.corners()).for_each(|&v| is_touched[v as usize] = true);
        let touches = |face: &Face| face.corners().iter().any(|&v| is_touched[v as usize]);
        let numbers: Vec<u32> = (0..faces.len() as u32).filter(|&face| touches(&faces[face as usize])).collect();
        let faces: Vec<Face> = numbers.iter().map(|&face| faces[face as usize]).collect();

        let edges = Edges::new(&faces);
        let is_selected = |&face: &u32| selected[numbers[face as usize] as usize];
        let is_split = |&edge: &u32| edges.beside[edge as usize].iter().any(is_selected);
        let split: Vec<u32> = (0..edges.ends.len() as u32).filter(is_split).collect();

        // Numbered from 0 until it is known how many faces have a point in their middle.
        let mut point_of_edge = vec![None; edges.ends.len()];
        split.iter().zip(0..).for_each(|(&edge, number)| point_of_edge[edge as usize] = Some(number));
        let rim = |(face, around): (&Face, &[u32; 4])| Rim {
            face: *face,
            points: around.map(|edge| point_of_edge.get(edge as usize).copied().flatten()),
        };
        let mut rims: Vec<Rim> = faces.iter().zip(&edges.of_face).map(rim).collect();
        let centered: Vec<u32> = (0..faces.len() as u32).filter(|&face| rims[face as usize].needs_center()).collect();
        let first_edge_point = (vertices + centered.len()) as u32;
        rims.iter_mut().flat_map(|rim| rim.points.iter_mut().flatten()).for_each(|point| *point += first_edge_point);
        Self { numbers, faces, edges, split, rims, centered, first_center: vertices as u32 }
    }

    /// All faces of the surface, those of the region split and closed; and where each one's children
    /// begin, and the last one's end.
    fn close(&self, faces: &[Face]) -> (Vec<Face>, Vec<u32>) {
        let mut children = Vec::with_capacity(faces.len() + 1);
        let mut refined = Vec::with_capacity(faces.len() + 2 * self.split.len());
        let mut rims = self.numbers.iter().zip(&self.rims).peekable();
        let mut center = self.first_center;
        children.push(0);
        for (number, face) in (0..).zip(faces) {
            match rims.next_if(|(next, _)| **next == number) {
                Some((_, rim)) => {
                    rim.close(center, &mut refined);
                    center += u32::from(rim.needs_center());
                }
                None => refined.push(*face),
            }
            children.push(refined.len() as u32);
        }
        (refined, children)
    }

    fn origins(&self) -> Vec<Origin> {
        let in_face = |&face: &u32| Origin::Face(self.numbers[face as usize]);
        let in_edge = |&edge: &u32| {
            let (a, b) = self.edges.ends[edge as usize];
            Origin::Edge(a, b)
        };
        self.centered.iter().map(in_face).chain(self.split.iter().map(in_edge)).collect()
    }

    fn interpolation(&self, vertices: usize) -> InterpolationMatrix {
        let mut rows = MatrixBuilder::with_capacity(vertices + self.centered.len() + self.split.len());
        for star in self.edges.stars(vertices, &self.faces) {
            rows.push(|row| self.vertex_point(&star, row));
        }
        for &face in &self.centered {
            rows.push(|row| row.centroid(&self.faces[face as usize], 1.0));
        }
        for &edge in &self.split {
            rows.push(|row| self.edge_point(edge, row));
        }
        rows.finish()
    }

    /// Whether an edge has a split face on either side.
    fn is_inside(&self, edge: u32) -> bool {
        let beside = &self.edges.beside[edge as usize];
        beside.len() == 2 && beside.iter().all(|&face| self.rims[face as usize].is_whole())
    }

    fn edge_point(&self, edge: u32, row: &mut RowBuilder<'_>) {
        let (a, b) = self.edges.ends[edge as usize];
        let inside = self.is_inside(edge);
        let end_share = if inside { 0.25 } else { 0.5 };
        row.add(a, end_share);
        row.add(b, end_share);
        if !inside {
            return;
        }
        for face in self.edges.beside[edge as usize].iter().map(|&face| &self.faces[face as usize]) {
            // A quarter of a quad's centroid is a sixteenth of each corner: ⅛ of the far corners' mean
            // and, with the quarters above, ⅜ of the ends in all.
            if face.is_quad() {
                row.centroid(face, 0.25);
            } else {
                face.corners().iter().for_each(|&v| row.add(v, if v == a || v == b { 0.0625 } else { 0.125 }));
            }
        }
    }

    fn vertex_point(&self, star: &Star, row: &mut RowBuilder<'_>) {
        if star.edges.is_empty() || !star.edges.iter().all(|&edge| self.is_inside(edge)) {
            row.add(star.vertex, 1.0);
        } else if star.faces.iter().all(|&face| self.faces[face as usize].is_quad()) {
            star.vertex_point(&self.faces, &self.edges, row);
        } else {
            star.faces.iter().for_each(|&face| wedge(star, &self.faces[face as usize], row));
        }
    }
}

/// The contribution of one of the n faces around a vertex to its new position: `1/n` in all.
fn wedge(star: &Star, face: &Face, row: &mut RowBuilder<'_>) {
    let n = star.edges.len() as f64;
    let corners = face.corners();
    let at = corners.iter().position(|&v| v == star.vertex).unwrap_or(0);
    let corner = |k: usize| corners[(at + k) % corners.len()];
    let (neighbour, far) =
        if face.is_quad() { (0.75 / (n * n), 0.25 / (n * n)) } else { (0.5 * loop_beta(star.edges.len()), 0.0) };
    row.add(star.vertex, 1.0 / n - 2.0 * neighbour - far);
    row.add(corner(1), neighbour);
    row.add(corner(corners.len() - 1), neighbour);
    if face.is_quad() {
        row.add(corner(2), far);
    }
}

/// A neighbour's share in a vertex between n triangles.
fn loop_beta(n: usize) -> f64 {
    if n == 3 { 3.0 / 16.0 } else { 3.0 / (8.0 * n as f64) }
}
