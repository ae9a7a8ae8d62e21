//! Does a correction make the surface cross itself where the base skin does not?
//!
//! A search over the triangles of a shell finds the pairs that intersect in the base skin and in the corrected one.
//! Vertices where the base crosses already, and those of new pairs, are in contact: they give up their displacement, and
//! those around them less, the farther they are [R09 §5]. In a clip they become free again little by little, so that a
//! contact does not come and go from frame to frame.

use super::patch::Patch;
use crate::geometry::{Face, SelfIntersections, Topology};
use glam::{DVec3, Vec3};

/// The search for new contacts on a shell.
pub(super) struct Guard {
    search: SelfIntersections,
    positions: Vec<Vec3>,
    base: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
    /// For each vertex, the share of its displacement that it keeps.
    freedom: Vec<f64>,
    edges: Vec<Edge>,
    /// Vertices of triangles that intersect in the base skin.
    crossing: Vec<bool>,
}

/// The distance from a contact at which a vertex is free, in limb radii: in the first rounds, and in later ones.
const REACH: [f64; 2] = [0.5, 1.0];

/// The most sweeps over the edges; on a mesh so fine that more are needed the rest stays free.
const SWEEPS: usize = 50;

/// Freedom that comes back in a second.
const RELEASE: f64 = 4.0;

/// An edge of the shell with its length at rest in limb radii.
struct Edge {
    ends: [u32; 2],
    length: f64,
}

impl Guard {
    /// How often a correction is taken back where it touches, before it is left as it is.
    pub const ROUNDS: usize = 8;

    /// `thickness` is the limb's radius at each vertex of the patch.
    pub fn new(patch: &Patch, rest: &[DVec3], thickness: &[f64]) -> Self {
        let count = patch.vertices().len();
        let positions: Vec<Vec3> = patch.vertices().iter().map(|&v| rest[v as usize].as_vec3()).collect();
        let is_surface = |face: &&Face| face.corners().iter().all(|&v| (v as usize) < count);
        let faces: Vec<Face> = patch.faces().iter().filter(is_surface).copied().collect();
        let sorted = |(a, b): (u32, u32)| [a.min(b), a.max(b)];
        let mut ends: Vec<[u32; 2]> = faces.iter().flat_map(|f| f.edges().map(sorted).collect::<Vec<_>>()).collect();
        ends.sort_unstable();
        ends.dedup();
        let edge = |ends: [u32; 2]| {
            let [a, b] = ends.map(|v| v as usize);
            Edge {
                ends,
                length: f64::from(positions[a].distance(positions[b])) / (0.5 * (thickness[a] + thickness[b])),
            }
        };
        let edges = ends.into_iter().map(edge).collect();
        Self {
            search: SelfIntersections::new(&Topology::new(&positions, &faces), &positions),
            positions,
            base: Vec::new(),
            found: Vec::new(),
            freedom: vec![1.0; count],
            edges,
            crossing: vec![false; count],
        }
    }

    /// Looks at the base skin, some time after the frame before.
    pub fn begin(&mut self, count: usize, delta_seconds: f64, at: impl Fn(usize) -> Vec3) {
        (0..count).for_each(|k| self.positions[k] = at(k));
        self.crossing.fill(false);
        self.base.clear();
        self.base.extend_from_slice(self.search.pairs(&self.positions));
        for triangle in self.base.iter().flat_map(|&(a, b)| [a, b]) {
            let vertices = self.search.triangles()[triangle as usize].vertices;
            vertices.iter().for_each(|&v| self.crossing[v as usize] = true);
        }
        let release = if delta_seconds > 0.0 { RELEASE * delta_seconds } else { 1.0 };
        self.freedom.iter_mut().for_each(|freedom| *freedom = (*freedom + release).min(1.0));
    }

    /// Looks at the corrected skin and counts the contacts that the base has not. Vertices in contact lose their
    /// freedom.
    pub fn find_new(&mut self, round: usize, at: impl Fn(usize) -> Vec3) -> usize {
        self.positions.iter_mut().enumerate().for_each(|(k, p)| *p = at(k));
        self.found.clear();
        self.found.extend_from_slice(self.search.pairs(&self.positions));
        for triangle in self.found.iter().flat_map(|&(a, b)| [a, b]) {
            let vertices = self.search.triangles()[triangle as usize].vertices;
            vertices.iter().for_each(|&v| self.freedom[v as usize] = 0.0);
        }
        self.spread(if round < Self::ROUNDS / 2 { REACH[0] } else { REACH[1] });
        self.found.iter().filter(|pair| self.base.binary_search(pair).is_err()).count()
    }

    /// Holds the vertices where the base skin crosses itself, but for those that are being parted.
    pub fn hold_crossings(&mut self, is_parted: impl Fn(usize) -> bool) {
        for (k, freedom) in self.freedom.iter_mut().enumerate() {
            if self.crossing[k] && !is_parted(k) {
                *freedom = 0.0;
            }
        }
        self.spread(REACH[0]);
    }

    /// Lets freedom grow from nothing in contact to all of it some way off: `f(b) ≤ f(a) + |ab| / reach`. Sweeps over
    /// the edges, to and fro, until nothing changes.
    fn spread(&mut self, reach: f64) {
        let Self { edges, freedom, .. } = self;
        let mut relax = |&Edge { ends: [a, b], length }: &Edge| {
            let step = length / reach;
            let (low, high) = if freedom[a as usize] < freedom[b as usize] { (a, b) } else { (b, a) };
            let bound = freedom[low as usize] + step;
            let is_lower = bound < freedom[high as usize];
            if is_lower {
                freedom[high as usize] = bound;
            }
            is_lower
        };
        for _ in 0..SWEEPS {
            let forth = edges.iter().fold(false, |changed, edge| relax(edge) | changed);
            let back = edges.iter().rev().fold(false, |changed, edge| relax(edge) | changed);
            if !forth && !back {
                return;
            }
        }
    }

    /// Whether the base skin crosses itself at a vertex.
    pub fn is_crossing(&self, vertex: usize) -> bool {
        self.crossing[vertex]
    }

    /// Whether no vertex is held back.
    pub fn is_free(&self) -> bool {
        self.freedom.iter().all(|freedom| *freedom == 1.0)
    }

    /// The share of its displacement that a vertex keeps.
    pub fn freedom(&self, vertex: usize) -> f64 {
        self.freedom[vertex]
    }
}
