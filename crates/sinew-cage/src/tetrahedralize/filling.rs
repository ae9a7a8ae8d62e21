//! Which Delaunay tetrahedra are inside a cage?
//!
//! Those whose centroid the cage goes round, and those that have a vertex of the mesh in them. Where an edge or a face
//! of the cage is not among all tetrahedra it is split in the middle, and so are edges from bone to bone.

use super::cavity::sides;
use super::delaunay::Delaunay;
use glam::DVec3;
use rayon::prelude::*;
use sinew_geometry::Winding;
use std::collections::{HashMap, HashSet};

/// Of the length of an edge from bone to bone: nearer to another vertex it is not split.
const ROOM: f64 = 0.2;

/// Points to be tetrahedrised, and the surface among them.
pub(crate) struct Draft {
    pub positions: Vec<DVec3>,
    pub surface: Vec<[u32; 3]>,
    /// Vertices that may be moved.
    pub free: HashSet<u32>,
    /// Vertices that bones hold, and the edges along them.
    pub skeleton: HashSet<u32>,
    pub along: HashSet<(u32, u32)>,
}

impl Draft {
    /// Makes it better by what its tetrahedra are like. Says whether there was anything to do.
    pub fn refine(&mut self, net: &Net, winding: &Winding) -> bool {
        let is_split = self.split(net);
        self.part(net, |place: DVec3| winding.number(place) >= 0.5) | is_split
    }

    /// Splits the edges of the surface that are no edges of tetrahedra, and the longest of every triangle that is no
    /// face.
    fn split(&mut self, net: &Net) -> bool {
        let mut lost = HashSet::new();
        for &triangle in &self.surface {
            let [a, b, c] = triangle;
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)));
            let missing = sides.iter().filter(|side| !net.edges.contains(side));
            let before = lost.len();
            lost.extend(missing.copied());
            if lost.len() == before && !net.faces.contains(&sorted(triangle)) {
                let length =
                    |&(a, b): &(u32, u32)| self.positions[a as usize].distance_squared(self.positions[b as usize]);
                lost.extend(sides.into_iter().max_by(|a, b| length(a).total_cmp(&length(b)).then(b.cmp(a))));
            }
        }
        let mut lost: Vec<(u32, u32)> = lost.into_iter().collect();
        lost.sort_unstable();
        let mut middles = HashMap::new();
        for &(a, b) in &lost {
            middles.insert((a, b), self.positions.len() as u32);
            self.positions.push(self.positions[a as usize].midpoint(self.positions[b as usize]));
        }
        self.surface = std::mem::take(&mut self.surface).into_iter().flat_map(|t| divided(t, &middles)).collect();
        !lost.is_empty()
    }

    /// Splits the edges from bone to bone. Where three corners of a face are on bones nothing can make room for them: a
    /// pose that moves a bone through such a face turns tetrahedra over, whatever the free vertices do.
    fn part(&mut self, net: &Net, is_inside: impl Fn(DVec3) -> bool) -> bool {
        let is_between = |edge: &(u32, u32)| {
            self.skeleton.contains(&edge.0) && self.skeleton.contains(&edge.1) && !self.along.contains(edge)
        };
        let mut edges: Vec<(u32, u32)> =
            net.tetrahedra.iter().flat_map(|(_, corners)| sides(*corners)).filter(is_between).collect();
        edges.sort_unstable();
        edges.dedup();
        let before = self.positions.len();
        for (a, b) in edges {
            let [a, b] = [a, b].map(|v| self.positions[v as usize]);
            let (middle, room) = (a.midpoint(b), ROOM * a.distance(b));
            if self.positions.iter().all(|p| p.distance(middle) > room) && is_inside(middle) {
                self.free.insert(self.positions.len() as u32);
                self.positions.push(middle);
            }
        }
        self.positions.len() > before
    }
}

/// A triangle with some sides split in the middle.
fn divided([a, b, c]: [u32; 3], middles: &HashMap<(u32, u32), u32>) -> Vec<[u32; 3]> {
    let middle = |a: u32, b: u32| middles.get(&(a.min(b), a.max(b))).copied();
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

/// All Delaunay tetrahedra of a draft, those outside included.
pub(crate) struct Net {
    delaunay: Delaunay,
    /// Their numbers and corners.
    tetrahedra: Vec<(usize, [u32; 4])>,
    /// Edges and faces between vertices of the surface.
    edges: HashSet<(u32, u32)>,
    faces: HashSet<[u32; 3]>,
}

impl Net {
    pub fn new(draft: &Draft) -> Self {
        let delaunay = Delaunay::new(&draft.positions);
        let tetrahedra: Vec<(usize, [u32; 4])> =
            (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t).map(|corners| (t, corners))).collect();
        let mut is_surface = vec![false; draft.positions.len()];
        draft.surface.iter().flatten().for_each(|&v| is_surface[v as usize] = true);
        let of_surface = |corners: &[u32]| corners.iter().all(|&v| is_surface[v as usize]);
        let (mut edges, mut faces) = (HashSet::new(), HashSet::new());
        for &(_, corners @ [a, b, c, d]) in &tetrahedra {
            faces
                .extend([[a, b, c], [a, b, d], [a, c, d], [b, c, d]].into_iter().filter(|f| of_surface(f)).map(sorted));
            edges.extend(sides(corners).into_iter().filter(|&(a, b)| of_surface(&[a, b])));
        }
        Self { delaunay, tetrahedra, edges, faces }
    }
}

/// The tetrahedra of a draft that are inside.
pub(crate) struct Filled {
    pub tetrahedra: Vec<[u32; 4]>,
    /// For each vertex of the mesh the tetrahedron it is in.
    pub tetrahedron_of: Vec<u32>,
    /// Triangles of the surface that are no face of any.
    pub unmatched: usize,
}

impl Filled {
    pub fn new(draft: &Draft, net: &Net, winding: &Winding, mesh: &[DVec3]) -> Self {
        let Net { delaunay, tetrahedra, faces, .. } = net;
        let mut from = delaunay.any();
        let mut located = Vec::with_capacity(mesh.len());
        for &point in mesh {
            from = delaunay.locate(point, from);
            located.push(from);
        }
        let mut is_needed = vec![false; delaunay.len()];
        located.iter().for_each(|&t| is_needed[t as usize] = true);
        let is_inside = |&&(t, corners): &&(usize, [u32; 4])| {
            let center = corners.iter().map(|&v| draft.positions[v as usize]).sum::<DVec3>() / 4.0;
            is_needed[t] || winding.number(center) >= 0.5
        };
        let kept: Vec<(usize, [u32; 4])> = tetrahedra.par_iter().filter(is_inside).copied().collect();
        let mut number = vec![0; delaunay.len()];
        kept.iter().enumerate().for_each(|(k, &(t, _))| number[t] = k as u32);
        Self {
            // Exact predicates have a positive orientation where the volume is negative.
            tetrahedra: kept.iter().map(|&(_, [a, b, c, d])| [b, a, c, d]).collect(),
            tetrahedron_of: located.iter().map(|&t| number[t as usize]).collect(),
            unmatched: draft.surface.iter().filter(|t| !faces.contains(&sorted(**t))).count(),
        }
    }
}
