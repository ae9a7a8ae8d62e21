//! Which coarser surface stands for a fine one and keeps what is inside it?
//!
//! Edges are collapsed, cheapest first: by the distance to the planes of what was there (a [`Quadric`]) and by
//! the fourth power of the edge's length, so that flat parts keep triangles of one size. A collapse is made only
//! if the surface stays a closed manifold, turns no face over, passes through neither the mesh nor itself, and
//! leaves no piece of the mesh behind.

use super::quadric::Quadric;
use super::triangle_hash::Vicinity;
use glam::DVec3;
use sinew_field::Box3;
use sinew_geometry::{intersect, solid_angle};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

/// What the fourth power of a length counts beside squared distances by area.
const EVENNESS: f64 = 0.1;

/// Cosine of the angle that a face may turn by.
const TURN: f64 = 0.3;

/// The least shape of a triangle, 1 for an equilateral one, unless there is a worse one around.
const SHAPE: f64 = 0.2;

/// How much worse than the worst around a triangle may become.
const WORSE: f64 = 0.6;

/// Side of a vicinity's cells in mean lengths of edges.
const CELL: f64 = 1.2;

/// What a coarser surface has to respect.
pub(super) struct Respect<'a> {
    /// Whether a triangle is clear of the mesh.
    pub is_clear: &'a dyn Fn([DVec3; 3]) -> bool,
    /// How much finer than elsewhere the surface is to be at a place.
    pub fineness: &'a dyn Fn(DVec3) -> f64,
    /// A point of each piece of the mesh.
    pub witnesses: &'a [DVec3],
}

/// A closed surface of triangles that becomes coarser.
pub(super) struct Decimation {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    is_live: Vec<bool>,
    triangles_of: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// Counts the changes around each vertex, so that outdated candidates are known.
    changes: Vec<u32>,
    waiting: BinaryHeap<Candidate>,
    vicinity: Vicinity,
    live_vertices: usize,
}

