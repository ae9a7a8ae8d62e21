//! Simplification of a closed surface that stays outside a mesh.
//!
//! Edges collapse in order of cost: the quadric error (a [`Quadric`]) plus the fourth power of the edge length, which
//! keeps triangles of flat regions even. A collapse is allowed only if the surface stays a closed manifold, no face
//! inverts, no triangle intersects the mesh or the surface itself, and every shell of the mesh stays inside.

use super::quadric::Quadric;
use super::triangle_hash::TriangleHash;
use glam::DVec3;
use sinew_field::Box3;
use sinew_geometry::{intersect, solid_angle};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

/// The weight of the fourth power of the edge length relative to the quadric error; both are length⁴. Not tuned.
const EDGE_LENGTH_WEIGHT: f64 = 0.1;

/// The least cosine between a face's normals before and after a collapse, an angle of 73°. Not tuned.
const MIN_NORMAL_COSINE: f64 = 0.3;

/// The least [`shape`] of a triangle; worse ones are allowed only around a worse one. Not tuned.
const MIN_SHAPE: f64 = 0.2;

/// The least ratio of a new triangle's shape to the worst one before the collapse. Not tuned.
const MIN_SHAPE_RATIO: f64 = 0.6;

/// The edge length of hash cells in mean edge lengths of the surface. It affects speed only; not tuned.
const CELL_EDGE_LENGTHS: f64 = 1.2;

/// The constraints of an edge collapse.
pub(super) struct CollapseConstraints<'a> {
    /// Whether a triangle is clear of the mesh.
    pub is_clear: &'a dyn Fn([DVec3; 3]) -> bool,
    /// The factor by which edges are shorter at a position.
    pub detail: &'a dyn Fn(DVec3) -> f64,
    /// A point of each shell of the mesh, which must stay inside.
    pub shell_samples: &'a [DVec3],
}

/// A closed triangle surface under simplification.
pub(super) struct Decimation {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    is_live: Vec<bool>,
    triangles_of: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// Counts the collapses at each vertex; a candidate with older counts is outdated.
    versions: Vec<u32>,
    queue: BinaryHeap<Candidate>,
    triangle_hash: TriangleHash,
    live_vertices: usize,
}

