//! Which Delaunay tetrahedra are inside a cage, and how are they made better?
//!
//! Those whose centroid the cage goes round, and those that have a vertex of the mesh in them. Where an edge or a face
//! of the cage is not among all tetrahedra it is split in the middle, and so are edges from bone to bone. Of slivers,
//! which are flat though their edges are not short, those at the surface are taken away where nobody needs them; next
//! to those inside, a vertex of the lattice is moved, and everything made anew.

use super::control_mesh::{SLIVER, TetrahedraQuality};
use super::delaunay::Delaunay;
use crate::geometry::Winding;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// Of the length of an edge from bone to bone: nearer to another vertex it is not split.
const ROOM: f64 = 0.2;

/// The volume of a tetrahedron, negative if it is turned over.
pub(super) fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Three times the ratio of the radii of the inner and the outer sphere.
fn quality(corners: [DVec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let (u, v, w) = (b - a, c - a, d - a);
    let six_volumes = u.dot(v.cross(w)).abs();
    let areas = [u.cross(v), v.cross(w), w.cross(u), (v - u).cross(w - u)].map(|n| 0.5 * n.length());
    let numerator = u.length_squared() * v.cross(w) + v.length_squared() * w.cross(u) + w.length_squared() * u.cross(v);
    let (inner, outer) = (0.5 * six_volumes / areas.iter().sum::<f64>(), 0.5 * numerator.length() / six_volumes);
    if six_volumes > 0.0 { 3.0 * inner / outer } else { 0.0 }
}

/// Points to be tetrahedrised, and the surface among them.
pub(super) struct Draft {
    pub positions: Vec<DVec3>,
    pub surface: Vec<[u32; 3]>,
    /// Where vertices began that may be moved, others not.
    pub origins: HashMap<u32, DVec3>,
    /// Vertices that bones hold, and the edges along them.
    pub skeleton: HashSet<u32>,
    pub along: HashSet<(u32, u32)>,
}

impl Draft {
    /// Makes it better by what its tetrahedra are like. Says whether there was anything to do.
    pub fn improve(&mut self, net: &Net, winding: &Winding, shift: f64, round: usize) -> bool {
        let is_inside = |place: DVec3| winding.number(place) >= 0.5;
        let is_split = self.split(net);
        let is_parted = self.part(net, is_inside);
        self.shift(net, is_inside, shift, round) | is_split | is_parted
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
                self.origins.insert(self.positions.len() as u32, middle);
                self.positions.push(middle);
            }
        }
        self.positions.len() > before
    }

    /// Moves a vertex of every sliver that has one to be moved.
    fn shift(&mut self, net: &Net, is_inside: impl Fn(DVec3) -> bool, by: f64, round: usize) -> bool {
        let mut moved = HashSet::new();
        for (_, corners) in &net.tetrahedra {
            let places = corners.map(|v| self.positions[v as usize]);
            if quality(places) < SLIVER && is_inside(places.iter().sum::<DVec3>() / 4.0) {
                moved.extend(corners.iter().find(|v| self.origins.contains_key(v)));
            }
        }
        for vertex in &moved {
            // Directions that differ from vertex to vertex and from round to round.
            let turn = f64::from(*vertex) * 2.399_963 + round as f64;
            let height = (f64::from(*vertex) * 0.618_034 + 0.37 * round as f64).fract() * 2.0 - 1.0;
            let across = (1.0 - height * height).sqrt();
            let direction = DVec3::new(across * turn.cos(), across * turn.sin(), height);
            self.positions[*vertex as usize] = self.origins[vertex] + direction * by;
        }
        !moved.is_empty()
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
pub(super) struct Net {
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

/// The edges of a tetrahedron, the lower end first.
fn sides([a, b, c, d]: [u32; 4]) -> [(u32, u32); 6] {
    [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)].map(|(a, b)| (a.min(b), a.max(b)))
}

/// The tetrahedra of a draft that are inside.
pub(super) struct Filled {
    pub tetrahedra: Vec<[u32; 4]>,
    /// The one across the face opposite each corner.
    beyond: Vec<[Option<u32>; 4]>,
    qualities: Vec<f64>,
    pub tetrahedron_of: Vec<u32>,
    /// Faces between vertices of the surface, those of tetrahedra outside included.
    faces: HashSet<[u32; 3]>,
}

impl Filled {
    pub fn new(draft: &Draft, net: Net, winding: &Winding, mesh: &[DVec3]) -> Self {
        let Net { delaunay, tetrahedra, faces, .. } = net;
        let mut from = delaunay.any();
        let mut located = Vec::with_capacity(mesh.len());
        for &point in mesh {
            from = delaunay.locate(point, from);
            located.push(from);
        }
        let mut is_needed = vec![false; delaunay.len()];
        located.iter().for_each(|&t| is_needed[t as usize] = true);
        let is_inside = |&(t, corners): &(usize, [u32; 4])| {
            let center = corners.iter().map(|&v| draft.positions[v as usize]).sum::<DVec3>() / 4.0;
            is_needed[t] || winding.number(center) >= 0.5
        };
        let kept: Vec<(usize, [u32; 4])> = tetrahedra.into_par_iter().filter(is_inside).collect();
        let mut number = vec![None; delaunay.len()];
        kept.iter().enumerate().for_each(|(k, &(t, _))| number[t] = Some(k as u32));
        let across = |t: usize| [0, 1, 2, 3].map(|k| delaunay.beyond(t, k).and_then(|b| number[b]));
        Self {
            beyond: kept.iter().map(|&(t, _)| across(t)).collect(),
            qualities: kept.iter().map(|(_, t)| quality(t.map(|v| draft.positions[v as usize]))).collect(),
            // Exact predicates have a positive orientation where the volume is negative.
            tetrahedra: kept.iter().map(|&(_, [a, b, c, d])| [b, a, c, d]).collect(),
            tetrahedron_of: located.iter().map(|&t| number[t as usize].unwrap_or(0)).collect(),
            faces,
        }
    }

    /// Takes slivers away that are at the surface and nobody needs.
    pub fn peel(&mut self, vertices: usize) {
        let mut is_kept = vec![true; self.tetrahedra.len()];
        let mut uses = vec![0u32; vertices];
        self.tetrahedra.iter().flatten().for_each(|&v| uses[v as usize] += 1);
        let mut is_needed = vec![false; self.tetrahedra.len()];
        self.tetrahedron_of.iter().for_each(|&t| is_needed[t as usize] = true);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for t in 0..self.tetrahedra.len() {
                let is_open = self.beyond[t].iter().filter(|b| b.is_none_or(|b| !is_kept[b as usize])).count();
                let is_spare = self.tetrahedra[t].iter().all(|&v| uses[v as usize] > 1);
                if is_kept[t] && !is_needed[t] && self.qualities[t] < SLIVER && is_open > 0 && is_spare {
                    is_kept[t] = false;
                    is_changed = true;
                    self.tetrahedra[t].iter().for_each(|&v| uses[v as usize] -= 1);
                }
            }
        }
        let mut number = vec![0u32; is_kept.len()];
        for (place, (number, _)) in (0..).zip(number.iter_mut().zip(&is_kept).filter(|(_, kept)| **kept)) {
            *number = place;
        }
        self.tetrahedron_of.iter_mut().for_each(|t| *t = number[*t as usize]);
        let mut kept = is_kept.iter();
        self.tetrahedra.retain(|_| *kept.next().unwrap_or(&false));
        let mut kept = is_kept.iter();
        self.qualities.retain(|_| *kept.next().unwrap_or(&false));
        self.beyond.clear();
    }

    pub fn quality(&self, surface: &[[u32; 3]]) -> TetrahedraQuality {
        TetrahedraQuality {
            least: self.qualities.iter().copied().fold(1.0, f64::min),
            mean: self.qualities.iter().sum::<f64>() / self.qualities.len().max(1) as f64,
            slivers: self.qualities.iter().filter(|q| **q < SLIVER).count(),
            unmatched: surface.iter().filter(|t| !self.faces.contains(&sorted(**t))).count(),
            linked: 0,
        }
    }
}
