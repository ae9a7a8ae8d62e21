//! Self-intersections in the folds around joints.
//!
//! Where two limbs are pressed flat against each other, triangles that are large for the fold, or lie across the seam,
//! can still pass through others; and joints that are no hinges fold as the skin has them. So the surface around joints
//! that turned is searched for self-intersections, and these are resolved. An intersection farther away, such as a hand
//! in a hip, is no fold and stays.

use super::model::{Posture, RestModel};
use crate::contact::SelfIntersectionResolver;
use glam::{DMat3, DVec3};
use sinew_geometry::Rows;
use sinew_geometry::{Face, SurfaceTriangle};
use std::collections::HashMap;

/// How far around a joint its fold goes, in radii of its seam.
const FOLD_RADIUS: f64 = 3.0;

/// The cosine of the turn of a joint from which on it may fold.
const MAX_STRAIGHT_COSINE: f64 = 0.9;

/// The share of a resolved point's offset that the next frame starts with, in a warm start. A fold that opens is smooth
/// again after a few frames.
const WARM_START: f64 = 0.9;

/// The self-intersections around joints.
pub(super) struct FoldIntersections {
    resolver: SelfIntersectionResolver,
    folds: Folds,
    /// Points that moved, with their offsets in the space of their limb; and the places before they move.
    offsets: Vec<(u32, DVec3)>,
    before: Vec<DVec3>,
}

impl FoldIntersections {
    pub fn new(model: &RestModel, is_wanted: Vec<bool>, warm_start: bool) -> Self {
        let near = near(model);
        let has_fold = |face: &&Face| !in_all(&near, face.corners()).is_empty();
        let faces: Vec<Face> = model.body.faces.iter().filter(has_fold).copied().collect();
        let resolver = SelfIntersectionResolver::new(&model.body, &faces, |point| model.thickness(point));
        let size = if warm_start { model.body.len() } else { 0 };
        Self {
            folds: Folds::new(resolver.triangles(), &near, is_wanted),
            resolver,
            offsets: Vec::with_capacity(size),
            before: vec![DVec3::ZERO; size],
        }
    }

    /// Detects which joints turned; whether any did.
    pub fn detect(&mut self, model: &RestModel, posture: &Posture) -> bool {
        self.folds.detect(model, posture)
    }

    /// Moves places so that less intersects around the joints that turned; `is_warm` for a warm start from the frame
    /// before.
    pub fn resolve(&mut self, model: &RestModel, posture: &Posture, places: &mut [DVec3], is_warm: bool) {
        let Self { resolver, folds, offsets, before } = self;
        let half_spaces = |point: u32| posture.constraint(model, point as usize).half_spaces;
        before.iter_mut().zip(&*places).for_each(|(before, place)| *before = *place);
        for &(point, moved) in offsets.iter().filter(|_| is_warm) {
            let place = &mut places[point as usize];
            let turn = model.limbs.of_point[point as usize].map(|limb| posture.motions[limb as usize].matrix3);
            *place = half_spaces(point).clamp(*place + WARM_START * turn.map_or(DVec3::ZERO, |turn| turn * moved));
        }
        if folds.is_turned.contains(&true) {
            resolver.resolve(&model.body, places, |t| folds.is_open(t), |a, b| folds.share_joint(a, b), half_spaces);
        }
        offsets.clear();
        for (point, (before, place)) in before.iter().zip(&*places).enumerate().filter(|(_, (a, b))| a != b) {
            if let Some(limb) = model.limbs.of_point[point] {
                offsets.push((point as u32, posture.back[limb as usize].matrix3 * (*place - *before)));
            }
        }
    }
}

/// The triangles around joints, and the joints that turned.
struct Folds {
    /// Sets of limbs whose joints triangles are near to, and the one of each triangle.
    limbs: Rows<u32>,
    of_triangle: Vec<u32>,
    /// Sets with a joint that turned.
    is_open: Vec<bool>,
    /// Joints whose limbs are to stay apart, and those of them that turned.
    is_wanted: Vec<bool>,
    is_turned: Vec<bool>,
}

