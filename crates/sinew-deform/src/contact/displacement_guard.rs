//! Reduces the displacements of a correction where they cause intersections that the base skin has not.
//!
//! A search over the triangles of a shell finds the pairs that intersect in the base skin and in the corrected one.
//! Vertices where the base crosses already, and those of new pairs, are in contact: they give up their displacement,
//! and those around them less, the farther they are [R09 §5]. In a clip they become free again little by little, so
//! that a contact does not come and go from frame to frame.

use super::freedom::release;
use glam::Vec3;
use sinew_geometry::{Face, Rows, SelfIntersections, Topology};
use std::collections::VecDeque;

/// The search for new contacts on a shell.
pub(crate) struct DisplacementGuard {
    search: SelfIntersections,
    /// The base skin, where it was looked at, and the skin that was searched last.
    base: Vec<Vec3>,
    is_searched: Vec<bool>,
    positions: Vec<Vec3>,
    /// The vertices that have moved since then.
    has_moved: Vec<bool>,
    /// Pairs of triangles that intersect though they do not in the base skin.
    found: Vec<(u32, u32)>,
    /// For each vertex, the share of its displacement that it keeps.
    freedom: Vec<f64>,
    /// The neighbours of each vertex.
    neighbors: Rows<Neighbor>,
    /// Vertices whose neighbours have still to be looked at, and whether a vertex is one.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// Vertices of triangles that intersect in the base skin.
    intersecting: Vec<bool>,
}

/// The distance from a contact at which a vertex is free, in limb radii: in the first rounds, and in later ones.
const FREE_DISTANCE: [f64; 2] = [0.5, 1.0];

/// A vertex at the other end of an edge, and how far it is at rest in limb radii.
#[derive(Clone, Copy, Default)]
struct Neighbor {
    vertex: u32,
    distance: f64,
}

impl DisplacementGuard {
    /// How often a correction is taken back where it touches, before it is left as it is.
    pub const MAX_ROUNDS: usize = 8;

    /// The first round of the next kind: those of the first half hold what is near a contact and leave alone what parts
    /// the sides of a bend.
    pub fn next_kind(round: usize) -> usize {
        if round < Self::MAX_ROUNDS / 2 { Self::MAX_ROUNDS / 2 } else { Self::MAX_ROUNDS }
    }

    /// Prepares vertices with rest `positions`. Faces with other corners, such as those of caps, are left out.
    /// `thickness` is the limb's radius at each vertex.
    pub fn new(positions: Vec<Vec3>, faces: &[Face], thickness: &[f64]) -> Self {
        let count = positions.len();
        let is_surface = |face: &&Face| face.corners().iter().all(|&v| (v as usize) < count);
        let faces: Vec<Face> = faces.iter().filter(is_surface).copied().collect();
        let both_ways = |(a, b): (u32, u32)| [[a, b], [b, a]];
        let mut ends: Vec<[u32; 2]> =
            faces.iter().flat_map(|f| f.edges().flat_map(both_ways).collect::<Vec<_>>()).collect();
        ends.sort_unstable();
        ends.dedup();
        let neighbor = |&[from, vertex]: &[u32; 2]| {
            let [a, b] = [from, vertex].map(|v| v as usize);
            let radius = 0.5 * (thickness[a] + thickness[b]);
            Neighbor { vertex, distance: f64::from(positions[a].distance(positions[b])) / radius }
        };
        let mut neighbors = Rows::with_capacity(count, ends.len());
        for row in Rows::grouped(count, ends.iter().map(|end| end[0])).iter() {
            neighbors.push(row.iter().map(|&k| neighbor(&ends[k as usize])));
        }
        Self {
            search: SelfIntersections::new(&Topology::new(&positions, &faces), &positions),
            base: positions.clone(),
            is_searched: vec![false; count],
            has_moved: vec![false; count],
            positions,
            found: Vec::new(),
            freedom: vec![1.0; count],
            neighbors,
            queue: VecDeque::with_capacity(count),
            is_queued: vec![false; count],
            intersecting: vec![false; count],
        }
    }

    /// Begins a frame, some time after the one before.
    pub fn begin(&mut self, delta_seconds: f64) {
        release(&mut self.freedom, delta_seconds);
    }

