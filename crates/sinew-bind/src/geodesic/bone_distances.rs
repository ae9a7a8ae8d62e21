//! How far is each vertex from the bones that could move it?
//!
//! A bone is as far as the shortest path from it through the inside of the body. Where the straight way is
//! inside that is the plain distance d. A piece of the way from where it leaves a surface to where it
//! enters one again, of length o, counts `1 + DETOUR` times, and the way around it, if there is one, is
//! found later on a grid ([`super::fast_marching`]). A way that starts in the open air, at a bone that lies
//! outside, may enter freely, and so may one that goes from one part of the body into another; but skin is
//! not reached through that of another part. What it ran outside is not more than it ran inside before, so
//! that a bone may come out of the body; and what it runs along a face of the vertex where it ends counts as
//! it rises from that ([`super::vertex_fans`]). In all this is continuous in the positions, where "visible or not"
//! would not be [R09 §4.1, fig. 7].
//!
//! A bone that does not lie behind the surface as seen along its normal n is taken to be farther:
//!
//! ```text
//! D = (d + DETOUR o) / ((1 + cos φ)/2),     cos φ = n · (direction from the bone to the vertex)
//! ```
//!
//! as bone heat does in Blender: skin belongs to the bone that it wraps.

use super::vertex_fans::Fans;
use crate::bones::Segment;
use glam::DVec3;
use rayon::prelude::*;
use sinew_geometry::{Crossing, Winding};

/// What a step in the open air costs beyond a step in the body.
const DETOUR: f64 = 300.0;

/// Added to `1 + cos φ`, so that no distance is infinite.
const GRAZING: f64 = 1e-3;

/// The most that the factor [`facing`] can be.
pub(crate) const FACING: f64 = 1.0 + 0.5 * GRAZING;

/// Bones up to this much farther than the nearest have a part in a vertex.
pub(crate) const SHARED: f64 = 0.01;

/// Bones that are looked at for one vertex: so many, and none that is so many times as far as the one that looks
/// nearest.
const MOST: usize = 8;
const FARTHEST: f64 = 4.0;

/// Distances below this, of the diagonal of the surface's box, are all the same.
const NEAREST: f64 = 5e-5;

/// Ends of a path that are not looked at, as a share of it: it starts and ends on a surface or a bone.
const END: f64 = 1e-5;

/// The surface that paths are to stay in.
pub(crate) struct Body<'a> {
    pub positions: &'a [DVec3],
    /// Outward, unit or zero.
    pub normals: &'a [DVec3],
    pub fans: &'a Fans<'a>,
    pub winding: &'a Winding,
    /// Whether the surface has an inside at all; if not, everything is reached freely.
    pub has_inside: bool,
}

/// A bone that may move a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Source {
    pub bone: u32,
    /// D of the best way known.
    pub distance: f64,
    /// Whether all ways known leave the body.
    pub is_blocked: bool,
}

impl Source {
    /// Adds this way to others, of which each bone has one: the shortest.
    pub fn add_to(self, sources: &mut Vec<Self>) {
        match sources.iter_mut().find(|other| other.bone == self.bone) {
            Some(other) => {
                other.distance = other.distance.min(self.distance);
                other.is_blocked &= self.is_blocked;
            }
            None => sources.push(self),
        }
    }
}

/// The bones that may move a vertex.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reached {
    pub sources: Vec<Source>,
    /// Whether a straight way that was looked at leaves the body, so that one around may be shorter.
    pub is_hindered: bool,
    /// How sure this is: 1 where the ways to the bones that look nearest stay inside, less where they do not.
    pub clearness: f64,
}

/// The factor by which a bone in this direction is taken to be nearer than it would be otherwise.
pub(crate) fn facing(normal: DVec3, direction: DVec3) -> f64 {
    if normal == DVec3::ZERO {
        return 1.0;
    }
    0.5 * (1.0 + GRAZING + normal.dot(direction.normalize_or(normal)))
}

