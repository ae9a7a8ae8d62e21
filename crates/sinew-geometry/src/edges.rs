//! The edges of a surface, and the edges and faces around its vertices.

use super::Face;
use std::collections::HashMap;

/// The edges of a surface, numbered by first appearance.
pub(super) struct Edges {
    pub ends: Vec<(u32, u32)>,
    /// The faces at each edge, first come first.
    pub beside: Vec<Vec<u32>>,
    /// The edge from each corner of a face to the next.
    pub of_face: Vec<[u32; 4]>,
}

impl Edges {
    pub fn new(faces: &[Face]) -> Self {
        let mut numbers = HashMap::with_capacity(2 * faces.len());
        let mut edges = Self { ends: Vec::new(), beside: Vec::new(), of_face: Vec::with_capacity(faces.len()) };
        for (index, face) in faces.iter().enumerate() {
            let mut around = [u32::MAX; 4];
            for (slot, (a, b)) in around.iter_mut().zip(face.edges()) {
                let ends = (a.min(b), a.max(b));
                *slot = *numbers.entry(ends).or_insert_with(|| {
                    edges.ends.push(ends);
                    edges.beside.push(Vec::with_capacity(2));
                    edges.ends.len() as u32 - 1
                });
                edges.beside[*slot as usize].push(index as u32);
            }
            edges.of_face.push(around);
        }
        edges
    }

    /// What lies around each vertex.
    pub fn stars(&self, vertices: usize, faces: &[Face]) -> Vec<Star> {
        let mut stars: Vec<Star> = (0..vertices as u32).map(|vertex| Star { vertex, ..Star::default() }).collect();
        for (edge, &(a, b)) in self.ends.iter().enumerate() {
            stars[a as usize].edges.push(edge as u32);
            stars[b as usize].edges.push(edge as u32);
        }
        for (index, face) in faces.iter().enumerate() {
            face.corners().iter().for_each(|&v| stars[v as usize].faces.push(index as u32));
        }
        stars
    }
}

/// The edges and faces around a vertex.
#[derive(Default)]
pub(super) struct Star {
    pub vertex: u32,
    pub edges: Vec<u32>,
    pub faces: Vec<u32>,
}
