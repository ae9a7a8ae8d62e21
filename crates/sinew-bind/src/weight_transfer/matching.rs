//! Matches between vertices of the target and points of the source.
//!
//! The match is the closest point, if it is close and has a similar normal. Where surfaces touch, as fingers do, cloth around
//! one may be closer to the other. The closest point then has an opposite normal, and a second search accepts only points
//! with a similar normal *and* with the vertex above them: within 60° of their normal, on the outside. This rejects points
//! that only happen to have a similar normal, on the far side of a limb or around the next corner.
//!
//! If that fails too and the closest point has the opposite normal, it is the match: the lining of a coat, or an inverted
//! part. Inverted meshes are flipped first: a source with a negative volume, and a target that finds more matches when
//! flipped.
//!
//! Normals are area-weighted means over the faces around a vertex, interpolated over the source, so that flat shading and
//! seams do not matter. Vertices without a normal match by distance alone.

use super::inpaint::WeightRow;
use super::welded_surface::WeldedSurface;
use super::{TransferOptions, WeightedSurface};
use glam::DVec3;
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Hit, NormalCones};

/// The least cosine between a point's normal and the direction to a vertex above it, 60°. Not tuned.
const MIN_ABOVE_COSINE: f64 = 0.5;

/// The ratio of matches above which a target is flipped. A clear majority; not tuned.
const MIN_FLIP_RATIO: usize = 2;

/// The number of vertices that vote on flipping the target. A share of so many votes has a standard error of 3 %.
const FLIP_VOTERS: usize = 256;

/// A rigged surface, prepared for matching.
pub(super) struct MatchSource<'a> {
    surface: &'a WeightedSurface<'a>,
    closest: ClosestSurface,
    /// The unit normal at each vertex; zero where there is none.
    normals: Vec<DVec3>,
    /// The column after those of the joints, for the dual-quaternion share.
    share_column: u32,
}

/// The matches of each welded vertex of the target.
pub(super) struct Matches {
    /// The closest point.
    pub nearest: Vec<Hit>,
    /// The match, if there is one.
    pub accepted: Vec<Option<Hit>>,
}

impl<'a> MatchSource<'a> {
    /// None if the surface has no face.
    pub fn new(surface: &'a WeightedSurface<'a>) -> Option<Self> {
        let closest = ClosestSurface::new(surface.positions, surface.faces);
        closest.nearest(DVec3::ZERO)?;
        let welded = WeldedSurface::new(surface.positions, surface.faces);
        let areas = welded.vector_areas();
        let orientation = if volume(&welded.positions, &areas) < 0.0 { -1.0 } else { 1.0 };
        let normal = |vertex| orientation * areas[welded.welded_vertex(vertex)].normalize_or_zero();
        let normals = (0..surface.positions.len()).map(normal).collect();
        let share_column = surface.weights.rows().flatten().map(|i| i.joint.saturating_add(1)).max().unwrap_or(0);
        Some(Self { surface, closest, normals, share_column })
    }

    pub fn matches(&self, target: &WeldedSurface, options: &TransferOptions) -> Matches {
        let positions = &target.positions;
        let nearest: Vec<Hit> = positions.par_iter().filter_map(|&position| self.closest.nearest(position)).collect();
        let mut normals = target.vector_areas();
        normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
        let max_angle = options.max_angle_degrees.to_radians();
        let limits = MatchLimits {
            max_distance: options.max_distance * target.diagonal(),
            min_cosine: max_angle.cos(),
            cones: self.closest.cones(&self.normals, max_angle),
        };
        let front_match = |vertex: usize, orientation: f64| {
            self.front_match(positions[vertex], orientation * normals[vertex], &nearest[vertex], &limits)
        };
        let voters = || (0..positions.len()).into_par_iter().step_by(positions.len().div_ceil(FLIP_VOTERS).max(1));
        let votes = |orientation: f64| voters().filter(|&vertex| front_match(vertex, orientation).is_some()).count();
        let orientation = if votes(-1.0) > MIN_FLIP_RATIO * votes(1.0) { -1.0 } else { 1.0 };
        let accept = |vertex: usize| {
            let back_match = || self.back_match(orientation * normals[vertex], &nearest[vertex], &limits);
            front_match(vertex, orientation).or_else(back_match)
        };
        let accepted = (0..positions.len()).into_par_iter().map(accept).collect();
        Matches { nearest, accepted }
    }

    /// The closest point with a similar normal, if it is the closest of all or below the vertex.
    fn front_match(&self, position: DVec3, normal: DVec3, nearest: &Hit, limits: &MatchLimits) -> Option<Hit> {
        if nearest.distance > limits.max_distance {
            return None;
        }
        let below = self.normal(nearest);
        if normal.dot(below) >= limits.min_cosine || normal == DVec3::ZERO || below == DVec3::ZERO {
            return Some(*nearest);
        }
        let is_below = |hit: &Hit| {
            let below = self.normal(hit);
            normal.dot(below) >= limits.min_cosine
                && (position - hit.point).dot(below) >= MIN_ABOVE_COSINE * hit.distance
        };
        self.closest.nearest_facing(position, limits.max_distance, (&limits.cones, normal, None), is_below)
    }

    /// The closest point, if it has the opposite normal.
    fn back_match(&self, normal: DVec3, nearest: &Hit, limits: &MatchLimits) -> Option<Hit> {
        let is_match =
            nearest.distance <= limits.max_distance && -normal.dot(self.normal(nearest)) >= limits.min_cosine;
        is_match.then_some(*nearest)
    }

    /// The unit normal at a point.
    fn normal(&self, hit: &Hit) -> DVec3 {
        hit.interpolate(|vertex| self.normals[vertex]).normalize_or_zero()
    }

    /// The weights at a point, followed by the dual-quaternion share.
    pub fn row(&self, hit: &Hit) -> WeightRow {
        let mut row = WeightRow::new();
        for (&vertex, share) in hit.vertices.iter().zip(hit.barycentric).filter(|(_, share)| *share > 0.0) {
            let influences = || self.surface.weights.row(vertex as usize).iter().filter(|i| i.weight > 0.0);
            let sum: f64 = influences().map(|i| f64::from(i.weight)).sum();
            row.extend(influences().map(|i| (i.joint, share * f64::from(i.weight) / sum)));
            if let Some(shares) = self.surface.dual_quaternion_share {
                row.push((self.share_column, share * f64::from(shares[vertex as usize])));
            }
        }
        row.sort_by_key(|&(column, _)| column);
        row.dedup_by(|next, sum| {
            let is_same = next.0 == sum.0;
            sum.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        row
    }

    /// Whether rows have a dual-quaternion share.
    pub fn has_share(&self) -> bool {
        self.surface.dual_quaternion_share.is_some()
    }

    /// The weights in a row, which sum to one, and the dual-quaternion share.
    pub fn split<'r>(&self, row: &'r [(u32, f64)]) -> (&'r [(u32, f64)], f64) {
        match row.split_last() {
            Some((&(column, share), joints)) if column == self.share_column => (joints, share.clamp(0.0, 1.0)),
            _ => (row, 0.0),
        }
    }
}

struct MatchLimits {
    max_distance: f64,
    min_cosine: f64,
    /// The normal cones of that angle.
    cones: NormalCones,
}

/// Three times the volume that a surface encloses, relative to its centre.
fn volume(positions: &[DVec3], vector_areas: &[DVec3]) -> f64 {
    let center = positions.iter().sum::<DVec3>() / positions.len().max(1) as f64;
    positions.iter().zip(vector_areas).map(|(&position, area)| (position - center).dot(*area)).sum()
}