impl Folds {
    fn new(triangles: &[SurfaceTriangle], near: &Rows<u32>, is_wanted: Vec<bool>) -> Self {
        let mut sets = Vec::new();
        let mut numbers = HashMap::new();
        let of_triangle = triangles.iter().map(|triangle| {
            let limbs = in_all(near, &triangle.vertices);
            *numbers.entry(limbs).or_insert_with_key(|limbs: &Vec<u32>| {
                sets.push(limbs.clone());
                sets.len() as u32 - 1
            })
        });
        let of_triangle = of_triangle.collect();
        Self {
            is_open: vec![false; sets.len()],
            limbs: Rows::new(sets.into_iter()),
            of_triangle,
            is_turned: vec![false; is_wanted.len()],
            is_wanted,
        }
    }

    /// Detects which joints turned; whether any did.
    fn detect(&mut self, model: &RestModel, posture: &Posture) -> bool {
        for (limb, (is_turned, shape)) in self.is_turned.iter_mut().zip(&model.limbs.all).enumerate() {
            *is_turned = shape.parent.filter(|_| self.is_wanted[limb]).is_some_and(|parent| {
                let turn = posture.back[parent].matrix3 * posture.motions[limb].matrix3;
                0.5 * (trace(turn) - 1.0) < MAX_STRAIGHT_COSINE
            });
        }
        for (set, is_open) in self.is_open.iter_mut().enumerate() {
            *is_open = self.limbs.row(set as u32).iter().any(|&limb| self.is_turned[limb as usize]);
        }
        self.is_turned.contains(&true)
    }

    /// Whether a triangle is near a joint that turned.
    fn is_open(&self, triangle: u32) -> bool {
        self.is_open[self.of_triangle[triangle as usize] as usize]
    }

    /// Whether two triangles are near the same joint that turned.
    fn share_joint(&self, a: u32, b: u32) -> bool {
        let [ours, theirs] = [a, b].map(|triangle| self.limbs.row(self.of_triangle[triangle as usize]));
        ours.iter().any(|limb| self.is_turned[*limb as usize] && theirs.contains(limb))
    }
}

/// The limbs that are in the rows of all points.
fn in_all(near: &Rows<u32>, points: &[u32]) -> Vec<u32> {
    let [first, others @ ..] = points else { return Vec::new() };
    let is_in_all = |limb: &&u32| others.iter().all(|&point| near.row(point).contains(limb));
    near.row(*first).iter().filter(is_in_all).copied().collect()
}

/// For each point the limbs that it belongs to or that are next to its own, and whose joints are near.
fn near(model: &RestModel) -> Rows<u32> {
    let (body, limbs) = (&model.body, &model.limbs);
    let radii: Vec<f64> = (0..limbs.all.len()).map(|limb| seam_radius(model, limb).unwrap_or(0.0)).collect();
    let row = |point: usize| {
        let Some(own) = limbs.of_point[point].map(|limb| limb as usize) else { return Vec::new() };
        let around = [own].into_iter().chain(limbs.children(own));
        let is_near = |&limb: &usize| body.rest[point].distance(limbs.all[limb].head) < FOLD_RADIUS * radii[limb];
        around.filter(is_near).map(|limb| limb as u32).collect()
    };
    Rows::new((0..body.len()).map(row))
}

/// The median distance from a limb's joint of the edges to its parent limb.
fn seam_radius(model: &RestModel, limb: usize) -> Option<f64> {
    let (body, limbs) = (&model.body, &model.limbs);
    let ends = [Some(limb as u32), Some(limbs.all[limb].parent? as u32)];
    let seam = body.edges().filter(|&(i, j)| [limbs.of_point[i], limbs.of_point[j]] == ends);
    let mut distances: Vec<f64> = seam.map(|(i, _)| body.rest[i].distance(limbs.all[limb].head)).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied()
}

fn trace(matrix: DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}