    /// Searches the base skin, around vertices that `is_searched` marks. The same skin, as while a user drags a curve,
    /// is not searched again.
    pub fn find_in_base(&mut self, is_searched: &[bool], at: impl Fn(usize) -> Vec3) {
        let mut is_known = self.is_searched == is_searched;
        for (k, base) in self.base.iter_mut().enumerate() {
            let now = at(k);
            is_known &= now == *base;
            *base = now;
        }
        self.positions.copy_from_slice(&self.base);
        self.found.clear();
        if is_known {
            return;
        }
        self.is_searched.copy_from_slice(is_searched);
        self.intersecting.fill(false);
        self.search.mask_vertices(|vertex| is_searched[vertex as usize]);
        self.search.pairs(&self.base);
        for triangle in self.search.found().iter().flat_map(|&(a, b)| [a, b]) {
            let vertices = self.search.triangles()[triangle as usize].vertices;
            vertices.iter().for_each(|&v| self.intersecting[v as usize] = true);
        }
    }

    /// Looks at the corrected skin and counts the contacts that the base has not. Vertices in contact lose their
    /// freedom. Only triangles are searched with a vertex that moved by more than its `tolerance` since the last time.
    pub fn find_new(&mut self, round: usize, at: impl Fn(usize) -> Vec3, tolerance: impl Fn(usize) -> f64) -> usize {
        let Self { search, base, positions, has_moved, found, freedom, .. } = self;
        for (k, (position, has_moved)) in positions.iter_mut().zip(has_moved.iter_mut()).enumerate() {
            let now = at(k);
            *has_moved = f64::from(now.distance(*position)) > tolerance(k);
            if *has_moved {
                *position = now;
            }
        }
        let moves = |triangle: u32| {
            search.triangles()[triangle as usize].vertices.iter().any(|&vertex| has_moved[vertex as usize])
        };
        found.retain(|&(a, b)| !moves(a) && !moves(b));
        search.mask_vertices(|vertex| has_moved[vertex as usize]);
        search.pairs(positions);
        found.extend(search.found().iter().filter(|pair| !search.intersects(**pair, base)));
        // Where the base intersects itself, vertices in contact are fixed as well.
        for triangle in search.found().iter().chain(&*found).flat_map(|&(a, b)| [a, b]) {
            let vertices = search.triangles()[triangle as usize].vertices;
            vertices.iter().for_each(|&v| freedom[v as usize] = 0.0);
        }
        let count = found.len();
        self.spread(FREE_DISTANCE[usize::from(round >= Self::MAX_ROUNDS / 2)]);
        count
    }

    /// Holds the vertices where the base skin crosses itself, but for those that are being parted.
    pub fn hold_intersections(&mut self, is_parted: impl Fn(usize) -> bool) {
        for (k, freedom) in self.freedom.iter_mut().enumerate() {
            if self.intersecting[k] && !is_parted(k) {
                *freedom = 0.0;
            }
        }
        self.spread(FREE_DISTANCE[0]);
    }

    /// Lets freedom grow from nothing in contact to all of it some way off: `f(b) ≤ f(a) + |ab| / reach`, from those
    /// that have not all of it outwards until nothing changes.
    fn spread(&mut self, reach: f64) {
        let Self { neighbors, freedom, queue, is_queued, .. } = self;
        for (vertex, _) in freedom.iter().enumerate().filter(|(_, freedom)| **freedom < 1.0) {
            queue.push_back(vertex as u32);
            is_queued[vertex] = true;
        }
        while let Some(vertex) = queue.pop_front() {
            let vertex = vertex as usize;
            is_queued[vertex] = false;
            for neighbor in neighbors.row(vertex as u32) {
                let other = neighbor.vertex as usize;
                let bound = freedom[vertex] + neighbor.distance / reach;
                if bound < freedom[other] {
                    freedom[other] = bound;
                    if !std::mem::replace(&mut is_queued[other], true) {
                        queue.push_back(neighbor.vertex);
                    }
                }
            }
        }
    }

    /// Whether the base skin crosses itself at a vertex.
    pub fn is_intersecting(&self, vertex: usize) -> bool {
        self.intersecting[vertex]
    }

    /// Whether no vertex is limited.
    pub fn is_free(&self) -> bool {
        self.freedom.iter().all(|freedom| *freedom == 1.0)
    }

    /// The share of its displacement that a vertex keeps.
    pub fn freedom(&self, vertex: usize) -> f64 {
        self.freedom[vertex]
    }
}