/// An edge that may be collapsed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    cost: f64,
    ends: [u32; 2],
    changes: [u32; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    /// Cheapest is greatest; ties by number, so that the order is always the same.
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
    pub fn new(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>, respect: &Respect<'_>) -> Self {
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
            changes: vec![0; positions.len()],
            vicinity: Vicinity::new(1.0, std::iter::empty()),
            waiting: BinaryHeap::new(),
            positions,
            triangles,
            triangles_of,
            quadrics,
        };
        decimation.wait_for_all(respect);
        decimation.sort_in();
        decimation
    }

    fn wait_for_all(&mut self, respect: &Respect<'_>) {
        for index in (0..self.triangles.len()).filter(|&t| self.is_live[t]).collect::<Vec<_>>() {
            let [a, b, c] = self.triangles[index];
            for (a, b) in [(a, b), (b, c), (c, a)].into_iter().filter(|(a, b)| a < b) {
                self.wait(a, b, respect);
            }
        }
    }

    /// Collapses edges until so many vertices are left, or none can be collapsed.
    pub fn run(&mut self, vertices: usize, respect: &Respect<'_>, progress: &mut dyn FnMut(f64)) {
        let first = self.live_vertices;
        let (mut next_sort, mut before_pass) = (first / 2, first);
        while self.live_vertices > vertices {
            let Some(candidate) = self.waiting.pop() else {
                // What was not allowed may be by now.
                if self.live_vertices > before_pass - before_pass / 50 {
                    break;
                }
                before_pass = self.live_vertices;
                self.wait_for_all(respect);
                continue;
            };
            let is_outdated = candidate.ends.map(|v| self.changes[v as usize]) != candidate.changes;
            if is_outdated || !self.collapse(candidate.ends, respect) {
                continue;
            }
            if self.live_vertices <= next_sort {
                next_sort = self.live_vertices / 2;
                self.sort_in();
                progress(1.0 - (self.live_vertices as f64 / first as f64));
            }
        }
    }

    /// The vertices and triangles that are left.
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

    fn sort_in(&mut self) {
        let live = (0..self.triangles.len()).filter(|&t| self.is_live[t]);
        let lengths = live.clone().map(|t| {
            let [a, b, c] = self.corners(self.triangles[t]);
            (a.distance(b) + b.distance(c) + c.distance(a)) / 3.0
        });
        let mean = lengths.sum::<f64>() / live.clone().count().max(1) as f64;
        let placed = live.map(|t| (t as u32, self.corners(self.triangles[t])));
        self.vicinity = Vicinity::new((CELL * mean).max(f64::MIN_POSITIVE), placed);
    }

    fn wait(&mut self, a: u32, b: u32, respect: &Respect<'_>) {
        let [p, q] = [a, b].map(|v| self.positions[v as usize]);
        let quadric = self.quadrics[a as usize] + self.quadrics[b as usize];
        let deviation = quadric.nearest().map_or(f64::INFINITY, |x| quadric.at(x)).min(quadric.at(p.midpoint(q)));
        let cost = deviation + EVENNESS * p.distance_squared(q).powi(2);
        let cost = cost * (respect.fineness)(p.midpoint(q)).powi(4);
        self.waiting.push(Candidate { cost, ends: [a, b], changes: [a, b].map(|v| self.changes[v as usize]) });
    }

    fn neighbors(&self, vertex: u32) -> Vec<u32> {
        let around = self.triangles_of[vertex as usize].iter().flat_map(|&t| self.triangles[t as usize]);
        let mut around: Vec<u32> = around.filter(|&v| v != vertex).collect();
        around.sort_unstable();
        around.dedup();
        around
    }

    fn collapse(&mut self, [a, b]: [u32; 2], respect: &Respect<'_>) -> bool {
        let (of_a, of_b) = (self.neighbors(a), self.neighbors(b));
        let common = of_a.iter().filter(|v| of_b.binary_search(v).is_ok()).count();
        if common != 2 || of_a.len() + of_b.len() < 8 || of_b.binary_search(&a).is_err() {
            return false;
        }
        let [p, q] = [a, b].map(|v| self.positions[v as usize]);
        let quadric = self.quadrics[a as usize] + self.quadrics[b as usize];
        let middle = p.midpoint(q);
        // Far away the planes are nearly parallel, and the point where they meet says nothing.
        let nearest = quadric.nearest().filter(|x| x.distance_squared(middle) < p.distance_squared(q));
        let places = nearest.into_iter().chain([middle, p, q]);
        // Stored positions are f32.
        let place = places.map(|x| x.as_vec3().as_dvec3()).find(|&place| self.allows([a, b], place, respect));
        let Some(place) = place else { return false };
        self.apply([a, b], place, quadric);
        for vertex in self.neighbors(a) {
            self.wait(a.min(vertex), a.max(vertex), respect);
        }
        true
    }

    /// The triangles that stay around an edge, with its ends as one vertex at a place.
    fn moved(&self, [a, b]: [u32; 2], place: DVec3) -> impl Iterator<Item = (u32, [DVec3; 3])> {
        let around = self.triangles_of[a as usize].iter().chain(&self.triangles_of[b as usize]);
        around.filter_map(move |&index| {
            let triangle = self.triangles[index as usize];
            let is_lost = triangle.contains(&a) && triangle.contains(&b);
            let corner = |v: u32| if v == a || v == b { place } else { self.positions[v as usize] };
            (!is_lost).then(|| (index, triangle.map(corner)))
        })
    }

    fn allows(&self, ends: [u32; 2], place: DVec3, respect: &Respect<'_>) -> bool {
        let before = |index: u32| self.corners(self.triangles[index as usize]);
        let worst = self.moved(ends, place).map(|(index, _)| shape(before(index))).fold(SHAPE, f64::min);
        let mean = self.moved(ends, place).map(|(index, _)| normal(before(index))).sum::<DVec3>();
        let keeps_shape = |(index, after): (u32, [DVec3; 3])| {
            let (old, new) = (normal(before(index)), normal(after));
            // A sliver's own normal is chance.
            let is_sliver = shape(before(index)).min(shape(after)) < SHAPE;
            let keeps_side = match is_sliver {
                true => mean.dot(new) >= 0.0,
                false => old.dot(new) > TURN * old.length() * new.length(),
            };
            keeps_side && shape(after) >= WORSE * worst
        };
        self.moved(ends, place).all(keeps_shape)
            && self.moved(ends, place).all(|(_, corners)| (respect.is_clear)(corners))
            && self.moved(ends, place).all(|(index, corners)| !self.crosses(ends, index, corners))
            && !self.leaves_behind(ends, place, respect.witnesses)
    }

    /// Whether a triangle that would have these corners passes through another.
    fn crosses(&self, ends: [u32; 2], index: u32, corners: [DVec3; 3]) -> bool {
        let vertices = self.triangles[index as usize];
        let bounds = Box3::around(corners);
        self.vicinity.any(corners, |other| {
            let others = self.triangles[other as usize];
            if !self.is_live[other as usize] || others.iter().any(|v| ends.contains(v) || vertices.contains(v)) {
                return false;
            }
            let other = self.corners(others);
            !bounds.intersection(&Box3::around(other)).is_empty() && intersect(corners, other)
        })
    }

    /// Whether a witness is between the surface as it is and as it would be.
    fn leaves_behind(&self, ends: [u32; 2], place: DVec3, witnesses: &[DVec3]) -> bool {
        let mut around = self.triangles_of[ends[0] as usize].clone();
        around.extend(
            self.triangles_of[ends[1] as usize].iter().filter(|&t| !self.triangles[*t as usize].contains(&ends[0])),
        );
        let old = || around.iter().map(|&t| self.corners(self.triangles[t as usize]));
        let bounds = Box3::around(old().flatten().chain([place]));
        witnesses.iter().filter(|&&witness| bounds.contains(witness)).any(|&witness| {
            let before: f64 = old().map(|corners| solid_angle(corners, witness)).sum();
            let after: f64 = self.moved(ends, place).map(|(_, corners)| solid_angle(corners, witness)).sum();
            (before - after).abs() > TAU
        })
    }

    /// Makes the two ends of an edge one.
    fn apply(&mut self, [a, b]: [u32; 2], place: DVec3, quadric: Quadric) {
        self.positions[a as usize] = place;
        self.quadrics[a as usize] = quadric;
        self.changes[a as usize] += 1;
        self.changes[b as usize] += 1;
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
            self.vicinity.add(index, corners);
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
