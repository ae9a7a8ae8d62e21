//! Which point of the source does a vertex of the target lie over?
//!
//! The closest, if it is close and looks the same way. Where surfaces touch, as fingers do and an arm and
//! the body, cloth around the one may be closer to the other. The closest then looks the other way, and
//! a second search takes only points that look the same way *and* that the vertex lies over: within 60°
//! of their normal, on the outside. This leaves out what only happens to look the same way, the far side
//! of a limb or the face around the next corner.
//!
//! If there is none either, and the closest looks straight the other way, it is the match: that is the
//! lining of a coat, or a piece that is wound the other way round. What is inside out as a whole is turned
//! first: a source whose volume is negative, and a target that finds more matches when it is turned.
//!
//! Normals are area-weighted means over the faces around a vertex, and interpolated over the source, so
//! that flat shading and seams make no difference. Vertices without a normal match by distance alone.

use super::inpaint::Row;
use super::welded_surface::Welded;
use super::{TransferOptions, WeightedSurface};
use glam::DVec3;
use rayon::prelude::*;
use sinew_geometry::{ClosestSurface, Hit, NormalCones};

/// Cosine of the angle from a point's normal within which what lies over it is.
const OVER: f64 = 0.5;

/// How many times the matches it has a target must find when it is turned, to be turned.
const TURN: usize = 2;

/// Vertices that are asked whether the target is inside out.
const JURY: usize = 256;

/// A rigged surface, ready to be matched with.
pub(super) struct Source<'a> {
    surface: &'a WeightedSurface<'a>,
    closest: ClosestSurface,
    /// The unit normal at each vertex; zero where there is none.
    normals: Vec<DVec3>,
    /// The column after those of the joints, where the share of dual-quaternion skinning goes.
    share_column: u32,
}

/// What was found for each place of the target.
pub(super) struct Matches {
    /// The closest point of all.
    pub nearest: Vec<Hit>,
    /// The match, if there is one.
    pub accepted: Vec<Option<Hit>>,
}

impl<'a> Source<'a> {
    /// None if the surface has no face.
    pub fn new(surface: &'a WeightedSurface<'a>) -> Option<Self> {
        let closest = ClosestSurface::new(surface.positions, surface.faces);
        closest.nearest(DVec3::ZERO)?;
        let welded = Welded::new(surface.positions, surface.faces);
        let areas = welded.vector_areas();
        let turn = if volume(&welded.places, &areas) < 0.0 { -1.0 } else { 1.0 };
        let normal = |vertex| turn * areas[welded.place(vertex)].normalize_or_zero();
        let normals = (0..surface.positions.len()).map(normal).collect();
        let share_column = surface.weights.rows().flatten().map(|i| i.joint.saturating_add(1)).max().unwrap_or(0);
        Some(Self { surface, closest, normals, share_column })
    }

    pub fn matches(&self, target: &Welded, options: &TransferOptions) -> Matches {
        let places = &target.places;
        let nearest: Vec<Hit> = places.par_iter().filter_map(|&place| self.closest.nearest(place)).collect();
        let mut normals = target.vector_areas();
        normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
        let max_angle = options.max_angle_degrees.to_radians();
        let limits = Limits {
            within: options.max_distance * target.diagonal(),
            cosine: max_angle.cos(),
            cones: self.closest.cones(&self.normals, max_angle),
        };
        let front =
            |vertex: usize, turn: f64| self.front(places[vertex], turn * normals[vertex], &nearest[vertex], &limits);
        let jury = || (0..places.len()).into_par_iter().step_by(places.len().div_ceil(JURY).max(1));
        let votes = |turn: f64| jury().filter(|&vertex| front(vertex, turn).is_some()).count();
        let turn = if votes(-1.0) > TURN * votes(1.0) { -1.0 } else { 1.0 };
        let accept = |vertex: usize| {
            let back = || self.back(turn * normals[vertex], &nearest[vertex], &limits);
            front(vertex, turn).or_else(back)
        };
        let accepted = (0..places.len()).into_par_iter().map(accept).collect();
        Matches { nearest, accepted }
    }

    /// The closest point that looks the same way, if it is the closest of all or the vertex lies over it.
    fn front(&self, place: DVec3, normal: DVec3, nearest: &Hit, limits: &Limits) -> Option<Hit> {
        if nearest.distance > limits.within {
            return None;
        }
        let below = self.normal(nearest);
        if normal.dot(below) >= limits.cosine || normal == DVec3::ZERO || below == DVec3::ZERO {
            return Some(*nearest);
        }
        let lies_below = |hit: &Hit| {
            let below = self.normal(hit);
            normal.dot(below) >= limits.cosine && (place - hit.point).dot(below) >= OVER * hit.distance
        };
        self.closest.nearest_facing(place, limits.within, (&limits.cones, normal), lies_below)
    }

    /// The closest point, if it looks the other way.
    fn back(&self, normal: DVec3, nearest: &Hit, limits: &Limits) -> Option<Hit> {
        let is_match = nearest.distance <= limits.within && -normal.dot(self.normal(nearest)) >= limits.cosine;
        is_match.then_some(*nearest)
    }

    /// The unit normal at a point.
    fn normal(&self, hit: &Hit) -> DVec3 {
        hit.interpolate(|vertex| self.normals[vertex]).normalize_or_zero()
    }

    /// The weights at a point, and the share of dual-quaternion skinning in the column after them.
    pub fn row(&self, hit: &Hit) -> Row {
        let mut row = Row::new();
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

    /// Whether rows have the share of dual-quaternion skinning.
    pub fn has_share(&self) -> bool {
        self.surface.dual_quaternion_share.is_some()
    }

    /// The weights in a row, which sum to one, and the share of dual-quaternion skinning.
    pub fn split<'r>(&self, row: &'r [(u32, f64)]) -> (&'r [(u32, f64)], f64) {
        match row.split_last() {
            Some((&(column, share), joints)) if column == self.share_column => (joints, share.clamp(0.0, 1.0)),
            _ => (row, 0.0),
        }
    }
}

struct Limits {
    within: f64,
    cosine: f64,
    /// Of the same angle.
    cones: NormalCones,
}

/// Three times the volume that a surface encloses, as seen from its middle.
fn volume(places: &[DVec3], vector_areas: &[DVec3]) -> f64 {
    let middle = places.iter().sum::<DVec3>() / places.len().max(1) as f64;
    places.iter().zip(vector_areas).map(|(&place, area)| (place - middle).dot(*area)).sum()
}