/// The say of a bone at distance D in a vertex whose nearest is at another: one there, nothing from
/// `1 + SHARED` of that on, and smooth between.
pub(crate) fn say(distance: f64, nearest: f64) -> f64 {
    let beyond = if distance > nearest { distance / nearest - 1.0 } else { 0.0 };
    (1.0 - beyond / SHARED).max(0.0).powi(2)
}

/// For each vertex the bones that have a part in it as far as straight ways tell: those not much farther
/// than the nearest.
pub(crate) fn straight(body: &Body<'_>, segments: &[Segment]) -> Vec<Reached> {
    (0..body.positions.len())
        .into_par_iter()
        .map_init(Default::default, |(near, found), vertex| body.reached(vertex, segments, near, found))
        .collect()
}

/// A piece of a bone as it looks from a vertex, whatever lies between.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Straight {
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
        let mut reached = Reached { sources: Vec::new(), is_hindered: false, clearness: 1.0 };
        let (mut best, mut clearness, mut says) = (f64::INFINITY, 0.0, 0.0);
        // Bones that meet in a joint are often reached by the same way.
        let mut last = None;
        for straight in near.iter().take(MOST) {
            if straight.distance > best * (1.0 + SHARED) {
                break;
            }
            let way = point - straight.origin;
            let hindrance = match last {
                Some((origin, hindrance)) if origin == straight.origin => hindrance,
                _ => self.hindrance(vertex, way, found),
            };
            last = Some((straight.origin, hindrance));
            let distance = straight.distance + hindrance / facing(normal, way);
            let say = say(straight.distance, near[0].distance);
            clearness += say * straight.distance / distance;
            says += say;
            best = best.min(distance);
            reached.is_hindered |= hindrance > 0.0;
            Source { bone: straight.bone, distance, is_blocked: hindrance > 0.0 }.add_to(&mut reached.sources);
        }
        if says > 0.0 {
            reached.clearness = clearness / says;
        }
        reached
    }

    /// The pieces of bones that look no more than so many times as far from a vertex as the one that looks nearest, in
    /// their order.
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
            near.push(straight);
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

    /// What a straight way to a vertex costs beyond its length because it leaves the body.
    pub fn hindrance(&self, vertex: usize, way: DVec3, found: &mut Vec<Crossing>) -> f64 {
        let point = self.positions[vertex];
        DETOUR * self.outside_length(point - way, point, found, || self.fans.length_along(vertex, -way))
    }

    /// What a straight way to a place that is not on the surface costs.
    pub fn length(&self, origin: DVec3, place: DVec3, found: &mut Vec<Crossing>) -> f64 {
        origin.distance(place) + DETOUR * self.outside_length(origin, place, found, || 0.0)
    }

    /// The length that the straight way from a bone to a point runs outside of what it left, but for a length at the
    /// point that does not count, and not more than it ran inside before: so a bone that comes out of a surface is not
    /// suddenly free of it.
    fn outside_length(
        &self,
        origin: DVec3,
        point: DVec3,
        found: &mut Vec<Crossing>,
        without: impl FnOnce() -> f64,
    ) -> f64 {
        if !self.has_inside {
            return 0.0;
        }
        self.winding.crossings(origin, point, found);
        // From the same ends on as crossings count, so that none makes a difference when it begins to.
        let ends = END..1.0 - END;
        let mut crossings = found.iter().filter(|crossing| ends.contains(&crossing.share)).peekable();
        let mut has_left = false;
        let mut is_in_air = crossings.peek().is_some_and(|crossing| crossing.enters);
        let (mut at, mut inside, mut outside) = (ends.start, 0.0, 0.0f64);
        for crossing in crossings {
            let piece = crossing.share - at;
            if has_left {
                outside = (outside + piece).min(inside);
            } else if !is_in_air {
                inside += piece;
            }
            (at, has_left, is_in_air) = (crossing.share, !crossing.enters, false);
        }
        let length = origin.distance(point);
        if has_left {
            outside = (outside + (ends.end - at - without() / length).max(0.0)).min(inside);
        }
        outside * length
    }
}
