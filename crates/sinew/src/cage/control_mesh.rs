//! Which tetrahedra fill a cage?
//!
//! The Delaunay tetrahedra of the cage's vertices and the points inside it, without those outside. Where an edge or
//! a face of the cage is not among them it is split; slivers are taken away at the surface, and inside, the
//! lattice's vertices next to them are moved. A tetrahedron that has a vertex of the mesh in it always stays. What is
//! left without a tetrahedron, such as a marker outside, and pieces that hang on nothing are linked by edges.

use super::delaunay::Delaunay;
use super::inside::{ControlBone, Inside};
use super::{Cage, Handle};
use crate::Result;
use crate::geometry::{Topology, UnionFind, Winding};
use crate::rig::Skeleton;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// How often the tetrahedra are made anew with edges split and vertices moved.
const ROUNDS: usize = 5;

/// The quality below which a tetrahedron is a sliver.
pub const SLIVER: f64 = 0.1;

/// How far a vertex next to a sliver is moved, of the cage's edges.
const SHIFT: f64 = 0.18;

/// Vertices that one without a tetrahedron is linked to.
const LINKS: usize = 6;

/// A cage filled with tetrahedra, ready to be deformed.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMesh {
    /// The vertices: those of the cage first.
    pub positions: Vec<DVec3>,
    /// Tetrahedra with positive volumes.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Edges besides those of the tetrahedra.
    pub links: Vec<(u32, u32)>,
    /// The cage, with edges split where tetrahedra made it necessary.
    pub surface: Vec<[u32; 3]>,
    /// The vertex of each joint of the skeleton; none for plain nodes.
    pub joints: Vec<Option<u32>>,
    /// The bones, parents before children.
    pub bones: Vec<ControlBone>,
    /// The vertex of each marker.
    pub markers: Vec<u32>,
    /// For each vertex of the mesh the tetrahedron it is in.
    pub tetrahedron_of: Vec<u32>,
    /// How good the tetrahedra are.
    pub quality: TetrahedraQuality,
}

/// How good tetrahedra are: three times the ratio of the radii of the inner and the outer sphere, 1 for a regular one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TetrahedraQuality {
    /// The least.
    pub least: f64,
    /// The mean.
    pub mean: f64,
    /// How many are below [`SLIVER`].
    pub slivers: usize,
    /// Triangles of the surface that are no face of a tetrahedron.
    pub unmatched: usize,
    /// Vertices that are linked, for lack of a tetrahedron.
    pub linked: usize,
}

impl ControlMesh {
    /// Fills the cage of a mesh, with the joints of a skeleton and with markers as vertices. `progress` is told the
    /// share that is done.
    pub fn build(
        cage: &Cage,
        mesh: &[Vec3],
        skeleton: Option<&Skeleton>,
        markers: &[DVec3],
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        let inside = Inside::new(cage, skeleton, markers)?;
        progress(0.2);
        let topology = Topology::new(&cage.positions, &cage.faces());
        let winding = Winding::new(&topology, &cage.positions);
        let mesh: Vec<DVec3> = mesh.iter().map(|p| p.as_dvec3()).collect();
        let lattice = inside.positions[inside.filling.clone()].to_vec();
        let mut draft = Draft { positions: inside.positions, surface: cage.triangles.clone() };
        let mut filled = Filled::new(&draft, &winding, &mesh);
        for round in 1..=ROUNDS {
            let is_changed = draft.split(&filled)
                | draft.shift(&filled, (inside.filling.start, &lattice), SHIFT * inside.edge, round);
            if !is_changed {
                break;
            }
            filled = Filled::new(&draft, &winding, &mesh);
            progress(0.2 + 0.7 * round as f64 / ROUNDS as f64);
        }
        filled.peel(draft.positions.len());
        let Draft { positions, surface } = draft;
        let mut control = Self {
            quality: filled.quality(&surface),
            tetrahedra: filled.tetrahedra,
            tetrahedron_of: filled.tetrahedron_of,
            links: Vec::new(),
            joints: inside.joints,
            bones: inside.bones,
            markers: inside.markers,
            positions,
            surface,
        };
        control.link();
        progress(1.0);
        Ok(control)
    }

