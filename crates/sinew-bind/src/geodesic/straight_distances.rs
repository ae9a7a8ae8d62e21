//! Distances of bones from vertices along straight paths.
//!
//! The distance of a bone is the length of the shortest path from it through the inside of the body. Where the straight
//! path is inside, that is the Euclidean distance d. A section of length o from where the path leaves a surface to where it
//! enters one again costs `1 + OUTSIDE_COST` per length; a path around it, if any, is found later on a grid
//! ([`super::fast_marching`]). A path from a bone outside the body may enter freely, and so may one from one part of the
//! body into another; but skin is not reached through the skin of another part. The outside length is limited to the inside
//! length before it, so that a bone may protrude from the body; and the part along a face of the end vertex counts by the
//! angle between them ([`super::vertex_fans`]). So the distance is continuous in the positions, unlike visibility
//! [R09 §4.1, fig. 7].
//!
//! A bone that is not behind the surface along its normal n is farther:
//!
//! ```text
//! D = (d + OUTSIDE_COST o) / ((1 + cos φ)/2),     cos φ = n · (direction from the bone to the vertex)
//! ```
//!
//! as in Blender's bone heat: skin belongs to the bone that it wraps.

use super::vertex_fans::VertexFans;
use crate::bones::Segment;
use glam::DVec3;
use sinew_geometry::parallel::*;
use sinew_geometry::{SegmentIntersection, Winding};

/// The cost per length outside the body beyond that inside. It bounds the slope of weights where a path begins to leave
/// the body. Not tuned.
const OUTSIDE_COST: f64 = 300.0;

/// Added to `1 + cos φ`, so that distances are finite. The value of Blender's bone heat.
const GRAZING_TERM: f64 = 1e-3;

/// The largest value of [`facing`].
pub(crate) const MAX_FACING: f64 = 1.0 + 0.5 * GRAZING_TERM;

/// The relative excess distance over the nearest bone at which a bone's influence ends. Not tuned.
pub(crate) const FALLOFF_WIDTH: f64 = 0.01;

/// The candidate bones of a vertex: at most this many, and at most this many times as far as the nearest by
/// [`BodySurface::straight_distance`]. Bounds on time; not tuned.
const MAX_CANDIDATES: usize = 8;
const MAX_DISTANCE_RATIO: f64 = 4.0;

/// The least distance, relative to the bounding box diagonal; it keeps heat finite on a bone. It is 500 times the
/// rounding of positions in f32; not tuned.
const MIN_DISTANCE: f64 = 5e-5;

/// The fraction of a path at each end where crossings are ignored, since it starts and ends on a surface or a bone. The
/// value of Blender's bone heat, a hundred times the rounding of positions in f32.
const END_FRACTION: f64 = 1e-5;

/// The surface that bounds paths.
pub(crate) struct BodySurface<'a> {
    pub positions: &'a [DVec3],
    /// Outward unit normals, or zero.
    pub normals: &'a [DVec3],
    pub fans: &'a VertexFans<'a>,
    pub winding: &'a Winding,
    /// Whether the surface has an inside; if not, every straight path is free.
    pub has_inside: bool,
}

/// The distance of one bone from a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneDistance {
    pub bone: u32,
    /// D of the shortest path known.
    pub distance: f64,
    /// Whether all known paths leave the body.
    pub is_blocked: bool,
}

impl BoneDistance {
    /// Adds this path to a list with the shortest path of each bone.
    pub fn add_to(self, bones: &mut Vec<Self>) {
        match bones.iter_mut().find(|other| other.bone == self.bone) {
            Some(other) => {
                other.distance = other.distance.min(self.distance);
                other.is_blocked &= self.is_blocked;
            }
            None => bones.push(self),
        }
    }
}

/// The distances of bones from a vertex.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BoneDistances {
    pub bones: Vec<BoneDistance>,
    /// Whether a straight path leaves the body, so that one around a corner may be shorter.
    pub is_obstructed: bool,
    /// 1 where the straight paths to the nearest bones stay inside, less where they do not.
    pub clearance: f64,
}

/// The divisor of distances to a bone in this direction: `(1 + cos φ)/2`.
pub(crate) fn facing(normal: DVec3, direction: DVec3) -> f64 {
    if normal == DVec3::ZERO {
        return 1.0;
    }
    0.5 * (1.0 + GRAZING_TERM + normal.dot(direction.normalize_or(normal)))
}

/// The falloff of a bone's influence by its distance: one at the nearest bone's distance, zero from `1 + FALLOFF_WIDTH`
/// times that on, and smooth between.
pub(crate) fn bone_falloff(distance: f64, nearest: f64) -> f64 {
    let beyond = if distance > nearest { distance / nearest - 1.0 } else { 0.0 };
    (1.0 - beyond / FALLOFF_WIDTH).max(0.0).powi(2)
}

/// For each vertex the bones that contribute along straight paths: those not much farther than the nearest.
pub(crate) fn straight_distances(body: &BodySurface<'_>, segments: &[Segment]) -> Vec<BoneDistances> {
    (0..body.positions.len())
        .into_par_iter()
        .map_init(Default::default, |(near, crossings), vertex| body.distances(vertex, segments, near, crossings))
        .collect()
}

