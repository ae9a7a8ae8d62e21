//! Does a swelling muscle push the skin through itself?
//!
//! After the offsets are known, triangles that moved are searched for pairs that intersect and did not before.
//! Their points give up half of their offsets, those around them less; where that was not enough again, and then all of
//! it. In a clip points become free again little by little, so that a contact does not come and go from
//! frame to frame.

use super::cover::Cover;
use crate::welded::WeldedSurface;
use glam::Vec3;
use sinew_geometry::{SelfIntersections, Topology};

/// Rounds of a frame, and what points in contact keep of their freedom in the first ones; in the others nothing.
pub(super) const ROUNDS: usize = 6;
const KEPT: [f64; 2] = [0.5; 2];

/// Points that moved by less, of their limb's radius, are not searched.
const MOVED: f64 = 1e-4;

/// Freedom that comes back in a second.
const RELEASE: f64 = 4.0;

/// The search for new contacts.
pub(super) struct Guard {
    search: SelfIntersections,
    /// For each point, the share of its offset that it keeps.
    pub freedom: Vec<f64>,
    is_moved: Vec<bool>,
    /// Points that give way in a round.
    given: Vec<u32>,
}

impl Guard {
    pub fn new(body: &WeldedSurface) -> Self {
        let rest: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let search = SelfIntersections::new(&Topology::new(&rest, &body.faces), &rest).pass_over_smooth();
        Self {
            search,
            freedom: vec![1.0; rest.len()],
            is_moved: vec![false; rest.len()],
            given: Vec::with_capacity(rest.len()),
        }
    }

    /// Begins a frame, some time after the one before.
    pub fn begin(&mut self, delta_seconds: f64) {
        let release = if delta_seconds > 0.0 { RELEASE * delta_seconds } else { 1.0 };
        self.freedom.iter_mut().for_each(|freedom| *freedom = (*freedom + release).min(1.0));
    }

    /// Looks for contacts of what moved.
    pub fn look(&mut self, covers: &[Cover], was: &[Vec3], is: &[Vec3]) {
        let Self { search, is_moved, .. } = self;
        for cover in covers {
            let point = cover.point as usize;
            is_moved[point] = f64::from(was[point].distance(is[point])) > MOVED * cover.radius;
        }
        search.mask_vertices(|point| is_moved[point as usize]);
        search.pairs(is);
        search.clear_mask();
    }

    /// Looks again, after points with less freedom moved.
    pub fn look_again(&mut self, is: &[Vec3]) {
        self.search.masked_pairs(is);
    }

    /// Takes freedom from points in new contacts in a round; whether there were any.
    pub fn give_way(&mut self, body: &WeldedSurface, was: &[Vec3], round: usize) -> bool {
        let Self { search, freedom, given, .. } = self;
        let kept = KEPT.get(round).copied().unwrap_or(0.0);
        given.clear();
        for &pair in search.found().iter().filter(|&&pair| !search.intersects(pair, was)) {
            given.extend([pair.0, pair.1].into_iter().flat_map(|t| search.triangles()[t as usize].vertices));
        }
        given.sort_unstable();
        given.dedup();
        given.iter().for_each(|&point| freedom[point as usize] *= kept);
        for &point in &*given {
            let most = 0.5 * (1.0 + freedom[point as usize]);
            search.add_to_mask(point);
            for &(beside, _) in body.neighbours.row(point) {
                freedom[beside as usize] = freedom[beside as usize].min(most);
                search.add_to_mask(beside);
            }
        }
        !given.is_empty()
    }
}
