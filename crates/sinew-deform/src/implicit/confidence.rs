//! The confidence in the fields: how far each vertex may follow them.
//!
//! A field represents its limb well along the limb, and badly where others come near: in armpits, groins and between
//! fingers the fields of several limbs overlap although their surfaces do not, and a skin that followed them would be
//! worse than the plain one. So a vertex follows only as far as the fields agree with its place at rest, where no other
//! field reaches it, and around joints that are hinges in the frame. Elsewhere the skin stays as it was.

use super::fields::PosedFields;
use super::hinge::Member;
use crate::welded::Limbs;
use crate::welded::WeldedSurface;
use glam::DVec3;
use sinew_geometry::Rows;
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;

/// Rounds in which confidence falls off towards neighbours that have less.
const SPREAD_ROUNDS: usize = 5;

/// A vertex that follows the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrackedVertex {
    pub point: u32,
    pub limb: u32,
    /// e: the composed density at rest.
    pub iso: f64,
    /// How far it follows, more than 0 and at most 1.
    pub confidence: f64,
}

/// All vertices that may follow, in order, given the fields at rest and the hinges of the points.
pub(super) fn tracked_vertices(
    body: &WeldedSurface,
    limbs: &Limbs,
    fields: PosedFields<'_>,
    members: &Rows<(u32, Member)>,
) -> Vec<TrackedVertex> {
    let vertex = |i: usize| {
        let is_near = members.row(i as u32).iter().any(|(_, member)| member.nearness > 0.0);
        let Some(limb) = limbs.of_point[i].filter(|_| is_near) else { return (0.5, 0.0) };
        let iso = fields.iso_value(limb as usize, body.rest[i]);
        (iso, if body.is_morphed[i] { 0.0 } else { agreement(fields, limb as usize, iso, body.rest[i]) })
    };
    let (isos, mut confidence): (Vec<f64>, Vec<f64>) = (0..body.len()).into_par_iter().map(vertex).unzip();
    for _ in 0..SPREAD_ROUNDS {
        confidence = (0..body.len())
            .into_par_iter()
            .map(|i| {
                let least = body.neighbours.row(i as u32).iter().map(|&(j, _)| confidence[j as usize]).reduce(f64::min);
                least.map_or(confidence[i], |least| confidence[i].min(0.5 * (confidence[i] + least) + 0.05))
            })
            .collect();
    }
    let confident = (0..body.len()).filter(|&i| confidence[i] > 0.0);
    confident
        .filter_map(|i| {
            Some(TrackedVertex { point: i as u32, limb: limbs.of_point[i]?, iso: isos[i], confidence: confidence[i] })
        })
        .collect()
}

/// How well the field of a vertex's limb agrees with its place at rest, with no other field around.
fn agreement(posed: PosedFields<'_>, limb: usize, iso: f64, rest: DVec3) -> f64 {
    let rising = |x: f64, from: f64, to: f64| smoothstep((x - from) / (to - from));
    let own = posed.density(limb, rest);
    let mut confidence = 1.0 - rising((iso - 0.5).abs(), 0.06, 0.15);
    confidence *= 1.0 - rising((own.value - iso).abs(), 0.2, 0.35);
    for other in (0..posed.fields.all.len()).filter(|&other| other != limb) {
        let there = posed.density(other, rest);
        if there.value <= 0.0 {
            continue;
        }
        let lengths = own.gradient.length() * there.gradient.length();
        let cosine = own.gradient.dot(there.gradient) / lengths.max(f64::MIN_POSITIVE);
        let opposed = 1.0 - rising(cosine, 0.2, 0.7);
        confidence *= 1.0
            - match posed.fields.adjacent_limbs(limb).any(|adjacent| adjacent == other) {
                true => rising(there.value, 0.35, 0.5) * opposed,
                false => rising(there.value, 0.2, 0.45) * (0.3 + 0.7 * opposed),
            };
    }
    confidence
}