    /// Handles at all joints and the ends of bones.
    pub fn joint_handles(&self, weight: f64) -> Vec<Handle> {
        let ends = self.bones.iter().filter_map(|bone| bone.vertices.last());
        let mut vertices: Vec<u32> = self.joints.iter().flatten().chain(ends).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices.into_iter().map(|vertex| Handle { vertex, weight }).collect()
    }

    /// A handle at each marker, in their order.
    pub fn marker_handles(&self, weight: f64) -> Vec<Handle> {
        self.markers.iter().map(|&vertex| Handle { vertex, weight }).collect()
    }

    /// Every edge of the tetrahedra and the bones once; links are apart.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let sides = |[a, b, c, d]: [u32; 4]| [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)];
        let bones = self.bones.iter().flat_map(|bone| bone.vertices.windows(2).map(|w| (w[0], w[1])));
        let all = self.tetrahedra.iter().copied().flat_map(sides).chain(bones);
        let mut edges: Vec<(u32, u32)> = all.map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The volume of the tetrahedra with their vertices at places.
    pub fn volume(&self, positions: &[DVec3]) -> f64 {
        self.tetrahedra.iter().map(|&t| volume(t.map(|v| positions[v as usize]))).sum()
    }

    /// Links vertices without a tetrahedron, and pieces, to those nearest to them.
    fn link(&mut self) {
        let mut has_tetrahedron = vec![false; self.positions.len()];
        self.tetrahedra.iter().flatten().for_each(|&v| has_tetrahedron[v as usize] = true);
        let bare: Vec<u32> = (0..self.positions.len() as u32).filter(|&v| !has_tetrahedron[v as usize]).collect();
        self.quality.linked = bare.len();
        for &vertex in &bare {
            let found = self.nearest(vertex, |other| has_tetrahedron[other as usize]);
            self.links.extend(found.into_iter().map(|other| (vertex, other)));
        }
        loop {
            let mut pieces = UnionFind::new(self.positions.len());
            self.edges().iter().chain(&self.links).for_each(|&(a, b)| pieces.join(a, b));
            let roots: Vec<u32> = (0..self.positions.len() as u32).map(|v| pieces.root(v)).collect();
            let mut sizes = HashMap::new();
            roots.iter().for_each(|&root| *sizes.entry(root).or_insert(0usize) += 1);
            let smallest = sizes.iter().map(|(&root, &size)| (size, root)).min();
            let Some((_, piece)) = smallest.filter(|_| sizes.len() > 1) else { break };
            let members = (0..self.positions.len() as u32).filter(|&v| roots[v as usize] == piece).take(LINKS);
            let links: Vec<(u32, u32)> = members
                .flat_map(|v| self.nearest(v, |o| roots[o as usize] != piece).into_iter().map(move |o| (v, o)))
                .collect();
            self.links.extend(links);
        }
    }

    fn nearest(&self, vertex: u32, accept: impl Fn(u32) -> bool) -> Vec<u32> {
        let from = self.positions[vertex as usize];
        let mut others: Vec<(f64, u32)> = (0..self.positions.len() as u32)
            .filter(|&other| other != vertex && accept(other))
            .map(|other| (self.positions[other as usize].distance_squared(from), other))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(LINKS).map(|(_, other)| other).collect()
    }
}

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
struct Draft {
    positions: Vec<DVec3>,
    surface: Vec<[u32; 3]>,
}

