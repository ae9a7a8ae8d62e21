//! The Delaunay tetrahedra inside a cage.
//!
//! A tetrahedron is inside if the winding number of its centroid is at least ½ or if it contains a vertex of the mesh.
//! Edges and faces of the cage that the Delaunay tetrahedra lack are split at midpoints, and so are edges between bones.

use super::cavity::tetrahedron_edges;
use super::delaunay::Delaunay;
use glam::DVec3;
use sinew_geometry::Winding;
use sinew_geometry::parallel::*;
use std::collections::{HashMap, HashSet};

/// The least distance of a split point from other vertices, relative to the length of the split edge. Not tuned.
const MIN_SPLIT_CLEARANCE: f64 = 0.2;

/// The points to tetrahedralize and the surface among them.
pub(crate) struct PointSet {
    pub positions: Vec<DVec3>,
    pub surface: Vec<[u32; 3]>,
    /// Vertices that may move.
    pub free: HashSet<u32>,
    /// Vertices on bones, and the edges along bones.
    pub bone_vertices: HashSet<u32>,
    pub bone_edges: HashSet<(u32, u32)>,
}

impl PointSet {
    /// Splits edges where the tetrahedra do not conform. Returns whether any was split.
    pub fn refine(&mut self, complex: &DelaunayComplex, winding: &Winding) -> bool {
        let is_split = self.split(complex);
        self.split_bone_edges(complex, |point: DVec3| winding.number(point) >= 0.5) | is_split
    }

    /// Splits the surface edges that are not edges of tetrahedra, and the longest edge of every surface triangle that is
    /// not a face.
    fn split(&mut self, complex: &DelaunayComplex) -> bool {
        let mut split_edges = HashSet::new();
        for &triangle in &self.surface {
            let [a, b, c] = triangle;
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)));
            let missing = sides.iter().filter(|side| !complex.edges.contains(side));
            let previous_count = split_edges.len();
            split_edges.extend(missing.copied());
            if split_edges.len() == previous_count && !complex.faces.contains(&sorted(triangle)) {
                let length =
                    |&(a, b): &(u32, u32)| self.positions[a as usize].distance_squared(self.positions[b as usize]);
                split_edges.extend(sides.into_iter().max_by(|a, b| length(a).total_cmp(&length(b)).then(b.cmp(a))));
            }
        }
        let mut split_edges: Vec<(u32, u32)> = split_edges.into_iter().collect();
        split_edges.sort_unstable();
        let mut midpoints = HashMap::new();
        for &(a, b) in &split_edges {
            midpoints.insert((a, b), self.positions.len() as u32);
            self.positions.push(self.positions[a as usize].midpoint(self.positions[b as usize]));
        }
        self.surface =
            std::mem::take(&mut self.surface).into_iter().flat_map(|t| split_triangle(t, &midpoints)).collect();
        !split_edges.is_empty()
    }

    /// Splits the edges between bones. A face with three corners on bones has no free vertex: a pose that moves a bone
    /// through it inverts tetrahedra.
    fn split_bone_edges(&mut self, complex: &DelaunayComplex, is_inside: impl Fn(DVec3) -> bool) -> bool {
        let is_between = |edge: &(u32, u32)| {
            self.bone_vertices.contains(&edge.0)
                && self.bone_vertices.contains(&edge.1)
                && !self.bone_edges.contains(edge)
        };
        let mut edges: Vec<(u32, u32)> =
            complex.tetrahedra.iter().flat_map(|(_, corners)| tetrahedron_edges(*corners)).filter(is_between).collect();
        edges.sort_unstable();
        edges.dedup();
        let previous_count = self.positions.len();
        for (a, b) in edges {
            let [a, b] = [a, b].map(|v| self.positions[v as usize]);
            let (middle, clearance) = (a.midpoint(b), MIN_SPLIT_CLEARANCE * a.distance(b));
            if self.positions.iter().all(|p| p.distance(middle) > clearance) && is_inside(middle) {
                self.free.insert(self.positions.len() as u32);
                self.positions.push(middle);
            }
        }
        self.positions.len() > previous_count
    }
}

