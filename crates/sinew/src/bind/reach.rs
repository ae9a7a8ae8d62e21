//! How far is each vertex from the bones that could move it?
//!
//! A bone is as far as the shortest path from it through the inside of the body. Where the straight way is
//! inside that is the plain distance d. A piece of the way from where it leaves a surface to where it
//! enters one again, of length o, counts `1 + DETOUR` times, and the way around it, if there is one, is
//! found later on a grid ([`super::march`]). A way that starts in the open air, at a bone that lies
//! outside, may enter freely, and so may one that goes from one part of the body into another; but skin is
//! not reached through that of another part. In all this is continuous in the positions, where "visible
//! or not" would not be [R09 §4.1, fig. 7].
//!
//! A bone that does not lie behind the surface as seen along its normal n is taken to be farther:
//!
//! ```text
//! D = (d + DETOUR o) / ((1 + cos φ)/2),     cos φ = n · (direction from the bone to the vertex)
//! ```
//!
//! as bone heat does in Blender: skin belongs to the bone that it wraps.

use super::bones::Segment;
use crate::geometry::{Crossing, Winding};
use glam::DVec3;
use rayon::prelude::*;

/// What a step in the open air costs beyond a step in the body.
const DETOUR: f64 = 300.0;

/// Added to `1 + cos φ`, so that no distance is infinite.
const GRAZING: f64 = 1e-3;

/// The most that the factor [`facing`] can be.
const FACING: f64 = 1.0 + 0.5 * GRAZING;

/// Bones up to this much farther than the nearest have a part in a vertex.
pub(super) const SHARED: f64 = 0.01;

/// Bones that are looked at for one vertex: so many, and none that is so many times as far as the one that looks
/// nearest.
const MOST: usize = 8;
const FARTHEST: f64 = 4.0;

/// Distances below this, of the diagonal of the surface's box, are all the same.
const NEAREST: f64 = 5e-5;

/// Ends of a path that are not looked at, as a share of it: it starts and ends on a surface or a bone.
const END: f64 = 1e-5;

/// The surface that paths are to stay in.
pub(super) struct Body<'a> {
    pub positions: &'a [DVec3],
    /// Outward, unit or zero.
    pub normals: &'a [DVec3],
    pub winding: &'a Winding,
    /// Whether the surface has an inside at all; if not, everything is reached freely.
    pub has_inside: bool,
}

/// A bone that may move a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Source {
    pub bone: u32,
    /// D of the best way known.
    pub distance: f64,
    /// Whether the straight way leaves the body.
    pub is_blocked: bool,
}

/// The bones that may move a vertex.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reached {
    pub sources: Vec<Source>,
    /// How sure this is: 1 where the way to the bone that looks nearest stays inside, less where it does not.
    pub clearness: f64,
}

/// The factor by which a bone in this direction is taken to be nearer than it would be otherwise.
pub(super) fn facing(normal: DVec3, direction: DVec3) -> f64 {
    if normal == DVec3::ZERO {
        return 1.0;
    }
    0.5 * (1.0 + GRAZING + normal.dot(direction.normalize_or(normal)))
}

/// The say of a bone at distance D in a vertex whose nearest is at another: one there, nothing from
/// `1 + SHARED` of that on, and smooth between.
pub(super) fn say(distance: f64, nearest: f64) -> f64 {
    let beyond = if distance > nearest { distance / nearest - 1.0 } else { 0.0 };
    (1.0 - beyond / SHARED).max(0.0).powi(2)
}

/// For each vertex the bones that have a part in it as far as straight ways tell: those not much farther
/// than the nearest.
pub(super) fn straight(body: &Body<'_>, segments: &[Segment]) -> Vec<Reached> {
    (0..body.positions.len())
        .into_par_iter()
        .map_init(Default::default, |(near, found), vertex| body.reached(vertex, segments, near, found))
        .collect()
}

/// A bone as it looks from a vertex, whatever lies between.
#[derive(Debug, Clone, Copy)]
pub(super) struct Straight {
    pub bone: u32,
    /// D of the straight way.
    pub distance: f64,
    /// Where that way starts.
    pub origin: DVec3,
}

impl Body<'_> {
    fn reached(
        &self,
        vertex: usize,
        segments: &[Segment],
        near: &mut Vec<Straight>,
        found: &mut Vec<Crossing>,
    ) -> Reached {
        let (point, normal) = (self.positions[vertex], self.normals[vertex]);
        self.near_bones(vertex, segments, FARTHEST, near);
        near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.bone.cmp(&b.bone)));
        let mut reached = Reached { sources: Vec::new(), clearness: 1.0 };
        let mut best = f64::INFINITY;
        for straight in near.iter().take(MOST) {
            if straight.distance > best * (1.0 + SHARED) {
                break;
            }
            let outside = self.outside_length(straight.origin, point, found);
            let distance = straight.distance + DETOUR * outside / facing(normal, point - straight.origin);
            if reached.sources.is_empty() {
                reached.clearness = straight.distance / distance;
            }
            best = best.min(distance);
            reached.sources.push(Source { bone: straight.bone, distance, is_blocked: outside > 0.0 });
        }
        reached
    }

    /// The bones that look no more than so many times as far from a vertex as the one that looks nearest, in their
    /// order.
    pub fn near_bones(&self, vertex: usize, segments: &[Segment], times: f64, near: &mut Vec<Straight>) {
        let point = self.positions[vertex];
        near.clear();
        let mut least = f64::INFINITY;
        for segment in segments {
            let origin = segment.nearest(point);
            // Too far, even if it lies right behind the surface.
            if origin.distance_squared(point) > (FACING * times * least).powi(2) {
                continue;
            }
            let straight = Straight { bone: segment.bone, distance: self.straight_distance(vertex, origin), origin };
            least = least.min(straight.distance);
            match near.last_mut().filter(|last| last.bone == segment.bone) {
                Some(last) if last.distance <= straight.distance => {}
                Some(last) => *last = straight,
                None => near.push(straight),
            }
        }
        near.retain(|straight| straight.distance <= times * least);
    }

    /// D of the straight way from a point of a bone to a vertex, whatever lies between.
    fn straight_distance(&self, vertex: usize, origin: DVec3) -> f64 {
        let away = self.positions[vertex] - origin;
        away.length().max(NEAREST) / facing(self.normals[vertex], away)
    }

    /// The least D of straight ways from the segments of a bone to a vertex, whatever lies between.
    pub fn straight_distance_to(&self, vertex: usize, bone: &[Segment]) -> f64 {
        let distances =
            bone.iter().map(|segment| self.straight_distance(vertex, segment.nearest(self.positions[vertex])));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The length that the straight way from a bone to a point runs outside of what it left.
    pub fn outside_length(&self, origin: DVec3, point: DVec3, found: &mut Vec<Crossing>) -> f64 {
        if !self.has_inside {
            return 0.0;
        }
        self.winding.crossings(origin, point, found);
        let (mut left, mut outside) = (None, 0.0);
        for crossing in found.iter().filter(|crossing| (END..1.0 - END).contains(&crossing.share)) {
            if let Some(from) = left.take() {
                outside += crossing.share - from;
            }
            if !crossing.enters {
                left = Some(crossing.share);
            }
        }
        // From the same end on as crossings count, so that none makes a difference when it begins to.
        outside += left.map_or(0.0, |from| 1.0 - END - from);
        outside * origin.distance(point)
    }
}