impl Draft {
    /// Splits the edges of the surface that are no edges of tetrahedra, and the longest of every triangle that is no
    /// face. Says whether there were any.
    fn split(&mut self, filled: &Filled) -> bool {
        let mut lost = HashSet::new();
        for &triangle in &self.surface {
            let [a, b, c] = triangle;
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)));
            let missing = sides.iter().filter(|side| !filled.edges.contains(side));
            let before = lost.len();
            lost.extend(missing.copied());
            if lost.len() == before && !filled.faces.contains(&sorted(triangle)) {
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

    /// Moves vertices of the lattice that slivers have; says whether there were any.
    fn shift(&mut self, filled: &Filled, (first, lattice): (usize, &[DVec3]), by: f64, round: usize) -> bool {
        let slivers = filled.tetrahedra.iter().zip(&filled.qualities).filter(|(_, q)| **q < SLIVER);
        let movable = first..first + lattice.len();
        let moved: HashSet<u32> =
            slivers.filter_map(|(t, _)| t.iter().copied().find(|&v| movable.contains(&(v as usize)))).collect();
        for &vertex in &moved {
            // Directions that differ from vertex to vertex and from round to round.
            let turn = f64::from(vertex) * 2.399_963 + round as f64;
            let height = (f64::from(vertex) * 0.618_034 + 0.37 * round as f64).fract() * 2.0 - 1.0;
            let across = (1.0 - height * height).sqrt();
            let direction = DVec3::new(across * turn.cos(), across * turn.sin(), height);
            self.positions[vertex as usize] = lattice[vertex as usize - first] + direction * by;
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

/// The tetrahedra of a draft that are inside.
struct Filled {
    tetrahedra: Vec<[u32; 4]>,
    /// The one across the face opposite each corner.
    beyond: Vec<[Option<u32>; 4]>,
    qualities: Vec<f64>,
    tetrahedron_of: Vec<u32>,
    /// Edges and faces of all tetrahedra, outside ones included.
    edges: HashSet<(u32, u32)>,
    faces: HashSet<[u32; 3]>,
}

impl Filled {
    fn new(draft: &Draft, winding: &Winding, mesh: &[DVec3]) -> Self {
        let delaunay = Delaunay::new(&draft.positions);
        let mut from = delaunay.any();
        let mut located = Vec::with_capacity(mesh.len());
        for &point in mesh {
            from = delaunay.locate(point, from);
            located.push(from);
        }
        let mut is_needed = vec![false; delaunay.len()];
        located.iter().for_each(|&t| is_needed[t as usize] = true);
        let (mut edges, mut faces) = (HashSet::new(), HashSet::new());
        let all: Vec<(usize, [u32; 4])> =
            (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t).map(|corners| (t, corners))).collect();
        for &(_, [a, b, c, d]) in &all {
            faces.extend([[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(sorted));
            edges.extend([(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)].map(|(a, b)| (a.min(b), a.max(b))));
        }
        let is_inside = |&(t, corners): &(usize, [u32; 4])| {
            let center = corners.iter().map(|&v| draft.positions[v as usize]).sum::<DVec3>() / 4.0;
            is_needed[t] || winding.number(center) >= 0.5
        };
        let kept: Vec<(usize, [u32; 4])> = all.into_par_iter().filter(is_inside).collect();
        let mut number = vec![None; delaunay.len()];
        kept.iter().enumerate().for_each(|(k, &(t, _))| number[t] = Some(k as u32));
        let across = |t: usize| [0, 1, 2, 3].map(|k| delaunay.beyond(t, k).and_then(|b| number[b]));
        Self {
            beyond: kept.iter().map(|&(t, _)| across(t)).collect(),
            qualities: kept.iter().map(|(_, t)| quality(t.map(|v| draft.positions[v as usize]))).collect(),
            // Exact predicates have a positive orientation where the volume is negative.
            tetrahedra: kept.iter().map(|&(_, [a, b, c, d])| [b, a, c, d]).collect(),
            tetrahedron_of: located.iter().map(|&t| number[t as usize].unwrap_or(0)).collect(),
            edges,
            faces,
        }
    }

    /// Takes slivers away that are at the surface and nobody needs.
    fn peel(&mut self, vertices: usize) {
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

    fn quality(&self, surface: &[[u32; 3]]) -> TetrahedraQuality {
        TetrahedraQuality {
            least: self.qualities.iter().copied().fold(1.0, f64::min),
            mean: self.qualities.iter().sum::<f64>() / self.qualities.len().max(1) as f64,
            slivers: self.qualities.iter().filter(|q| **q < SLIVER).count(),
            unmatched: surface.iter().filter(|t| !self.faces.contains(&sorted(**t))).count(),
            linked: 0,
        }
    }
}