/// A triangle with some sides split at their midpoints.
fn split_triangle([a, b, c]: [u32; 3], midpoints: &HashMap<(u32, u32), u32>) -> Vec<[u32; 3]> {
    let middle = |a: u32, b: u32| midpoints.get(&(a.min(b), a.max(b))).copied();
    match [middle(a, b), middle(b, c), middle(c, a)] {
        [None, None, None] => vec![[a, b, c]],
        [Some(p), None, None] => vec![[a, p, c], [p, b, c]],
        [None, Some(p), None] => vec![[b, p, a], [p, c, a]],
        [None, None, Some(p)] => vec![[c, p, b], [p, a, b]],
        [Some(p), Some(q), None] => vec![[p, b, q], [a, p, q], [a, q, c]],
        [None, Some(p), Some(q)] => vec![[p, c, q], [b, p, q], [b, q, a]],
        [Some(q), None, Some(p)] => vec![[p, a, q], [c, p, q], [c, q, b]],
        [Some(p), Some(q), Some(r)] => vec![[a, p, r], [p, b, q], [r, q, c], [p, q, r]],
    }
}

fn sorted(mut triangle: [u32; 3]) -> [u32; 3] {
    triangle.sort_unstable();
    triangle
}

/// All Delaunay tetrahedra of the points, inside and outside.
pub(crate) struct DelaunayComplex {
    delaunay: Delaunay,
    /// Their indices and corners.
    tetrahedra: Vec<(usize, [u32; 4])>,
    /// Edges and faces between surface vertices.
    edges: HashSet<(u32, u32)>,
    faces: HashSet<[u32; 3]>,
}

impl DelaunayComplex {
    pub fn new(points: &PointSet) -> Self {
        let delaunay = Delaunay::new(&points.positions);
        let tetrahedra: Vec<(usize, [u32; 4])> =
            (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t).map(|corners| (t, corners))).collect();
        let mut is_surface = vec![false; points.positions.len()];
        points.surface.iter().flatten().for_each(|&v| is_surface[v as usize] = true);
        let of_surface = |corners: &[u32]| corners.iter().all(|&v| is_surface[v as usize]);
        let (mut edges, mut faces) = (HashSet::new(), HashSet::new());
        for &(_, corners @ [a, b, c, d]) in &tetrahedra {
            faces
                .extend([[a, b, c], [a, b, d], [a, c, d], [b, c, d]].into_iter().filter(|f| of_surface(f)).map(sorted));
            edges.extend(tetrahedron_edges(corners).into_iter().filter(|&(a, b)| of_surface(&[a, b])));
        }
        Self { delaunay, tetrahedra, edges, faces }
    }
}

/// The tetrahedra inside the surface.
pub(crate) struct InteriorTetrahedra {
    pub tetrahedra: Vec<[u32; 4]>,
    /// The tetrahedron that contains each vertex of the mesh.
    pub tetrahedron_of: Vec<u32>,
    /// The number of surface triangles that are not faces of tetrahedra.
    pub unmatched: usize,
}

impl InteriorTetrahedra {
    pub fn new(points: &PointSet, complex: &DelaunayComplex, winding: &Winding, mesh: &[DVec3]) -> Self {
        let DelaunayComplex { delaunay, tetrahedra, faces, .. } = complex;
        let mut start = delaunay.any();
        let mut located = Vec::with_capacity(mesh.len());
        for &point in mesh {
            start = delaunay.locate(point, start);
            located.push(start);
        }
        let mut contains_mesh = vec![false; delaunay.len()];
        located.iter().for_each(|&t| contains_mesh[t as usize] = true);
        let is_inside = |&&(t, corners): &&(usize, [u32; 4])| {
            let center = corners.iter().map(|&v| points.positions[v as usize]).sum::<DVec3>() / 4.0;
            contains_mesh[t] || winding.number(center) >= 0.5
        };
        let interior: Vec<(usize, [u32; 4])> = tetrahedra.par_iter().filter(is_inside).copied().collect();
        let mut index = vec![0; delaunay.len()];
        interior.iter().enumerate().for_each(|(k, &(t, _))| index[t] = k as u32);
        Self {
            // The exact predicates' orientation is the opposite of the volume's sign.
            tetrahedra: interior.iter().map(|&(_, [a, b, c, d])| [b, a, c, d]).collect(),
            tetrahedron_of: located.iter().map(|&t| index[t as usize]).collect(),
            unmatched: points.surface.iter().filter(|t| !faces.contains(&sorted(**t))).count(),
        }
    }
}