/// An edge that may be collapsed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    cost: f64,
    ends: [u32; 2],
    versions: [u32; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    /// The cheapest is the greatest. Ties are broken by index, so that the order is deterministic.
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.ends.cmp(&self.ends))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Decimation {
    pub fn new(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>, constraints: &CollapseConstraints<'_>) -> Self {
        let mut triangles_of = vec![Vec::new(); positions.len()];
        let mut quadrics = vec![Quadric::ZERO; positions.len()];
        for (index, &triangle) in triangles.iter().enumerate() {
            let quadric = Quadric::of_triangle(triangle.map(|v| positions[v as usize]));
            for vertex in triangle.map(|v| v as usize) {
                triangles_of[vertex].push(index as u32);
                quadrics[vertex] = quadrics[vertex] + quadric;
            }
        }
        let mut decimation = Self {
            live_vertices: triangles_of.iter().filter(|list| !list.is_empty()).count(),
            is_live: vec![true; triangles.len()],
            versions: vec![0; positions.len()],
            triangle_hash: TriangleHash::new(1.0, std::iter::empty()),
            queue: BinaryHeap::new(),
            positions,
            triangles,
            triangles_of,
            quadrics,
        };
        decimation.queue_all_edges(constraints);
        decimation.rebuild_hash();
        decimation
    }

    fn queue_all_edges(&mut self, constraints: &CollapseConstraints<'_>) {
        for index in (0..self.triangles.len()).filter(|&t| self.is_live[t]).collect::<Vec<_>>() {
            let [a, b, c] = self.triangles[index];
            for (a, b) in [(a, b), (b, c), (c, a)].into_iter().filter(|(a, b)| a < b) {
                self.queue_edge(a, b, constraints);
            }
        }
    }

    /// Collapses edges until `vertices` are left or no collapse is allowed.
    pub fn run(&mut self, vertices: usize, constraints: &CollapseConstraints<'_>, progress: &mut dyn FnMut(f64)) {
        let first = self.live_vertices;
        let (mut next_rebuild, mut before_pass) = (first / 2, first);
        while self.live_vertices > vertices {
            let Some(candidate) = self.queue.pop() else {
                // Collapses since may have made others possible; another pass pays while one removes 2 %.
                if self.live_vertices > before_pass - before_pass / 50 {
                    break;
                }
                before_pass = self.live_vertices;
                self.queue_all_edges(constraints);
                continue;
            };
            let is_outdated = candidate.ends.map(|v| self.versions[v as usize]) != candidate.versions;
            if is_outdated || !self.collapse(candidate.ends, constraints) {
                continue;
            }
            if self.live_vertices <= next_rebuild {
                next_rebuild = self.live_vertices / 2;
                self.rebuild_hash();
                progress(1.0 - (self.live_vertices as f64 / first as f64));
            }
        }
    }

    /// The remaining vertices and triangles.
    pub fn finish(self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut number = vec![u32::MAX; self.positions.len()];
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (triangle, _) in self.triangles.iter().zip(&self.is_live).filter(|(_, live)| **live) {
            triangles.push(triangle.map(|v| {
                if number[v as usize] == u32::MAX {
                    number[v as usize] = positions.len() as u32;
                    positions.push(self.positions[v as usize]);
                }
                number[v as usize]
            }));
        }
        (positions, triangles)
    }

    fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|v| self.positions[v as usize])
    }

    fn rebuild_hash(&mut self) {
        let live = (0..self.triangles.len()).filter(|&t| self.is_live[t]);
        let lengths = live.clone().map(|t| {
            let [a, b, c] = self.corners(self.triangles[t]);
            (a.distance(b) + b.distance(c) + c.distance(a)) / 3.0
        });
        let mean = lengths.sum::<f64>() / live.clone().count().max(1) as f64;
        let entries = live.map(|t| (t as u32, self.corners(self.triangles[t])));
        self.triangle_hash = TriangleHash::new((CELL_EDGE_LENGTHS * mean).max(f64::MIN_POSITIVE), entries);
    }

    fn queue_edge(&mut self, a: u32, b: u32, constraints: &CollapseConstraints<'_>) {
        let [p, q] = [a, b].map(|v| self.positions[v as usize]);
        let quadric = self.quadrics[a as usize] + self.quadrics[b as usize];
        let deviation = quadric.minimizer().map_or(f64::INFINITY, |x| quadric.at(x)).min(quadric.at(p.midpoint(q)));
        let cost = deviation + EDGE_LENGTH_WEIGHT * p.distance_squared(q).powi(2);
        let cost = cost * (constraints.detail)(p.midpoint(q)).powi(4);
        self.queue.push(Candidate { cost, ends: [a, b], versions: [a, b].map(|v| self.versions[v as usize]) });
    }

    fn neighbors(&self, vertex: u32) -> Vec<u32> {
        let around = self.triangles_of[vertex as usize].iter().flat_map(|&t| self.triangles[t as usize]);
        let mut around: Vec<u32> = around.filter(|&v| v != vertex).collect();
        around.sort_unstable();
        around.dedup();
        around
    }

    fn collapse(&mut self, [a, b]: [u32; 2], constraints: &CollapseConstraints<'_>) -> bool {
        let (of_a, of_b) = (self.neighbors(a), self.neighbors(b));
        let common = of_a.iter().filter(|v| of_b.binary_search(v).is_ok()).count();
        if common != 2 || of_a.len() + of_b.len() < 8 || of_b.binary_search(&a).is_err() {
            return false;
        }
        let [p, q] = [a, b].map(|v| self.positions[v as usize]);
        let quadric = self.quadrics[a as usize] + self.quadrics[b as usize];
        let middle = p.midpoint(q);
        // Where the planes are nearly parallel their intersection is far away and arbitrary.
        let nearest = quadric.minimizer().filter(|x| x.distance_squared(middle) < p.distance_squared(q));
        let candidates = nearest.into_iter().chain([middle, p, q]);
        // Stored positions are f32.
        let position =
            candidates.map(|x| x.as_vec3().as_dvec3()).find(|&position| self.is_allowed([a, b], position, constraints));
        let Some(position) = position else { return false };
        self.apply([a, b], position, quadric);
        for vertex in self.neighbors(a) {
            self.queue_edge(a.min(vertex), a.max(vertex), constraints);
        }
        true
    }

    /// The triangles around an edge that survive its collapse to `position`.
    fn surviving_triangles(&self, [a, b]: [u32; 2], position: DVec3) -> impl Iterator<Item = (u32, [DVec3; 3])> {
        let around = self.triangles_of[a as usize].iter().chain(&self.triangles_of[b as usize]);
        around.filter_map(move |&index| {
            let triangle = self.triangles[index as usize];
            let is_removed = triangle.contains(&a) && triangle.contains(&b);
            let corner = |v: u32| if v == a || v == b { position } else { self.positions[v as usize] };
            (!is_removed).then(|| (index, triangle.map(corner)))
        })
    }

    fn is_allowed(&self, ends: [u32; 2], position: DVec3, constraints: &CollapseConstraints<'_>) -> bool {
        let before = |index: u32| self.corners(self.triangles[index as usize]);
        let worst =
            self.surviving_triangles(ends, position).map(|(index, _)| shape(before(index))).fold(MIN_SHAPE, f64::min);
        let mean = self.surviving_triangles(ends, position).map(|(index, _)| normal(before(index))).sum::<DVec3>();
        let keeps_shape = |(index, after): (u32, [DVec3; 3])| {
            let (old, new) = (normal(before(index)), normal(after));
            // The normal of a sliver is unreliable.
            let is_sliver = shape(before(index)).min(shape(after)) < MIN_SHAPE;
            let keeps_orientation = match is_sliver {
                true => mean.dot(new) >= 0.0,
                false => old.dot(new) > MIN_NORMAL_COSINE * old.length() * new.length(),
            };
            keeps_orientation && shape(after) >= MIN_SHAPE_RATIO * worst
        };
        self.surviving_triangles(ends, position).all(keeps_shape)
            && self.surviving_triangles(ends, position).all(|(_, corners)| (constraints.is_clear)(corners))
            && self.surviving_triangles(ends, position).all(|(index, corners)| !self.crosses(ends, index, corners))
            && !self.excludes_sample(ends, position, constraints.shell_samples)
    }

    /// Whether a triangle with these new corners intersects another.
    fn crosses(&self, ends: [u32; 2], index: u32, corners: [DVec3; 3]) -> bool {
        let vertices = self.triangles[index as usize];
        let bounds = Box3::around(corners);
        self.triangle_hash.any(corners, |other| {
            let others = self.triangles[other as usize];
            if !self.is_live[other as usize] || others.iter().any(|v| ends.contains(v) || vertices.contains(v)) {
                return false;
            }
            let other = self.corners(others);
            !bounds.intersection(&Box3::around(other)).is_empty() && intersect(corners, other)
        })
    }

    /// Whether a shell sample lies between the surface before and after the collapse.
    fn excludes_sample(&self, ends: [u32; 2], position: DVec3, shell_samples: &[DVec3]) -> bool {
        let mut around = self.triangles_of[ends[0] as usize].clone();
        around.extend(
            self.triangles_of[ends[1] as usize].iter().filter(|&t| !self.triangles[*t as usize].contains(&ends[0])),
        );
        let old = || around.iter().map(|&t| self.corners(self.triangles[t as usize]));
        let bounds = Box3::around(old().flatten().chain([position]));
        shell_samples.iter().filter(|&&sample| bounds.contains(sample)).any(|&sample| {
            let before: f64 = old().map(|corners| solid_angle(corners, sample)).sum();
            let after: f64 =
                self.surviving_triangles(ends, position).map(|(_, corners)| solid_angle(corners, sample)).sum();
            (before - after).abs() > TAU
        })
    }

    /// Collapses an edge to one vertex.
    fn apply(&mut self, [a, b]: [u32; 2], position: DVec3, quadric: Quadric) {
        self.positions[a as usize] = position;
        self.quadrics[a as usize] = quadric;
        self.versions[a as usize] += 1;
        self.versions[b as usize] += 1;
        self.live_vertices -= 1;
        for index in std::mem::take(&mut self.triangles_of[b as usize]) {
            let triangle = self.triangles[index as usize];
            if triangle.contains(&a) {
                self.is_live[index as usize] = false;
                for vertex in triangle {
                    self.triangles_of[vertex as usize].retain(|&t| t != index);
                }
            } else {
                self.triangles[index as usize] = triangle.map(|v| if v == b { a } else { v });
                self.triangles_of[a as usize].push(index);
            }
        }
        for &index in &self.triangles_of[a as usize] {
            let corners = self.triangles[index as usize].map(|v| self.positions[v as usize]);
            self.triangle_hash.add(index, corners);
        }
    }
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// 1 for an equilateral triangle, 0 for one without area.
fn shape(corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let squares = a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a);
    2.0 * 3f64.sqrt() * normal(corners).length() / squares
}