/// A straight path from a bone segment to a vertex, regardless of obstacles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StraightPath {
    pub bone: u32,
    /// D of the path.
    pub distance: f64,
    /// The start of the path.
    pub origin: DVec3,
}

impl BodySurface<'_> {
    fn distances(
        &self,
        vertex: usize,
        segments: &[Segment],
        near: &mut Vec<StraightPath>,
        crossings: &mut Vec<SegmentIntersection>,
    ) -> BoneDistances {
        let (point, normal) = (self.positions[vertex], self.normals[vertex]);
        self.straight_paths(vertex, segments, MAX_DISTANCE_RATIO, near);
        near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.bone.cmp(&b.bone)));
        let mut distances = BoneDistances { bones: Vec::new(), is_obstructed: false, clearance: 1.0 };
        let (mut best, mut clearance, mut total_falloff) = (f64::INFINITY, 0.0, 0.0);
        // Bones that meet in a joint often share the nearest point.
        let mut last = None;
        for straight in near.iter().take(MAX_CANDIDATES) {
            if straight.distance > best * (1.0 + FALLOFF_WIDTH) {
                break;
            }
            let path = point - straight.origin;
            let outside_cost = match last {
                Some((origin, outside_cost)) if origin == straight.origin => outside_cost,
                _ => self.outside_cost(vertex, path, crossings),
            };
            last = Some((straight.origin, outside_cost));
            let distance = straight.distance + outside_cost / facing(normal, path);
            let falloff = bone_falloff(straight.distance, near[0].distance);
            clearance += falloff * straight.distance / distance;
            total_falloff += falloff;
            best = best.min(distance);
            distances.is_obstructed |= outside_cost > 0.0;
            BoneDistance { bone: straight.bone, distance, is_blocked: outside_cost > 0.0 }.add_to(&mut distances.bones);
        }
        if total_falloff > 0.0 {
            distances.clearance = clearance / total_falloff;
        }
        distances
    }

    /// The straight paths at most `times` as long as the shortest, in the order of segments.
    pub fn straight_paths(&self, vertex: usize, segments: &[Segment], times: f64, near: &mut Vec<StraightPath>) {
        let point = self.positions[vertex];
        near.clear();
        let mut least = f64::INFINITY;
        for segment in segments {
            let origin = segment.nearest(point);
            // Too far even right behind the surface.
            if origin.distance_squared(point) > (MAX_FACING * times * least).powi(2) {
                continue;
            }
            let straight =
                StraightPath { bone: segment.bone, distance: self.straight_distance(vertex, origin), origin };
            least = least.min(straight.distance);
            near.push(straight);
        }
        near.retain(|straight| straight.distance <= times * least);
    }

    /// D of the straight path from a point to a vertex, regardless of obstacles.
    fn straight_distance(&self, vertex: usize, origin: DVec3) -> f64 {
        let away = self.positions[vertex] - origin;
        away.length().max(MIN_DISTANCE) / facing(self.normals[vertex], away)
    }

    /// The least D of straight paths from the segments of a bone to a vertex, regardless of obstacles.
    pub fn straight_distance_to(&self, vertex: usize, bone: &[Segment]) -> f64 {
        let distances =
            bone.iter().map(|segment| self.straight_distance(vertex, segment.nearest(self.positions[vertex])));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The extra cost of a straight path to a vertex where it leaves the body.
    pub fn outside_cost(&self, vertex: usize, path: DVec3, crossings: &mut Vec<SegmentIntersection>) -> f64 {
        let point = self.positions[vertex];
        OUTSIDE_COST * self.outside_length(point - path, point, crossings, || self.fans.length_along(vertex, -path))
    }

    /// The cost of a straight path to a point that is not on the surface.
    pub fn length(&self, origin: DVec3, place: DVec3, crossings: &mut Vec<SegmentIntersection>) -> f64 {
        origin.distance(place) + OUTSIDE_COST * self.outside_length(origin, place, crossings, || 0.0)
    }

    /// The length of a straight path outside the surfaces it left, less an exempt length at its end, and at most the length
    /// inside before: so the distance is continuous as a bone emerges from a surface.
    fn outside_length(
        &self,
        origin: DVec3,
        point: DVec3,
        buffer: &mut Vec<SegmentIntersection>,
        exempt: impl FnOnce() -> f64,
    ) -> f64 {
        if !self.has_inside {
            return 0.0;
        }
        self.winding.segment_intersections(origin, point, buffer);
        // Lengths count between the same ends as crossings, so that a crossing has no effect when it appears.
        let ends = END_FRACTION..1.0 - END_FRACTION;
        let mut crossings = buffer.iter().filter(|crossing| ends.contains(&crossing.parameter)).peekable();
        let mut has_left = false;
        let mut starts_outside = crossings.peek().is_some_and(|crossing| crossing.enters);
        let (mut at, mut inside, mut outside) = (ends.start, 0.0, 0.0f64);
        for crossing in crossings {
            let piece = crossing.parameter - at;
            if has_left {
                outside = (outside + piece).min(inside);
            } else if !starts_outside {
                inside += piece;
            }
            (at, has_left, starts_outside) = (crossing.parameter, !crossing.enters, false);
        }
        let length = origin.distance(point);
        if has_left {
            outside = (outside + (ends.end - at - exempt() / length).max(0.0)).min(inside);
        }
        outside * length
    }
}
