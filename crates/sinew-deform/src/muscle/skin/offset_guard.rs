//! Reduces offsets along normals where they push the skin through itself.
//!
//! After the offsets are known, the search tests triangles that moved for pairs that intersect and did not before. The
//! vertices of new pairs keep half of their offsets, and their neighbours a little more; where that is not enough, half
//! of that, and then nothing. Freedom returns gradually in a clip, so that a contact does not flicker from frame to
//! frame.

use crate::welded::WeldedSurface;
use glam::Vec3;
use sinew_geometry::{SelfIntersections, Topology};

/// Shares of their freedom that vertices in contact keep in the first rounds; nothing in later ones.
const KEPT_FREEDOM: [f64; 2] = [0.5; 2];

/// The displacement, in limb radii, up to which a vertex is not searched.
const MOVED: f64 = 1e-4;

/// Freedom that returns in a second.
const RELEASE_PER_SECOND: f64 = 4.0;

/// The search for intersections that offsets cause.
pub(super) struct OffsetGuard {
    search: SelfIntersections,
    /// For each vertex, the share of its offset that it keeps.
    pub freedom: Vec<f64>,
    is_moved: Vec<bool>,
    /// Vertices in new contacts in a round.
    in_contact: Vec<u32>,
}

impl OffsetGuard {
    /// The most rounds of a frame.
    pub const MAX_ROUNDS: usize = 6;

    /// Prepares a surface.
    pub fn new(body: &WeldedSurface) -> Self {
        let rest: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let search = SelfIntersections::new(&Topology::new(&rest, &body.faces), &rest).pass_over_smooth();
        Self {
            search,
            freedom: vec![1.0; rest.len()],
            is_moved: vec![false; rest.len()],
            in_contact: Vec::with_capacity(rest.len()),
        }
    }

    /// Begins a frame, some time after the one before.
    pub fn begin(&mut self, delta_seconds: f64) {
        // All of it in a frame without a duration.
        let release = if delta_seconds > 0.0 { RELEASE_PER_SECOND * delta_seconds } else { 1.0 };
        self.freedom.iter_mut().for_each(|freedom| *freedom = (*freedom + release).min(1.0));
    }

    /// Searches for intersections of what moved. `offset_points` are the points with offsets, each with the radius of
    /// its limb.
    pub fn find(&mut self, offset_points: impl Iterator<Item = (u32, f64)>, was: &[Vec3], is: &[Vec3]) {
        let Self { search, is_moved, .. } = self;
        for (point, radius) in offset_points {
            let point = point as usize;
            is_moved[point] = f64::from(was[point].distance(is[point])) > MOVED * radius;
        }
        search.mask_vertices(|point| is_moved[point as usize]);
        search.pairs(is);
        search.clear_mask();
    }

    /// Searches again around vertices that lost freedom in [`Self::reduce`].
    pub fn find_again(&mut self, is: &[Vec3]) {
        self.search.masked_pairs(is);
    }

    /// Reduces the freedom of points in new contacts; whether there are any.
    pub fn reduce(&mut self, body: &WeldedSurface, was: &[Vec3], round: usize) -> bool {
        let Self { search, freedom, in_contact, .. } = self;
        let kept = KEPT_FREEDOM.get(round).copied().unwrap_or(0.0);
        in_contact.clear();
        for &pair in search.found().iter().filter(|&&pair| !search.intersects(pair, was)) {
            in_contact.extend([pair.0, pair.1].into_iter().flat_map(|t| search.triangles()[t as usize].vertices));
        }
        in_contact.sort_unstable();
        in_contact.dedup();
        in_contact.iter().for_each(|&point| freedom[point as usize] *= kept);
        for &point in &*in_contact {
            let most = 0.5 * (1.0 + freedom[point as usize]);
            search.add_to_mask(point);
            for &(neighbour, _) in body.neighbours.row(point) {
                freedom[neighbour as usize] = freedom[neighbour as usize].min(most);
                search.add_to_mask(neighbour);
            }
        }
        !in_contact.is_empty()
    }
}
