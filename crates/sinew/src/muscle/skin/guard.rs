//! Does a swelling muscle push the skin through itself?
//!
//! After the offsets are known, triangles that moved are searched for pairs that intersect and did not before.
//! Their points give up their offsets, those around them half, and the search goes on for a few rounds. In a clip
//! points become free again little by little, so that a contact does not come and go from frame to frame.

use super::cover::Cover;
use crate::geometry::{SelfIntersections, Topology};
use crate::implicit::Body;
use glam::Vec3;

/// Rounds of a frame.
pub(super) const ROUNDS: usize = 3;

/// Points that moved by less, of their limb's radius, are not searched.
const MOVED: f64 = 0.01;

/// Freedom that comes back in a second.
const RELEASE: f64 = 4.0;

/// What is left of their freedom to points next to one in contact.
const BESIDE: f64 = 0.5;

/// The search for new contacts.
pub(super) struct Guard {
    search: SelfIntersections,
    /// For each point, the share of its offset that it keeps.
    pub freedom: Vec<f64>,
    is_moved: Vec<bool>,
}

impl Guard {
    pub fn new(body: &Body) -> Self {
        let rest: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let search = SelfIntersections::new(&Topology::new(&rest, &body.faces), &rest);
        Self { search, freedom: vec![1.0; rest.len()], is_moved: vec![false; rest.len()] }
    }

    /// Begins a frame, some time after the one before.
    pub fn begin(&mut self, delta_seconds: f64) {
        let release = if delta_seconds > 0.0 { RELEASE * delta_seconds } else { 1.0 };
        self.freedom.iter_mut().for_each(|freedom| *freedom = (*freedom + release).min(1.0));
    }

    /// Takes freedom from points in new contacts; whether there were any.
    pub fn find(&mut self, body: &Body, covers: &[Cover], was: &[Vec3], is: &[Vec3]) -> bool {
        let Self { search, freedom, is_moved } = self;
        for cover in covers {
            let point = cover.point as usize;
            is_moved[point] = f64::from(was[point].distance(is[point])) > MOVED * cover.radius;
        }
        search.watch(|point| is_moved[point as usize]);
        search.pairs(is);
        let mut has_found = false;
        for &pair in search.found() {
            if search.intersects(pair, was) {
                continue;
            }
            has_found = true;
            for triangle in [pair.0, pair.1] {
                for point in search.triangles()[triangle as usize].vertices {
                    freedom[point as usize] = 0.0;
                    for &(beside, _) in body.neighbours.row(point) {
                        freedom[beside as usize] = freedom[beside as usize].min(BESIDE);
                    }
                }
            }
        }
        has_found
    }
}
